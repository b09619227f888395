// Package golden holds the analyses against kernels whose figures were derived by hand,
// through the real parsers and machine models.
package golden

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// kernel is one case of a file in testdata: a label with its expectations and the
// instructions that follow. A file begins with "# isa NAME".
//
//	triad:  # want arch=skylake tp=1.5 lcd=1 cp=13
type kernel struct {
	file string
	line int
	name string
	isa  *isa.ISA
	want map[string]string
	code []isa.Line
}

// read parses a file of kernels.
func read(t *testing.T, file string) []*kernel {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []*kernel
	var a *isa.ISA
	no := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		no++
		text, comment, _ := strings.Cut(s.Text(), "# ")
		text = strings.TrimSpace(text)
		if name, ok := strings.CutPrefix(comment, "isa "); ok {
			if a = catalog.ISA(strings.TrimSpace(name)); a == nil {
				t.Fatalf("%s:%d: unknown isa %q", file, no, name)
			}
		}
		switch label, isLabel := strings.CutSuffix(text, ":"); {
		case text == "":
		case isLabel:
			k := &kernel{file: filepath.Base(file), line: no, name: label, isa: a, want: map[string]string{}}
			wants, ok := strings.CutPrefix(comment, "want ")
			if !ok {
				t.Fatalf("%s:%d: kernel without expectations", file, no)
			}
			for _, w := range strings.Fields(wants) {
				key, val, _ := strings.Cut(w, "=")
				k.want[key] = val
			}
			out = append(out, k)
		default:
			k := out[len(out)-1]
			insts, err := a.Parse(nil, text, a.Syntaxes[0])
			if err != nil {
				t.Fatalf("%s:%d: %v", file, no, err)
			}
			for p, in := range insts {
				k.code = append(k.code, isa.Line{Inst: in, Text: text, File: file, No: no, Part: p})
			}
		}
	}
	return out
}

// bind makes a bound kernel of a case.
func (k *kernel) bind(t *testing.T) *machine.Bound {
	t.Helper()
	m, err := model(k.isa.Name, k.want["arch"])
	if err != nil {
		t.Fatalf("%s:%d: %v", k.file, k.line, err)
	}
	if k.isa.Context != nil {
		insts := make([]isa.Inst, len(k.code))
		for i := range insts {
			insts[i] = k.code[i].Inst
		}
		k.isa.Context(insts, true)
		for i := range insts {
			k.code[i].Inst = insts[i]
		}
	}
	return uops.Bind(m, &isa.Kernel{ISA: k.isa, Name: k.name, Lines: k.code, Loop: true})
}

// model opens a model of testdata, which pins the figures that expectations rest on, or an embedded one.
func model(isa, name string) (*machine.Model, error) {
	f, err := os.Open("testdata/" + name + ".model")
	if err != nil {
		return machine.GetFor(isa, name)
	}
	defer f.Close()
	return machine.Load(f, f.Name())
}

// TestKernels runs all cases.
func TestKernels(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.s")
	count := 0
	for _, f := range files {
		for _, k := range read(t, f) {
			count++
			t.Run(strings.TrimSuffix(filepath.Base(f), ".s")+"/"+k.name, func(t *testing.T) { k.check(t) })
		}
	}
	if count < 40 {
		t.Errorf("only %d kernels", count)
	}
}

func (k *kernel) check(t *testing.T) {
	b := k.bind(t)
	opts := depgraph.Options{}
	if _, ok := k.want["noflags"]; ok {
		opts.NoFlags = true
	}
	g := depgraph.Build(b, opts)
	cp, loop := latency.CriticalPath(g), latency.LoopCarried(g)
	tp, uniform := throughput.Analyze(b, throughput.Optimal), throughput.Analyze(b, throughput.Uniform)
	figures := map[string]float64{"tp": tp.Cycles, "uniform": uniform.Cycles, "slots": tp.Slots, "dispatch": tp.Dispatch,
		"cp": cp.Cycles, "lcd": loop.Cycles, "chains": float64(len(loop.Chains))}
	bad := false
	for key, val := range k.want {
		got, ok := figures[key]
		if !ok {
			continue
		}
		want, err := strconv.ParseFloat(val, 64)
		if err != nil {
			t.Fatalf("%s:%d: %s=%s: %v", k.file, k.line, key, val, err)
		}
		if math.Abs(got-want) > 0.005 {
			bad = true
			t.Errorf("%s:%d: %s %.2f, want %.2f", k.file, k.line, key, got, want)
		}
	}
	if bad {
		t.Log(describe(g, cp, loop, tp))
	}
}

// describe shows how the figures came about.
func describe(g *depgraph.Graph, cp *latency.Path, loop *latency.Loop, tp *throughput.Result) string {
	var s strings.Builder
	for i := range g.Bound.Insts {
		in := &g.Bound.Insts[i]
		fmt.Fprintf(&s, "%2d %-40s latency %g load %g slots %g flags %x, µops", i, in.Line.Text, in.Latency, in.Load, in.Slots, in.Flags)
		for _, u := range in.Uops {
			fmt.Fprintf(&s, " %g×%s", u.Cycles, g.Bound.Model.SetName(u.Ports))
		}
		edges, _ := g.Into(i)
		for _, e := range edges {
			fmt.Fprintf(&s, "; from %d by %s Δ%d %+g", e.From, g.Bound.Kernel.ISA.Regs.Name(e.Reg), e.Dist, e.Latency)
		}
		s.WriteByte('\n')
	}
	path := func(steps []latency.Step) {
		for _, st := range steps {
			fmt.Fprintf(&s, " %d:%g", st.Inst, st.Cycles())
		}
		s.WriteByte('\n')
	}
	fmt.Fprintf(&s, "critical path %g:", cp.Cycles)
	path(cp.Steps)
	for _, c := range loop.Chains {
		fmt.Fprintf(&s, "chain %g (%g/%d):", c.Cycles, c.Latency, c.Distance)
		path(c.Steps)
	}
	fmt.Fprintf(&s, "ports")
	for p, load := range tp.Ports {
		fmt.Fprintf(&s, " %s:%.2f", g.Bound.Model.Ports[p].Name, load)
	}
	return s.String()
}
