package machine_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestAccumulator: an operation with a constant costs as much on rax, for which x86 has a shorter encoding, as on another register.
func TestAccumulator(t *testing.T) {
	for _, name := range machine.Names() {
		m := model(t, name)
		if m.ISA != "x86-64" {
			continue
		}
		for _, op := range strings.Fields("add sub and or xor cmp test") {
			for _, c := range []struct{ short, long string }{{"%al", "%bl"}, {"%eax", "%ebx"}, {"%rax", "%rbx"}} {
				for _, imm := range []int{100, 300, 1000, -300, -1000, 100000} {
					if c.short == "%al" && imm != 100 {
						continue
					}
					a, b := kernel(t, "x86-64", fmt.Sprintf("%s $%d, %s", op, imm, c.short)), kernel(t, "x86-64", fmt.Sprintf("%s $%d, %s", op, imm, c.long))
					x, y := m.Cost(a.ISA, &a.Lines[0].Inst), m.Cost(b.ISA, &b.Lines[0].Inst)
					if math.Abs(x.SourceLatency-y.SourceLatency) > 0.01 || !slices.Equal(x.Uops, y.Uops) || x.Slots != y.Slots {
						t.Errorf("%s: '%s $%d, %s' takes %g and %.2f cycles and %g slots, on %s %g, %.2f and %g", name, op, imm, c.short, x.SourceLatency, x.Each, x.Slots, c.long, y.SourceLatency, y.Each, y.Slots)
					}
				}
			}
		}
	}
}
