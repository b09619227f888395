package aarch64

import (
	"incore/internal/isa"
)

// zeroIdiom recognises the instructions that set a register to zero and that Arm's optimization guides list as
// executed at rename (Neoverse V2 guide, "Zero latency MOVs": mov of #0 and of the zero
// register to general registers, fmov of the zero register to vector registers, movi #0). EOR
// of a register with itself is no zero idiom: it keeps the dependency, which the memory model needs.
func (a *arch) zeroIdiom(in *isa.Inst) bool {
	switch a.class[in.Form] {
	case fcMoveZ:
		return in.Ops[1].Kind == isa.OpImm && in.Ops[1].Imm == 0
	case fcMoveImmZero:
		return in.Ops[1].Imm == 0
	case fcOrrReg:
		return a.constant(in.Reg(1)) && a.constant(in.Reg(2))
	case fcFMovGPR:
		return a.constant(in.Reg(1))
	}
	return false
}

// regMove recognises copies of a whole register: mov x0, x1; fmov d0, d1; mov
// v0.16b, v1.16b; mov z0.d, z1.d and MOVPRFX without predicate.
func (a *arch) regMove(in *isa.Inst) (dst, src isa.Reg, ok bool) {
	switch a.class[in.Form] {
	case fcOrrReg:
		if a.constant(in.Reg(1)) && in.Ops[3].Imm == 0 && !a.constant(in.Reg(2)) {
			return in.Reg(0), in.Reg(2), true
		}
	case fcOrrVec:
		if in.Reg(1) == in.Reg(2) {
			return in.Reg(0), in.Reg(1), true
		}
	case fcFMov, fcMovprfx:
		return in.Reg(0), in.Reg(1), true
	}
	return 0, 0, false
}
