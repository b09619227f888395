package machine_test

import (
	"math"
	"strings"
	"testing"
)

// siblings yields pairs of operations of Advanced SIMD that execute alike: by element and by vector, on scalars and on vectors of 64 bits, to and from
// fixed-point and integer numbers, on the upper and the lower half of a vector.
func siblings(yield func(a, b string)) {
	// each yields operations with the operands of pairs "a = b"; where a name has an ending for some operands, these begin with it: "2 v0.4s, v1.8h".
	each := func(ops string, pairs ...string) {
		for _, op := range strings.Fields(ops) {
			for _, p := range pairs {
				a, b, _ := strings.Cut(p, " = ")
				yield(withOperands(op, a), withOperands(op, b))
			}
		}
	}
	// arranged does so for some arrangements of elements, which stand for V, and their elements for E.
	arranged := func(ops, arrangements, pair string) {
		for _, v := range strings.Fields(arrangements) {
			each(ops, strings.NewReplacer("V", v, "E", v[1:]).Replace(pair))
		}
	}
	each("fcvtas fcvtau fcvtms fcvtmu fcvtns fcvtnu fcvtps fcvtpu fcvtzs fcvtzu scvtf ucvtf",
		"s0, s1 = v0.2s, v1.2s", "h0, h1 = v0.2s, v1.2s", "d0, d1 = s0, s1")
	each("fcvtzs fcvtzu scvtf ucvtf", "h0, h1, #3 = h0, h1", "s0, s1, #3 = s0, s1", "d0, d1, #3 = d0, d1")
	arranged("fcvtzs fcvtzu scvtf ucvtf", "2s 4s 2d 4h 8h", "v0.V, v1.V, #3 = v0.V, v1.V")
	each("frecps frsqrts fmulx fabd fcmeq facge", "h0, h1, h2 = v0.4h, v1.4h, v2.4h", "s0, s1, s2 = v0.2s, v1.2s, v2.2s",
		"d0, d1, d2 = s0, s1, s2")
	each("frecpe frsqrte", "v0.2d, v1.2d = d0, d1", "v0.2s, v1.2s = s0, s1")
	each("faddp fmaxp fminp fmaxnmp fminnmp", "s0, v1.2s = v0.2s, v1.2s, v2.2s", "d0, v1.2d = s0, v1.2s", "h0, v1.2h = s0, v1.2s",
		"v0.8h, v1.8h, v2.8h = v0.4s, v1.4s, v2.4s", "v0.2d, v1.2d, v2.2d = v0.4s, v1.4s, v2.4s",
		"v0.4h, v1.4h, v2.4h = v0.2s, v1.2s, v2.2s")
	each("fcvtxn", "s0, d1 = v0.2s, v1.2d")
	arranged("mul mla mls sqdmulh sqrdmulh sqrdmlah sqrdmlsh", "4h 8h 2s 4s", "v0.V, v1.V, v2.E[1] = v0.V, v1.V, v2.V")
	arranged("fmul fmla fmls fmulx", "4h 8h 2s 4s 2d", "v0.V, v1.V, v2.E[0] = v0.V, v1.V, v2.V")
	each("smull umull smlal umlal smlsl umlsl sqdmull sqdmlal sqdmlsl", "v0.4s, v1.4h, v2.h[1] = v0.4s, v1.4h, v2.4h",
		"v0.2d, v1.2s, v2.s[1] = v0.2d, v1.2s, v2.2s", "2 v0.4s, v1.8h, v2.8h = v0.4s, v1.4h, v2.4h")
	each("sqdmull sqdmlal sqdmlsl", "s0, h1, h2 = v0.4s, v1.4h, v2.4h", "d0, s1, s2 = v0.2d, v1.2s, v2.2s",
		"s0, h1, v2.h[1] = v0.4s, v1.4h, v2.4h")
	each("sqdmulh sqrdmulh sqrdmlah", "h0, h1, h2 = v0.4h, v1.4h, v2.4h", "s0, s1, s2 = v0.2s, v1.2s, v2.2s",
		"s0, s1, v2.s[1] = v0.2s, v1.2s, v2.2s")
	for _, v := range [][2]string{{"16b", "8h"}, {"4s", "8h"}, {"8b", "4h"}, {"2s", "4h"}} {
		each("add smax uminp addp cmeq cmtst sqadd uhadd srhadd sabd uaba sshl uqshl srshl sqrshl zip1 uzp2 trn1 mul mla mls",
			strings.NewReplacer("V", v[0], "W", v[1]).Replace("v0.V, v1.V, v2.V = v0.W, v1.W, v2.W"))
	}
	each("sdot usdot", "v0.4s, v1.16b, v2.4b[1] = v0.4s, v1.16b, v2.16b")
	yield("sudot v0.4s, v1.16b, v2.4b[1]", "usdot v0.4s, v1.16b, v2.16b")
	each("bfdot", "v0.4s, v1.8h, v2.2h[1] = v0.4s, v1.8h, v2.8h", "v0.2s, v1.4h, v2.2h[1] = v0.2s, v1.4h, v2.4h")
	each("bfmlalb", "v0.4s, v1.8h, v2.h[1] = v0.4s, v1.8h, v2.8h")
	each("fmlal fmlsl", "2 v0.4s, v1.4h, v2.4h = v0.4s, v1.4h, v2.4h", "2 v0.2s, v1.2h, v2.2h = v0.2s, v1.2h, v2.2h")
	each("fmlal fmlal2 fmlsl fmlsl2", "v0.4s, v1.4h, v2.h[1] = v0.4s, v1.4h, v2.4h", "v0.2s, v1.2h, v2.h[1] = v0.2s, v1.2h, v2.2h")
	each("fcvtzs fcvtzu", "w0, h1, #3 = w0, h1", "w0, s1, #3 = w0, s1", "x0, s1, #3 = x0, s1", "x0, d1, #3 = x0, d1")
	each("scvtf ucvtf", "h0, w1, #3 = h0, w1", "s0, w1, #3 = s0, w1", "d0, x1, #3 = d0, x1")
	each("fcvtas fcvtau fcvtms fcvtns fcvtpu", "w0, s1 = w0, d1", "x0, h1 = x0, d1")
	each("umov", "w0, v1.s[1] = w0, v1.s[0]", "x0, v1.d[1] = x0, v1.d[0]", "w0, v1.h[1] = w0, v1.s[0]", "w0, v1.b[3] = w0, v1.s[0]")
	yield("smov x0, v1.h[1]", "umov w0, v1.h[1]")
	yield("smov w0, v1.b[1]", "umov w0, v1.b[1]")
	yield("sha1su0 v0.4s, v1.4s, v2.4s", "sha1su1 v0.4s, v1.4s")
	yield("sha256h2 q0, q1, v2.4s", "sha256h q0, q1, v2.4s")
	yield("sha1p q0, s1, v2.4s", "sha1c q0, s1, v2.4s")
	yield("sha1m q0, s1, v2.4s", "sha1c q0, s1, v2.4s")
	yield("aesd v0.16b, v1.16b", "aese v0.16b, v1.16b")
	yield("aesimc v0.16b, v1.16b", "aesmc v0.16b, v1.16b")
	yield("urecpe v0.4s, v1.4s", "frecpe v0.4s, v1.4s")
	yield("urecpe v0.2s, v1.2s", "frecpe v0.2s, v1.2s")
	yield("ursqrte v0.4s, v1.4s", "frsqrte v0.4s, v1.4s")
	yield("ursqrte v0.2s, v1.2s", "frsqrte v0.2s, v1.2s")
	yield("crc32cx w0, w1, x2", "crc32x w0, w1, x2")
	yield("crc32b w0, w1, w2", "crc32x w0, w1, x2")
	for _, op := range []string{"setf16 w0", "rmif x0, #3, #1", "cfinv", "axflag", "xaflag"} {
		yield(op, "setf8 w0")
	}
	each("fcmla", "v0.4s, v1.4s, v2.s[0], #90 = v0.4s, v1.4s, v2.4s, #90", "v0.8h, v1.8h, v2.h[0], #90 = v0.8h, v1.8h, v2.8h, #90")
}

