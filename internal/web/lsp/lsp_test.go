package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// editor is a client for tests.
type editor struct {
	t         testing.TB
	conn      *jsonrpc2.Conn
	in        *io.PipeWriter
	done      chan error
	published chan publishParams
	shown     chan string
	settings  chan json.RawMessage // answers of workspace/configuration
}

// Handle takes the server's messages.
func (e *editor) Handle(ctx context.Context, conn *jsonrpc2.Conn, q *jsonrpc2.Request) {
	switch q.Method {
	case "textDocument/publishDiagnostics":
		var p publishParams
		_ = json.Unmarshal(*q.Params, &p)
		e.published <- p
	case "window/showMessage":
		e.shown <- string(*q.Params)
	case "workspace/configuration":
		_ = conn.Reply(ctx, q.ID, []json.RawMessage{<-e.settings})
	case "window/showDocument":
		var p showDocumentParams
		_ = json.Unmarshal(*q.Params, &p)
		text, _ := os.ReadFile(pathOf(p.URI))
		e.shown <- string(text)
		_ = conn.Reply(ctx, q.ID, map[string]bool{"success": true})
	default:
		if !q.Notif {
			_ = conn.Reply(ctx, q.ID, nil)
		}
	}
}

// testLog takes what a server reports as its own mistake.
type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Errorf("%s", b)
	return len(b), nil
}

// start starts a server and a client with options.
func start(t testing.TB, options string) *editor {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	e := &editor{t: t, in: fromClient, done: make(chan error, 1), published: make(chan publishParams, 1000), shown: make(chan string, 10), settings: make(chan json.RawMessage, 10)}
	go func() { e.done <- Serve(context.Background(), toServer, fromServer, testLog{t}) }()
	e.conn = jsonrpc2.NewConn(context.Background(), newStream(toClient, fromClient), e)
	e.call("initialize", json.RawMessage(options), nil)
	e.notify("initialized", struct{}{})
	t.Cleanup(func() {
		_ = e.conn.Call(context.Background(), "shutdown", nil, nil)
		_ = e.conn.Notify(context.Background(), "exit", nil)
		select {
		case err := <-e.done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the server does not exit")
		}
	})
	return e
}

const utf8Client = `{"capabilities": {"general": {"positionEncodings": ["utf-8"]}, "window": {"showDocument": {"support": true}}}, "initializationOptions": {"arch": "zen4,neoverse-v2"}}`

func (e *editor) call(method string, params, result any) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := e.conn.Call(ctx, method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(context.Background(), method, params); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) open(uri, language, text string) {
	e.t.Helper()
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": language, "version": 1, "text": text}})
}

func (e *editor) change(uri string, version int, changes ...change) {
	e.t.Helper()
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": changes})
}

func at(uri string, line, character int) documentParams {
	return documentParams{TextDocument: documentID{uri}, Position: Position{line, character}}
}

func in(uri string, first, last int) documentParams {
	return documentParams{TextDocument: documentID{uri}, Range: Range{Position{first, 0}, Position{last, 0}}}
}

// diagnosed waits for diagnostics that do.
func (e *editor) diagnosed(what string, do func(p publishParams) bool) {
	e.t.Helper()
	var last publishParams
	for {
		select {
		case last = <-e.published:
			if do(last) {
				return
			}
		case <-time.After(20 * time.Second):
			e.t.Fatalf("no diagnostics with %s; the last are %+v", what, last)
		}
	}
}

// dot is a loop bound by the latency of its addition: 3 cycles on Zen 4.
const dot = `	.text
	.globl	dot
dot:
	xorl	%eax, %eax
	vxorps	%xmm1, %xmm1, %xmm1
.L3:
	vmovsd	(%rdi,%rax,8), %xmm0
	vmulsd	(%rsi,%rax,8), %xmm0, %xmm0
	vaddsd	%xmm0, %xmm1, %xmm1
	addq	$1, %rax
	cmpq	%rax, %rdx
	jne	.L3
	ret
`

const dotURI = "file:///tmp/dot.s"

