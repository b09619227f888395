package machine_test

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
)

// TestArmPublished holds models of Arm's cores to measurements and guides that correct LLVM's tables: latency and cycles each of single instructions.
func TestArmPublished(t *testing.T) {
	for _, c := range []struct {
		models        []string
		text          string
		latency, each float64
	}{
		{[]string{"neoverse-v1", "cortex-x1"}, "ldrh w0, [x1, x2, lsl #1]", 5, 1. / 3}, // LLVM PR 222282
		{[]string{"neoverse-v1", "neoverse-v2"}, "ldrh w0, [x1, x2]", 4, 1. / 3},
		{[]string{"neoverse-v1", "neoverse-n2", "neoverse-v2", "cortex-a710"}, "ldr q0, [x1, x2]", 6, 1. / 3}, // as LLVM's tables of V2 have it of Arm's guide
		{[]string{"neoverse-v1", "neoverse-n2", "neoverse-v2", "cortex-a710"}, "ldr h0, [x1, w2, sxtw]", 6, 1. / 3},
		{[]string{"neoverse-v1", "neoverse-n2", "neoverse-v2", "cortex-a710"}, "ldr q0, [x1, x2, lsl #4]", 7, 1. / 3},
		{[]string{"neoverse-v1"}, "ldrsh x0, [x1, w2, sxtw #1]", 5, 1. / 3},
		{[]string{"neoverse-v1"}, "strh w0, [x1, x2, lsl #1]", 2, 0.5},
		{[]string{"neoverse-v1"}, "ldp x0, x1, [x2], #16", 4, 1}, // LLVM PR 221718
		{[]string{"neoverse-v1", "neoverse-v2"}, "fcvtas h0, h1", 3, 0.5},
		{[]string{"neoverse-v1", "neoverse-v2"}, "fcvtas s0, s1", 3, 0.5}, // LLVM PR 224046
		{[]string{"neoverse-v1", "neoverse-v2"}, "ucvtf s0, s1, #3", 3, 0.5},
		{[]string{"neoverse-v1", "neoverse-v2"}, "fcvtzs w0, s1, #1", 3, 1},
		{[]string{"neoverse-v1", "neoverse-v2"}, "fcvtzs v0.8h, v1.8h", 6, 2},
		{[]string{"neoverse-v1", "neoverse-v2"}, "frinta v0.8h, v1.8h", 6, 2},
		{[]string{"neoverse-v1", "neoverse-v2"}, "scvtf v0.4s, v1.4s", 4, 1},
		{[]string{"neoverse-v1", "neoverse-v2"}, "bfcvtn v0.4h, v1.4s", 4, 1},
		{[]string{"neoverse-v1", "neoverse-v2"}, "bfcvtn2 v0.8h, v1.4s", 4, 1},
		{[]string{"neoverse-v2"}, "setf8 w0", 1, 1}, // Arm's guide
		{[]string{"neoverse-v2"}, "cfinv", 1, 1},
		{[]string{"neoverse-n2", "neoverse-v2", "cortex-a710"}, "sdiv z0.d, p0/m, z0.d, z1.d", 20, 20}, // WINIC
		{[]string{"neoverse-n2", "neoverse-v2", "cortex-a710"}, "udivr z0.s, p0/m, z0.s, z1.s", 12, 11},
		{[]string{"neoverse-n2", "neoverse-v2", "cortex-a710"}, "fadda h0, p0, h0, z1.h", 10, 9},
		{[]string{"neoverse-n2", "cortex-a710"}, "fdiv z0.h, p0/m, z0.h, z1.h", 13, 13},
		{[]string{"neoverse-n1", "cortex-a76"}, "str q0, [x0]", 2, 1},
		{[]string{"neoverse-n1", "cortex-a76"}, "ldr q0, [x0]\nstr q1, [x1]", 5, 1}, // OSACA PR 48
		{[]string{"cortex-a72"}, "mul x0, x1, x2\nadd x3, x4, x5, lsl #3", 5, 3},    // PMEvo: the multiplier is busy, its pipe is not
		{[]string{"cortex-a72"}, "add v0.4s, v1.4s, v2.4s\nadd v3.4s, v1.4s, v2.4s\nadd v4.4s, v1.4s, v2.4s", 3, 2},
	} {
		for _, name := range c.models {
			m := model(t, name)
			b := bind(m, kernel(t, "aarch64", c.text))
			each := throughput.Analyze(b, throughput.Optimal).Cycles
			if slots := slotsOf(b.Insts[0].Slots, len(b.Insts)); m.Params.DispatchWidth > 0 {
				each = max(each, slots/float64(m.Params.DispatchWidth))
			}
			if l := b.Insts[0].Latency; l != c.latency || math.Abs(each-c.each) > 0.01 {
				t.Errorf("%s: '%s': latency %g, %.2f cycles each; want %g and %.2f", name, c.text, l, each, c.latency, c.each)
			}
		}
	}
}

