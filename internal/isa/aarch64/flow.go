package aarch64

import (
	"incore/internal/isa"
)

// flow classifies control transfers. Branch targets are the operands that parser and decoder produce.
func (a *arch) flow(in *isa.Inst) isa.Flow {
	switch a.class[in.Form] {
	case fcBranch:
		return isa.Flow{Kind: isa.FlowJump, Target: in.Ops[0]}
	case fcCondBranch, fcCompareBranch:
		return isa.Flow{Kind: isa.FlowCond, Target: in.Ops[1]}
	case fcTestBranch:
		return isa.Flow{Kind: isa.FlowCond, Target: in.Ops[2]}
	case fcCall:
		if t := in.Ops[0]; t.Kind != isa.OpReg {
			return isa.Flow{Kind: isa.FlowCall, Target: t}
		}
		return isa.Flow{Kind: isa.FlowCall}
	case fcReturn:
		return isa.Flow{Kind: isa.FlowReturn}
	case fcIndirect:
		return isa.Flow{Kind: isa.FlowIndirect}
	case fcTrap:
		return isa.Flow{Kind: isa.FlowTrap}
	}
	return isa.Flow{}
}
