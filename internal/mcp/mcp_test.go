package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// client drives a server over pipes.
type client struct {
	t    testing.TB
	in   *io.PipeWriter
	out  *io.PipeReader
	read *bufio.Reader
	done chan error
}

func start(t testing.TB, o Options) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t, inW, outR, bufio.NewReader(outR), make(chan error, 1)}
	go func() { c.done <- Serve(context.Background(), inR, outW, o); inR.Close(); outW.Close() }()
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if m := c.receive(); m.Error != nil {
		t.Fatalf("initialize: %+v", m.Error)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

type message struct {
	ID     json.RawMessage
	Result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		Tools             []struct{ Name string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (c *client) send(line string) {
	_, _ = io.WriteString(c.in, line+"\n") // if it fails, no answer comes
}

func (c *client) call(id any, tool, arguments string) {
	text, _ := json.Marshal(id)
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, text, tool, arguments))
}

func (c *client) receive() (m message) {
	c.t.Helper()
	line, err := c.read.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil {
		c.t.Fatalf("%.200s: %v", line, err)
	}
	return m
}

// end closes the input and waits for the server.
func (c *client) end() error {
	c.t.Helper()
	c.in.Close()
	go func() { _, _ = io.Copy(io.Discard, c.out) }()
	select {
	case err := <-c.done:
		return err
	case <-time.After(time.Minute):
		c.t.Fatal("the server hangs")
		return nil
	}
}

const sum = `{"code":"1: vaddsd (%rdi,%rax,8), %xmm0, %xmm0; inc %rax; cmp %rcx, %rax; jne 1b","arch":"zen4"}`

// TestAgent: a client of another library makes kernels faster step by step.
func TestAgent(t *testing.T) {
	python := os.Getenv("INCORE_MCP_PYTHON")
	if python == "" {
		python = "python3"
	}
	if err := exec.Command(python, "-c", "import mcp").Run(); err != nil {
		t.Skip("no Python with the package mcp (INCORE_MCP_PYTHON names one)")
	}
	program := filepath.Join(t.TempDir(), "incore")
	if out, err := exec.Command("go", "build", "-o", program, "incore/cmd/incore").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(python, "testdata/agent.py", program)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, messages.String())
	}
	var r struct {
		Steps map[string][]struct {
			Change string
			Times  float64
		}
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	for name, steps := range r.Steps {
		all := 1.0
		for _, s := range steps {
			all *= s.Times
		}
		if all < 8 {
			t.Errorf("%s: %.1f times as fast after %+v", name, all, steps)
		}
	}
	if len(r.Steps) < 6 {
		t.Errorf("%d kernels", len(r.Steps))
	}
}

