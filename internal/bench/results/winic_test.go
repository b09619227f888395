package results

import (
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/machine"
)

// TestWINIC holds models that import WINIC's measurements against figures of its files (T. Rühl, "Platform-independent
// Micro-Benchmarking Suite", FAU 2025, repository RRZE-HPC/WINIC: neoverse-v2.yaml, spacemit-x60.yaml), pair by pair,
// and that they say where they have them from.
func TestWINIC(t *testing.T) {
	for _, c := range []struct {
		arch string
		x    *plan.Target
		form string
		want map[int8]float64 // from operand → cycles to the result
	}{
		{"neoverse-v2", plan.ARM64(), "ADDXri", map[int8]float64{1: 1}},
		{"neoverse-v2", plan.ARM64(), "MADDXrrr", map[int8]float64{1: 2, 2: 2, 3: 1}},
		{"neoverse-v2", plan.ARM64(), "FADDDrr", map[int8]float64{1: 2, 2: 2}},
		{"neoverse-v2", plan.ARM64(), "FMLAv2f64", map[int8]float64{1: 2, 2: 4, 3: 4}}, // 1 is the accumulator, tied to the result
		{"spacemit-x60", plan.RISCV64(), "ADD", map[int8]float64{1: 1, 2: 1}},
		{"spacemit-x60", plan.RISCV64(), "MUL", map[int8]float64{1: 5, 2: 5}},
		{"spacemit-x60", plan.RISCV64(), "FADD_D", map[int8]float64{1: 4, 2: 4}},
		{"spacemit-x60", plan.RISCV64(), "FMADD_D", map[int8]float64{1: 6}},
	} {
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		in, err := c.x.Instance(c.x.ISA.Forms.Named(c.form))
		if err != nil {
			t.Fatal(err)
		}
		cost := m.Cost(c.x.ISA, &in)
		if !strings.Contains(strings.Join(cost.Rows, " "), "WINIC") {
			t.Errorf("%s on %s: figures are from %v", c.form, c.arch, cost.Rows)
		}
		for from, want := range c.want {
			found := false
			for i, r := range cost.Effects.Reads {
				if r.Op != from {
					continue
				}
				for o, w := range cost.Effects.Writes {
					l, ok := cost.Pair(i, o)
					l -= cost.Forward(i, &cost.Inst, o) // WINIC chains instances of one form
					if w.Op == 0 && ok {
						if found = true; l != want {
							t.Errorf("%s on %s, %d>0: %g cycles, WINIC has %g", c.form, c.arch, from, l, want)
						}
					}
				}
			}
			if !found {
				t.Errorf("%s on %s: no latency from operand %d", c.form, c.arch, from)
			}
		}
	}
}
