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
	rows = c.segments(a)
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

// segments lists rows of LLVM's that give accesses of segments of two and of eight fields one cost, or several fields
// a cost below that of one: each field of each segment is an access of its own.
func (c *compiled) segments(a *isa.ISA) (rows []*Suspicion) {
	cycles := func(name string) (found, float64, bool) {
		x := c.lookup(&isa.Inst{Form: a.Forms.Named(name), VType: isa.VType{SEW: 64}}) // with LMUL 1, eight fields of any width fit
		if x.uops == nil || x.uops.flags&StandIn != 0 {
			return x, 0, false
		}
		return x, portBound(x.uops.uops), true
	}
	for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
		name := a.Forms.Name(f)
		at := strings.Index(name, "SEG")
		if at < 2 || !strings.HasPrefix(name, "V") || a.Forms.Flags(f)&isa.Pseudo != 0 {
			continue
		}
		x, many, known := cycles(name)
		_, fewer, two := cycles(name[:at] + "SEG2" + name[at+4:])
		_, single, one := cycles(name[:at] + name[at+4:])
		if known && x.uops.origin() == LLVM && (two && name[at+3] == '8' && many == fewer || one && many < single) {
			rows = append(rows, &Suspicion{x.uops.file, x.uops.line, name, 1, "eight fields cost as much as two, or several less than one: LLVM's placeholder, not a cost"})
		}
	}
	return rows
}

// masks reports whether a form works on masks alone, which one register holds whatever the number of registers.
func masks(a *isa.ISA, f isa.FormID) bool {
	name, _ := a.Forms.AsmParts(f, 0)
	return strings.HasSuffix(name, ".m") || strings.HasSuffix(name, ".mm") || name == "vlm.v" || name == "vsm.v"
}
