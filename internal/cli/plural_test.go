package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCounted: a number stands before the right form of its noun.
func TestCounted(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{
		{0, "loop", "0 loops"}, {1, "loop", "1 loop"}, {2, "loop", "2 loops"}, {1, "entry", "1 entry"}, {2, "entry", "2 entries"}, {1, "copy", "1 copy"}, {3, "branch", "3 branches"},
		{1, "address", "1 address"}, {2, "address", "2 addresses"}, {2, "mix", "2 mixes"}, {1, "mix", "1 mix"},
	} {
		if got := counted(c.n, c.noun); got != c.want {
			t.Errorf("%d of %s: %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}

// many matches a number before a noun in the plural, which is wrong for 1. Totals and limits are not matched: "3 of 4 rows", "more than 4 bytes".
var many = regexp.MustCompile(`((?:of|than|most) )?%d (?:(?:more|other|further|new) )?[a-z]+s\b`)

// TestNoPlural: no message has a plural behind a number that may be 1: counted chooses the form.
func TestNoPlural(t *testing.T) {
	always := map[string]bool{"times anew so as to stay in the cache": true, "iterations, and the prediction assumes that": true, "pages lie on": true, "cycles and what was not fetched": true,
		" over %d iterations": true, "every %d iterations": true, "accumulators": true, "lines of": true, "loads, because the core": true, "pairs of a store": true, " machines (": true,
		"bytes": true, "is too large to draw": true, "more lines; the structured": true,
		"; at most %d at a time": true, "iterations; 1 to": true, "statements; at most": true, "%d times": true,
		"ways":         true,
		"cycles later": true, "cycles each": true, "has no name": true, "the legacy decoders serve": true}
	var files []string
	for _, dir := range []string{".", "../report", "../report/describe", "../web/mcp", "../web/lsp", "../web/api", "../web/rpc", "../web/serve",
		"../report/compare", "../report/baselines", "../report/findings", "../analysis/advice", "../object", "../foreign/perfdata", "../foreign/pprof", "../program/trace",
		"../roofline"} {
		list, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil || !slices.ContainsFunc(many.FindAllStringSubmatch(s, -1), func(m []string) bool { return m[1] == "" }) {
				return true
			}
			for text := range always { // never of 1
				if strings.Contains(s, text) {
					return true
				}
			}
			t.Errorf("%s: %q is wrong for 1", set.Position(lit.Pos()), s)
			return true
		})
	}
}
