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

// TestPlain: no message or hint of the packages that requests reach names the command line once it is reworded.
func TestPlain(t *testing.T) {
	command := regexp.MustCompile(`(^|[^-\w])--[a-z]|incore (analyze|archs|loops|deps|compare)\b`)
	found := 0
	for _, dir := range []string{"analyze", "asm", "machine", "object", "source"} {
		names, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
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
			ast.Inspect(f, func(n ast.Node) bool {
				l, ok := n.(*ast.BasicLit)
				if !ok || l.Kind != token.STRING {
					return true
				}
				if s, err := strconv.Unquote(l.Value); err == nil && command.MatchString(s) {
					found++
					if p := Plain(s); command.MatchString(p) || strings.Contains(p, "  ") {
						t.Errorf("%s: %q is still %q", name, s, p)
					}
					t.Logf("%q", Plain(s))
				}
				return true
			})
		}
	}
	if found < 10 {
		t.Errorf("only %d messages name the command line", found)
	}
}

// TestNames: the errors and the answer of a comparison name its texts as the request does.
func TestNames(t *testing.T) {
	for _, c := range []struct{ request, want string }{
		{`{"texts": ["nop", ""]}`, "B is empty"},
		{`{"texts": ["nop", ""], "names": ["old", "new"]}`, "new is empty"},
		{`{"texts": ["nop", "hello"], "names": ["old", "new"]}`, "new is not assembly"},
		{`{"texts": ["nop", "fadd v0.2d, v0.2d, v1.2d"], "names": ["old", "new"]}`, "old is x86-64 code and new is aarch64"},
		{`{"texts": ["nop", "nop"], "names": ["old"]}`, "1 names of 2 texts"},
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