// TestAssembly: what an editor shows of a loop.
func TestAssembly(t *testing.T) {
	e := start(t, utf8Client)
	e.open(dotURI, "asm", dot)
	var h hover
	e.call("textDocument/hover", at(dotURI, 8, 3), &h)
	for _, want := range []string{"VADDSDrr", "zen4", "3", "in dot:.L3: 3.0 cycles/iteration", "chain 3.0"} {
		if !strings.Contains(h.Contents.Value, want) {
			t.Errorf("hover over the addition lacks %q:\n%s", want, h.Contents.Value)
		}
	}
	e.call("textDocument/hover", at(dotURI, 5, 1), &h)
	if !strings.Contains(h.Contents.Value, "3.0 cycles/iteration") {
		t.Errorf("hover over the label: %s", h.Contents.Value)
	}
	var hints []inlayHint
	e.call("textDocument/inlayHint", in(dotURI, 0, 13), &hints)
	got := map[int]string{}
	for _, x := range hints {
		got[x.Position.Line] = x.Label
	}
	if got[5] != "3.0 cycles/iteration on zen4, chain through xmm1" || !strings.HasPrefix(got[8], "chain 3.0 · FP") || strings.Contains(got[6], "chain") || len(got) != 6 { // the fused branch has none of its own
		t.Errorf("hints %v", got)
	}
	e.call("textDocument/inlayHint", in(dotURI, 8, 8), &hints)
	if len(hints) != 1 {
		t.Errorf("hints of one line: %v", hints)
	}
	var lenses []codeLens
	e.call("textDocument/codeLens", at(dotURI, 0, 0), &lenses)
	if len(lenses) != 1 || lenses[0].Range.Start.Line != 5 || lenses[0].Command.Title != got[5] {
		t.Fatalf("lenses %+v", lenses)
	}
	e.call("workspace/executeCommand", map[string]any{"command": lenses[0].Command.Command, "arguments": lenses[0].Command.Arguments}, nil)
	if text := <-e.shown; !strings.Contains(text, "vaddsd") || !strings.Contains(text, "advice 1") {
		t.Errorf("the report is\n%s", text)
	}
	e.diagnosed("advice", func(p publishParams) bool {
		return len(p.Diagnostics) > 0 && p.Diagnostics[0].Severity == severityHint && p.Diagnostics[0].Range.Start.Line == 5 && strings.Contains(p.Diagnostics[0].Message, "accumulators")
	})
	var symbols []symbol
	e.call("textDocument/documentSymbol", at(dotURI, 0, 0), &symbols)
	if len(symbols) != 1 || symbols[0].Name != "dot:.L3" || symbols[0].Range.Start.Line != 5 || symbols[0].Range.End.Line != 11 || !strings.HasPrefix(symbols[0].Detail, "3.0") {
		t.Errorf("symbols %+v", symbols)
	}
	var l Location
	e.call("textDocument/definition", at(dotURI, 11, 6), &l)
	if l.URI != dotURI || l.Range != (Range{Position{5, 0}, Position{5, 3}}) {
		t.Errorf("definition %+v", l)
	}
}

// TestChanges: hints follow the text, also where results are taken from memory at other lines.
func TestChanges(t *testing.T) {
	e := start(t, utf8Client)
	e.open(dotURI, "asm", dot)
	line := func(label string) int {
		var hints []inlayHint
		e.call("textDocument/inlayHint", in(dotURI, 0, 100), &hints)
		for _, x := range hints {
			if strings.HasPrefix(x.Label, label) {
				return x.Position.Line
			}
		}
		return -1
	}
	if n := line("chain 3.0"); n != 8 {
		t.Fatalf("the chain is at line %d", n)
	}
	e.change(dotURI, 2, change{Range: &Range{Position{0, 0}, Position{0, 0}}, Text: "# é\n# more\n"})
	if n := line("chain 3.0"); n != 10 {
		t.Errorf("two lines further down the chain is at line %d", n)
	}
	// vaddsd becomes vmulsd, in two changes of one message
	e.change(dotURI, 3, change{Range: &Range{Position{10, 2}, Position{10, 5}}, Text: ""}, change{Range: &Range{Position{10, 2}, Position{10, 2}}, Text: "div"})
	if n := line("chain 13.0"); n != 10 {
		t.Errorf("the division's chain is at line %d", n)
	}
	e.change(dotURI, 4, change{Range: &Range{Position{0, 0}, Position{0, 4}}, Text: "# incore: skx"}) // 4 bytes: '#', ' ', é
	var lenses []codeLens
	e.call("textDocument/codeLens", at(dotURI, 0, 0), &lenses)
	if len(lenses) != 1 || !strings.Contains(lenses[0].Command.Title, "on skylake-server") {
		t.Errorf("with the machine in a comment: %+v", lenses[0].Command)
	}
	e.change(dotURI, 5, change{Range: &Range{Position{999, 0}, Position{999, 1}}, Text: "x"})
	if s := <-e.shown; !strings.Contains(s, "does not fit") {
		t.Errorf("after a change outside of the text: %s", s)
	}
	e.open(dotURI, "asm", dot)
	if n := line("chain 3.0"); n != 8 {
		t.Errorf("opened again the chain is at line %d", n)
	}
}