// withOperands returns an operation with its operands, before which an ending of its name may stand.
func withOperands(op, operands string) string {
	if ending, ok := strings.CutPrefix(operands, "2 "); ok {
		return op + "2 " + ending
	}
	return op + " " + operands
}

// siblingCores are out-of-order cores of Arm and olympus, whose models rest on LLVM's.
const siblingCores = "neoverse-n1 neoverse-n2 neoverse-n3 neoverse-v1 neoverse-v2 neoverse-v3 cortex-a76 cortex-a78 cortex-a710 cortex-a715 cortex-a720 " +
	"cortex-a725 cortex-x1 cortex-x2 cortex-x4 cortex-x925 olympus"

// TestSiblings: on cores whose models rest on LLVM's, operations that execute alike take as long. LLVM has the default of all vector operations for those
// that no pattern of its model names, such as conversions of scalars on Neoverse N1 and N2.
func TestSiblings(t *testing.T) {
	for _, name := range strings.Fields(siblingCores + " exynos-m5 tsv110") {
		m := model(t, name)
		siblings(func(a, b string) {
			x, y := kernel(t, "aarch64", a), kernel(t, "aarch64", b)
			ca, cb := m.Cost(x.ISA, &x.Lines[0].Inst), m.Cost(y.ISA, &y.Lines[0].Inst)
			if math.Abs(ca.SourceLatency-cb.SourceLatency) > 0.01 || math.Abs(ca.Each-cb.Each) > 0.01 {
				t.Errorf("%s: '%s' takes %g and %.2f cycles, '%s' %g and %.2f", name, a, ca.SourceLatency, ca.Each, b, cb.SourceLatency, cb.Each)
			}
		})
	}
}
