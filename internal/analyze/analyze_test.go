package analyze

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
	"incore/internal/asm"
	"incore/internal/base/long"
	"incore/internal/base/source"
	"incore/internal/report"
)

// run analyses one of the repository's example texts.
func run(t *testing.T, name string, o Options) *report.Document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := source.New(name, data)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Run(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestGaussSeidel checks the figures of PMBS'19, table II, for Gauss-Seidel on ThunderX2: the same
// source, compiled by the same compiler's cross version, has the same instruction mix.
func TestGaussSeidel(t *testing.T) {
	doc := run(t, "gauss_seidel_f.gcc-tx2.s", Options{Archs: []string{"tx2"}, Policy: throughput.Uniform, Unroll: 4})
	k := doc.Kernels[0]
	x := k.Targets[0]
	got := ""
	for _, p := range x.Throughput.Ports {
		if p.Cycles > 0 {
			got += fmt.Sprintf("%s %.2f ", p.Name, p.Cycles)
		}
	}
	got += fmt.Sprintf("LCD %.1f CP %.1f, %.1f and %.1f per iteration", x.LoopCarried[0].Cycles, x.CriticalPath.Cycles, x.LoopCarried[0].Cycles/k.Unroll, x.CriticalPath.Cycles/k.Unroll)
	if want := "P0 9.83 P1 9.83 P2 1.33 P3 8.00 P4 8.00 P5 4.00 LCD 72.0 CP 100.0, 18.0 and 25.0 per iteration"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// archOf maps the suffixes of example files to machines.
var archOf = map[string]string{"hsw": "hsw", "skx": "skx", "clx": "clx", "zen": "zen1", "zen4": "zen4", "n2": "n2", "v2": "v2", "tx2": "tx2", "u74": "u74", "x280": "sifive-x280"}

// TestExamples checks invariants of the document on every example: all instructions are known, sums add up, brackets
// contain the prediction, paths follow edges of the graph.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "*.s"))
	if err != nil || len(files) < 50 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, path := range long.Spread(files, 50) {
		name := filepath.Base(path)
		suffix := strings.TrimSuffix(name[strings.LastIndexByte(name, '-')+1:], ".s")
		arch := archOf[suffix]
		if arch == "" {
			continue // examples for machines that this list does not have
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := source.New(name, data)
		doc, err := Run(f, Options{Archs: []string{arch}, Asked: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if doc.Input.Unresolved > 0 {
			t.Errorf("%s: %d unresolved: %v", name, doc.Input.Unresolved, doc.Diagnostics)
		}
		for i := range doc.Kernels {
			checkTarget(t, name+" "+doc.Kernels[i].Name, &doc.Kernels[i].Targets[0])
		}
	}
}

func checkTarget(t *testing.T, name string, x *report.Target) {
	t.Helper()
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-4*math.Max(1, math.Abs(b)) }
	p := x.Prediction
	if p.Low > p.Cycles+1e-6 || p.High < p.Cycles-1e-6 || p.Cycles <= 0 || p.Text == "" {
		t.Errorf("%s: prediction %+v", name, p)
	}
	sums := map[string]float64{}
	for i := range x.Instructions {
		for _, l := range x.Instructions[i].Ports {
			sums[l.Name] += l.Cycles
		}
	}
	for _, l := range x.Throughput.Ports {
		if !near(sums[l.Name], l.Cycles) || l.Cycles > x.Throughput.Cycles+1e-6 {
			t.Errorf("%s: port %s has %g, its instructions %g, the busiest %g", name, l.Name, l.Cycles, sums[l.Name], x.Throughput.Cycles)
		}
	}
	edge := func(from, to int, carried bool) bool {
		for _, d := range x.Dependencies {
			if d.From == from && d.To == to && (d.Distance > 0) == carried {
				return true
			}
		}
		return false
	}
	path := x.CriticalPath
	if s := sum(path.Latencies); !near(s, path.Cycles) {
		t.Errorf("%s: critical path of %g adds up to %g", name, path.Cycles, s)
	}
	for i := 1; i < len(path.Instructions); i++ {
		if !edge(path.Instructions[i-1], path.Instructions[i], false) {
			t.Errorf("%s: critical path goes from %d to %d without a dependence", name, path.Instructions[i-1], path.Instructions[i])
		}
	}
	for i, c := range x.LoopCarried {
		if s := sum(c.Latencies); !near(s, c.Latency) || !near(c.Latency, c.Cycles*float64(c.Distance)) || c.Via == "" {
			t.Errorf("%s: chain %+v adds up to %g", name, c, s)
		}
		if i > 0 && c.Cycles > x.LoopCarried[0].Cycles+1e-6 {
			t.Errorf("%s: chain %d is slower than the first", name, i)
		}
		for j, n := range c.Instructions {
			from := c.Instructions[(j+len(c.Instructions)-1)%len(c.Instructions)]
			if !edge(from, n, false) && !edge(from, n, true) {
				t.Errorf("%s: chain %d goes from %d to %d without a dependence", name, i, from, n)
			}
		}
	}
}

func sum(l []float64) (s float64) {
	for _, v := range l {
		s += v
	}
	return s
}

// TestUnknown checks that an instruction without a form causes an interval and a diagnostic with its line.
func TestUnknown(t *testing.T) {
	f, _ := source.New("t.s", []byte(".L1:\n\taddl\t%eax, %ebx\n\tfrobnicate\t%eax\n\tdecl\t%ecx\n\tjne\t.L1\n"))
	doc, err := Run(f, Options{Archs: []string{"skx"}})
	if err != nil {
		t.Fatal(err)
	}
	x := doc.Kernels[0].Targets[0]
	if !x.Prediction.Partial || x.Prediction.High <= x.Prediction.Low || len(x.Instructions) != 4 {
		t.Errorf("prediction %+v", x.Prediction)
	}
	if in := x.Instructions[1]; in.Form != "?" || in.Flags[0] != "unknown" || in.LatencyMax <= 0 || in.Uops <= 0 {
		t.Errorf("instruction %+v", in)
	}
	if len(x.Diagnostics) != 1 || x.Diagnostics[0].Line != 3 || !strings.Contains(x.Diagnostics[0].Message, "frobnicate") {
		t.Errorf("diagnostics %+v", x.Diagnostics)
	}
	if len(doc.Diagnostics) != 0 {
		t.Errorf("told twice: %+v", doc.Diagnostics)
	}
}

// TestUnrolled checks that n copies of a body have n times its bounds.
func TestUnrolled(t *testing.T) {
	body := "\tvaddsd\t(%rdi,%rax,8), %xmm0, %xmm0\n\tvmulsd\t%xmm1, %xmm0, %xmm2\n\taddq\t$1, %rax\n"
	predict := func(n int) []Prediction {
		f, _ := source.New("t.s", []byte(strings.Repeat(body, n)))
		p, err := Predict(f, Options{Archs: []string{"skx", "zen4", "snb"}, Select: asm.Select{Whole: true}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	once, thrice := predict(1), predict(3)
	for i := range once {
		if math.Abs(3*once[i].Cycles-thrice[i].Cycles) > 1e-6 {
			t.Errorf("%s: %g once, %g for three copies", once[i].Arch, once[i].Cycles, thrice[i].Cycles)
		}
	}
	f, _ := source.New("t.s", []byte(".L1:\n\tnop\n\tjne\t.L1\n")) // unrolled, it is the nop alone
	p, err := Predict(f, Options{Archs: []string{"skx"}})
	if err != nil || p[0].Cycles != 1 || p[0].Unrolled != 0.25 {
		t.Errorf("a loop of two instructions: %+v, %v", p, err)
	}
}