// TestUTF16: a client that does not offer UTF-8 counts in UTF-16 units.
func TestUTF16(t *testing.T) {
	e := start(t, `{"capabilities": {}, "initializationOptions": {"incore": {"arch": "zen4"}}}`)
	e.open(dotURI, "asm", strings.Replace(dot, ".L3:\n", ".L3: # 😀é\n", 1))
	var hints []inlayHint
	e.call("textDocument/inlayHint", in(dotURI, 5, 5), &hints)
	if len(hints) != 1 || hints[0].Position.Character != len(".L3: # ")+3 {
		t.Errorf("hint at %+v", hints)
	}
	e.change(dotURI, 2, change{Range: &Range{Position{5, 7}, Position{5, 9}}, Text: "x"}) // the emoji's two units
	e.call("textDocument/inlayHint", in(dotURI, 5, 5), &hints)
	if len(hints) != 1 || hints[0].Position.Character != len(".L3: # ")+2 {
		t.Errorf("hint at %+v", hints)
	}
}

// TestSwitches: each part can be switched off, and settings arrive by each way.
func TestSwitches(t *testing.T) {
	e := start(t, `{"capabilities": {"workspace": {"configuration": true}}}`)
	e.open(dotURI, "asm", dot+"\tnosuchinsn\n")
	time.AfterFunc(50*time.Millisecond, func() { // answers wait for it
		e.settings <- json.RawMessage(`{"arch": "zen4", "hover": false, "inlayHints": false, "codeLens": false, "completion": false, "definition": false, "symbols": false, "diagnostics": false}`)
	})
	for _, method := range []string{"hover", "inlayHint", "codeLens", "completion", "definition", "documentSymbol"} {
		var got any
		e.call("textDocument/"+method, at(dotURI, 8, 3), &got)
		if got != nil {
			t.Errorf("%s answers %v", method, got)
		}
	}
	if len(e.published) > 1 || len(e.published) == 1 && len((<-e.published).Diagnostics) > 0 {
		t.Error("diagnostics came before the settings")
	}
	e.settings <- json.RawMessage(`{"hover": true, "diagnostics": {"unknown": true}}`)
	e.notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
	e.diagnosed("the unknown instruction", func(p publishParams) bool {
		return len(p.Diagnostics) > 0 && p.Diagnostics[0].Range == Range{Position{13, 1}, Position{13, 11}} && strings.Contains(p.Diagnostics[0].Message, "nosuchinsn")
	})
	e.settings <- json.RawMessage(`{"arch": 7}`)
	e.notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
	if s := <-e.shown; !strings.Contains(s, "incore.arch has a number") {
		t.Errorf("wrong settings: %s", s)
	}
}

// TestComplete: mnemonics, registers, labels and machines, each in its place.
func TestComplete(t *testing.T) {
	e := start(t, utf8Client)
	e.open(dotURI, "asm", dot)
	items := func(line int, text string) map[string]bool {
		e.change(dotURI, line, change{Text: strings.Replace(dot, "\tret\n", "\tret\n"+text+"\n", 1)})
		var got completionList
		e.call("textDocument/completion", at(dotURI, 13, len(text)), &got)
		out := map[string]bool{}
		for _, x := range got.Items {
			out[x.Label] = true
		}
		return out
	}
	for i, c := range []struct{ text, want, not string }{
		{"\tvfmadd231s", "vfmadd231sd", "vaddsd"},
		{"1: vaddp", "vaddpd", "xmm1"},
		{"\taddq %r", "rax", "xmm1"},
		{"\tjne .L", ".L3", "rax"},
		{"# incore: zen", "zen4", "skylake"},
		{"# incore: arch=zen3, neov", "neoverse-v2", "zen4"},
		{"# addq", "", "addq"},
	} {
		got := items(i+2, c.text)
		if c.want != "" && !got[c.want] || got[c.not] {
			t.Errorf("%q: want %s, not %s: %d items", c.text, c.want, c.not, len(got))
		}
	}
}

