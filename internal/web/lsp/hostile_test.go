package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"incore/internal/analyze"
	"incore/internal/base/source"
)

// TestHostilePositions: every request answers positions and ranges outside of the text, in either encoding, and never with an error of the server; completions are
// a list where they are an object.
func TestHostilePositions(t *testing.T) {
	numbers := []int{math.MinInt64, math.MinInt32, -2, -1, 0, 1, 3, 5, 12, 13, 14, 1000, math.MaxInt32, math.MaxInt64 - 1, math.MaxInt64}
	texts := map[string]string{"dot.s": dot, "empty.s": "", "wide.s": "\t# 😀é\n1:\taddsd %xmm0, %xmm0 # incore: z\n\tjne 1b", "none.s": "hello world\n", "main.c": "int main() { return 0; }\n"}
	for _, encoding := range []string{"utf-8", "utf-16"} {
		e := start(t, `{"capabilities": {"general": {"positionEncodings": ["`+encoding+`"]}}, "initializationOptions": {"arch": "zen4"}}`)
		for name, text := range texts {
			uri, language := "file:///tmp/"+name, "asm"
			if strings.HasSuffix(name, ".c") {
				language = "c"
			}
			e.open(uri, language, text)
			for _, line := range numbers {
				for _, character := range numbers {
					p := documentParams{documentID{uri}, Position{line, character}, Range{Position{line, character}, Position{character, line}}}
					for method := range requests {
						if !strings.HasPrefix(method, "textDocument/") {
							continue
						}
						var got json.RawMessage
						if err := e.conn.Call(context.Background(), method, p, &got); err != nil {
							t.Fatalf("%s at %d:%d of %s: %v", method, line, character, name, err)
						}
						if strings.Contains(string(got), "null") && method != "textDocument/documentSymbol" && string(got) != "null" {
							t.Fatalf("%s at %d:%d of %s: %s", method, line, character, name, got)
						}
					}
					err := e.conn.Call(context.Background(), "workspace/executeCommand", map[string]any{"command": commandReport, "arguments": []any{uri, line}}, nil)
					var own *jsonrpc2.Error
					if errors.As(err, &own) && own.Code == jsonrpc2.CodeInternalError {
						t.Fatalf("a report of line %d of %s: %v", line, name, err)
					}
				}
			}
		}
	}
}

// TestHostileParams: parameters of wrong types, and none, are refused in each request.
func TestHostileParams(t *testing.T) {
	e := start(t, utf8Client)
	e.open(dotURI, "asm", dot)
	for method := range requests {
		if method == "shutdown" {
			continue
		}
		for _, params := range []string{`null`, `[]`, `{}`, `"x"`, `7`, `{"textDocument": 7}`, `{"textDocument": {"uri": null}}`, `{"textDocument": {"uri": "` + dotURI + `"}, "position": {"line": 1e308}}`, `{"textDocument": {"uri": "` + dotURI + `"}, "position": {"line": "NaN"}}`,
			`{"textDocument": {"uri": "` + dotURI + `"}, "position": {"line": 0.5}}`, `{"textDocument": {"uri": "` + strings.Repeat("x", 1<<16) + `"}}`, `{"command": 7}`, `{"command": "incore.report", "arguments": [null, null]}`, `{"command": "incore.report", "arguments": ["` + dotURI + `", 1e308]}`} {
			err := e.conn.Call(context.Background(), method, json.RawMessage(params), nil)
			var own *jsonrpc2.Error
			if errors.As(err, &own) && own.Code == jsonrpc2.CodeInternalError {
				t.Errorf("%s %.80s: %v", method, params, err)
			}
			if own != nil && (strings.Contains(own.Message, "Go ") || strings.HasPrefix(own.Message, " ")) {
				t.Errorf("%s %.80s: %.200s", method, params, own.Message)
			}
		}
	}
	for _, method := range []string{"textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose", "workspace/didChangeConfiguration", "$/cancelRequest", "nonsense"} {
		for _, params := range []string{`null`, `[]`, `{}`, `7`, `{"textDocument": {"uri": "` + dotURI + `x"}, "contentChanges": [{"range": {"start": {"line": -1}}}]}`} {
			e.notify(method, json.RawMessage(params))
		}
	}
	e.call("textDocument/hover", at(dotURI, 8, 3), nil)
}

