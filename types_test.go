package incore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"testing"

	"incore/internal/report"
)

// TestTypes: a caller can name the type of every part of a document, and write functions on it.
func TestTypes(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{} // types of package report
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && s.Assign.IsValid() {
			named[s.Type.(*ast.SelectorExpr).Sel.Name] = true
		}
		return true
	})
	seen := map[reflect.Type]bool{}
	var visit func(x reflect.Type)
	visit = func(x reflect.Type) {
		if seen[x] {
			return
		}
		seen[x] = true
		if x.PkgPath() != "" && !named[x.Name()] {
			t.Errorf("%s has no name in package incore", x)
		}
		switch x.Kind() {
		case reflect.Map:
			visit(x.Key())
			visit(x.Elem())
		case reflect.Pointer, reflect.Slice, reflect.Array:
			visit(x.Elem())
		case reflect.Struct:
			for i := range x.NumField() {
				if f := x.Field(i); f.IsExported() {
					visit(f.Type)
				}
			}
		}
	}
	visit(reflect.TypeFor[report.Document]())
	visit(reflect.TypeFor[report.TextOptions]())
	if len(seen) < len(named) {
		t.Errorf("%d types are visited, %d have names", len(seen), len(named))
	}
}
