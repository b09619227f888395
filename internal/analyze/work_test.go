package analyze

import (
	"math"
	"strings"
	"testing"

	"incore/internal/report"
)

// TestScalable: operations and bytes per cycle of SVE and RVV are those of the core's own vector length, and the report says which that is; a core whose length no
// model states has none.
func TestScalable(t *testing.T) {
	const sve = "1: ld1d {z0.d}, p0/z, [x1, x3, lsl #3]\nld2w {z4.s, z5.s}, p0/z, [x5]\nfmla z1.d, p0/m, z0.d, z2.d\nfadd z3.s, p0/m, z3.s, z4.s\nst1d {z1.d}, p0, [x0, x3, lsl #3]\nincd x3\nwhilelo p0.d, x3, x4\nb.any 1b\n"
	const rvv = "1: vsetvli a4,a3,e32,m4,ta,ma\nvle32.v v4,(a1)\nvle32.v v8,(a2)\nsub a3,a3,a4\nvfmacc.vf v8,fa0,v4\nsh2add a1,a4,a1\nvse32.v v8,(a2)\nsh2add a2,a4,a2\nbnez a3,1b\n"
	const gather = "1: ld1w {z2.s}, p0/z, [x1, z1.s, sxtw #2]\nst1d {z3.d}, p0, [x0, z4.d, lsl #3]\nsubs x5, x5, #1\nb.ne 1b\n"
	const indexed = "1: vsetvli a4,a3,e32,m2,ta,ma\nvluxei32.v v4,(a1),v8\nvsuxei32.v v4,(a2),v8\nvsse32.v v4,(a2),a5\nsub a3,a3,a4\nbnez a3,1b\n"
	const four = "1: vsetivli zero,4,e32,m1,ta,ma\nvle32.v v4,(a1)\nvfadd.vv v8,v4,v4\naddi a1,a1,16\nbne a1,a3,1b\n"
	for _, c := range []struct {
		code, arch   string
		bits         int
		flops, bytes float64 // of an iteration
	}{
		{sve, "a64fx", 512, 2*8 + 16, 4 * 64}, {sve, "neoverse-v1", 256, 2*4 + 8, 4 * 32}, {sve, "neoverse-v2", 128, 2*2 + 4, 4 * 16}, {sve, "neoverse-n2", 128, 8, 64},
		{sve, "cortex-a510", 128, 8, 64}, {sve, "cortex-a520", 128, 8, 64}, {sve, "cortex-a710", 128, 8, 64}, {sve, "cortex-x925", 128, 8, 64},
		{rvv, "spacemit-x60", 256, 2 * 32, 3 * 128}, {rvv, "x280", 512, 2 * 64, 3 * 256}, {rvv, "ascalon-d8", 256, 2 * 32, 3 * 128}, {rvv, "andes-45", 512, 2 * 64, 3 * 256}, {rvv, "sifive-p670", 128, 2 * 16, 3 * 64},
		{four, "spacemit-x60", 256, 4, 16}, {four, "x280", 512, 4, 16},
		{gather, "a64fx", 512, 0, 2 * 64}, {gather, "neoverse-v1", 256, 0, 2 * 32}, {indexed, "spacemit-x60", 256, 0, 3 * 64}, {indexed, "x280", 512, 0, 3 * 128},
		{rvv, "xuantie-c910", 0, 0, 0}, {rvv, "riscv64", 0, 0, 0}, {sve, "aarch64", 0, 0, 0},
	} {
		_, x := analyzed(t, c.code, c.arch)
		p := &x.Prediction
		near := func(got, want float64) bool { return math.Abs(got*p.Cycles-want) <= 0.001*want+1e-3*p.Cycles }
		if p.VectorBits != c.bits || !near(p.FlopsPerCycle, c.flops) || !near(p.BytesPerCycle, c.bytes) {
			t.Errorf("%s: %d bits, %g flops, %g bytes; want %+v", c.arch, p.VectorBits, p.FlopsPerCycle*p.Cycles, p.BytesPerCycle*p.Cycles, c)
		}
	}
	if _, x := analyzed(t, "1: fadd v0.2d, v0.2d, v1.2d\nsubs x0, x0, #1\nb.ne 1b\n", "neoverse-v1"); x.Prediction.VectorBits != 0 || x.Prediction.FlopsPerCycle == 0 {
		t.Errorf("Neon: %+v", x.Prediction.VectorBits)
	}
	doc, _ := analyzed(t, sve, "a64fx")
	var b strings.Builder
	if err := doc.Text(&b, report.TextOptions{}); err != nil || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), "(full vectors of 512 bits)") {
		t.Errorf("%v; the text does not say which length:\n%s", err, b.String())
	}
}
