package aarch64

import "incore/internal/isa"

// The 64-bit instructions that add a constant to a register, or copy it.
const (
	notSum = iota
	addImm4
	subImm4
	orShifted
)

// sumForms maps each form to its kind above, 0 for all other forms.
func sumForms(forms *isa.FormTable) []uint8 {
	kind := make([]uint8, forms.Len())
	for _, n := range []string{"ADDXri", "ADDSXri"} {
		kind[forms.Named(n)] = addImm4
	}
	for _, n := range []string{"SUBXri", "SUBSXri"} {
		kind[forms.Named(n)] = subImm4
	}
	kind[forms.Named("ORRXrs")] = orShifted
	kind[isa.NoForm] = notSum
	return kind
}

// newAddImm returns the function that recognises dst = src + imm in 64 bits: add and sub of an immediate, and mov
// between registers (orr with the zero register).
func newAddImm(a *isa.ISA) func(in *isa.Inst) (dst, src isa.Reg, imm int64, ok bool) {
	sums := sumForms(a.Forms)
	zero := a.Regs.Named("XZR")
	return func(in *isa.Inst) (dst, src isa.Reg, imm int64, ok bool) {
		switch kind := sums[in.Form]; kind {
		case addImm4, subImm4:
			imm = in.Ops[2].Imm << (in.Ops[3].Imm & 63) // shifted by 0 or 12
			if kind == subImm4 {
				imm = -imm
			}
			return in.Reg(0), in.Reg(1), imm, in.Ops[2].Kind == isa.OpImm
		case orShifted:
			return in.Reg(0), in.Reg(2), 0, in.Reg(1) == zero && in.Ops[3].Imm == 0
		}
		return
	}
}
