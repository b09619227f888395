package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRename renames a small module there and back; only package paths change.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":       "module incore\n\ngo 1.25\n",
		"a.go":         "package a\n\nimport (\n\t\"fmt\"\n\n\t\"incore\"\n\t\"incore/internal/b\"\n)\n\nconst module = \"incore\"\n\nvar name = []string{\"incore\", \"incore/other\", \"notincore/internal/x\"}\n",
		"flake.nix":    "ldflags = [ \"-X incore/internal/cli.Commit=1\" ];\n",
		"doc/x.md":     "incore/internal/b holds it; incore is the program.\n",
		"b/go.mod":     "module incore/tools/b\n\nrequire incore v0.0.0\n\nrequire (\n\tincore v0.0.0\n)\n\nreplace incore => ..\n",
		"testdata/x.s": "incore/internal stays\n",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	n, err := rename(dir, "example.org/x/incore")
	if err != nil || n != 4 {
		t.Fatalf("%d files, %v", n, err)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "a.go"))
	if want := "package a\n\nimport (\n\t\"fmt\"\n\n\t\"example.org/x/incore\"\n\t\"example.org/x/incore/internal/b\"\n)\n\nconst module = \"example.org/x/incore\"\n\nvar name = []string{\"incore\", \"incore/other\", \"notincore/internal/x\"}\n"; string(text) != want {
		t.Errorf("%s", text)
	}
	text, _ = os.ReadFile(filepath.Join(dir, "b", "go.mod"))
	if want := strings.ReplaceAll(files["b/go.mod"], "incore", "example.org/x/incore"); string(text) != want {
		t.Errorf("%s", text)
	}
	if _, err := rename(dir, "incore"); err == nil {
		t.Error("a path without a domain")
	}
	if _, err := rename(dir, "github.com/a/incore"); err != nil {
		t.Error(err)
	}
	text, _ = os.ReadFile(filepath.Join(dir, "flake.nix"))
	if string(text) != "ldflags = [ \"-X github.com/a/incore/internal/cli.Commit=1\" ];\n" {
		t.Errorf("%s", text)
	}
}
