package machine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// siblings yields pairs of operations of Advanced SIMD that execute alike: by element and by vector, on scalars and on vectors of 64 bits, to and from
// fixed-point and integer numbers, on the upper and the lower half of a vector.
func siblings(yield func(a, b string)) {
	for _, op := range strings.Fields("fcvtas fcvtau fcvtms fcvtmu fcvtns fcvtnu fcvtps fcvtpu fcvtzs fcvtzu scvtf ucvtf") {
		yield(op+" s0, s1", op+" v0.2s, v1.2s")
		yield(op+" h0, h1", op+" v0.2s, v1.2s")
		yield(op+" d0, d1", op+" s0, s1")
	}
	for _, op := range strings.Fields("fcvtzs fcvtzu scvtf ucvtf") {
		for _, v := range strings.Fields("2s 4s 2d 4h 8h") {
			yield(fmt.Sprintf("%s v0.%s, v1.%[2]s, #3", op, v), fmt.Sprintf("%s v0.%s, v1.%[2]s", op, v))
		}
		for _, r := range strings.Fields("h s d") {
			yield(fmt.Sprintf("%s %s0, %[2]s1, #3", op, r), fmt.Sprintf("%s %s0, %[2]s1", op, r))
		}
	}
	for _, op := range strings.Fields("frecps frsqrts fmulx fabd fcmeq facge") {
		yield(op+" h0, h1, h2", op+" v0.4h, v1.4h, v2.4h")
		yield(op+" s0, s1, s2", op+" v0.2s, v1.2s, v2.2s")
		yield(op+" d0, d1, d2", op+" s0, s1, s2")
	}
	for _, op := range strings.Fields("frecpe frsqrte") {
		yield(op+" v0.2d, v1.2d", op+" d0, d1")
		yield(op+" v0.2s, v1.2s", op+" s0, s1")
	}
	for _, op := range strings.Fields("faddp fmaxp fminp fmaxnmp fminnmp") {
		yield(op+" s0, v1.2s", op+" v0.2s, v1.2s, v2.2s")
		yield(op+" d0, v1.2d", op+" s0, v1.2s")
		yield(op+" h0, v1.2h", op+" s0, v1.2s")
		yield(op+" v0.8h, v1.8h, v2.8h", op+" v0.4s, v1.4s, v2.4s")
		yield(op+" v0.2d, v1.2d, v2.2d", op+" v0.4s, v1.4s, v2.4s")
		yield(op+" v0.4h, v1.4h, v2.4h", op+" v0.2s, v1.2s, v2.2s")
	}
	yield("fcvtxn s0, d1", "fcvtxn v0.2s, v1.2d")
	for _, op := range strings.Fields("mul mla mls sqdmulh sqrdmulh sqrdmlah sqrdmlsh") {
		for _, v := range strings.Fields("4h 8h 2s 4s") {
			yield(fmt.Sprintf("%s v0.%s, v1.%[2]s, v2.%s[1]", op, v, v[1:]), fmt.Sprintf("%s v0.%s, v1.%[2]s, v2.%[2]s", op, v))
		}
	}
	for _, op := range strings.Fields("fmul fmla fmls fmulx") {
		for _, v := range strings.Fields("4h 8h 2s 4s 2d") {
			yield(fmt.Sprintf("%s v0.%s, v1.%[2]s, v2.%s[0]", op, v, v[1:]), fmt.Sprintf("%s v0.%s, v1.%[2]s, v2.%[2]s", op, v))
		}
	}
	for _, op := range strings.Fields("smull umull smlal umlal smlsl umlsl sqdmull sqdmlal sqdmlsl") {
		yield(op+" v0.4s, v1.4h, v2.h[1]", op+" v0.4s, v1.4h, v2.4h")
		yield(op+" v0.2d, v1.2s, v2.s[1]", op+" v0.2d, v1.2s, v2.2s")
		yield(op+"2 v0.4s, v1.8h, v2.8h", op+" v0.4s, v1.4h, v2.4h")
	}
	for _, op := range strings.Fields("sqdmull sqdmlal sqdmlsl") {
		yield(op+" s0, h1, h2", op+" v0.4s, v1.4h, v2.4h")
		yield(op+" d0, s1, s2", op+" v0.2d, v1.2s, v2.2s")
		yield(op+" s0, h1, v2.h[1]", op+" v0.4s, v1.4h, v2.4h")
	}
	for _, op := range strings.Fields("sqdmulh sqrdmulh sqrdmlah") {
		yield(op+" h0, h1, h2", op+" v0.4h, v1.4h, v2.4h")
		yield(op+" s0, s1, s2", op+" v0.2s, v1.2s, v2.2s")
		yield(op+" s0, s1, v2.s[1]", op+" v0.2s, v1.2s, v2.2s")
	}
	for _, op := range strings.Fields("add smax uminp addp cmeq cmtst sqadd uhadd srhadd sabd uaba sshl uqshl srshl sqrshl zip1 uzp2 trn1 mul mla mls") {
		for _, v := range [][2]string{{"16b", "8h"}, {"4s", "8h"}, {"8b", "4h"}, {"2s", "4h"}} {
			yield(fmt.Sprintf("%s v0.%s, v1.%[2]s, v2.%[2]s", op, v[0]), fmt.Sprintf("%s v0.%s, v1.%[2]s, v2.%[2]s", op, v[1]))
		}
	}
	yield("sdot v0.4s, v1.16b, v2.4b[1]", "sdot v0.4s, v1.16b, v2.16b")
	yield("usdot v0.4s, v1.16b, v2.4b[1]", "usdot v0.4s, v1.16b, v2.16b")
	yield("sudot v0.4s, v1.16b, v2.4b[1]", "usdot v0.4s, v1.16b, v2.16b")
	yield("bfdot v0.4s, v1.8h, v2.2h[1]", "bfdot v0.4s, v1.8h, v2.8h")
	yield("bfdot v0.2s, v1.4h, v2.2h[1]", "bfdot v0.2s, v1.4h, v2.4h")
	yield("bfmlalb v0.4s, v1.8h, v2.h[1]", "bfmlalb v0.4s, v1.8h, v2.8h")
	for _, op := range strings.Fields("fmlal fmlsl") {
		yield(op+"2 v0.4s, v1.4h, v2.4h", op+" v0.4s, v1.4h, v2.4h")
		yield(op+"2 v0.2s, v1.2h, v2.2h", op+" v0.2s, v1.2h, v2.2h")
		for _, half := range strings.Fields("1 2") {
			op := strings.TrimSuffix(op+half, "1")
			yield(op+" v0.4s, v1.4h, v2.h[1]", op+" v0.4s, v1.4h, v2.4h")
			yield(op+" v0.2s, v1.2h, v2.h[1]", op+" v0.2s, v1.2h, v2.2h")
		}
	}
	yield("fcmla v0.4s, v1.4s, v2.s[0], #90", "fcmla v0.4s, v1.4s, v2.4s, #90")
	yield("fcmla v0.8h, v1.8h, v2.h[0], #90", "fcmla v0.8h, v1.8h, v2.8h, #90")
}

// TestSiblings: on cores whose models rest on LLVM's, operations that execute alike take as long. LLVM has the default of all vector operations for those
// that no pattern of its model names, such as conversions of scalars on Neoverse N1 and N2.
func TestSiblings(t *testing.T) {
	for _, name := range strings.Fields("neoverse-n1 neoverse-n2 neoverse-n3 neoverse-v1 neoverse-v2 neoverse-v3 cortex-a76 cortex-a78 cortex-a710 cortex-a715 cortex-a720 " +
		"cortex-a725 cortex-x1 cortex-x2 cortex-x4 cortex-x925 olympus exynos-m5 tsv110") {
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
