package riscv

import (
	"strings"

	"incore/internal/isa"
)

// regMove implements isa.ISA.RegMove.
func (s *semantics) regMove(in *isa.Inst) (dst, src isa.Reg, ok bool) {
	r := in.Reg
	zero := s.regs.isX0
	move := func(d, s isa.Reg) (isa.Reg, isa.Reg, bool) { return d, s, !zero(d) && !zero(s) && s != isa.NoReg }
	switch s.names.base[in.Form] {
	case bMv:
		return move(r(0), r(1))
	case bAddi:
		if in.Ops[2].Kind == isa.OpImm && in.Ops[2].Imm == 0 && !s.is32(in.Form) {
			return move(r(0), r(1))
		}
	case bAdd, bOr, bXor:
		if zero(r(2)) {
			return move(r(0), r(1))
		}
		if zero(r(1)) {
			return move(r(0), r(2))
		}
	case bFSgnj:
		return r(0), r(1), r(1) == r(2)
	case bVMv:
		return s.vectorMove(in)
	}
	return
}

// vectorMove is regMove for vectors: moves of whole registers, and vmv.v.v on the current register group if the
// elements past vl need not be kept.
func (s *semantics) vectorMove(in *isa.Inst) (dst, src isa.Reg, ok bool) {
	dst, src = in.Reg(0), in.Reg(1)
	if !s.facts.of(in.Form).vector {
		return dst, src, true
	}
	if in.VType.Keep&isa.KeepTail != 0 {
		return isa.NoReg, isa.NoReg, false
	}
	k := log2[gLMUL.registers(in.VType, 0)]
	_, d := s.regs.of(dst)
	_, r := s.regs.of(src)
	dst, src = s.regs.v[d][k], s.regs.v[r][k]
	return dst, src, dst != isa.NoReg && src != isa.NoReg
}

// is32 reports whether the result of a form is a sign-extended 32-bit value.
func (s *semantics) is32(f isa.FormID) bool { return strings.HasSuffix(s.Forms.Name(f), "W") }

// zeroIdiom implements isa.ISA.ZeroIdiom: the result is zero for any operand values.
func (s *semantics) zeroIdiom(in *isa.Inst) bool {
	r, zero := in.Reg, s.regs.isX0
	imm0 := func(i int) bool { return in.Ops[i].Kind == isa.OpImm && in.Ops[i].Imm == 0 }
	switch s.names.base[in.Form] {
	case bAddi:
		return zero(r(1)) && imm0(2) && !zero(r(0))
	case bLi, bLui:
		return imm0(1) && !zero(r(0))
	case bXor, bSub, bSlt:
		return r(1) == r(2) && !zero(r(0))
	case bAnd:
		return (zero(r(1)) || zero(r(2))) && !zero(r(0))
	case bVXor:
		return r(1) == r(2) && r(1) != isa.NoReg && (in.NOps < 4 || r(3) == isa.NoReg)
	}
	return false
}
