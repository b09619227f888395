// Command modulepath renames this module, as its publication under another address needs it: the module line of go.mod, the imports and package paths
// in Go files, and the package paths in scripts and packaging files.
//
//	go run ./tools/modulepath github.com/OWNER/incore
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "modulepath: one argument is needed, the new path; 'go run ./tools/modulepath github.com/OWNER/incore'")
		os.Exit(2)
	}
	changed, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "modulepath:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed; 'go build ./... && go test ./internal/isa/catalog' checks them\n", changed)
}

var moduleRE = regexp.MustCompile(`(?m)^module (\S+)$`)

// extensions are those of files that may name packages.
var extensions = []string{".go", ".nix", ".md", ".yml", ".yaml", ".toml", ".rb"}

// rename renames the module whose go.mod is in dir, and returns how many files it changed.
func rename(dir, to string) (changed int, err error) {
	head, _, _ := strings.Cut(to, "/")
	if !strings.Contains(head, ".") || strings.HasSuffix(to, "/") || strings.ContainsAny(to, " \"\\") {
		return 0, fmt.Errorf("'%s' is no module path that can be fetched: it begins with a domain, as github.com/OWNER/incore", to)
	}
	file := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	m := moduleRE.FindSubmatch(text)
	if m == nil {
		return 0, errors.New("go.mod has no module line")
	}
	from := string(m[1])
	if err := os.WriteFile(file, moduleRE.ReplaceAll(text, []byte("module "+to)), 0o666); err != nil {
		return 0, err
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || !slices.Contains(extensions, filepath.Ext(path)) && filepath.Base(filepath.Dir(path)) != ".ci":
			return nil
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if fresh := replace(old, from, to); !bytes.Equal(fresh, old) {
			changed++
			return os.WriteFile(path, fresh, 0o666)
		}
		return nil
	})
	return changed, err
}

// replace renames the module in a text: where its path stands before a folder of packages, and where it is an import by itself.
func replace(text []byte, from, to string) []byte {
	q := regexp.QuoteMeta(from)
	packages := regexp.MustCompile(`(^|[\s"'=(])` + q + `/(internal|cmd|tools)\b`)
	text = packages.ReplaceAll(text, []byte("${1}"+to+"/${2}"))
	root := regexp.MustCompile(`(?m)^(\s*(?:import |const module = )?)"` + q + `"$`)
	return root.ReplaceAll(text, []byte(`${1}"`+to+`"`))
}