// TestMarks: a mark without its partner is a warning; asm of another instruction set takes its machine.
func TestMarks(t *testing.T) {
	e := start(t, utf8Client)
	e.open(dotURI, "asm", strings.Replace(dot, "\tvmovsd", "# LLVM-MCA-END\n# LLVM-MCA-BEGIN\n\tvmovsd", 1))
	e.diagnosed("a mark", func(p publishParams) bool {
		return len(p.Diagnostics) > 0 && p.Diagnostics[0].Severity == severityWarning
	})
	const a64 = "file:///tmp/a.S"
	e.open(a64, "", "1:\tfadd v0.2d, v0.2d, v1.2d\n\tsubs x0, x0, #1\n\tb.ne 1b\n")
	var lenses []codeLens
	e.call("textDocument/codeLens", at(a64, 0, 0), &lenses)
	if len(lenses) != 1 || !strings.Contains(lenses[0].Command.Title, "2.0 cycles/iteration on neoverse-v2") {
		t.Errorf("AArch64: %+v", lenses)
	}
	var l Location
	e.call("textDocument/definition", at(a64, 2, 7), &l)
	if l.Range.End.Character != 1 {
		t.Errorf("the label 1 before the branch: %+v", l)
	}
}

// TestBadText: texts that are no assembly, or none yet, are answered, and end no server.
func TestBadText(t *testing.T) {
	e := start(t, utf8Client)
	for i, text := range []string{"", "\n", "\xff\xfe\x00", "int main() { return 0; }\n", strings.Repeat("x", 1<<20), "\tvaddsd %xmm0, %xmm", "\x7fELF\x02", strings.Repeat("\t.rept 1000000\n\tnop\n\t.endr\n", 30), dot[:150]} {
		uri := fmt.Sprintf("file:///tmp/bad%d.s", i)
		e.open(uri, "asm", text)
		for _, method := range []string{"hover", "inlayHint", "codeLens", "completion", "definition", "documentSymbol"} {
			e.call("textDocument/"+method, documentParams{documentID{uri}, Position{0, 1}, Range{End: Position{9, 0}}}, nil)
		}
		e.notify("textDocument/didClose", at(uri, 0, 0))
	}
	if err := e.conn.Call(context.Background(), "textDocument/hover", at(dotURI, 0, 0), nil); err == nil || !strings.Contains(err.Error(), "not open") {
		t.Errorf("a document that is not open: %v", err)
	}
	if err := e.conn.Call(context.Background(), "textDocument/nonsense", nil, nil); err == nil || !strings.Contains(err.Error(), "no method") {
		t.Errorf("an unknown method: %v", err)
	}
}

// TestBroken: an editor that closes in the middle, or does not speak the protocol, ends the server with an error.
func TestBroken(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "", // nothing was asked
		"Content-Length: 100\r\n\r\n{":    "after 1 of its 100 bytes",
		"Content-Length: 9\r\n":           "ends in a header",
		"GET / HTTP/1.1\r\n\r\n":          "no header",
		"Content-Length: -1\r\n\r\n":      "Content-Length",
		"Content-Length: 99999999999\r\n": "Content-Length",
		"X: 1\r\n\r\n":                    "no Content-Length",
		"Content-Length: 3\r\n\r\n{]}":    "not JSON-RPC",
		strings.Repeat("x", 1<<16):        "longer than",
	} {
		done := make(chan error, 1)
		go func() {
			done <- Serve(context.Background(), strings.NewReader(text), io.Discard, io.Discard)
		}()
		select {
		case err := <-done:
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%.40q: %v, want %q", text, err, want)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%.40q: no end", text)
		}
	}
}

// TestSource: the loops of an object file stand over the lines of a C file; compile_commands.json names object and machine.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "dot.c")
	const text = "double dot(double *a, double *b, long n) {\n  double s = 0;\n  for (long i = 0; i < n; i++)\n    s += a[i] * b[i];\n  return s;\n}\n"
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	compile(t, dir, "-O2", "-g", "-march=znver4", "-c", "dot.c", "-o", "out.o")
	db := fmt.Sprintf(`[{"directory": %q, "file": "dot.c", "command": "gcc -O2 -g -march=znver4 -c dot.c -o out.o"}]`, dir)
	if err := os.WriteFile(filepath.Join(dir, "compile_commands.json"), []byte(db), 0o666); err != nil {
		t.Fatal(err)
	}
	e := start(t, strings.Replace(utf8Client, "zen4,neoverse-v2", "", 1))
	uri := uriOf(src)
	e.open(uri, "c", text)
	var lenses []codeLens
	e.call("textDocument/codeLens", at(uri, 0, 0), &lenses)
	if len(lenses) != 1 || lenses[0].Range.Start.Line != 2 || !strings.Contains(lenses[0].Command.Title, "cycles/iteration on zen4") {
		t.Fatalf("lenses %+v", lenses)
	}
	e.call("workspace/executeCommand", map[string]any{"command": lenses[0].Command.Command, "arguments": lenses[0].Command.Arguments}, nil)
	if s := <-e.shown; !strings.Contains(s, "cycles/iteration") {
		t.Errorf("the report is\n%s", s)
	}
}