// slotsOf returns the slots of equal instructions.
func slotsOf(each float64, n int) float64 { return each * float64(n) }

// TestArmForwarding: no out-of-order core of Arm from Cortex-A76 on forwards a store to a load of bytes from its middle and others, as a Neoverse N1 was measured not to.
func TestArmForwarding(t *testing.T) {
	for _, name := range strings.Fields("neoverse-n1 neoverse-n2 neoverse-n3 neoverse-v1 neoverse-v2 neoverse-v3 cortex-a76 cortex-a78 cortex-a710 cortex-a715 cortex-a720 cortex-a725 cortex-x1 " +
		"cortex-x2 cortex-x4 cortex-x925") {
		if f := model(t, name).Core().Forwarding; !f.Halves || f.Failed == 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestArmAccumulators: a chain through the accumulator takes the latency that Arm's guides have in parentheses, in all forms of an operation.
func TestArmAccumulators(t *testing.T) {
	for _, c := range []struct {
		models, text string
		want         float64
	}{
		{"neoverse-n1 cortex-a76 neoverse-n2 cortex-a715", "madd w0, w1, w2, w0", 1},
		{"neoverse-n1 cortex-a76", "msub x0, x1, x2, x0", 3},
		{"neoverse-n1 cortex-a76 neoverse-n2 cortex-a710 cortex-a78", "umaddl x0, w1, w2, x0", 1},
		{"neoverse-n1 cortex-a76", "madd x0, x0, x2, x1", 4},
		{"neoverse-n1 cortex-a76 neoverse-v1", "crc32x w0, w0, x1", 2}, // measured by H. Suzuki; the guides have 1
		{"neoverse-n2 cortex-a710 cortex-a715 cortex-a720", "mla z0.s, p0/m, z1.s, z2.s", 1},
		{"neoverse-n2 cortex-a710", "mla z0.s, p0/m, z0.s, z2.s", 4},
		{"neoverse-n2 cortex-a710", "mad z0.h, p0/m, z1.h, z2.h", 4},
		{"neoverse-n2 cortex-a710", "udot z0.s, z1.b, z2.b", 1},
		{"neoverse-n2 cortex-a710", "sdot z0.d, z1.h, z2.h", 1},
		{"neoverse-n2 cortex-a710", "smlalt z0.s, z1.h, z2.h", 1},
		{"neoverse-n2 cortex-a710", "sqdmlslb z0.s, z1.h, z2.h", 2},
		{"neoverse-n2 cortex-a710", "uadalp z0.s, p0/m, z1.h", 1},
		{"neoverse-n2 cortex-a710", "sabalb z0.s, z1.h, z2.h", 1},
		{"neoverse-n2 cortex-a710", "usra z0.s, z1.s, #2", 1},
		{"neoverse-n2 cortex-a710", "fmlslt z0.s, z1.h, z2.h", 2},
		{"neoverse-n2 cortex-a710", "fcmla z0.s, p0/m, z1.s, z2.s, #90", 2},
		{"neoverse-n2 cortex-a710 neoverse-n3", "bfdot z0.s, z1.h, z2.h", 2},
		{"neoverse-n2 cortex-a710 neoverse-n3", "bfmmla z0.s, z1.h, z2.h", 3},
		{"neoverse-n2 cortex-a710 neoverse-n3", "smmla v0.4s, v1.16b, v2.16b", 1},
		{"neoverse-n2 cortex-a710 neoverse-n3", "fmlal v0.4s, v1.4h, v2.4h", 2},
		{"neoverse-n2 cortex-a710 neoverse-n3", "sqrdmlah v0.4s, v1.4s, v2.4s", 2},
	} {
		for _, name := range strings.Fields(c.models) {
			m := model(t, name)
			b := bind(m, kernel(t, "aarch64", c.text))
			if got := latency.Carried(depgraph.Build(b, depgraph.Options{})); math.Abs(got-c.want) > 0.01 {
				t.Errorf("%s: '%s': %.2f cycles a turn, want %g", name, c.text, got, c.want)
			}
		}
	}
}
