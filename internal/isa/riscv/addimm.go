package riscv

import (
	"sync"

	"incore/internal/isa"
)

// The instructions that add a constant to a 64-bit register, or copy it.
const (
	notSum = iota
	addImm3
	copyReg
)

// sums says of every form whether it is one of them.
var sums = sync.OnceValue(func() []uint8 {
	forms := ISA().Forms
	kind := make([]uint8, forms.Len())
	for _, n := range []string{"ADDI", "C_ADDI", "C_ADDI16SP", "C_ADDI4SPN"} {
		kind[forms.Named(n)] = addImm3
	}
	kind[forms.Named("C_MV")] = copyReg
	kind[isa.NoForm] = notSum
	return kind
})

// addImm recognises dst = src + imm in 64 bits: addi and mv in all their encodings.
func addImm(in *isa.Inst) (dst, src isa.Reg, imm int64, ok bool) {
	switch sums()[in.Form] {
	case addImm3:
		return in.Reg(0), in.Reg(1), in.Ops[2].Imm, in.Ops[2].Kind == isa.OpImm
	case copyReg:
		return in.Reg(0), in.Reg(1), 0, true
	}
	return
}
