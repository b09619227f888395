package sim_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestLineCrossing: a load whose bytes lie in two lines keeps its port for a second cycle, in the iterations in which they do, and no other load does: kernels of
// loads through a pointer that moves, whose addresses the test works out itself.
func TestLineCrossing(t *testing.T) {
	const cycles, line, vectorLoads = 400, 64, 2 // vectorLoads: ports of vector loads, of all these cores
	rng := rand.New(rand.NewSource(3))
	crossed := 0
	for _, arch := range []string{"zen3", "zen4", "skylake", "haswell"} {
		for n := range 8 {
			step := []int{4, 8, 16, 24, 32, 64}[rng.Intn(6)]
			var text []string
			var disp []int
			for k := range 4 + rng.Intn(3) {
				disp = append(disp, rng.Intn(96))
				if n%2 == 0 { // all cross in the same iterations, before which many pass
					disp[k] = 0
				}
				text = append(text, fmt.Sprintf("movups %d(%%rdi), %%xmm%d", disp[k], k))
			}
			name := strings.Join(append(text, fmt.Sprintf("addq $%d, %%rdi", step)), "; ")
			m, err := machine.Get(arch)
			if err != nil {
				t.Fatal(err)
			}
			g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, name)), depgraph.Options{})
			core, err := sim.Available(m)
			if err != nil {
				t.Fatal(err)
			}
			crosses := func(iteration, inst int) bool { return (disp[inst]+iteration*step)%line+16 > line }
			opt := sim.Options{Copies: 25, Aligned: true}
			busy := map[[2]int64]bool{}
			events := sim.Events(g, core, opt, cycles)
			for _, e := range events {
				if e.Port >= 0 {
					busy[[2]int64{e.Issued, int64(e.Port)}] = true
				}
			}
			for _, e := range events {
				if e.Port < 0 || e.Inst >= len(disp) || !crosses(e.Iteration, e.Inst) {
					continue
				}
				if crossed++; busy[[2]int64{e.Issued + 1, int64(e.Port)}] {
					t.Errorf("%s: %s: load %d of iteration %d crosses a line, and another µop has its port a cycle later", arch, name, e.Inst, e.Iteration)
				}
			}
			uses, next := [vectorLoads]int{}, 0
			for k := range vectorLoads * line {
				for i := range disp {
					if uses[next]++; crosses(k, i) {
						uses[next]++
					}
					next = (next + 1) % vectorLoads
				}
			}
			want := float64(uses[0]+uses[1]) / vectorLoads
			if core.PortChoice.AtRename { // the load ports take turns
				want = float64(max(uses[0], uses[1]))
			}
			want /= vectorLoads * line
			if _, err := sim.Repeats(g, core, opt, 600); err != nil { // in which iteration the core is, is part of its state
				t.Errorf("%s: %s: %v", arch, name, err)
			}
			r, err := sim.Run(g, core, opt)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(r.Cycles-want) > 0.04*want {
				t.Errorf("%s: %s: %.3f cycles, %.3f by the uses of the load ports", arch, name, r.Cycles, want)
			}
		}
	}
	if crossed < 1000 {
		t.Errorf("only %d loads crossed a line", crossed)
	}
}

// TestStoresAcrossLines: a store that crosses a line takes two of the turns that a core has for stores a cycle, whatever ports its data pass through. Measured on a
// Zen 5: movq to 60, 124, 188 and 252(%rsi) 4.0 cycles, movl and movw across two lines 2.0, a crossing movq beside three others 2.5, and vectors likewise.
func TestStoresAcrossLines(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	core, err := sim.Available(m)
	if err != nil {
		t.Fatal(err)
	}
	const line, turns = 64, 2
	rng := rand.New(rand.NewSource(5))
	kinds := []struct {
		text  string
		bytes int
	}{{"movq %%rax, %d(%%rsi)", 8}, {"movl %%eax, %d(%%rsi)", 4}, {"movw %%ax, %d(%%rsi)", 2}, {"movl $1, %d(%%rsi)", 4}, {"movsd %%xmm1, %d(%%rsi)", 8}, {"movups %%xmm1, %d(%%rsi)", 16}}
	for range 60 {
		var text []string
		uses := 0
		for k := range 2 + rng.Intn(5) {
			kind := kinds[rng.Intn(len(kinds))]
			at := line*k + rng.Intn(line-kind.bytes)
			if rng.Intn(2) == 0 {
				at = line*(k+1) - 1 - rng.Intn(kind.bytes-1) // its last bytes are in the next line
				uses++
			}
			uses++
			text = append(text, fmt.Sprintf(kind.text, at))
		}
		name := strings.Join(text, "; ")
		g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, name)), depgraph.Options{})
		r, err := sim.Run(g, core, sim.Options{Copies: 25, Aligned: true})
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(uses) / turns; math.Abs(r.Cycles-want) > 0.02*want {
			t.Errorf("%s: %.3f cycles, want %.3f", name, r.Cycles, want)
		}
	}
}
