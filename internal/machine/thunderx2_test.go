package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
)

// TestThunderX2Accesses holds what each access to memory takes of ThunderX2's two load/store ports and its port of store
// data, in every addressing mode: a slot for each vector register and for each pair of general-purpose registers.
func TestThunderX2Accesses(t *testing.T) {
	modes := []string{"[x20]", "[x20, #16]", "[x20], #16", "[x20, #16]!"}
	for _, reg := range strings.Split("s d q x w", " ") {
		vector := strings.ContainsAny(reg, "sdq")
		for _, mode := range append(modes, "[x20, x21]") {
			for _, op := range []string{"ldr", "str", "ldp", "stp"} {
				pair := op[2] == 'p'
				if pair && strings.Contains(mode, "x21") {
					continue
				}
				args, slots := reg+"0", 1.0
				if pair {
					args += ", " + reg + "1"
					if vector {
						slots = 2
					}
				}
				text := fmt.Sprintf("%s %s, %s", op, args, mode)
				data := 0.0
				if op[0] == 's' {
					data = slots
				}
				holdAccess(t, text, slots, data)
			}
		}
	}
	for n, list := range []string{"{v0.T}", "{v0.T, v1.T}", "{v0.T, v1.T, v2.T}", "{v0.T, v1.T, v2.T, v3.T}"} {
		for _, shape := range strings.Split("8b 16b 4h 8h 2s 4s 1d 2d", " ") {
			regs := strings.ReplaceAll(list, "T", shape)
			holdAccess(t, "st1 "+regs+", [x20]", float64(n+1), float64(n+1))
			holdAccess(t, "ld1 "+regs+", [x20]", float64(n+1), 0)
			holdAccess(t, "ld1 "+regs+", [x20], x21", float64(n+1), 0)
		}
	}
}

// holdAccess fails unless an instruction takes so many cycles of ports P3 and P4, together, and of P5.
func holdAccess(t *testing.T, text string, access, data float64) {
	t.Helper()
	m := model(t, "thunderx2")
	got := map[string]float64{}
	for i, p := range throughput.Analyze(bind(m, kernel(t, m.ISA, text)), throughput.Uniform).Ports {
		got[m.Ports[i].Name] = p
	}
	if got["P3"]+got["P4"] != access || got["P5"] != data {
		t.Errorf("%s: %g on P3 and P4, %g on P5; want %g and %g", text, got["P3"]+got["P4"], got["P5"], access, data)
	}
}

// TestThunderX2Offsets holds that a register offset of a q register costs one slot of dispatch and an integer µop more than
// an immediate one.
func TestThunderX2Offsets(t *testing.T) {
	m := model(t, "thunderx2")
	slots := func(text string) float64 { return float64(bind(m, kernel(t, m.ISA, text)).Insts[0].Slots) }
	for _, op := range []string{"ldr", "str"} {
		for _, index := range []string{"x21", "x21, lsl 4", "w21, uxtw", "w21, sxtw 4"} {
			if got, base := slots(op+" q0, [x20, "+index+"]"), slots(op+" q0, [x20, #16]"); got != base+1 {
				t.Errorf("%s q0, [x20, %s]: %g slots, %g with an immediate offset", op, index, got, base)
			}
		}
	}
}
