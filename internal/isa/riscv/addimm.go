package riscv

import "incore/internal/isa"

// The instructions that add a constant to a 64-bit register, or copy it.
const (
	notSum = iota
	addImm3
	copyReg
)

// sumForms maps each form to its kind above, 0 for all other forms.
func sumForms(forms *isa.FormTable) []uint8 {
	kind := make([]uint8, forms.Len())
	for _, n := range []string{"ADDI", "C_ADDI", "C_ADDI16SP", "C_ADDI4SPN"} {
		kind[forms.Named(n)] = addImm3
	}
	kind[forms.Named("C_MV")] = copyReg
	kind[isa.NoForm] = notSum
	return kind
}

// newAddImm returns the function that recognises dst = src + imm in 64 bits: addi and mv in all their encodings.
func newAddImm(a *isa.ISA) func(in *isa.Inst) (dst, src isa.Reg, imm int64, ok bool) {
	sums := sumForms(a.Forms)
	return func(in *isa.Inst) (dst, src isa.Reg, imm int64, ok bool) {
		switch sums[in.Form] {
		case addImm3:
			return in.Reg(0), in.Reg(1), in.Ops[2].Imm, in.Ops[2].Kind == isa.OpImm
		case copyReg:
			return in.Reg(0), in.Reg(1), 0, true
		}
		return
	}
}
