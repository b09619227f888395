package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"incore/internal/web/api"
)

// fenced returns the text of a page between a line ```kind and the next ```.
func fenced(t *testing.T, page, kind string) string {
	t.Helper()
	_, text, found := strings.Cut(page, "\n```"+kind+"\n")
	text, _, ended := strings.Cut(text, "```\n")
	if !found || !ended {
		t.Fatalf("the page has no %s", kind)
	}
	return text
}

// TestCallablePython runs the client that docs/callable.md shows, which calls incore by name.
func TestCallablePython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	page, err := os.ReadFile("../../docs/callable.md")
	if err != nil {
		t.Fatal(err)
	}
	_, client, found := strings.Cut(string(page), "### A client without the package")
	if !found {
		t.Fatal("the page has no client")
	}
	code := fenced(t, client, "python")
	if n := strings.Count(code, "\n"); n > 16 {
		t.Errorf("the client has %d lines", n)
	}
	file := filepath.Join(t.TempDir(), "client.py")
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, file).CombinedOutput()
	if want := fenced(t, client, "text"); err != nil || string(out) != want {
		t.Errorf("%v\n%swant\n%s", err, out, want)
	}
}

// TestWorkerEnds: the worker's process ends when its client is killed in the middle of an answer, or sends no messages.
func TestWorkerEnds(t *testing.T) {
	start := func() (c *exec.Cmd, in io.WriteCloser, out io.ReadCloser) {
		c = exec.Command("incore", "serve", "--stdio")
		in, _ = c.StdinPipe()
		out, _ = c.StdoutPipe()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, in, out
	}
	ended := func(c *exec.Cmd) {
		t.Helper()
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			_ = c.Process.Kill()
			t.Error("the worker is still there")
		}
	}
	c, in, out := start()
	for i := range 200 { // more bytes of answers than a pipe holds
		fmt.Fprintf(in, `{"jsonrpc": "2.0", "id": %d, "method": "machines"}`+"\n", i)
	}
	_, _ = out.Read(make([]byte, 100))
	out.Close()
	in.Close()
	ended(c)

	c, in, out = start()
	fmt.Fprint(in, "Content-Length: 500\r\n\r\n{")
	in.Close()
	text, _ := io.ReadAll(out)
	ended(c)
	if code := c.ProcessState.ExitCode(); code != exitInput || !strings.Contains(string(text), "-32700") {
		t.Errorf("status %d: %s", code, text)
	}
}

// TestWorkerCommands: with --allow-run the worker runs programs, cancels them, and tells their errors; without, it refuses.
func TestWorkerCommands(t *testing.T) {
	ask := func(options []string, requests ...string) map[string]string {
		c := exec.Command("incore", append([]string{"serve", "--stdio"}, options...)...)
		c.Stdin = strings.NewReader(strings.Join(requests, "\n") + "\n")
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		answers := map[string]string{}
		for line := range strings.Lines(string(out)) {
			var m struct{ ID json.RawMessage }
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatal(err)
			}
			answers[string(m.ID)] = line
		}
		return answers
	}
	wrong := `{"jsonrpc": "2.0", "id": 1, "method": "trace", "params": {"args": ["--", "/nonexistent"]}}`
	if a := ask(nil, wrong); !strings.Contains(a["1"], "-32601") {
		t.Errorf("without --allow-run: %s", a["1"])
	}
	a := ask([]string{"--allow-run"}, wrong,
		`{"jsonrpc": "2.0", "id": 2, "method": "eval", "params": {"args": ["kernels"]}}`,
		`{"jsonrpc": "2.0", "id": 3, "method": "eval", "params": {"args": []}}`,
		`{"jsonrpc": "2.0", "id": 4, "method": "eval", "params": {"args": "kernels"}}`)
	for id, want := range map[string]string{"1": "nonexistent", "2": `"result":{"text":"`, "3": "no arguments", "4": "-32602"} {
		if !strings.Contains(a[id], want) {
			t.Errorf("request %s: %.300s, want %q", id, a[id], want)
		}
	}
	begin := time.Now()
	a = ask([]string{"--allow-run"}, `{"jsonrpc": "2.0", "id": 1, "method": "trace", "params": {"args": ["--", "sleep", "60"]}}`, `{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}`)
	if !strings.Contains(a["1"], "-32800") || time.Since(begin) > 30*time.Second {
		t.Errorf("cancelled: %.300s after %v", a["1"], time.Since(begin))
	}
}

// TestMeasureRefused: a request to measure what cannot be measured is refused in its own words: the text is no file,
// and a line is one of the text.
func TestMeasureRefused(t *testing.T) {
	options := allowed(true)
	for _, text := range []string{"1: jmp 1b", "1: zzz\n jnz 1b", "1: call f\n dec %rcx\n jnz 1b", "add x0, x1, x2",
		"fadd.d fa0, fa1, fa2", "\x00", "hello world", "1: hlt\n dec %rcx\n jnz 1b",
		"1: mov 0, %rax\n dec %rcx\n jnz 1b"} {
		body, _ := json.Marshal(map[string]any{"text": text})
		_, err := options.Answer(context.Background(), "measure", nil, body)
		var e *api.Error
		if !errors.As(err, &e) || strings.Contains(e.Message+e.Hint, "<stdin>") || strings.Contains(e.Message+e.Hint,
			"--") || strings.HasPrefix(e.Message, "is ") || strings.HasPrefix(e.Message, "has ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
