package riscv

import (
	"incore/internal/isa"
)

// fusesWith implements isa.ISA.FusesWith: the pairs that RISC-V cores are known to fuse, by
// the name of LLVM's tuning feature if it has one. The second instruction overwrites the result of the first.
func (s *semantics) fusesWith(first, second *isa.Inst) string {
	a, b := s.names.base[first.Form], s.names.base[second.Form]
	rd := first.Reg(0)
	if rd == isa.NoReg || s.regs.isX0(rd) || second.Reg(0) != rd && b != bJalr && b != bJr {
		return ""
	}
	imm := func(in *isa.Inst, i int) int64 { return in.Ops[i].Imm }
	switch {
	case a == bLui && b == bAddi && second.Reg(1) == rd:
		return "lui+addi"
	case a == bAuipc && b == bAddi && second.Reg(1) == rd:
		return "auipc+addi"
	case a == bAuipc && b == bLoad && second.Reg(1) == rd:
		return "auipc+load"
	case a == bLui && b == bLoad && second.Reg(1) == rd:
		return "lui+load"
	case a == bAuipc && b == bJalr && second.Reg(1) == rd:
		return "auipc+jalr"
	case a == bSll && b == bSrl && second.Reg(1) == rd:
		if imm(first, 2) == 32 && imm(second, 2) == 32 {
			return "zextw"
		}
		if imm(first, 2) == 48 && imm(second, 2) == 48 {
			return "zexth"
		}
		if imm(first, 2) == 32 {
			return "shifted-zextw"
		}
		return "slli+srli"
	case a == bSll && b == bAdd && (second.Reg(1) == rd || second.Reg(2) == rd) && imm(first, 2) <= 3:
		return "slli+add"
	case a == bAdd && b == bLoad && second.Reg(1) == rd && imm(second, 2) == 0 && second.Ops[2].Kind == isa.OpImm:
		return "add+load"
	}
	return ""
}
