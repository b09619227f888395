package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestTakenBranches checks that a core dispatches no more taken branches than may be in flight: chains of
// multiplications that begin anew in each iteration overlap in as many iterations.
func TestTakenBranches(t *testing.T) {
	for _, most := range []int{0, 2, 4, 8} {
		text := "name: few\nbase: skylake\nparam dispatch-width: 8 # test\nparam rob: 1000 # test\n"
		if most > 0 {
			text += fmt.Sprintf("param taken-branches: %d # test\n", most)
		}
		m, err := machine.Load(strings.NewReader(text), "few.model")
		if err != nil {
			t.Fatal(err)
		}
		code := strings.Repeat("imulq %rbx, %rax; ", 3) + "movl $1, %eax; incq %rcx; jmp -20"
		g := depgraph.Build(uops.Bind(m, kernelOf(t, "x86-64", code)), depgraph.Options{})
		p := sim.Predict(g, sim.Options{})
		full := p.Result.Stalls[sim.BranchesFull]
		if most == 0 {
			if full > 0 || math.Abs(p.Cycles-3) > 0.05 {
				t.Errorf("no limit: %.2f cycles, of which %.2f wait for branches", p.Cycles, full)
			}
			continue
		}
		// A multiplication takes three cycles: an iteration is in flight for nine cycles and a few of dispatch.
		least := 9 / float64(most)
		if p.Cycles < least || least > 3 && (full < 0.5 || p.Cycles > least+4) {
			t.Errorf("%d in flight: %.2f cycles, of which %.2f wait for branches; at least %.2f", most, p.Cycles, full, least)
		}
	}
}

// TestAddressTurns holds the simulation to the bound by the ports that vector loads need, and that other accesses take in turn.
func TestAddressTurns(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	load := func(n int) string { return strings.Repeat("movups (%rsi), %xmm1; ", n) }
	store := func(n int) string { return strings.Repeat("movups %xmm2, (%rdi); ", n) }
	for _, c := range []struct {
		text string
		want float64
	}{
		{load(4), 2}, {load(4) + store(2), 2.5}, {load(2) + store(1) + load(2) + store(1), 2}, {load(4) + store(4), 3},
		{load(2) + "movq (%rsi), %rax; movq 8(%rsi), %rbx; ", 1.5}, {"movq (%rsi), %rax; movq 8(%rsi), %rbx; " + store(1), 1},
	} {
		g := depgraph.Build(uops.Bind(m, kernelOf(t, "x86-64", strings.TrimSuffix(c.text, "; "))), depgraph.Options{})
		if p := sim.Predict(g, sim.Options{}); p.Result == nil || math.Abs(p.Result.Cycles-c.want) > 0.03*c.want {
			t.Errorf("%q: %+v simulated, want %.3f", c.text, p.Result, c.want)
		}
	}
}
