package memdep_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/uops"
	"incore/internal/asm"
	"incore/internal/base/long"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/object"
)

// compilers are the ways in which testdata/kernels is compiled, each at all levels of optimisation.
var compilers = []struct{ command, model string }{
	{"gcc", "skx"},
	{"gcc -mavx2 -mfma", "skx"},
	{"clang-19 --target=x86_64-linux-gnu", "skx"},
	{"clang-19 --target=x86_64-linux-gnu -mavx512f -mavx512vl", "skx"},
	{"aarch64-linux-gnu-gcc", "neoverse-v2"},
	{"aarch64-linux-gnu-gcc -march=armv8.2-a+sve", "neoverse-v2"},
	{"clang-19 --target=aarch64-linux-gnu", "neoverse-v2"},
	{"clang-19 --target=aarch64-linux-gnu -march=armv9-a", "neoverse-v2"},
	{"riscv64-linux-gnu-gcc", "sifive-p670"},
	{"clang-19 --target=riscv64-linux-gnu -march=rv64gc", "sifive-p670"},
	{"clang-19 --target=riscv64-linux-gnu -march=rv64gcv_zba_zbb", "sifive-p670"},
}

// compiled is an innermost loop of a compiled function.
type compiled struct {
	function, from string
	bound          *machine.Bound
}

// compileKernels compiles a file and returns the innermost loops of the text and of the object file.
func compileKernels(t *testing.T, command, model, level, file string) (out []compiled) {
	t.Helper()
	words := strings.Fields(command)
	path, err := exec.LookPath(words[0])
	if err != nil {
		t.Skipf("%s is not installed", words[0])
	}
	m, err := machine.Get(model)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, kind := range []string{"-S", "-c"} {
		name := filepath.Join(dir, "kernels"+map[string]string{"-S": ".s", "-c": ".o"}[kind])
		args := append(slices.Clone(words[1:]), level, "-fno-inline", "-fno-asynchronous-unwind-tables", kind, "-o", name, filepath.Join("testdata", "kernels", file))
		if text, err := exec.Command(path, args...).CombinedOutput(); err != nil {
			t.Skipf("%s %s: %v\n%s", words[0], strings.Join(args, " "), err, text)
		}
		if kind == "-S" {
			out = append(out, textLoops(t, m, name)...)
		} else {
			out = append(out, objectLoops(t, m, name)...)
		}
	}
	return out
}

func textLoops(t *testing.T, m *machine.Model, name string) (out []compiled) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := source.New("kernels.s", data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := asm.Parse(f, asm.Options{ISA: catalog.ISA(m.ISA), ISAs: catalog.ISAs()})
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range functions(data) {
		ks, _, err := p.Kernels(asm.Select{Function: fn})
		if err != nil {
			continue
		}
		for i := range ks {
			if ks[i].Depth > 0 {
				out = append(out, compiled{fn, "text", uops.Bind(m, p.Build(&ks[i]))})
			}
		}
	}
	return out
}

// functions are the names of the functions in assembly text.
func functions(text []byte) (out []string) {
	for _, m := range regexp.MustCompile(`(?m)^\s*\.type\s+(\w+), *[@%]function`).FindAllSubmatch(text, -1) {
		out = append(out, string(m[1]))
	}
	return out
}

func objectLoops(t *testing.T, m *machine.Model, name string) (out []compiled) {
	f, err := object.Open(name, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range f.Functions() {
		for _, l := range f.Loops(fn) {
			if !l.Innermost {
				continue
			}
			k, err := l.Kernel(object.KernelOptions{})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, compiled{fn.Name, "binary", uops.Bind(m, k)})
		}
	}
	return out
}

// text is the loop with its entry, for messages.
func (c *compiled) text() string {
	var b strings.Builder
	for i := range c.bound.Kernel.Entry {
		if l := &c.bound.Kernel.Entry[i]; l.Join {
			fmt.Fprintf(&b, "  --- %s\n", l.Text)
		} else {
			fmt.Fprintf(&b, "      %s\n", l.Text)
		}
	}
	if c.bound.Kernel.Lines[0].Join {
		b.WriteString("  ---\n")
	}
	for i := range c.bound.Kernel.Lines {
		fmt.Fprintf(&b, "  %2d  %s\n", i, c.bound.Kernel.Lines[i].Text)
	}
	return b.String()
}

