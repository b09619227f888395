package catalog

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// mostParameters is how many parameters a function may have; one that needs more takes a struct.
const mostParameters = 5

// TestParameters holds every function of the module, but for tests, to mostParameters.
func TestParameters(t *testing.T) {
	files, functions := token.NewFileSet(), 0
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			x, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			functions++
			if n := x.Type.Params.NumFields(); n > mostParameters {
				t.Errorf("%s: %s has %d parameters, more than %d", files.Position(x.Pos()), x.Name.Name, n, mostParameters)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if functions < 1000 {
		t.Errorf("only %d functions were seen: the test looks into the wrong folder", functions)
	}
}
