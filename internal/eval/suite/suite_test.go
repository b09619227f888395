package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/uops"
	"incore/internal/analyze/predict"
	"incore/internal/bench/block"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// native skips where benchmarks cannot be made and counted.
func native(t *testing.T) {
	t.Helper()
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("benchmarks are counted on x86-64 Linux")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
}

// TestChain makes benchmarks, counts and predicts them; an interrupted make goes on, and what another seed finds equal is kept once.
func TestChain(t *testing.T) {
	native(t)
	dir := t.TempDir()
	o := MakeOptions{Dir: dir, Kernels: regexp.MustCompile("^dot$"), Limit: 2, Target: Target{ISA: "x86-64"}}
	made, err := Make(context.Background(), o)
	if err != nil || made.Benchmarks != 2 {
		t.Fatalf("%+v, %v", made, err)
	}
	o.Limit = 3
	if made, err = Make(context.Background(), o); err != nil || made.Benchmarks != 3 || made.New != 1 {
		t.Fatalf("%+v, %v", made, err)
	}
	d, err := Read(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range d.Benchmarks {
		run, err := record(context.Background(), dir, b)
		if err != nil {
			t.Fatal(err)
		}
		s := &Subject{run: run}
		if a, b := executed(s.Blocks()), executed(s.Paths()); a != b || a != run.instructions() || a == 0 {
			t.Errorf("%d instructions in blocks, %d in paths, %d counted", a, b, run.instructions())
		}
		if x, err := run.export(1).subject(); err != nil || executed(x.Blocks()) != run.instructions() || len(x.Paths()) == 0 || x.Paths()[0].Insts != s.Paths()[0].Insts {
			t.Errorf("exported and read again it is another: %v", err)
		}
		if n, share := misses(run); n == 0 || share > mostMisses {
			t.Errorf("%d accesses, %.2f missed", n, share)
		}
		simulated(t, d, dir, b)
	}
}

// simulated asks all simulators of a benchmark: each has a figure.
func simulated(t *testing.T, d *Dir, dir string, b *Benchmark) {
	t.Helper()
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	sim := simulators()
	var ready []opened
	for i := range sim {
		ask, err := sim[i].Open(context.Background(), &Env{Model: m})
		if err != nil {
			t.Fatal(err)
		}
		ready = append(ready, opened{&sim[i], ask})
	}
	r := &runner{RunOptions: RunOptions{Dir: dir}, rows: d}
	rows, err := r.subject(context.Background(), b, ready)
	if err != nil || len(rows) != len(sim) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		if p := row.Prediction; p.Failure != "" || !(p.Cycles > 0) {
			t.Errorf("%s: %s %g", p.Predictor, p.Failure, p.Cycles)
		}
	}
}

func executed(pieces []Piece) (n uint64) {
	for _, p := range pieces {
		n += p.Count * uint64(p.Insts)
	}
	return n
}

