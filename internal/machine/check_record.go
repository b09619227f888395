package machine

import (
	"fmt"
	"strings"

	"incore/internal/isa"
)

// record is the set of instructions that a model's layer of measurements names, if it names all that were measured (the header's "complete").
type record struct {
	layer *layer
	has   map[string]bool // by operation
}

// record returns the complete layer of measurements below a model; nil if it has none.
func (m *Model) record(a *isa.ISA) *record {
	for _, l := range m.rows.layers {
		if !l.complete {
			continue
		}
		r := &record{l, map[string]bool{}}
		for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
			if len(l.index().naming(a, f, a.Forms.SchedClass(f))) > 0 {
				r.has[operation(a, f)] = true
			}
		}
		return r
	}
	return nil
}

// operation names what a form does and with which registers. LLVM has several forms of some instructions, of which one is measured: for code
// generation, and for both directions of an encoding. Registers that hold a scalar count as whole.
func operation(a *isa.ISA, f isa.FormID) string {
	mnemonic, _ := a.Forms.AsmParts(f, 0)
	const kinds = isa.MayLoad | isa.MayStore | isa.MaskMerge | isa.MaskZero | isa.EVEXb | isa.EVEXnf
	s := fmt.Sprintf("%s %d %c", mnemonic, a.Forms.Flags(f)&kinds, a.Forms.Encoding(f))
	for _, o := range a.Forms.Operands(f) {
		if o.Class.Kind == "imm" {
			s += " imm"
			continue
		}
		s += " " + registers(o.Class)
	}
	return s
}

// registers returns a name for the operands of a class. A scalar is held by a vector register of the smallest size.
func registers(c *isa.OpClass) string {
	if c.Kind != "reg" {
		return c.Kind
	}
	for _, like := range [][2]string{{"FR", "VR128"}, {"VR128", "VR128"}, {"VR256", "VR256"}, {"GR", "GR"}, {"VK", "VK"}} {
		if strings.HasPrefix(c.RegClass, like[0]) {
			return like[1]
		}
	}
	return c.RegClass
}

// suspectClaim returns the row that calls a form measured, though the record does not have it; "" if there is none. Branches, operations of a stack of
// registers, and those that write a pair of registers are measured in loops, not among forms.
func (r *record) suspectClaim(a *isa.ISA, f isa.FormID, x *found) (*row, string) {
	if r == nil {
		return nil, ""
	}
	const twin = "_Int" // of a form that code generation uses for the lowest element alone
	if t := a.Forms.Named(a.Forms.Name(f) + twin); t != isa.NoForm && r.has[operation(a, t)] {
		return nil, ""
	}
	if a.Forms.Flags(f)&(isa.Branch|isa.Call) != 0 || a.OnRegisterStack != nil && a.OnRegisterStack(f) || writesPair(a, f) {
		return nil, ""
	}
	for _, by := range x.from {
		if by.origin() == Measured && by.file != r.layer.file && !r.has[operation(a, f)] {
			return by, fmt.Sprintf("is called measured, but %s, which names what was measured, does not have it", r.layer.file)
		}
	}
	return nil, ""
}

// writesPair reports whether the first operand of a form is a pair of registers, as of vp2intersect.
func writesPair(a *isa.ISA, f isa.FormID) bool {
	operands := a.Forms.Operands(f)
	return len(operands) > 0 && strings.HasSuffix(operands[0].Class.RegClass, "PAIR")
}