// TestLast: of options that a command gives several times the last counts, as for a compiler.
func TestLast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	options := []string{"-mcpu=", "-march=", "-mtune="}
	for range 200 {
		c := compilation{Directory: "/w"}
		last, object := map[string]string{}, ""
		args := []string{"cc", "-c", "a.c"}
		for range r.IntN(6) {
			o, v := options[r.IntN(len(options))], fmt.Sprint("m", r.IntN(9))
			args, last[o] = append(args, o+v), v
		}
		for range r.IntN(4) {
			name := fmt.Sprint("o", r.IntN(9), ".o")
			object = "/w/" + name
			if r.IntN(2) == 0 {
				args = append(args, "-o", name)
			} else {
				args = append(args, "-o"+name)
			}
		}
		if r.IntN(2) == 0 {
			c.Arguments = args
		} else {
			c.Command = strings.Join(args, " ")
		}
		var want []string
		for _, o := range options {
			if last[o] != "" {
				want = append(want, last[o])
			}
		}
		if got := c.machines(); fmt.Sprint(got) != fmt.Sprint(want) || filepath.ToSlash(c.object()) != object {
			t.Errorf("%v: %v %s, want %v %s", args, got, c.object(), want, object)
		}
	}
}

// TestUnknownCost: an inlay hint of an instruction without a known cost names no port and no cycles, and the loop's has an interval or a bound.
func TestUnknownCost(t *testing.T) {
	for _, c := range []struct{ arch, unknown string }{
		{"zen2", "vaddph\t%zmm0, %zmm1, %zmm1"}, {"zen4", "nosuch\t%rax, %rax"}, {"zen4", "rep movsb"}, {"zen2", "vaddph\t(%rsi), %zmm1, %zmm1"},
	} {
		e := start(t, `{"capabilities": {}, "initializationOptions": {"arch": "`+c.arch+`"}}`)
		e.open(dotURI, "asm", "1:\n\t"+c.unknown+"\n\timulq\t%rbx, %rbx\n\tdecq\t%rcx\n\tjne\t1b\n")
		var hints []inlayHint
		e.call("textDocument/inlayHint", in(dotURI, 0, 9), &hints)
		got := map[int]string{}
		for _, x := range hints {
			got[x.Position.Line] = x.Label
		}
		if got[1] != "cost not known" || !strings.Contains(got[2], " 1.0") || got[2] == got[1] {
			t.Errorf("%s on %s: %v", c.unknown, c.arch, got)
		}
	}
}

// objectOf compiles a C file with a loop of each kind, and returns its folder.
func objectOf(t *testing.T) (dir, uri, text string) {
	t.Helper()
	dir = t.TempDir()
	text = "void other(void);\nlong calls(long n) {\n  long s = 1;\n  while (n--)\n    other();\n  return s;\n}\nlong multiplies(long n) {\n  long s = n;\n  while (n--)\n    s *= s;\n  return s;\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	compile(t, dir, "-O1", "-g", "-c", "a.c", "-o", "a.o")
	return dir, uriOf(filepath.Join(dir, "a.c")), text
}

// TestSourceDoubt: a lens over a loop of a source file marks a lower bound.
func TestSourceDoubt(t *testing.T) {
	_, uri, text := objectOf(t)
	e := start(t, utf8Client)
	e.open(uri, "c", text)
	var lenses []codeLens
	e.call("textDocument/codeLens", at(uri, 0, 0), &lenses)
	if len(lenses) != 2 || !strings.HasPrefix(lenses[0].Command.Title, "≥") || !strings.Contains(lenses[0].Command.Title, "at least") || !strings.HasPrefix(lenses[1].Command.Title, "3.0 cycles") {
		t.Errorf("%+v", lenses)
	}
}

