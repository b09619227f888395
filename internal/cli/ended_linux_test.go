package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// command returns the path of a link to this test program by which it is the command incore (see TestMain).
func command(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "incore")
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	return link
}

// blocks writes a corpus of different blocks.
func blocks(t *testing.T, dir string, n int) (name string) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("hex\n")
	for i := range n {
		fmt.Fprintf(&b, "4881c0%02x%02x%02x004801c34989dc\n", byte(i), byte(i>>8), byte(i>>16)) // add $i, %rax; add %rax, %rbx; mov %rbx, %r12
	}
	name = filepath.Join(dir, "blocks.csv")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// endMidway runs a command and sends it a signal once a file that matches a pattern has some rows. It returns what the command wrote to standard error.
func endMidway(t *testing.T, s syscall.Signal, pattern string, args ...string) string {
	t.Helper()
	cmd := exec.Command(command(t), args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	limit := time.After(time.Minute)
	for sent := false; ; {
		select {
		case err := <-ended:
			if !sent {
				t.Fatalf("%v ended before it had written rows: %v\n%s", args, err, &stderr)
			}
			if err == nil {
				t.Errorf("%v, interrupted, ends with status 0", args)
			}
			return stderr.String()
		case <-limit:
			_ = cmd.Process.Kill()
			t.Fatalf("%v neither wrote rows nor ended within a minute of the start\n%s", args, &stderr)
		case <-time.After(5 * time.Millisecond):
			if !sent && rowsIn(pattern) > 2 {
				sent = true
				for range 3 { // timeout sends it to the command, and again to its group
					if err := cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
						t.Fatal(err)
					}
					time.Sleep(time.Millisecond)
				}
			}
		}
	}
}

// rowsIn returns the complete lines of the files that match a pattern.
func rowsIn(pattern string) (n int) {
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		b, _ := os.ReadFile(name)
		n += bytes.Count(b, []byte("\n"))
	}
	return n
}

// kept holds that a file has a header and whole rows of its number of columns, and that its folder has no temporary files.
func kept(t *testing.T, name string, all int) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal("no rows were kept: ", err)
	}
	lines := strings.SplitAfter(string(b), "\n")
	if n := len(lines) - 2; n < 1 || n >= all {
		t.Errorf("%s has %d rows of %d", name, n, all)
	}
	for i, l := range lines[:len(lines)-1] {
		if strings.Count(l, ",") != strings.Count(lines[0], ",") {
			t.Errorf("%s:%d is no whole row: %q", name, i+1, l)
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		t.Errorf("%s ends in the middle of a row: %q", name, last)
	}
	if list, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*.tmp")); len(list) > 0 {
		t.Errorf("temporary files stay: %v", list)
	}
}

// TestEnded: the signals by which terminals, init and batch systems end a command leave the rows that it has, in whole lines, and no temporary file.
func TestEnded(t *testing.T) {
	const all = 200000
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) { // as under nohup, which the command respects
			t.Logf("%v is ignored here", s)
			continue
		}
		t.Run("predict/"+s.String(), func(t *testing.T) {
			dir := t.TempDir()
			out := filepath.Join(dir, "out.csv")
			if err := os.WriteFile(out, []byte("of before\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			text := endMidway(t, s, filepath.Join(dir, ".*.tmp"), "predict", "--arch", "skx", "-o", out, blocks(t, dir, all))
			kept(t, out+".partial", all)
			if b, _ := os.ReadFile(out); string(b) != "of before\n" {
				t.Errorf("%s was written over: %.40q", out, b)
			}
			if !strings.HasPrefix(text, "incore: ") {
				t.Errorf("standard error: %q", text)
			}
		})
		t.Run("measure/"+s.String(), func(t *testing.T) {
			if runtime.GOARCH != "amd64" {
				t.Skip("the blocks are of x86-64")
			}
			dir := t.TempDir()
			out := filepath.Join(dir, "out.csv")
			endMidway(t, s, out, "measure", "--format", "csv", "-o", out, blocks(t, dir, all))
			kept(t, out, all)
		})
	}
}

// TestEditorGone: a language server whose editor no longer reads ends, and leaves no file behind.
func TestEditorGone(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("incore", "lsp")
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	send := func(body string) { fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(body), body) }
	send(`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {"window": {"showDocument": {"support": true}}}}}`)
	send(`{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///a.s", "languageId": "asm", "version": 1, "text": "1: imul %rax, %rbx\n dec %rcx\n jnz 1b\n"}}}`)
	send(`{"jsonrpc": "2.0", "id": 2, "method": "workspace/executeCommand", "params": {"command": "incore.report", "arguments": ["file:///a.s", 0]}}`)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if files, _ := filepath.Glob(dir + "/*/report-*"); len(files) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no report was written")
		}
	}
	out.Close()
	send(`{"jsonrpc": "2.0", "id": 3, "method": "textDocument/codeLens", "params": {"textDocument": {"uri": "file:///a.s"}}}`)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the server does not end")
	}
	if files, _ := filepath.Glob(dir + "/*"); len(files) > 0 {
		t.Errorf("it leaves %q", files)
	}
}
