package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"incore/internal/report"
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
	if err := os.WriteFile(filepath.Join(dir, "loop.s"), []byte("1: nop\n jne 1b\n"), 0o600); err != nil {
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
		{"analyze_loop", `{"code":"nop","function":"f"}`, "assembly text"},
		{"analyze_loop", `{"code":"nop","loop":1}`, "which function"},
		{"analyze_loop", `{"path":"` + dir + `/loop.s","function":"f"}`, "assembly text"},
		{"analyze_loop", `{"path":"/bin/ls","loop":2}`, "which function"},
		{"find_loops", `{"binary":"/bin/ls","arch":"zen4,skx"}`, "takes one"},
		{"compare", `{"before":"","after":"nop"}`, "before is empty"},
		{"compare", `{"before":"nop","after":"hello"}`, "after is not assembly"},
		{"analyze_loop", `{"code":"hello"}`, "the text is not assembly"},
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

// doubtful are loops whose cycles are not known, with what their answers must and must not say.
var doubtful = []struct{ name, code, arch string }{
	{"a call", "1: call foo; dec %rdx; jne 1b", "zen4"},
	{"a string instruction", "1: rep movsb; dec %rdx; jne 1b", "zen4"},
	{"a missing extension on a chain", "1: vaddph %zmm0,%zmm1,%zmm1; dec %rdx; jne 1b", "zen2"},
	{"an unreadable instruction on a chain", "1: nosuch %rax, %rax; imul %rax, %rax; dec %rdx; jne 1b", "zen4"},
	{"a system call", "1: svc #0; subs x0, x0, #1; b.ne 1b", "neoverse-v2"},
	{"an environment call", "1: ecall; bnez a0, 1b", "sifive-7"},
}

// result returns the structured content of an answer without an error.
func (c *client) result(tool string, arguments any, into any) (text string) {
	c.t.Helper()
	a, err := json.Marshal(arguments)
	if err != nil {
		c.t.Fatal(err)
	}
	c.call(1, tool, string(a))
	m := c.receive()
	if m.Error != nil || m.Result.IsError || len(m.Result.Content) != 1 {
		c.t.Fatalf("%s %s: %+v", tool, a, m)
	}
	if err := json.Unmarshal(m.Result.StructuredContent, into); err != nil {
		c.t.Fatal(err)
	}
	return m.Result.Content[0].Text
}

// TestDoubt: cycles that are not known are a marked lower bound, or null with an interval, in the answers of each tool.
func TestDoubt(t *testing.T) {
	c := start(t, Options{})
	for _, x := range doubtful {
		var a Analysis
		text := c.result("analyze_loop", map[string]any{"code": x.code, "arch": x.arch, "iterations": 5}, &a)
		if r := &a.Loops[0].Results[0]; r.Entered == nil || r.Entered.AtLeast != (r.AtLeast && r.Unknown == 0) || r.Entered.Unknown != r.Unknown || !strings.Contains(text, "entered: for 5 iterations") {
			t.Errorf("%s entered anew: %+v\n%s", x.name, r.Entered, text)
		}
		switch r := &a.Loops[0].Results[0]; {
		case r.AtLeast && (r.Cycles == nil || r.High != nil || len(r.Open) == 0 || !strings.Contains(text, "≥")),
			!r.AtLeast && r.Unknown > 0 && r.Cycles == nil && (r.High == nil || r.Low >= *r.High || !strings.Contains(text, "…")),
			!r.AtLeast && r.Unknown == 0, r.Headroom != "" && (r.AtLeast || r.Cycles == nil):
			t.Errorf("%s: %+v\n%s", x.name, r, text)
		}
		var v Comparison
		text = c.result("compare", map[string]any{"before": x.code, "after": x.code, "arch": x.arch}, &v)
		verdict, figures := "unclear", 2
		if x.arch == "zen2" { // which cannot execute it
			verdict, figures = "incomparable", 0
			if want := "cannot be executed: no AVX-512FP16"; v.Loops[0].Incomparable != want || a.Loops[0].Results[0].Limit == "" || !strings.Contains(text, want) {
				t.Errorf("%s compared: %+v\n%s", x.name, &v.Loops[0], text)
			}
		}
		if l := &v.Loops[0]; l.Verdict != verdict || !l.LeastBefore || !l.LeastAfter || strings.Count(text, "≥") != figures {
			t.Errorf("%s compared: %+v\n%s", x.name, l, text)
		}
	}
	for _, x := range []struct {
		instruction, arch string
		open, unknown     bool
	}{
		{"rep movsb", "zen4", true, true}, {"call foo", "zen4", true, false}, {"vaddph %zmm0, %zmm1, %zmm1", "zen2", false, true}, {"add %rax, %rbx", "zen4", false, false}, {"svc #0", "neoverse-v2", true, false},
	} {
		var e Explanation
		c.result("explain_instruction", map[string]any{"instruction": x.instruction, "arch": x.arch}, &e)
		y := &e.Forms[0].Costs[0]
		if (y.Open != "") != x.open || (y.High == nil) != x.open || y.Unknown != x.unknown || (y.Latency == nil) != x.unknown || (y.Throughput == nil) != x.unknown || (y.Uops == nil) != x.unknown {
			t.Errorf("%s: %+v", x.instruction, y)
		}
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestFoundDoubt: a loop of a file whose cycles are a lower bound is listed as such.
func TestFoundDoubt(t *testing.T) {
	dir := t.TempDir()
	s, o := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(s, []byte(".globl f\nf:\n1: call g\n dec %ebx\n jne 1b\n2: rep movsb\n dec %edx\n jne 2b\n3: imul %rax, %rax\n dec %ecx\n jne 3b\n ret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("as", "--64", "-o", o, s).CombinedOutput(); err != nil {
		t.Skipf("no assembler for x86-64: %v: %s", err, out)
	}
	c := start(t, Options{})
	var l LoopList
	text := c.result("find_loops", map[string]any{"binary": o, "arch": "zen4"}, &l)
	marks := map[int]string{}
	for _, x := range l.Loops {
		marks[x.Loop] = fmt.Sprint(x.AtLeast, x.Unknown)
	}
	if fmt.Sprint(marks) != "map[1:true 0 2:true 1 3:false 0]" || !strings.Contains(text, "≥1") || !strings.Contains(text, "?") {
		t.Errorf("%v\n%s", marks, text)
	}
	if strings.Contains(text, " )") || strings.Contains(text, "( ") {
		t.Errorf("a place without lines has a space in its place:\n%s", text)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestWords: a figure stands without an interval unless costs are unknown, and numbers before the right form of their
// nouns.
func TestWords(t *testing.T) {
	c := start(t, Options{})
	for n, want := range map[int]string{4: "", 5: "not described: 1 other loop\n", 6: "not described: 2 other loops\n"} {
		loops := ""
		for i := range n {
			loops += fmt.Sprintf("f%d:\n imul %%rax, %%rax\n dec %%rcx\n jne f%d\n ret\n", i, i)
		}
		var a Analysis
		text := c.result("analyze_loop", map[string]any{"code": loops, "arch": "zen4"}, &a) + "\n"
		if strings.Contains(text, "between") || strings.Contains(text, "()") || !strings.Contains(text, want) ||
			want == "" && strings.Contains(text, "not described") {
			t.Errorf("%d loops:\n%s", n, text)
		}
	}
	var a Analysis
	text := c.result("analyze_loop", map[string]any{"code": "1: vp2intersectd %zmm1, %zmm2, %k2\n dec %rcx\n jnz 1b",
		"arch": "haswell"}, &a)
	if a.Loops[0].Results[0].Unknown == 1 && !strings.Contains(text, "(instructions without a known cost: 1)") {
		t.Errorf("unknown costs:\n%s", text)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestOnly: loops of one version without a counterpart are told.
func TestOnly(t *testing.T) {
	c := start(t, Options{})
	one, two := "f:\n1: imul %rax, %rax\n dec %rcx\n jne 1b\n ret\n", "g:\n2: vmulsd (%rsi), %xmm0, %xmm0\n vmovsd %xmm0, (%rdi)\n add $8, %rsi\n dec %rcx\n jne 2b\n ret\n"
	for _, x := range []struct{ before, after, want string }{{one + two, one, "before"}, {one, one + two, "after"}} {
		var v Comparison
		text := c.result("compare", map[string]any{"before": x.before, "after": x.after, "arch": "zen4"}, &v)
		if len(v.Loops) != 1 || len(v.Only) != 1 || v.Only[0].Version != x.want || !strings.Contains(text, "only in the code "+x.want) {
			t.Errorf("%+v\n%s", v, text)
		}
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestMeasurement: the answer has all that a measurement tells, and its text each reason for doubt.
func TestMeasurement(t *testing.T) {
	want := report.Measurement{Schema: report.MeasureSchema, Cycles: 4, Uncertainty: 1, GHz: 3, Instructions: 3, Pages: []uint64{4096}, Unsteady: &report.OtherState{Cycles: 5.25, Seen: 2, Of: 9}, Least: 3.5, NotInPlace: "it never ends",
		Prediction: &report.Expected{Arch: "zen4", Cycles: 3, Bound: "ports", Difference: -25, Explained: []string{"data came from L2"}, Sources: []report.SourceOf{}}}
	o := Options{}
	o.Measure = func(context.Context, string, string) (json.RawMessage, error) { return json.Marshal(want) }
	c := start(t, o)
	var got report.Measurement
	text := c.result("measure", map[string]any{"code": "nop"}, &got)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for _, s := range []string{"5.25", "3.50", "never ends", "from L2", "-25.0 %"} {
		if !strings.Contains(text, s) {
			t.Errorf("the text lacks %q:\n%s", s, text)
		}
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// sensible reports whether an odd value is one that an argument may have: none, machines, and texts of which nothing
// is read.
func sensible(tool, name, v string) bool {
	text, err := strconv.Unquote(v)
	switch {
	case v == "null":
		return true
	case name == "loop" || name == "iterations":
		return v == "0"
	case err != nil:
		return false
	case (tool == "explain_instruction" || name == "code" && tool == "analyze_loop") &&
		slices.Contains([]string{"neoverse-v2", "sifive-7", "riscv64", "fadd.d fa0, fa1, fa2"}, text):
		return true // code of other machines, on which "nop" is an instruction, too
	case name == "arch":
		return strings.Trim(text, ", \n") == "" || strings.HasPrefix(text, "zen4")
	case name == "code", name == "before", name == "after", name == "instruction", name == "binary":
		return strings.HasPrefix(text, "nop;")
	case name == "filter":
		return true
	}
	return text == "" // syntax, function, path
}

// TestHostile: every tool answers every odd value of every argument, in words that name no option of the command
// line, and refuses what makes no sense.
func TestHostile(t *testing.T) {
	o := Options{}
	o.Measure = func(_ context.Context, text, syntax string) (json.RawMessage, error) {
		if !strings.HasPrefix(text, "nop;") && text != "1: nop; jne 1b" || syntax != "" {
			return nil, errors.New("refused")
		}
		return json.Marshal(report.Measurement{Schema: report.MeasureSchema, Pages: []uint64{4096}})
	}
	c := start(t, o)
	var list struct {
		Tools []struct {
			Name        string
			InputSchema struct {
				Properties map[string]any
			}
		}
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	line, err := c.read.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Result json.RawMessage }
	if err := errors.Join(json.Unmarshal(line, &m), json.Unmarshal(m.Result, &list)); err != nil || len(list.Tools) < 5 {
		t.Fatalf("%s: %v", line, err)
	}
	good := map[string]string{"code": `"1: nop; jne 1b"`, "before": `"1: nop; jne 1b"`, "after": `"1: nop; jne 1b"`, "instruction": `"nop"`, "binary": `"/nonexistent"`}
	odd := []string{`""`, `" "`, `"\n"`, `null`, `0`, `-1`, `1e308`, `-1e308`, `1.5`, `9007199254740993`, `"NaN"`, `"Infinity"`, `"\u0000"`, `"\ud800"`, `[]`, `{}`, `true`, `"zen4"`, `"zen4,"`, `","`, `"zen99"`, `"neoverse-v2"`, `"sifive-7"`, `"riscv64"`,
		`"fadd.d fa0, fa1, fa2"`, `"hello world"`, `"/"`, `"/dev/null"`, `"/dev/zero"`, `"..` + strings.Repeat("/..", 300) + `"`, `"` + strings.Repeat("x", 1<<16) + `"`, `"` + strings.Repeat("nop;", 1<<18) + `"`}
	command := regexp.MustCompile(`(^|[^-\w])--[a-z]|'incore |Go struct|invalid reflect`)
	for _, tool := range list.Tools {
		for name := range tool.InputSchema.Properties {
			for _, v := range odd {
				arguments := []string{fmt.Sprintf("%q:%s", name, v)}
				for other, text := range good {
					if _, ok := tool.InputSchema.Properties[other]; ok && other != name && !(tool.Name == "analyze_loop" && name == "path") {
						arguments = append(arguments, fmt.Sprintf("%q:%s", other, text))
					}
				}
				c.call(1, tool.Name, "{"+strings.Join(arguments, ",")+"}")
				m := c.receive()
				if m.Error != nil {
					continue // an argument of another type
				}
				if len(m.Result.Content) != 1 || m.Result.Content[0].Text == "" {
					t.Fatalf("%s %s=%.60s: %+v", tool.Name, name, v, m)
				}
				text := m.Result.Content[0].Text
				if m.Result.IsError && (command.MatchString(text) || strings.HasPrefix(text, "is ") || strings.HasPrefix(text, ":") || len(text) > 4<<10) {
					t.Errorf("%s %s=%.60s: %.300s", tool.Name, name, v, text)
				}
				if !m.Result.IsError && !sensible(tool.Name, name, v) {
					t.Errorf("%s %s=%.60s is not refused: %.300s", tool.Name, name, v, text)
				}
			}
		}
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestIDs: a request is answered with the id that it has, or refused; notifications may have the id null.
func TestIDs(t *testing.T) {
	c := start(t, Options{})
	for _, id := range []string{`0`, `-1`, `9007199254740992`, `-9007199254740992`, `""`, `"1.5"`, `"a b"`} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if line, err := c.read.ReadString('\n'); err != nil || !strings.Contains(line, `"id":`+id+`,"result"`) {
			t.Errorf("id %s: %s, %v", id, line, err)
		}
	}
	c.send(`{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}`)
	for _, id := range []string{`1.5`, `1.0`, `1e3`, `9007199254740993`, `9223372036854775808`, `1e300`, `null`, `true`, `[]`, `{}`} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if line, err := c.read.ReadString('\n'); err != nil || !strings.Contains(line, `"id":null`) || !strings.Contains(line, "the id is neither") {
			t.Errorf("id %s: %s, %v", id, line, err)
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