// TestSourceSettings: settings that do not fit a source file are told once, until they change; the lenses are there nevertheless.
func TestSourceSettings(t *testing.T) {
	dir, uri, text := objectOf(t)
	if err := os.WriteFile(filepath.Join(dir, "text.o"), []byte("no object"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ settings, want string }{
		{`{"arch": "zen99"}`, "zen99"},
		{`{"arch": "neoverse-v2"}`, "no machine of x86-64"},
		{`{"arch": "zen4", "objects": ["none.o", "a.o"]}`, "none.o: no such file"},
		{`{"arch": "zen4", "objects": [".", "a.o"]}`, "no regular file"},
		{`{"arch": "zen4", "objects": ["text.o", "a.o"]}`, "ELF"},
		{`{"arch": "zen4,neoverse-v2", "objects": ["a.o"]}`, ""},
	} {
		e := start(t, `{"capabilities": {}, "initializationOptions": `+c.settings+`}`)
		e.open(uri, "c", text)
		for range 3 {
			var lenses []codeLens
			e.call("textDocument/codeLens", at(uri, 0, 0), &lenses)
			if len(lenses) != 2 {
				t.Errorf("%s: %d lenses", c.settings, len(lenses))
			}
		}
		told := 0
		for len(e.shown) > 0 {
			if s := <-e.shown; !strings.Contains(s, c.want) || strings.Contains(s, "'incore ") {
				t.Errorf("%s: %s", c.settings, s)
			}
			told++
		}
		if want := map[bool]int{true: 1}[c.want != ""]; told != want {
			t.Errorf("%s: told %d times", c.settings, told)
		}
	}
}

// TestBinaryCancelled: the reading of an object file stops with its request, and is not taken for its result.
func TestBinaryCancelled(t *testing.T) {
	dir, _, _ := objectOf(t)
	var b binaries
	over, cancel := context.WithCancel(context.Background())
	cancel()
	o := analyze.Options{Archs: []string{"zen4"}}
	if _, err := b.of(over, filepath.Join(dir, "a.o"), o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	if x, err := b.of(context.Background(), filepath.Join(dir, "a.o"), o); err != nil || len(x.list.Loops) != 2 {
		t.Errorf("after that: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.of(short, self, o); err == nil {
		t.Log("the object file was read before the request was cancelled")
	} else if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestTitles: titles are whole, whatever the operands of a doubtful instruction are, and messages have a subject and name no option of the command line.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1:\n\tcall\t*8(%rax,%rbx)\n\tjne\t1b\n", "≥"}, {"1:\n\trep movsb\n\tjne\t1b\n", "≥"}, {"1:\n\tnosuch\t8(%rax,%rbx), %rax\n\timul\t%rax, %rax\n\tjne\t1b\n", "unknown cost: 1"}, {"1:\n\tnop\n\tjne\t1b\n", "1.0 cycles"},
	} {
		e := start(t, utf8Client)
		e.open(dotURI, "asm", c.text)
		var lenses []codeLens
		e.call("textDocument/codeLens", at(dotURI, 0, 0), &lenses)
		if len(lenses) != 1 || !strings.Contains(lenses[0].Command.Title, c.want) || !strings.Contains(lenses[0].Command.Title, " cycles/iteration on zen4, ") || strings.Count(lenses[0].Command.Title, "(") != strings.Count(lenses[0].Command.Title, ")") {
			t.Errorf("%q: %+v", c.text, lenses)
		}
	}
	for _, text := range []string{"hello world\n", "1:\n" + strings.Repeat("\tvaddpd\t%ymm1, %ymm1, %ymm1\n", 31000) + "\tjne\t1b\n", "\x7fELF\x02\x01", "\tfadd\tv0.2d, v1.2d, v2.2d\n\tvaddpd\t%ymm1, %ymm1, %ymm1\n"} {
		e := start(t, utf8Client)
		e.open(dotURI, "asm", text)
		var h json.RawMessage
		e.call("textDocument/hover", at(dotURI, 0, 0), &h)
		e.diagnosed("a message", func(p publishParams) bool {
			for _, d := range p.Diagnostics {
				if strings.HasPrefix(d.Message, "is ") || strings.Contains(d.Message, " --") || strings.Contains(d.Message, "'incore ") {
					t.Errorf("%.20q: %s", text, d.Message)
				}
			}
			return len(p.Diagnostics) > 0
		})
	}
}

// TestNoMessage: what is JSON but no message is refused, and the messages behind it are answered.
func TestNoMessage(t *testing.T) {
	for _, c := range []struct{ message, id, want string }{
		{`[]`, "null", "a batch"},
		{`[{"jsonrpc":"2.0","id":5,"method":"shutdown"}]`, "null", "a batch"},
		{`5`, "null", "neither a request"},
		{`"x"`, "null", "neither a request"},
		{`null`, "null", "neither a request"},
		{`{}`, "null", "neither a request"},
		{`{"jsonrpc":"2.0","id":7}`, "7", "neither a request"},
		{`{"jsonrpc":"2.0","id":7,"method":5}`, "7", "neither a request"},
		{`{"jsonrpc":"2.0","id":"a","error":5}`, `"a"`, "neither a request"},
		{`{"jsonrpc":"2.0","id":-1,"method":"x"}`, "-1", "the id"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"x"}`, "1.5", "the id"},
		{`{"jsonrpc":"2.0","id":9223372036854775808,"method":"x"}`, "9223372036854775808", "the id"},
		{`{"jsonrpc":"2.0","id":true,"method":"x"}`, "null", "the id"},
		{`{"jsonrpc":"2.0","id":[],"method":"x"}`, "null", "the id"},
		{`{"jsonrpc":"2.0","id":{},"method":"x"}`, "null", "the id"},
	} {
		var in, out strings.Builder
		for _, m := range []string{c.message, `{"jsonrpc":"2.0","id":99,"method":"shutdown"}`} {
			fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(m), m)
		}
		err := Serve(context.Background(), strings.NewReader(in.String()), &out, testLog{t})
		if got := out.String(); err != nil || !strings.Contains(got, c.want) || !strings.Contains(got, `"id":`+c.id+`,`) || !strings.Contains(got, `"id":99,`) {
			t.Errorf("%s: %s, %v", c.message, got, err)
		}
	}
}

// TestEndless: a loop that is too long to be analysed is not built either, which took 2 KiB for each of its instructions; its diagnostic says so.
func TestEndless(t *testing.T) {
	text := "1: " + strings.Repeat("nop; ", 40_000) + "jmp 1b\n"
	f, err := source.New("a.s", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	read, err := analyze.ReadText(f, analyze.Options{Archs: []string{"zen4"}})
	if err != nil || len(read.Kernels) != 1 {
		t.Fatal(err)
	}
	c := &code{Text: read, memory: &memory{}, built: make([]builtKernel, 1)}
	if b := c.of(0); b.lines != nil || b.key == (key{}) {
		t.Errorf("a refused kernel has %d lines", len(b.lines))
	}
	e := start(t, utf8Client)
	e.open("file:///tmp/endless.s", "asm", text)
	e.call("textDocument/hover", at("file:///tmp/endless.s", 0, 3), nil)
	for {
		select {
		case p := <-e.published:
			if strings.Contains(fmt.Sprint(p.Diagnostics), "40001 instructions") {
				return
			}
		case <-time.After(20 * time.Second):
			t.Fatal("no diagnostic")
		}
	}
}

// TestUnreadableChange: after a change that cannot be read the server does not go on with a text that the editor no longer has: it says so and forgets the document.
func TestUnreadableChange(t *testing.T) {
	for change, want := range map[string]string{
		`"text"`: "contentChanges has a string where a list is expected",
		`[{"range": {"start": {"line": 1.5, "character": 0}, "end": {"line": 2, "character": 0}}, "text": ""}]`: "where a whole number is expected",
		`[{"text": 5}]`: "has a number where a string is expected",
		`[{"range": {"start": {"line": 99999, "character": 0}, "end": {"line": 99999, "character": 0}}, "text": ""}]`: "the document has",
	} {
		e := start(t, utf8Client)
		e.open(dotURI, "asm", dot)
		e.notify("textDocument/didChange", json.RawMessage(`{"contentChanges": `+change+`, "textDocument": {"uri": "`+dotURI+`", "version": 2}}`))
		if err := e.conn.Call(context.Background(), "textDocument/hover", at(dotURI, 8, 3), nil); err == nil || !strings.Contains(err.Error(), "not open") {
			t.Errorf("%s: %v", change, err)
		}
		select {
		case shown := <-e.shown:
			if !strings.Contains(shown, want) || !strings.Contains(shown, "open it again") {
				t.Errorf("%s: %s, want %s", change, shown, want)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: nothing is shown", change)
		}
	}
}
