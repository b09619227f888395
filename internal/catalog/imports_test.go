package catalog

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers are the packages from the bottom up: a package may import those of lower layers
// only. Packages of one layer don't import each other, but for the exceptions in within.
var layers = [][]string{
	{"internal/finite", "internal/regex", "internal/symname", "internal/platform", "internal/tracee", "internal/filelock"},
	{"internal/yamlfile"},
	{"internal/blob", "internal/parallel", "internal/source", "internal/stats", "internal/paths", "internal/bench/host", "internal/qemu", "internal/jail", "internal/browser", "internal/winic", "internal/accuracy", "internal/long", "internal/growth", "internal/output", "internal/perf", "internal/perfdata", "internal/pprof", "internal/findings", "internal/cachesim", "internal/branches"},
	{"internal/isa", "internal/roofline"},
	{"internal/isa/x86", "internal/isa/aarch64", "internal/isa/riscv", "internal/machine", "internal/asm", "internal/object", "internal/bench/feature"},
	{"internal/analysis/"},
	{"internal/catalog", "internal/advice", "internal/bench/block", "internal/clone", "internal/dbi", "internal/probe", "internal/dryrun", "internal/harness"},
	{"internal/report", "internal/bench/plan"},
	{"internal/bench/results", "internal/bench/emulate", "internal/compare", "internal/describe"},
	{"internal/page", "internal/baselines"},
	{"internal/analyze", "internal/bench", "internal/predict", "internal/dyndeps", "internal/osaca", "internal/published", "internal/profile", "internal/roofs", "internal/trace"},
	{"internal/api"},
	{"internal/eval", "internal/serve", "internal/rpc", "internal/mcp", "internal/lsp", "internal/looptime", "internal/explore"},
	{"", "internal/cli"},
	{"cmd/"},
}

// within lists what packages of one layer may import of each other.
var within = map[string][]string{
	"internal/analysis/": {"internal/analysis/"}, // analyses build on each other; Go forbids circles
	"internal/bench":     {"internal/bench"},
	"internal/eval":      {"internal/eval"},    // the tables of a suite, which are summed up as those of corpora
	"internal/analyze":   {"internal/predict"}, // loops of a binary are predicted as blocks of a corpus are
}

// forbidden are imports that no layer explains: what makes the house generic.
var forbidden = []struct{ from, to, why string }{
	{"internal/machine", "internal/isa/", "a machine model knows no particular instruction set"},
	{"internal/analysis/", "internal/isa/", "analyses know no particular instruction set"},
	{"internal/asm", "internal/isa/", "reading assembly text knows no particular instruction set"},
	{"internal/report", "internal/isa", "a report is described by plain data"},
	{"internal/report", "internal/machine", "a report is described by plain data"},
}

const module = "incore"

// TestImportDirection checks that imports of the module's packages only point down. Packages that are
// not in the list of layers (tools, experiments) are free, but nothing in it may import them.
func TestImportDirection(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
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
		checked++
		checkImports(t, rel, p.Imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 10 {
		t.Errorf("only %d packages found under %s", checked, root)
	}
}

func checkImports(t *testing.T, from string, imports []string) {
	layer, entry := layerOf(from)
	if layer < 0 {
		return
	}
	for _, path := range imports {
		to, ours := strings.CutPrefix(path, module+"/")
		if !ours {
			continue
		}
		target, name := layerOf(to)
		switch {
		case strings.HasPrefix(to, from+"/"): // a part of its own
		case target < 0:
			t.Errorf("%s imports %s, which no layer has: add it to the list", from, to)
		case target > layer, target == layer && !slices.Contains(within[entry], name) && from != to:
			t.Errorf("%s imports %s, which is not below it", from, to)
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

// layerOf returns a package's layer and the list entry that says so, -1 if it has none. A part of a
// package (isa/x86/enc) is in the layer of the whole.
func layerOf(pkg string) (int, string) {
	for i, l := range layers {
		for _, entry := range l {
			if has(entry, pkg) {
				return i, entry
			}
		}
	}
	if i := strings.LastIndexByte(pkg, '/'); i > len("internal/") {
		return layerOf(pkg[:i])
	}
	return -1, ""
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
