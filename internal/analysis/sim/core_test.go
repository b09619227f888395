package sim_test

import (
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestCoreAgain simulates kernels on one core one after another: what came before has no part in a prediction.
func TestCoreAgain(t *testing.T) {
	m, err := machine.Get("neoverse-v1")
	if err != nil {
		t.Fatal(err)
	}
	cycles := func(c *sim.Core, text string) float64 {
		r, err := sim.Run(depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, text)), depgraph.Options{}), c, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Cycles
	}
	core := func() *sim.Core {
		c, err := sim.Available(m)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const text = "cmp x24, #0; ccmp w24, #3, #3, eq; fmov x12, d4; cmp x24, #0; ccmp w24, #3, #3, eq"
	used := core()
	cycles(used, strings.Repeat("bfi x1, x2, #3, #4; ", 40)+"nop") // on M ports alone
	if a, b := cycles(core(), text), cycles(used, text); a != b {
		t.Errorf("%g cycles, %g after another kernel", a, b)
	}
}
