package riscv

import (
	"incore/internal/isa"
)

// flow implements isa.ISA.Flow.
func (s *semantics) flow(in *isa.Inst) isa.Flow {
	last := isa.Operand{}
	if in.NOps > 0 {
		last = in.Ops[in.NOps-1]
	}
	link := func(r isa.Reg) bool { return r == s.regs.x[1] || r == s.regs.x[5] }
	switch s.names.base[in.Form] {
	case bJal:
		if s.regs.isX0(in.Reg(0)) {
			return isa.Flow{Kind: isa.FlowJump, Target: last}
		}
		return isa.Flow{Kind: isa.FlowCall, Target: last}
	case bJ, bTailSym:
		return isa.Flow{Kind: isa.FlowJump, Target: last}
	case bCallSym:
		return isa.Flow{Kind: isa.FlowCall, Target: last}
	case bBranch:
		if s.alwaysTaken(in) {
			return isa.Flow{Kind: isa.FlowJump, Target: last}
		}
		return isa.Flow{Kind: isa.FlowCond, Target: last}
	case bJalr:
		switch {
		case !s.regs.isX0(in.Reg(0)):
			return isa.Flow{Kind: isa.FlowCall}
		case link(in.Reg(1)):
			return isa.Flow{Kind: isa.FlowReturn}
		}
		return isa.Flow{Kind: isa.FlowIndirect}
	case bJr:
		if link(in.Reg(0)) {
			return isa.Flow{Kind: isa.FlowReturn}
		}
		return isa.Flow{Kind: isa.FlowIndirect}
	case bReturn:
		return isa.Flow{Kind: isa.FlowReturn}
	case bTrap:
		return isa.Flow{Kind: isa.FlowTrap}
	case bTable:
		if in.Ops[0].Imm >= 32 {
			return isa.Flow{Kind: isa.FlowCall}
		}
		return isa.Flow{Kind: isa.FlowIndirect}
	}
	if s.Forms.Flags(in.Form)&isa.Call != 0 {
		return isa.Flow{Kind: isa.FlowCall}
	}
	return isa.Flow{}
}

// alwaysTaken reports whether a branch is always taken, as beq zero, zero.
func (s *semantics) alwaysTaken(in *isa.Inst) bool {
	n := s.Forms.Name(in.Form)
	return (n == "BEQ" || n == "BGE" || n == "BGEU") && in.Reg(0) == in.Reg(1)
}