// TestWrong: each wrong message has an answer with the reason, and the session goes on.
func TestWrong(t *testing.T) {
	c := start(t, Options{})
	dir := t.TempDir()
	source := filepath.Join(dir, "a.c")
	if err := os.WriteFile(source, []byte("int f;"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ line, want string }{
		{"garbage", "no JSON"},
		{"{", "no JSON"},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "one by one"},
		{`3`, "no message"},
		{`{"id":1,"method":"ping"}`, "version"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "id"},
		{strings.Repeat("x", maxMessage+1), "more than"},
		{`{"jsonrpc":"2.0","id":1,"method":"none"}`, "none"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, ""},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"measure","arguments":{"code":"nop"}}}`, "measure"},
	} {
		c.send(x.line)
		if m := c.receive(); m.Error == nil || !strings.Contains(m.Error.Message, x.want) {
			t.Errorf("%.60s: %+v, want %q", x.line, m, x.want)
		}
	}
	for _, x := range []struct{ tool, arguments, want string }{
		{"analyze_loop", `{}`, "either code or path"},
		{"analyze_loop", `{"code":"x","path":"y"}`, "either code or path"},
		{"analyze_loop", `{"code":7}`, "string"},
		{"analyze_loop", `{"code":"nop","more":1}`, "more"},
		{"analyze_loop", `{"code":"nop","arch":"zen99"}`, "zen99"},
		{"analyze_loop", `{"code":"nop","arch":"zen1,zen2,zen3,zen4,zen5,skx,spr,icx,hsw"}`, "at most 8"},
		{"analyze_loop", `{"code":"mov %rax, %rbx\\n nonsense %rax","syntax":"none"}`, "none"},
		{"analyze_loop", `{"path":"` + dir + `/none"}`, "no such file"},
		{"analyze_loop", `{"path":"/dev/zero"}`, "no regular file"},
		{"analyze_loop", `{"path":"` + source + `"}`, "compile it first"},
		{"compare", `{"before":"nop"}`, "after"},
		{"explain_instruction", `{"instruction":""}`, "no instruction"},
		{"find_loops", `{"binary":"` + source + `"}`, "source file"},
		{"list_machines", `{"filter":"none such"}`, "no machine"},
	} {
		c.call(1, x.tool, x.arguments)
		m := c.receive()
		text := ""
		if m.Error != nil {
			text = m.Error.Message
		} else if len(m.Result.Content) > 0 && m.Result.IsError {
			text = m.Result.Content[0].Text
		}
		if !strings.Contains(text, x.want) {
			t.Errorf("%s %s: %q, want %q", x.tool, x.arguments, text, x.want)
		}
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestMany: of a thousand requests at once each has one answer, as has one whose id is taken; those before the end of the input are answered.
func TestMany(t *testing.T) {
	c := start(t, Options{})
	const n = 1000
	go func() {
		for i := 1; i <= n; i++ {
			c.call(i, "analyze_loop", sum)
		}
		c.call(n, "list_machines", `{}`) // the id may be taken
		c.in.Close()
	}()
	seen := map[string]int{}
	for range n + 1 {
		m := c.receive()
		seen[string(m.ID)]++
		if m.Error == nil && (m.Result.IsError || len(m.Result.Content) != 1) {
			t.Fatalf("%+v", m)
		}
	}
	if len(seen) != n {
		t.Errorf("%d ids are answered", len(seen))
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestGone: the server ends when its client does not read.
func TestGone(t *testing.T) {
	c := start(t, Options{})
	for i := range 100 {
		go c.call(i, "list_machines", `{}`)
	}
	_, _ = c.out.Read(make([]byte, 10))
	c.out.Close()
	select {
	case err := <-c.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server hangs")
	}
}

// TestShort: the text of an answer has at most 40 lines, however long the code is.
func TestShort(t *testing.T) {
	c := start(t, Options{})
	code, _ := json.Marshal("1:\n" + strings.Repeat(" vaddsd %xmm1, %xmm0, %xmm0\n vmulpd (%rdi), %ymm2, %ymm3\n", 200) + " dec %rcx\n jne 1b\n2:\n imul %rax, %rax\n dec %rcx\n jne 2b\n")
	c.call(1, "analyze_loop", `{"code":`+string(code)+`,"arch":"zen4,skx,spr,icx"}`)
	m := c.receive()
	if len(m.Result.Content) != 1 || m.Result.IsError {
		t.Fatalf("%+v", m)
	}
	if n := strings.Count(m.Result.Content[0].Text, "\n") + 1; n > maxLines || n < 10 {
		t.Errorf("%d lines", n)
	}
	if len(m.Result.StructuredContent) > 64<<10 {
		t.Errorf("%d bytes", len(m.Result.StructuredContent))
	}
	c.call(2, "list_machines", `{}`)
	if n := strings.Count(c.receive().Result.Content[0].Text, "\n") + 1; n > maxLines {
		t.Errorf("%d lines of machines", n)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// BenchmarkAnalyze is the time of an answer: at most 60 ms.
func BenchmarkAnalyze(b *testing.B) {
	c := start(b, Options{})
	for i := 0; b.Loop(); i++ {
		c.call(i, "analyze_loop", sum)
		c.receive()
	}
	_ = c.end()
}

// TestLimited: an answer that is there is given, also if the analysis has ended before anyone waits for it.
func TestLimited(t *testing.T) {
	s := &server{Options: Options{Time: time.Minute}, jobs: make(chan struct{}, 8)}
	var group sync.WaitGroup
	for range cap(s.jobs) {
		group.Go(func() {
			for i := range 20_000 {
				if v, err := limited(context.Background(), s, func(context.Context) (int, error) { return i, nil }); v != i || err != nil {
					t.Errorf("%d of %d, %v", v, i, err)
					return
				}
			}
		})
	}
	group.Wait()
}
