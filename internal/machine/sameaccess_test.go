package machine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// sameAccesses yields loads and stores that move the same bytes between the same registers and consecutive places of memory: a hint that the data are not needed again, a new
// base that an integer unit computes, and structures of one register change neither when a value comes nor how many such accesses a cycle takes.
func sameAccesses(yield func(a, b string)) {
	for _, regs := range []string{"x0, x3", "w0, w3", "q0, q3", "d0, d3", "s0, s3"} {
		yield("ldnp "+regs+", [x1]", "ldp "+regs+", [x1]")
		yield("stnp "+regs+", [x1]", "stp "+regs+", [x1]")
	}
	for _, regs := range []string{"x0, x3", "w0, w3", "q0, q3", "d0, d3", "s0, s3"} {
		for _, op := range []string{"ldp ", "stp "} {
			yield(op+regs+", [x1], #32", op+regs+", [x1]")
		}
	}
	yield("ldpsw x0, x3, [x1], #8", "ldpsw x0, x3, [x1]")
	for _, regs := range []string{"x0", "w0", "q0", "d0", "s0", "h0", "b0"} {
		for _, op := range []string{"ldr ", "str "} {
			yield(op+regs+", [x1], #32", op+regs+", [x1]")
		}
	}
	for _, v := range []string{"16b q", "8h q", "4s q", "2d q", "8b d", "4h d", "2s d", "1d d"} {
		lanes, reg, _ := strings.Cut(v, " ")
		yield(fmt.Sprintf("ld1 {v0.%s}, [x1]", lanes), fmt.Sprintf("ldr %s0, [x1]", reg))
		yield(fmt.Sprintf("st1 {v0.%s}, [x1]", lanes), fmt.Sprintf("str %s0, [x1]", reg))
	}
}

// TestSameAccesses: accesses that do the same take as long, on cores whose models rest on LLVM's.
func TestSameAccesses(t *testing.T) {
	for _, name := range strings.Fields(siblingCores + " cortex-a72") {
		m := model(t, name)
		sameAccesses(func(a, b string) {
			x, y := kernel(t, "aarch64", a), kernel(t, "aarch64", b)
			ca, cb := m.Cost(x.ISA, &x.Lines[0].Inst), m.Cost(y.ISA, &y.Lines[0].Inst)
			late := strings.HasPrefix(a, "ld") && math.Abs(ca.SourceLatency-cb.SourceLatency) > 0.01
			if late || math.Abs(ca.Each-cb.Each) > 0.1 { // a new base may take a slot
				t.Errorf("%s: '%s' takes %g and %.2f cycles, '%s' %g and %.2f", name, a, ca.SourceLatency, ca.Each, b, cb.SourceLatency, cb.Each)
			}
		})
	}
}
