package catalog

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors are the rooms from the bottom up. A room is a folder of internal with all below it; a package may import packages of its own room
// and of the floors below. Rooms of one floor don't import each other. What is not a room (the public packages, commands) is named by its path.
var floors = [][]string{
	{"internal/base"},
	{"internal/isa"},
	{"internal/asm"},
	{"internal/machine", "internal/object"},
	{"internal/analysis", "internal/report"},
	{"internal/program", "internal/foreign"},
	{"internal/analyze", "internal/bench"},
	{"internal/roofline", "internal/eval", "internal/web"},
	{"", "internal/cli"},
	{"cmd"},
}

// forbidden are imports that the floors allow: what makes the house generic, and the order inside some rooms. An entry that ends in a slash is all packages below it.
var forbidden = []struct{ from, to, why string }{
	{"internal/machine", "internal/isa/", "a machine model knows no particular instruction set"},
	{"internal/analysis/", "internal/isa/", "analyses know no particular instruction set"},
	{"internal/asm", "internal/isa/", "reading assembly text knows no particular instruction set"},
	{"internal/report", "internal/isa", "a report is described by plain data"},
	{"internal/report", "internal/machine", "a report is described by plain data"},
	{"internal/isa", "internal/isa/", "the definition of an instruction set knows no particular one"},
	{"internal/machine", "internal/machine/", "the model format does not depend on what is known of its predictions"},
	{"internal/report", "internal/report/", "the document does not depend on what is made of it"},
}

const module = "incore"

// TestImportDirection checks that imports of the module's packages only point down, by rooms. Packages that are
// on no floor (tools, experiments) are free, but nothing on a floor may import them.
func TestImportDirection(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if n := d.Name(); path != root && (strings.HasPrefix(n, ".") || n == "testdata" || n == "tools" || n == "node_modules") {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(path, 0)
		if err != nil {
			return nil // no Go package here, or none for this platform
		}
		rel, _ := filepath.Rel(root, path)
		if rel = filepath.ToSlash(rel); rel == "." {
			rel = ""
		}
		seen[roomOf(rel)] = true
		checkImports(t, rel, p.Imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range floors {
		for _, room := range f {
			if !seen[room] {
				t.Errorf("the room %q has no package", room)
			}
		}
	}
}

func checkImports(t *testing.T, from string, imports []string) {
	room := roomOf(from)
	floor := floorOf(room)
	if floor < 0 {
		if strings.HasPrefix(from, "internal/") {
			t.Errorf("%s is in no room: floors lists them", from)
		}
		return
	}
	for _, path := range imports {
		to, ours := strings.CutPrefix(path, module+"/")
		if !ours {
			continue
		}
		target := floorOf(roomOf(to))
		switch {
		case target < 0:
			t.Errorf("%s imports %s, which is in no room", from, to)
		case target >= floor && roomOf(to) != room:
			t.Errorf("%s imports %s, whose room is not below its own", from, to)
		}
		for _, f := range forbidden {
			if has(f.from, from) && has(f.to, to) && from != to {
				t.Errorf("%s imports %s: %s", from, to, f.why)
			}
		}
	}
}

// has reports whether a list entry covers a package: itself, or, if it ends in a slash, all below it.
func has(entry, pkg string) bool {
	if strings.HasSuffix(entry, "/") {
		return strings.HasPrefix(pkg, entry)
	}
	return pkg == entry
}

// roomOf returns the room of a package: the folder of internal that it is in, else the first folder of its path.
func roomOf(pkg string) string {
	parts := strings.SplitN(pkg, "/", 3)
	if parts[0] == "internal" && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// floorOf returns the floor of a room, -1 if it is on none.
func floorOf(room string) int {
	return slices.IndexFunc(floors, func(f []string) bool { return slices.Contains(f, room) })
}

// TestISAs checks that the instruction sets are complete enough to be listed and found by their names.
func TestISAs(t *testing.T) {
	seen := map[string]string{}
	for _, a := range ISAs() {
		if a.Parse == nil || a.Flow == nil || a.Refine == nil || a.Forms.Len() < 100 || len(a.Syntaxes) == 0 {
			t.Errorf("%s lacks a part that reading and analysing needs", a.Name)
		}
		for _, n := range append([]string{a.Name}, a.Aliases...) {
			if other, dup := seen[n]; dup {
				t.Errorf("%q names both %s and %s", n, other, a.Name)
			}
			seen[n] = a.Name
			if got := ISA(strings.ToUpper(n) + "-unknown-linux-gnu"); got != a {
				t.Errorf("triple of %s finds %v", n, got)
			}
		}
	}
	for name, want := range map[string]string{"armv8.2-a": "aarch64", "rv64gcv": "riscv64", "x86-64-v3": "x86-64"} {
		if a := Architecture(name); a == nil || a.Name != want {
			t.Errorf("architecture %s: got %v, want %s", name, a, want)
		}
	}
	if ISA("pdp11") != nil || Architecture("znver4") != nil {
		t.Error("unknown names find an instruction set")
	}
}