func eachCompiled(t *testing.T, file string, do func(t *testing.T, c *compiled)) {
	levels := []string{"-O2"}
	switch {
	case thorough():
		levels = []string{"-O1", "-O2", "-O3", "-Ofast"}
	case long.Tests():
		levels = []string{"-O1", "-O3"}
	}
	for _, cc := range long.Spread(compilers, 5) {
		for _, level := range levels {
			t.Run(cc.command+" "+level, func(t *testing.T) {
				for _, c := range compileKernels(t, cc.command, cc.model, level, file) {
					do(t, &c)
				}
			})
		}
	}
}

// TestFree checks that no dependence is found in compiled loops that have none.
func TestFree(t *testing.T) {
	loops, expressions := 0, 0
	eachCompiled(t, "free.c", func(t *testing.T, c *compiled) {
		loops++
		edges, _ := memdep.Find(c.bound, memdep.Options{})
		if len(edges) > 0 {
			t.Errorf("%s (%s): %v\n%s", c.function, c.from, edges, c.text())
		}
		if r := memdep.Analyze(c.bound, memdep.Options{}); len(r.Memory()) != 0 {
			t.Errorf("%s (%s): executed: %v\n%s", c.function, c.from, r.Memory(), c.text())
		}
		found, _ := depgraph.Addresses(c.bound, false)
		expressions += len(found)
	})
	t.Logf("%d loops, no dependence; address expressions alone find %d", loops, expressions)
	if loops == 0 {
		t.Skip("no compiler")
	}
}

// wanted reads the expectations in a C file: by function, the distances and the number of stores of an iteration.
func wanted(t *testing.T, file string) (want map[string]string, stores map[string]int) {
	data, err := os.ReadFile(filepath.Join("testdata", "kernels", file))
	if err != nil {
		t.Fatal(err)
	}
	want, stores = map[string]string{}, map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^// want ([0-9 ]+?)(?: stores=(\d))?\n\w+ (\w+)\(`).FindAllSubmatch(data, -1) {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil {
			n = 1
		}
		want[string(m[3])], stores[string(m[3])] = string(m[1]), n
	}
	return want, stores
}

// distances are the distances of dependences in iterations of the source: loops may be unrolled, which shows from the
// number of their stores. Copies of the body come one after the other.
func distances(b *machine.Bound, edges []depgraph.MemoryEdge, perIteration int) (string, error) {
	storeAt, loads, n := map[int32]int{}, map[int32]int{}, 0
	for i := range b.Insts {
		if slices.ContainsFunc(b.Insts[i].Effects.Mem, func(m isa.MemRef) bool { return m.Store }) {
			storeAt[int32(i)] = n
			n++
		}
	}
	if n%perIteration != 0 {
		perIteration = 1 // one of a vector
	}
	copies := n / perIteration
	for _, e := range edges {
		loads[e.To] = 0
	}
	for k, l := range slices.Sorted(maps.Keys(loads)) {
		loads[l] = k
	}
	if copies == 0 || len(loads)%copies != 0 {
		return "", fmt.Errorf("%d stores, %d loads that depend on them", n, len(loads))
	}
	found := map[int]bool{}
	for _, e := range edges {
		found[int(e.Dist)*copies+loads[e.To]*copies/len(loads)-storeAt[e.From]/perIteration] = true
	}
	var out []string
	for _, d := range slices.Sorted(maps.Keys(found)) {
		out = append(out, strconv.Itoa(d))
	}
	return strings.Join(out, " "), nil
}

// TestCarried checks the dependences of compiled loops that have them.
func TestCarried(t *testing.T) {
	want, stores := wanted(t, "carried.c")
	loops, expressions := 0, 0
	eachCompiled(t, "carried.c", func(t *testing.T, c *compiled) {
		w, ok := want[c.function]
		if !ok {
			t.Errorf("nothing is expected of %s", c.function)
			return
		}
		loops++
		edges, _ := memdep.Find(c.bound, memdep.Options{})
		for _, seed := range long.Some([]uint64{1, 2, 3, 4}, 1) { // what is certain does not depend on chance
			if again, _ := memdep.Find(c.bound, memdep.Options{Seed: seed}); !slices.Equal(again, edges) {
				t.Errorf("%s (%s): seed %d: %v, else %v", c.function, c.from, seed, again, edges)
			}
		}
		got, err := distances(c.bound, edges, stores[c.function])
		if err != nil || got != w {
			t.Errorf("%s (%s): distances %q, want %q, %v; %v\n%s", c.function, c.from, got, w, err, edges, c.text())
		}
		found, _ := depgraph.Addresses(c.bound, false)
		if got, err := distances(c.bound, found, stores[c.function]); err == nil && got == w {
			expressions++
		}
	})
	t.Logf("%d loops; address expressions alone find what is there in %d", loops, expressions)
}