// TestCounts: copies count as QEMU does.
func TestCounts(t *testing.T) {
	native(t)
	if _, err := exec.LookPath("qemu-x86_64"); err != nil {
		t.Skip("qemu-x86_64 is not installed (Debian: qemu-user)")
	}
	dir := t.TempDir()
	if _, err := Make(context.Background(), MakeOptions{Dir: dir, Kernels: regexp.MustCompile("^(cholesky|merge|hash_probe)$"), Limit: 4, Seed: 3, Target: Target{ISA: "x86-64"}}); err != nil {
		t.Fatal(err)
	}
	d, err := Read(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, b := range d.Benchmarks {
		if b.Vectors == "avx512" || b.Vectors == "native" {
			continue // QEMU has no AVX-512
		}
		mine, err := record(context.Background(), dir, b)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := emulate(context.Background(), dir, b, "max")
		if err != nil {
			t.Skip(err)
		}
		want := map[uint64]uint64{}
		for _, p := range theirs.blocks() {
			want[p.Addr] = p.Count
		}
		for _, p := range mine.blocks() {
			if want[p.Addr] != p.Count {
				t.Errorf("%s: block at %#x ran %d times, under QEMU %d", b.Key, p.Addr, p.Count, want[p.Addr])
			}
			delete(want, p.Addr)
		}
		if len(want) > 0 {
			t.Errorf("%s: not seen: %v", b.Key, want)
		}
		compared++
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// TestSources: a file without kernel is refused, a kernel that does not end and one with an error in its text are dropped.
func TestSources(t *testing.T) {
	native(t)
	file := func(name, text string) string {
		name = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	if _, err := Given(file("none.c", "int main(void) { return 0; }")); err == nil || !strings.Contains(err.Error(), "kernel") {
		t.Errorf("no kernel: %v", err)
	}
	if _, err := Given(file("none.txt", "kernel")); err == nil {
		t.Error("a text is taken")
	}
	nest := file("nested.c", "#include \"nest.h\"\nstatic float a[8];\nvoid init(void) { a[0] = 1; }\nvoid kernel(void) { for (int i = 1; i < 8; i++) a[i] = a[i - 1] * .5f; }\ndouble check(void) { return a[7]; }\n")
	if made, err := Make(context.Background(), MakeOptions{Dir: t.TempDir(), Sources: []string{nest}, Limit: 1, Target: Target{ISA: "x86-64"}}); err != nil || made.Benchmarks != 1 {
		t.Errorf("nest.h: %+v, %v", made, err)
	}
	var warned []string
	bad := file("bad.c", "void kernel(void) { syntax }")
	made, err := Make(context.Background(), MakeOptions{Dir: t.TempDir(), Sources: []string{bad}, Limit: 1,
		Target: Target{ISA: "x86-64"}, Warn: func(s string) { warned = append(warned, s) }})
	if err != nil || made.Benchmarks != 0 || made.Dropped["reference: the compiler fails"] == 0 || len(warned) != 1 ||
		!strings.Contains(warned[0], bad+":1:") {
		t.Errorf("%+v, %v, %q", made, err, warned)
	}
}

// TestStore: rows are read as they were written, half a line is cut off, and two processes do not write one file.
func TestStore(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.jsonl")
	f, _, err := open(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.add(Row{Header: &Header{Format: format}}, Row{Measured: &Measured{ID: "a", Cycles: 1.5}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(name); runtime.GOOS == "linux" && !errors.Is(err, ErrBusy) {
		t.Errorf("a second writer: %v", err)
	}
	if _, err := f.f.WriteString(`{"measured":{"id":"b"`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	f, rows, err := open(name)
	if err != nil || len(rows) != 2 || rows[1].Measured.Cycles != 1.5 {
		t.Fatalf("%v, %v", rows, err)
	}
	f.Close()
	if text, _ := os.ReadFile(name); strings.Contains(string(text), `"b"`) {
		t.Error("half a row is left")
	}
}

// TestWindows: windows in which the clock changed or another thread ran do not count.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	var b strings.Builder
	for i := range 100 {
		chain, width, cycles := 30000, 2500, 50000+rng.Intn(100)
		switch {
		case i%5 == 1:
			width *= 2 // shared
			cycles *= 2
		case i%5 == 2: // slower at its end
			b.WriteString("30000 2500 40000 50 2500 36000\n")
			continue
		}
		b.WriteString(strings.Join([]string{fmt.Sprint(chain), fmt.Sprint(width), fmt.Sprint(cycles), "50", fmt.Sprint(width), fmt.Sprint(chain)}, " ") + "\n")
	}
	f, err := (&timer{}).windows(b.String())
	if err != nil || f.windows != 60 || f.cycles < 49950 || f.cycles > 50050 {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := (&timer{}).windows("no numbers"); err == nil {
		t.Error("text without time stamps is taken")
	}
}

// TestQuiet: one process that saw the core wider than it is does not make all others count as disturbed.
func TestQuiet(t *testing.T) {
	m := &timer{}
	for _, w := range []float64{9000, 5100, 3970, 5080, 8800, 5110, 5090} {
		m.learn(w)
	}
	if m.quiet != 5080 || m.disturbed(5200) || !m.disturbed(8800) {
		t.Errorf("the quiet core takes %g", m.quiet)
	}
	for range 1000 {
		m.learn(5100)
	}
	for _, w := range []float64{4857, 4862, 4898} { // a clock that was read wrong, now and then
		if m.learn(w); m.disturbed(5200) {
			t.Errorf("after %g the quiet core takes %g", w, m.quiet)
		}
	}
}

// TestMove: measuring goes round all cores, and stays where there is one.
func TestMove(t *testing.T) {
	m := &timer{cpus: []int{3, 1, 0}}
	var got []int
	for range 4 {
		got = append(got, m.cpu())
		m.move()
	}
	if !slices.Equal(got, []int{3, 1, 0, 3}) {
		t.Errorf("measured on %v", got)
	}
	if m = new(timer); m.cpu() != -1 {
		t.Errorf("CPU %d where none is known", m.cpu())
	}
}

// TestSample: a slow predictor is asked for a part of few benchmarks and for no more than its number of many.
func TestSample(t *testing.T) {
	p := Predictor{Sample: 24, Every: 10}
	for n, want := range map[int]int{0: 0, 2: 2, 5: 3, 100: 10, 3500: 24} {
		if got := p.sample(n); got != want {
			t.Errorf("%d of %d benchmarks, not %d", got, n, want)
		}
	}
	if got := new(Predictor).sample(7); got != 7 {
		t.Errorf("%d of 7", got)
	}
}

// TestPointers: a kernel whose arrays can be hidden behind pointers is made both ways, by names of their own; others are not.
func TestPointers(t *testing.T) {
	gcc := []Compiler{{Name: "gcc", Family: "gcc", Version: 12, Language: "C"}}
	target := &Target{ISA: "x86-64"}
	count := func(text string) (known, pointers int) {
		keys := map[string]bool{}
		for _, v := range target.Variants([]Kernel{{Name: "k", File: "k.c", Text: text}}, gcc, 1) {
			if keys[v.Key()] {
				t.Errorf("%s occurs twice", v.Key())
			}
			if keys[v.Key()] = true; slices.Contains(v.Flags, "-DPOINTERS") {
				pointers++
			} else {
				known++
			}
		}
		return known, pointers
	}
	if a, b := count("POINTER(x)"); a == 0 || a != b {
		t.Errorf("%d with arrays, %d with pointers", a, b)
	}
	if _, b := count("x"); b != 0 {
		t.Errorf("%d with pointers", b)
	}
}

// TestKernels: each kernel has a name of its own and the three functions.
func TestKernels(t *testing.T) {
	var names []string
	for _, k := range Kernels() {
		if slices.Contains(names, k.Name) {
			t.Errorf("two kernels %s", k.Name)
		}
		names = append(names, k.Name)
		for _, f := range []string{"init", "kernel", "check"} {
			if !strings.Contains(k.Text, f) {
				t.Errorf("%s has no %s", k.File, f)
			}
		}
	}
}

// TestRecorded: a recurrence through memory is a dependence on the iteration before, and the paths of a loop that is left early count as they ran.
func TestRecorded(t *testing.T) {
	native(t)
	source := filepath.Join(t.TempDir(), "recurrence.c")
	text := `static volatile long a[300];
void init(void) { for (int i = 0; i < 300; i++) a[i] = i; }
void kernel(void) { for (int i = 1; i < 300; i++) a[i] = a[i - 1] + 1; }
double check(void) { return a[299]; }`
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := Make(context.Background(), MakeOptions{Dir: dir, Sources: []string{source}, Limit: 1, Target: Target{ISA: "x86-64"}}); err != nil {
		t.Fatal(err)
	}
	d, err := Read(dir, "")
	if err != nil || len(d.Benchmarks) != 1 {
		t.Fatalf("%d benchmarks, %v", len(d.Benchmarks), err)
	}
	run, err := record(context.Background(), dir, d.Benchmarks[0])
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range run.paths() {
		for _, e := range p.Memory {
			found = found || p.Count > 30 && e.Dist <= 1
		}
	}
	if !found {
		t.Error("no dependence on the iteration before")
	}
}

// TestCache holds the model of the cache to its definition: what was used least recently goes.
func TestCache(t *testing.T) {
	c := newCache(waysL1*lineBytes, waysL1) // one set
	for l := range int64(waysL1) {
		if c.access(l) {
			t.Errorf("line %d is there before it was used", l)
		}
	}
	if !c.access(0) || c.access(100) || !c.access(0) || c.access(1) {
		t.Error("line 1 should have gone for line 100, not line 0")
	}
}

// TestRestore: what a block reads and changes is set anew, what it only changes or only reads is not.
func TestRestore(t *testing.T) {
	native(t)
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	set := catalog.ISA(m.ISA)
	k, err := (&predict.Reader{ISA: set}).Text("movq %r14, %r15; notq %r15; movsd (%rbx,%r15,8), %xmm4; xorl %ebx, %ebx; subq $8, %rsp")
	if err != nil {
		t.Fatal(err)
	}
	code, n := restore(set, k.Lines, (&block.Setup{}).Registers())
	if n != 2 || len(code) == 0 {
		t.Errorf("%d instructions, %x; rbx and rsp are to be set", n, code)
	}
}

// TestNewest: of two predictions the newer counts, whichever file is read first.
func TestNewest(t *testing.T) {
	d := &Dir{Predictions: map[string]map[string]*Prediction{}}
	d.take([]Row{{Prediction: &Prediction{ID: "a", Predictor: "sim", Cycles: 2, At: 20}}, {Prediction: &Prediction{ID: "a", Predictor: "sim", Cycles: 1, At: 10}}})
	if c := d.Predictions["a"]["sim"].Cycles; c != 2 {
		t.Errorf("%g cycles", c)
	}
}

// TestPasses: a benchmark is settled when two passes over it agree.
func TestPasses(t *testing.T) {
	d := &Dir{Measured: map[string]*Measured{}, Passes: map[string][]*Measured{}}
	for i, c := range []float64{150, 100, 130, 101} {
		d.passed(&Measured{ID: "a", Cycles: c, Hot: []Hot{{Addr: uint64(i)}}})
		if want := i == 3; d.settled("a") != want {
			t.Errorf("after pass %d: settled %v", i+1, !want)
		}
	}
	if m := d.Measured["a"]; m.Cycles != 100 || m.Hot[0].Addr != 0 {
		t.Errorf("%+v", m)
	}
}

// TestPassed: two passes that agree are the figure, which a third can only replace with another that agrees.
func TestPassed(t *testing.T) {
	for _, tt := range []struct {
		cycles  []float64
		want    float64
		settled bool
	}{
		{[]float64{100}, 100, false},
		{[]float64{100, 101}, 100, true},
		{[]float64{110, 100}, 100, false},
		{[]float64{100, 101, 90}, 100, true},
		{[]float64{100, 101, 90, 91}, 90, true},
		{[]float64{100, 110, 121}, 100, false},
	} {
		d := &Dir{Passes: map[string][]*Measured{}, Measured: map[string]*Measured{}}
		for _, c := range tt.cycles {
			d.passed(&Measured{ID: "a", Cycles: c, Hot: []Hot{{Addr: 1}}})
		}
		if m := d.Measured["a"]; m.Cycles != tt.want || m.Settled() != tt.settled || len(m.Hot) != 1 {
			t.Errorf("%v: %+v", tt.cycles, m)
		}
	}
}

// TestTolerance: numbers of single precision may differ more than those of double, in a user's source too, unless the user says how much.
func TestTolerance(t *testing.T) {
	kernel := func(file, text string) *Kernel { return &Kernel{File: file, Text: text} }
	double := kernel("user/a.c", "static double a[9]; void kernel(void) {}")
	for _, c := range []struct {
		v    Variant
		flag float64
		want float64
	}{
		{Variant{Kernel: double}, 0, doubleTolerance},
		{Variant{Kernel: double, Type: "float"}, 0, singleTolerance},
		{Variant{Kernel: kernel("user/b.c", "static float a[9]; double check(void) {}")}, 0, singleTolerance},
		{Variant{Kernel: kernel("user/c.f90", "real(c_float) :: a(9)")}, 0, singleTolerance},
		{Variant{Kernel: kernel("user/d.f90", "real(c_double) :: a(9)")}, 0, doubleTolerance},
		{Variant{Kernel: double}, .5, .5},
	} {
		m := &maker{MakeOptions: MakeOptions{Tolerance: c.flag}}
		if got := m.tolerance(&c.v); got != c.want {
			t.Errorf("%s, type %q: %g, want %g", c.v.Kernel.Text, c.v.Type, got, c.want)
		}
	}
	if agrees(1, 1.1, .2) != true || agrees(math.NaN(), 1, .2) || !agrees(-104.47504, -104.47503, singleTolerance) {
		t.Error("agrees")
	}
}

// TestPathDependences: what the code of executed paths says of the dependences through memory agrees with what the runs did, in loop nests whose outer
// iterations read what those before have stored.
func TestPathDependences(t *testing.T) {
	native(t)
	dir := t.TempDir()
	o := MakeOptions{Dir: dir, Kernels: regexp.MustCompile("^(cholesky|lu|ludcmp|trisolv|durbin|mvt)$"), Limit: 12, Seed: 3, Target: Target{ISA: "x86-64"}}
	if _, err := Make(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	d, err := Read(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	const farthest, most, least = 8, 40, 8 // iterations apart; paths; executions
	ran, found, more := 0, 0, 0
	for _, b := range d.Benchmarks {
		run, err := record(context.Background(), dir, b)
		if err != nil {
			t.Fatal(err)
		}
		list := run.paths()
		for i := range list[:min(len(list), most)] {
			x := &list[i]
			if x.Count < least {
				continue
			}
			edges, _ := memdep.Find(uops.Bind(m, x.Kernel), memdep.Options{Path: true})
			several := repeats(x)       // a store of another path is recorded as the last of its instruction's executions
			newest := map[int32]int32{} // of each load, the only one that is recorded
			for _, e := range x.Memory {
				if e.Dist > 0 && e.Dist <= farthest && !several[e.From] {
					newest[e.To] = e.Dist
					ran++
					if slices.ContainsFunc(edges, func(f depgraph.MemoryEdge) bool { return f.From == e.From && f.To == e.To && f.Dist == e.Dist }) {
						found++
					}
				}
			}
			for _, e := range edges {
				if e.Dist > 0 && e.Dist <= farthest && !several[e.From] && (newest[e.To] == 0 || e.Dist < newest[e.To]) {
					more++
				}
			}
		}
	}
	if ran < 200 || found*100 < ran*80 || more*100 > ran*5 {
		t.Errorf("%d dependences occurred, of which the code says %d, and %d others", ran, found, more)
	}
	t.Logf("%d dependences occurred, of which the code says %d, and %d others", ran, found, more)
}

// repeats tells of each instruction of a path whether the path executes it several times.
func repeats(x *Piece) []bool {
	times := map[uint64]int{}
	for i := range x.Kernel.Lines {
		times[x.Kernel.Lines[i].Addr]++
	}
	out := make([]bool, len(x.Kernel.Lines))
	for i := range out {
		out[i] = times[x.Kernel.Lines[i].Addr] > 1
	}
	return out
}
