package sim_test

import (
	"math"
	"testing"

	"incore/internal/analysis/sim"
)

// TestRegisterReads holds operations of three sources beside stores, which share reads of the register file on Zen 3, to what was measured on one (family 25 model 1).
func TestRegisterReads(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"vmovups (%rsi), %ymm0; vfmadd213pd 32(%rsi), %ymm2, %ymm0; vmovups %ymm1, 512(%rsi)", 1.48},
		{"vmovups (%rsi), %ymm0; vaddpd 32(%rsi), %ymm0, %ymm0; vmovups %ymm1, 512(%rsi)", 1},
		{ // each chain takes its sum by bypass
			"vfmadd231pd %ymm15, %ymm14, %ymm0; vmovups %ymm13, 512(%rsi); vfmadd231pd %ymm15, %ymm14, %ymm1; vmovups %ymm13, 544(%rsi); " +
				"vfmadd231pd %ymm15, %ymm14, %ymm2; vmovups %ymm13, 576(%rsi); vfmadd231pd %ymm15, %ymm14, %ymm3; vmovups %ymm13, 608(%rsi)", 4.02},
	} {
		if p := sim.Predict(graph(t, "zen3", c.text), sim.Options{Unrolled: true}); math.Abs(p.Cycles-c.want) > 0.03*c.want {
			t.Errorf("%s: %.2f cycles, measured %.2f", c.text, p.Cycles, c.want)
		}
	}
}
