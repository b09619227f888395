package sim_test

import (
	"math"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/machine"
)

// TestDualIssue holds the in-order issue of Cortex-A55 to the pairs of its Software Optimization Guide.
func TestDualIssue(t *testing.T) {
	m, err := machine.Get("cortex-a55")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want float64
		why  string
	}{
		{"add x0, x1, x2; add x3, x4, x5", 1, "11 and 11"},
		{"fcsel d0, d1, d2, eq; add x3, x4, x5", 1, "01 as the first of two"},
		{"add x3, x4, x5; fcsel d0, d1, d2, eq; add x6, x7, x8", 2, "01 behind another waits for the next cycle"},
		{"ldp w0, w1, [x9]; add x3, x4, x5; add x6, x7, x8", 2, "00 alone"},
		{"ldr x0, [x9]; str x1, [x10]", 1, "a load and a store"},
		{"ldr x0, [x9]; ldr x1, [x10]", 2, "two loads"},
	} {
		b := m.Bind(kernelOf(t, "aarch64", c.text))
		p := sim.Predict(depgraph.Build(b, depgraph.Options{NoMemory: true}), sim.Options{Copies: 50})
		if math.Abs(p.Cycles-c.want) > 0.05*c.want {
			t.Errorf("'%s': %v cycles, want %v (%s)", c.text, p.Cycles, c.want, c.why)
		}
	}
}
