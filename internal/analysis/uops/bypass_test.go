package uops_test

import (
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/isa/catalog"
)

// TestBypass holds the delays between vector units of Zen 3 to what chains of two operations were measured to take (zen3.model): 5.99 cycles of vpshufd
// and vaddps, which take 1 and 3.
func TestBypass(t *testing.T) {
	for _, c := range []struct {
		text   string
		early  float64 // of the second instruction's first input, whose value is the first's result
		reason string
	}{
		{"vpshufd $3, %xmm0, %xmm1\nvaddps %xmm1, %xmm8, %xmm0", -1, "integers to floating point"},
		{"vaddps %xmm0, %xmm8, %xmm1\nvpaddd %xmm1, %xmm8, %xmm0", -1, "floating point to integers"},
		{"vmulps %xmm0, %xmm8, %xmm1\nvaddps %xmm1, %xmm8, %xmm0", 0, "floating point alone"},
		{"vmovups (%rsi), %xmm1\nvaddps %xmm1, %xmm8, %xmm0", 0, "loads belong to neither"},
	} {
		b := uops.Bind(model(t, "zen3"), kernel(t, catalog.ISA("x86-64"), c.text))
		first, second := &b.Insts[0], &b.Insts[1]
		for k, r := range second.Effects.Reads {
			if r.Reg != first.Effects.Writes[0].Reg {
				continue
			}
			if got := second.Forward(k, first, 0); got != c.early {
				t.Errorf("%q: %v cycles early, want %v: %s", c.text, got, c.early, c.reason)
			}
		}
	}
	// A move that rename eliminates passes on the domain.
	b := uops.Bind(model(t, "zen3"), kernel(t, catalog.ISA("x86-64"), "vpaddd %xmm0, %xmm8, %xmm1\nvmovaps %xmm1, %xmm2\nvaddps %xmm2, %xmm8, %xmm0"))
	if got := b.Insts[2].Forward(0, &b.Insts[1], 0); got != -1 {
		t.Errorf("behind a move: %v cycles early, want -1", got)
	}
}