// TestWrongSettings: a setting of a wrong type, or that there is not, is told by its name, by each way in which
// settings arrive; sound ones beside an unknown one count.
func TestWrongSettings(t *testing.T) {
	for settings, want := range map[string]string{
		`{"arch": 7}`:                                        "incore.arch has a number where a string",
		`{"arch": ["zen4"]}`:                                 "incore.arch has a list where a string",
		`{"hover": "yes"}`:                                   "incore.hover has a string where true or false",
		`{"objects": "a.o"}`:                                 "incore.objects has a string where a list",
		`{"diagnostics": 3}`:                                 "incore.diagnostics has a number where an object",
		`{"diagnostics": {"marks": 1e400}}`:                  "incore.diagnostics.marks has a number",
		`{"archs": "zen4", "hover": false}`:                  "no incore.archs: did you mean arch",
		`{"diagnostics": {"advise": false}, "hover": false}`: "no incore.diagnostics.advise: did you mean advice",
		`{"hoover": 1, "hover": false}`:                      "hover",
		`7`:                                                  "an object", `[]`: "an object", `{"path": "incore", "trace": {"server": "off"}, "python": {"a": 1}}`: "",
	} {
		for _, way := range []string{settings, `{"incore": ` + settings + `}`} {
			e := start(t, `{"capabilities": {}, "initializationOptions": `+way+`}`)
			e.open(dotURI, "asm", dot)
			var got any
			e.call("textDocument/hover", at(dotURI, 8, 3), &got)
			said := ""
			if len(e.shown) > 0 {
				said = <-e.shown
			}
			if !strings.Contains(said, want) || (want == "") != (said == "") {
				t.Errorf("%s: %q", way, said)
			}
			if strings.Contains(settings, `"hover": false`) != (got == nil) {
				t.Errorf("%s: hover answers %v", way, got)
			}
		}
	}
}

// TestSettingNames: the names are those of the settings.
func TestSettingNames(t *testing.T) {
	data, err := json.Marshal(DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	if err := unknownIn(data); err != nil {
		t.Error(err)
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(data, &all) != nil || len(all) != len(names)-2 {
		t.Errorf("%d settings, %d names", len(all), len(names)-2)
	}
}

// TestHostileSettings: of each setting every value of another type is refused by the setting's name.
func TestHostileSettings(t *testing.T) {
	kinds := map[string]string{"arch": "string", "isa": "string", "syntax": "string", "objects": "list"}
	values := map[string]string{`"NaN"`: "string", `-1`: "number", `1e308`: "number", `1e400`: "number",
		`9223372036854775808`: "number", `0.5`: "number", `[]`: "list", `["x"]`: "list", `[1]`: "", `true`: "bool",
		`{}`: "object"}
	for _, name := range names[:len(names)-2] {
		for value, kind := range values {
			s := DefaultSettings()
			wrong := kind != cmp.Or(kinds[name], "bool") && (name != "diagnostics" || kind != "object")
			if err := s.merge(json.RawMessage(`{"` + name + `": ` + value + `}`)); (err != nil) != wrong ||
				err != nil && !strings.Contains(err.Error(), "incore."+name) {
				t.Errorf("%s: %s: %v", name, value, err)
			}
			if after, was := fmt.Sprint(s), fmt.Sprint(DefaultSettings()); wrong && after != was {
				t.Errorf("%s: %s: %s", name, value, after)
			}
		}
	}
}

// TestFirstMessage: a message that is there before the connection is, is answered.
func TestFirstMessage(t *testing.T) {
	body := `{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}`
	text := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	for range 500 {
		var out strings.Builder
		if err := Serve(context.Background(), strings.NewReader(text), &out, testLog{t}); err != nil || !strings.Contains(out.String(), "must be initialize") {
			t.Fatalf("%q, %v", out.String(), err)
		}
	}
}
