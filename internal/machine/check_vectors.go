package machine

import (
	"strings"

	"incore/internal/isa"
)

// Placeholders lists the vector forms to which LLVM's model gives one cost for one register and for eight, though the ISA distinguishes the two, and
// the rows with that cost. No core computes eight registers in the time of one: such a cost stands for a missing one.
func (m *Model) Placeholders(a *isa.ISA) (forms []isa.FormID, rows []*Suspicion) {
	if a.SchedClass == nil {
		return nil, nil
	}
	c := m.compile(a)
	for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
		if a.Forms.Flags(f)&isa.Pseudo != 0 {
			continue
		}
		one, eight := isa.Inst{Form: f, VType: isa.VType{SEW: 32}}, isa.Inst{Form: f, VType: isa.VType{SEW: 32, LMUL: 3}}
		if a.SchedClass(&one) == a.SchedClass(&eight) || masks(a, f) {
			continue
		}
		x, y := c.lookup(&one), c.lookup(&eight)
		if x.uops == nil || x.lat == nil || y.uops == nil || portBound(x.uops.uops) != portBound(y.uops.uops) || x.uops.origin() != LLVM || x.uops.flags&StandIn != 0 {
			continue
		}
		forms = append(forms, f)
		rows = append(rows, &Suspicion{x.uops.file, x.uops.line, a.Forms.Name(f), 1, "one cost for one vector register and for eight: LLVM's placeholder, not a cost"})
	}
	return forms, rows
}

// masks reports whether a form works on masks alone, which one register holds whatever the number of registers.
func masks(a *isa.ISA, f isa.FormID) bool {
	name, _ := a.Forms.AsmParts(f, 0)
	return strings.HasSuffix(name, ".m") || strings.HasSuffix(name, ".mm") || name == "vlm.v" || name == "vsm.v"
}
