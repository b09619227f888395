package report

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const kindsPage = "kinds.md"

// TestKindsDocumented checks that the list of kinds in kinds.md matches the constants and their comments; -update writes the list.
func TestKindsDocumented(t *testing.T) {
	old, err := os.ReadFile(kindsPage)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- generated: kinds -->\n", "<!-- end -->\n"
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no %s", kindsPage, begin)
	}
	text := before + begin + kindTables(t) + end + after
	if *update {
		if err := os.WriteFile(kindsPage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(old, []byte(text)) {
		t.Errorf("%s differs from statement.go: go test ./internal/report -run TestKindsDocumented -update", kindsPage)
	}
}

// kindTables writes a table for each group of constants.
func kindTables(t *testing.T) string {
	f, err := parser.ParseFile(token.NewFileSet(), "statement.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	fields := jsonNames(f)
	var b strings.Builder
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n\n| kind | meaning, and `values` |\n|---|---|\n", regexp.MustCompile(`Target\.Basis`).ReplaceAllString(strings.TrimSpace(g.Doc.Text()), "`basis`"))
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			name, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, regexp.MustCompile(`\b[A-Z]\w+`).ReplaceAllStringFunc(strings.TrimSpace(v.Comment.Text()), func(w string) string {
				if field, ok := fields[w]; ok {
					return "`" + field + "`"
				}
				return w
			}))
		}
	}
	return b.String() + "\n"
}

// jsonNames are the fields of Values and their names in JSON.
func jsonNames(f *ast.File) map[string]string {
	out := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok && t.Name.Name == "Values" {
			for _, x := range t.Type.(*ast.StructType).Fields.List {
				tag, _ := strconv.Unquote(x.Tag.Value)
				_, name, _ := strings.Cut(tag, `json:"`)
				name, _, _ = strings.Cut(name, ",")
				out[x.Names[0].Name] = name
			}
		}
		return true
	})
	return out
}
