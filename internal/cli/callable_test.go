package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
