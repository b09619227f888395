package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"incore/internal/web/api"
)

// client drives a worker over pipes, as a program would that starts it.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	read *bufio.Reader
	done chan error
}

func start(t *testing.T, o Options) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t, inW, outR, bufio.NewReader(outR), make(chan error, 1)}
	go func() { c.done <- Serve(context.Background(), inR, outW, o); inR.Close(); outW.Close() }()
	return c
}

func (c *client) send(id int, method, params string) {
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc": "2.0", "id": %d, "method": %q, "params": %s}`+"\n", id, method, params); err != nil {
		c.t.Error(err)
	}
}

// message is an answer or a notification.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  Progress        `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   struct {
		Code    int
		Message string
		Data    api.Error
	} `json:"error"`
}

func (c *client) receive() (m message) {
	c.t.Helper()
	line, err := c.read.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil || m.JSONRPC != "2.0" {
		c.t.Fatalf("%.200s: %v", line, err)
	}
	return m
}

// end closes the input and waits for the worker.
func (c *client) end() error {
	c.t.Helper()
	c.in.Close()
	select {
	case err := <-c.done:
		return err
	case <-time.After(time.Minute):
		c.t.Fatal("the worker hangs")
		return nil
	}
}

const loop = `{"text": "1: add %rax, %rbx; jnz 1b", "arch": ["zen4"]}`

