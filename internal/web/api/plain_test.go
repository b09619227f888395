package api

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPlain: no message or hint of the packages that requests reach names an option or a command of incore.
func TestPlain(t *testing.T) {
	command := regexp.MustCompile(`(^|[^-\w])--[a-z]|incore (analyze|archs|loops|deps|compare|forms)\b`)
	const others = "valgrind --tool=callgrind" // options of other programs
	files := 0
	for _, dir := range []string{"analyze", "asm", "report/describe", "machine", "object", "base/source", "analysis/engine", "analysis/fewtrips", "analysis/whatif"} {
		names, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			files++
			ast.Inspect(f, func(n ast.Node) bool {
				l, ok := n.(*ast.BasicLit)
				if !ok || l.Kind != token.STRING {
					return true
				}
				if s, err := strconv.Unquote(l.Value); err == nil && command.MatchString(s) && !strings.Contains(s, others) {
					t.Errorf("%s: %q", name, s)
				}
				return true
			})
		}
	}
	if files < 100 {
		t.Errorf("only %d files", files)
	}
}

// TestSettings: an error names the settings that a request has, and no others.
func TestSettings(t *testing.T) {
	junk := strings.Repeat("zzz %rax\\n", 60)
	for _, c := range []struct{ path, request, want string }{
		{"analyze", `{"text": "nop", "arch": ["zen99"]}`, "unknown machine 'zen99'"},
		{"analyze", `{"text": "1: nop; jne 1b", "arch": ["m1"]}`, "name a machine of that instruction set, or none (arch)"},
		{"analyze", `{"text": "` + junk + `"}`, ""},
		{"analyze", `{"text": "hello world"}`, "if this is assembly, name its instruction set or a machine (arch)"},
		{"analyze", `{"text": "nop\nret\nnop\nret"}`, "or give it alone"},
		{"analyze", `{"text": "\u001f\u008b\u0000\u0000"}`, ""},
		{"analyze", `{"text": "\u007fELF\u0000"}`, "only text is read here"},
		{"deps", `{"text": "1: nop; jne 1b", "arch": ["zen99"]}`, "unknown machine 'zen99'"},
		{"analyze", `{"text": "1: nop; jne 1b", "arch": ["zen4"], "what_if": ["ports:+1load"]}`, ""},
	} {
		_, err := new(Options).Answer(context.Background(), c.path, nil, []byte(c.request))
		if err == nil {
			t.Errorf("%s: no error", c.request)
			continue
		}
		text := err.Error() + "\n" + err.(*Error).Hint
		if strings.Contains(text, "--") || strings.Contains(text, "incore ") || strings.Contains(text, "()") || !strings.Contains(text, c.want) {
			t.Errorf("%.80s: %s", c.request, text)
		}
		for _, absent := range []string{"isa)", "lines", "label", "engine", "archs"} {
			if strings.Contains(text, "("+absent) || strings.Contains(text, ", "+absent) {
				t.Errorf("%.80s: %s names %s", c.request, text, absent)
			}
		}
	}
}

// TestNames: the errors and the answer of a comparison name its texts as the request does.
func TestNames(t *testing.T) {
	for _, c := range []struct{ request, want string }{
		{`{"texts": ["nop", ""]}`, "B is empty"},
		{`{"texts": ["nop", ""], "names": ["old", "new"]}`, "new is empty"},
		{`{"texts": ["nop", "hello"], "names": ["old", "new"]}`, "new is not assembly"},
		{`{"texts": ["nop", "fadd v0.2d, v0.2d, v1.2d"], "names": ["old", "new"]}`, "old is x86-64 code and new is aarch64"},
		{`{"texts": ["nop", "nop"], "names": ["old"]}`, "1 name of 2 texts"},
		{`{"texts": ["1: nop; jne 1b", "1: nop; jne 1b"], "names": ["old", "new"], "arch": ["zen4"]}`, ""},
	} {
		v, err := new(Options).Answer(context.Background(), "compare", nil, []byte(c.request))
		if c.want == "" {
			if err != nil || strings.Join(v.(*Compared).Versions, " ") != "old new" {
				t.Errorf("%s: %v, %v", c.request, v, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.request, err, c.want)
		}
	}
}

// TestTypes: a parameter of a wrong type is named in words of JSON, in every request.
func TestTypes(t *testing.T) {
	values := map[string]string{"string": `"x"`, "number": "7", "huge": "1e308", "bool": "true", "list": `[[]]`, "object": `{"a": {}}`, "null": "null"}
	requests := map[string][]string{
		"analyze": {"text", "arch", "syntax", "timeline", "sensitivity", "what_if", "iterations", "sources"}, "deps": {"text", "arch", "war", "may"}, "predict": {"blocks", "arch", "syntax"},
		"compare": {"texts", "names", "arch", "timeline"}, "explain": {"instruction", "arch", "syntax"},
	}
	for path, names := range requests {
		for kind, body := range values {
			_, err := new(Options).Answer(context.Background(), path, nil, []byte(body))
			if err == nil || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "json:") {
				t.Errorf("%s of kind %s: %v", path, kind, err)
			}
		}
		for _, name := range names {
			wrong := 0
			for kind, v := range values {
				body := `{"text": "nop", "texts": ["nop", "nop"], "blocks": ["nop"], "instruction": "nop", "` + name + `": ` + v + `}`
				_, err := new(Options).Answer(context.Background(), path, nil, []byte(body))
				if err == nil {
					continue
				}
				text := err.Error()
				if strings.Contains(text, "Go ") || strings.Contains(text, "json:") || strings.Contains(text, "is expected") && !strings.HasPrefix(text, name+" has ") || strings.Contains(text, "where  is") {
					t.Errorf("%s, %s of kind %s: %s", path, name, kind, text)
				}
				if strings.Contains(text, "is expected") {
					wrong++
				}
			}
			if wrong < 2 {
				t.Errorf("%s: %d wrong kinds of %s are told", path, wrong, name)
			}
		}
	}
}
