package x86

import (
	"strings"

	"incore/internal/isa"
)

// flowOf classifies the control flow of a form.
func flowOf(name string, flags isa.FormFlags) isa.FlowKind {
	switch {
	case flags&isa.Return != 0:
		return isa.FlowReturn
	case flags&isa.Call != 0, strings.HasPrefix(name, "FARCALL"):
		return isa.FlowCall
	case flags&isa.IndirectBranch != 0, strings.HasPrefix(name, "FARJMP"):
		return isa.FlowIndirect
	case flags&isa.Branch != 0 && flags&isa.Barrier != 0:
		return isa.FlowJump
	case flags&isa.Branch != 0, strings.HasPrefix(name, "XBEGIN"):
		return isa.FlowCond
	}
	switch name {
	case "TRAP", "UD1Wr", "UD1Lr", "UD1Qr", "UD1Wm", "UD1Lm", "UD1Qm", "HLT", "INT3", "UD2", "UD2B":
		return isa.FlowTrap
	}
	return isa.FlowNext
}

// flow returns the kind of control flow and the target of an instruction: isa.ISA.Flow.
func flow(in *isa.Inst) isa.Flow {
	if in.Form == isa.NoForm {
		return isa.Flow{}
	}
	t := traitsOf(in.Form)
	f := isa.Flow{Kind: t.flow}
	switch f.Kind {
	case isa.FlowJump, isa.FlowCond, isa.FlowCall:
		if in.NOps > 0 && t.mem < 0 && in.Ops[0].Kind != isa.OpReg {
			f.Target = in.Ops[0]
		}
	}
	return f
}
