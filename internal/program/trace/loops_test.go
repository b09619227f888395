package trace

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/analyze/predict"
	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// loopKernels are the loops of a corpus, in machine code.
func loopKernels(t *testing.T, file string) (out []*isa.Kernel) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "eval", "testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := catalog.ISAs()[0]
	for s := bufio.NewScanner(f); s.Scan(); {
		hex, _, _ := strings.Cut(s.Text(), "\t")
		if hex == "hex" {
			continue
		}
		r := &predict.Reader{ISA: a}
		k, err := r.Hex(hex)
		if err != nil || !k.Loop || !k.Placed() {
			continue
		}
		out = append(out, k)
	}
	return out
}

// repeat records a loop that runs for a number of iterations, without its accesses to memory.
func repeat(k *isa.Kernel, times int) *Recorder {
	r := NewRecorder()
	id := r.Add(NewBlock(k.ISA, k.Lines, nil))
	r.Blocks[id].groups = make([]int32, len(k.Lines))
	for range times {
		r.Visit(id, nil)
	}
	r.End()
	return r
}

// TestLoops checks that the simulation of a trace and of the loop itself take the same cycles. The traces have no dependences through memory.
func TestLoops(t *testing.T) {
	kernels := loopKernels(t, "zen4-loops.tsv")
	if cores := loopCores(); len(cores) == 1 {
		kernels = kernels[:12]
	}
	for _, name := range loopCores() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		var errors []float64
		for _, k := range kernels {
			want, err := sim.Available(m)
			if err != nil {
				t.Fatal(err)
			}
			b := uops.Bind(m, k)
			if b.Unknown() > 0 {
				continue
			}
			res, err := sim.Run(depgraph.Build(b, depgraph.Options{NoMemory: true}), want, sim.Options{})
			if err != nil {
				continue
			}
			got := traced(t, m, k)
			e := got/res.Cycles - 1
			errors = append(errors, math.Abs(e))
			if math.Abs(e) > 0.03 {
				t.Logf("%s: %.3f in place, %.3f traced (%+.1f %%): %s", name, res.Cycles, got, 100*e, listing(k))
			}
		}
		slices.Sort(errors)
		n := len(errors)
		if n == 0 || errors[n/2] > 0.01 || errors[n*9/10] > 0.05 {
			t.Errorf("%s: loops take otherwise in a trace than in place", name)
		}
		t.Logf("%s: %d loops; median %.2f %%, 95 %% %.2f %%, most %.2f %%", name, n, 100*errors[n/2], 100*errors[n*95/100], 100*errors[n-1])
	}
}

// traced returns the cycles per iteration of a loop that ran for many iterations.
func traced(t *testing.T, m *machine.Model, k *isa.Kernel) float64 {
	t.Helper()
	return simulated(t, m, repeat(k, 20000/len(k.Lines)*len(k.Lines)/len(k.Lines)*2), len(k.Lines))
}

// simulated returns the cycles per iteration, of a number of instructions, of a recorded loop.
func simulated(t *testing.T, m *machine.Model, r *Recorder, iteration int) float64 {
	t.Helper()
	penalty, _ := sim.Penalty(m)
	s, err := NewSimulator(&Core{Model: m, Penalty: penalty}, catalog.ISAs()[0])
	if err != nil {
		t.Fatal(err)
	}
	cycles, insts := 0.0, int64(0)
	for _, x := range r.same {
		if x.wrong != nil && x.Insts < shortest { // the end
			continue
		}
		a, err := s.Run(x, r.Blocks, 1)
		if err != nil {
			t.Fatal(err)
		}
		cycles += a.Cycles * float64(x.Times)
		insts += x.Insts * x.Times
	}
	return cycles / float64(insts) * float64(iteration)
}

func loopCores() []string {
	if !long.Tests() {
		return []string{"zen3"}
	}
	return []string{"zen3", "zen4", "skl", "spr"}
}

func listing(k *isa.Kernel) string {
	var out []string
	for i := range k.Lines {
		out = append(out, fmt.Sprintf("%x %s", k.Lines[i].Addr, k.ISA.Print(nil, &k.Lines[i].Inst, k.ISA.Syntaxes[0])))
	}
	return strings.Join(out, "; ")
}