// TestSame: the worker's answers are those of the web API.
func TestSame(t *testing.T) {
	c := start(t, Options{Options: api.Options{Version: "1"}})
	for method, params := range map[string]string{
		"analyze": loop, "info": `{}`, "words": `{}`, "machines": `{}`,
		"compare": `{"texts": ["1: add %rax, %rbx; jnz 1b", "1: imul %rax, %rbx; jnz 1b"], "arch": ["zen4"]}`,
		"deps":    `{"text": "1: add %rax, %rbx; mov %rbx, (%rcx); jnz 1b", "arch": ["zen4"], "war": true}`,
		"explain": `{"instruction": "add %rax, %rbx", "arch": ["zen4", "skx"]}`,
		"predict": `{"blocks": ["imul %rax, %rax", "4801d8", "nonsense"], "arch": ["zen4", "skx"]}`,
	} {
		v, err := (&api.Options{Version: "1"}).Answer(context.Background(), method, nil, []byte(params))
		if err != nil {
			t.Fatal(method, err)
		}
		want, _ := json.Marshal(v)
		c.send(7, method, params)
		if got := c.receive(); !bytes.Equal(got.Result, want) || string(got.ID) != "7" {
			t.Errorf("%s: %.300s\nwant %.300s", method, got.Result, want)
		}
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestLoops: the loops of an object file, and a report on the first.
func TestLoops(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	text := "package main\n\nimport \"os\"\n\nfunc main() {\n\tn := 0\n\tfor i := range os.Args {\n\t\tn += i\n\t}\n\tos.Exit(n)\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "a.out"), file)
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("no Go here: %v %s", err, out)
	}
	self, err := os.ReadFile(filepath.Join(dir, "a.out"))
	if err != nil {
		t.Fatal(err)
	}
	c := start(t, Options{})
	object := base64.StdEncoding.EncodeToString(self)
	c.send(1, "loops", `{"object": "`+object+`", "name": "a.o", "arch": ["zen4"]}`)
	var list struct {
		File  string
		Loops []struct {
			Function string
			Loop     int
		}
	}
	if m := c.receive(); json.Unmarshal(m.Result, &list) != nil || len(list.Loops) == 0 || list.File != "a.o" {
		t.Fatalf("%s %v", m.Result, m.Error)
	}
	c.send(2, "loops", fmt.Sprintf(`{"object": %q, "function": %q, "loop": %d, "arch": ["zen4"]}`, object, list.Loops[0].Function, list.Loops[0].Loop))
	if m := c.receive(); !bytes.Contains(m.Result, []byte(`"cycles"`)) {
		t.Errorf("%s %v", m.Result, m.Error)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestHostile: each wrong message has an error that says what is wrong, and the next request an answer.
func TestHostile(t *testing.T) {
	c := start(t, Options{})
	call := func(method, params string) string {
		return `{"jsonrpc": "2.0", "id": 5, "method": "` + method + `", "params": ` + params + `}`
	}
	deep := strings.Repeat("[", 100_000)
	for _, x := range []struct {
		line, id string
		code     int
		want     string
	}{
		{"garbage", "null", -32700, "no JSON"},
		{"\x00\xff\xfe{}", "null", -32700, "no JSON"},
		{`{"jsonrpc": "2.0", "id": 5, "method": "ana`, "null", -32700, "no JSON"},
		{deep, "null", -32700, "no JSON"},
		{`17`, "null", -32600, "no JSON object"},
		{`null`, "null", -32600, "no method"},
		{`[` + call("info", "{}") + `]`, "null", -32600, "one by one"},
		{`{}`, "null", -32600, "no method"},
		{`{"jsonrpc": "2.0", "id": 5, "method": 7}`, "5", -32600, "no method"},
		{`{"jsonrpc": "2.0", "id": 5, "result": {}}`, "5", -32600, "no method"},
		{`{"id": 5, "method": "info"}`, "5", -32600, "jsonrpc"},
		{`{"jsonrpc": "2.0", "id": -1, "method": "info"}`, "null", -32600, "the id"},
		{`{"jsonrpc": "2.0", "id": 1.5, "method": "info"}`, "null", -32600, "the id"},
		{`{"jsonrpc": "2.0", "id": null, "method": "info"}`, "null", -32600, "the id"},
		{`{"jsonrpc": "2.0", "id": {}, "method": "info"}`, "null", -32600, "the id"},
		{`{"jsonrpc": "2.0", "id": "` + strings.Repeat("x", 300) + `", "method": "info"}`, "null", -32600, "the id"},
		{call("analyze", "[1]"), "5", -32602, "params"},
		{call("shutdown", "{}"), "5", -32601, "known are analyze, compare"},
		{call("analyze", "{}"), "5", -32602, "there is no text"},
		{call("analyze", `{"text": 5}`), "5", -32602, "has a number"},
		{call("analyze", `{"text": "nop", "arch": "zen4"}`), "5", -32602, "has a string"},
		{call("analyze", `{"text": "nop", "arch": ["zen99"]}`), "5", -32001, "unknown machine"},
		{call("analyze", `{"text": "`+strings.Repeat("nop;", 1<<18)+`"}`), "5", -32602, "more than"},
		{call("predict", `{"blocks": [null, 5]}`), "5", -32602, "has a number"},
		{call("predict", `{"blocks": []}`), "5", -32602, "no blocks"},
		{call("predict", `{"blocks": ["nop"], "progress": "yes"}`), "5", -32602, "progress has a string"},
		{call("predict", `{"blocks": ["nop"`+strings.Repeat(`,""`, 20_000)+`]}`), "5", -32602, "at most 20000"},
		{call("explain", `{"instruction": ""}`), "5", -32602, "no instruction"},
		{call("explain", `{"instruction": "`+strings.Repeat("x", 5000)+`"}`), "5", -32602, "at most 1000"},
		{call("loops", `{}`), "5", -32602, "no object"},
		{call("loops", `{"object": "***"}`), "5", -32602, "base64"},
		{call("loops", `{"object": "AAAA"}`), "5", -32001, ""},
		{call("loops", `{"object": "`+strings.Repeat("AAAA", 3<<20)+`"}`), "null", -32600, "a message of more than"},
		{call("initialize", `{"protocols": [99]}`), "5", -32602, "known is 1"},
	} {
		go fmt.Fprintln(c.in, x.line)
		if m := c.receive(); m.Error.Code != x.code || !strings.Contains(m.Error.Message, x.want) || string(m.ID) != x.id {
			t.Errorf("%.100s: id %s, %d %q; want %s, %d, %q", x.line, m.ID, m.Error.Code, m.Error.Message, x.id, x.code, x.want)
		}
		c.send(6, "analyze", loop)
		if m := c.receive(); len(m.Result) == 0 || string(m.ID) != "6" {
			t.Fatalf("after %.100s: %v", x.line, m.Error)
		}
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestHeaders: messages with a header are answered with one. A header or message that is cut off ends the worker with an error, because the next message
// cannot be found.
func TestHeaders(t *testing.T) {
	body := `{"jsonrpc": "2.0", "id": "a", "method": "initialize"}`
	whole := fmt.Sprintf("Content-Type: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for _, x := range []struct{ in, want, err string }{
		{whole, `"protocol":1`, ""},
		{"\r\n" + whole + "\n" + whole, `"protocol":1`, ""},
		{"content-length: 2\r\n\r\n{}" + whole, "there is no method", ""},
		{"Content-Length: 20000000\r\n\r\n" + strings.Repeat("x", 20_000_000) + whole, `"protocol":1`, ""},
		{"Content-Length: 2000000000\r\n\r\n{}", "a message of more than", "a message of more than"},
		{"Content-Length: 300000000000\r\n\r\n{}", "no number of bytes", "no number"},
		{"Content-Length: -1\r\n\r\n{}", "no number of bytes", "no number"},
		{"Content-Length: 50\r\n", "did not come whole", "did not come whole"},
		{"Content-Le", "did not come whole", "did not come whole"},
		{"Content-Type: x\r\n\r\n" + whole, "without Content-Length", "without"},
		{strings.Repeat("Content-Type: x\r\n", 100) + whole, "did not come whole", "did not come whole"},
		{"Content-Type: " + strings.Repeat("x", 1<<20) + "\r\n\r\n" + whole, "without Content-Length", "without"},
	} {
		var out bytes.Buffer
		err := Serve(context.Background(), strings.NewReader(x.in), &out, Options{})
		if got := fmt.Sprint(err); x.err == "" && err != nil || !strings.Contains(got, x.err) {
			t.Errorf("%.60q: %v", x.in, err)
		}
		if !strings.Contains(out.String(), x.want) || !strings.HasPrefix(out.String(), "Content-Length: ") {
			t.Errorf("%.60q: %s", x.in, out.String())
		}
	}
}

// TestThousand: a thousand requests are written before an answer is read; each has its answer. The same at the end of the input, and for one id only
// once.
func TestThousand(t *testing.T) {
	c := start(t, Options{})
	const n = 1000
	for i := range n {
		c.send(i, "analyze", loop)
	}
	c.send(n-1, "analyze", loop) // waits already
	go c.in.Close()
	seen := map[string]bool{}
	double := 0
	for range n + 1 {
		m := c.receive()
		if m.Error.Code == -32600 {
			double++
			continue
		}
		if len(m.Result) == 0 || seen[string(m.ID)] {
			t.Fatalf("%s: %v", m.ID, m.Error)
		}
		seen[string(m.ID)] = true
	}
	if len(seen) != n || double != 1 {
		t.Errorf("%d answers and %d refused", len(seen), double)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// batch is a request that takes seconds.
func batch() string {
	blocks := make([]string, 1000)
	for i := range blocks {
		blocks[i] = strings.Repeat(fmt.Sprintf("imul $%d, %%rax, %%rbx; ", i), 30)
	}
	list, _ := json.Marshal(map[string]any{"blocks": blocks, "arch": []string{"zen4", "skx", "icl"}, "progress": true})
	return string(list)
}

// TestCancel: a running and a waiting request are cancelled; the progress of the first has come before, and none comes afterwards.
func TestCancel(t *testing.T) {
	c := start(t, Options{Jobs: 1})
	c.send(1, "predict", batch())
	first := c.receive()
	if first.Method != "$/progress" || first.Params.ID.Num != 1 || first.Params.Done <= 0 || first.Params.Total != 1000 {
		t.Fatalf("%+v", first)
	}
	go func() {
		c.send(2, "predict", batch())
		for id := 2; id > 0; id-- {
			fmt.Fprintf(c.in, `{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": %d}}`+"\n", id)
		}
		fmt.Fprintln(c.in, `{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": [1]}}`)
		c.send(3, "analyze", loop)
	}()
	got := map[string]int{}
	for len(got) < 3 {
		if m := c.receive(); m.Method == "" {
			got[string(m.ID)] = m.Error.Code
		}
	}
	if got["1"] != codeCancelled || got["2"] != codeCancelled || got["3"] != 0 {
		t.Errorf("codes %v", got)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestLong: a request that takes too long is answered when its time is over.
func TestLong(t *testing.T) {
	c := start(t, Options{Time: time.Millisecond})
	c.send(1, "predict", strings.Replace(batch(), `"progress":true`, `"progress":false`, 1))
	if m := c.receive(); m.Error.Code != codeLong {
		t.Errorf("%+v", m)
	}
	_ = c.end()
}

// TestGone: the worker ends when the client is killed, with requests that run and wait, and nothing of them stays behind.
func TestGone(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		c := start(t, Options{})
		for i := range 10 {
			c.send(i, "analyze", loop)
		}
		c.send(10, "predict", batch())
		c.out.CloseWithError(io.ErrClosedPipe)
		if err := c.end(); err != nil {
			t.Error(err)
		}
	}
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestBounded: a client that never reads is not read from without end.
func TestBounded(t *testing.T) {
	c := start(t, Options{Jobs: 1})
	line := []byte(`{"jsonrpc": "2.0", "id": "%08d", "method": "analyze", "params": {"text": "` + strings.Repeat(" ", api.MaxText/2) + `"}}` + "\n")
	var sent atomic.Int64
	go func() {
		for i := 0; ; i++ {
			if _, err := c.in.Write(bytes.Replace(line, []byte("%08d"), fmt.Appendf(nil, "%08d", i), 1)); err != nil {
				return
			}
			sent.Add(int64(len(line)))
		}
	}()
	for last := int64(-1); last != sent.Load(); time.Sleep(500 * time.Millisecond) {
		if last = sent.Load(); last > 2*maxHeld {
			t.Fatalf("%d bytes were read of a client that reads none", last)
		}
	}
	if sent.Load() < maxHeld/2 {
		t.Errorf("only %d bytes were read", sent.Load())
	}
	c.out.CloseWithError(io.ErrClosedPipe)
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// FuzzServe: whatever comes, the worker ends, and what it writes are messages.
func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"jsonrpc": "2.0", "id": 1, "method": "explain", "params": {"instruction": "nop"}}`))
	f.Add([]byte("Content-Length: 52\r\n\r\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\"}"))
	f.Add([]byte("{}\n\n[]\n{\"id\": 1e5, \"method\": \"x\"}"))
	f.Add([]byte(`{"jsonrpc": "2.0", "id": 1, "method": "predict", "params": {"blocks": ["nop"], "progress": true}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}` + "\n" + `{"jsonrpc":"2.0","method":"$/cancelRequest"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		_ = Serve(context.Background(), bytes.NewReader(data), &out, Options{})
		if bytes.Contains(bytes.ToLower(data), []byte("content-")) {
			return // messages with headers
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) || !bytes.Contains(line, []byte(`"jsonrpc":"2.0"`)) {
				t.Errorf("%q: %q", data, line)
			}
		}
	})
}
