package uops

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// Bind returns what each instruction of a kernel becomes on a core: its cost by the model's rows (machine.Model.Costs),
// changed by the instructions around it. Dependences between instructions and Program.Compile start from this.
func Bind(m *machine.Model, k *isa.Kernel) *machine.Bound {
	insts, foreign := m.Costs(k)
	b := &machine.Bound{Kernel: k, Model: m, Insts: insts, Foreign: foreign}
	if k.ISA == nil {
		return b
	}
	n := neighbours{Bound: b, isa: k.ISA, core: m.Core()}
	n.closePorts()
	n.loadHalves()
	n.delayTagged()
	n.bypass()
	n.fusePairs()
	n.joinNops()
	n.joinMoves()
	n.joinPrefixes()
	return b
}

// neighbours is a kernel while the costs of its instructions are changed by those around them.
type neighbours struct {
	*machine.Bound
	isa  *isa.ISA
	core *machine.Core
}

// loadHalves removes the dependence on a register that the next instruction finishes to overwrite ("load-halves").
func (n *neighbours) loadHalves() {
	if !n.core.LoadHalves || n.isa.LoadsHalves == nil {
		return
	}
	for i := 1; i < len(n.Insts); i++ {
		low := &n.Insts[i-1]
		if low.Flags&machine.Unknown != 0 || !n.isa.LoadsHalves(&low.Line.Inst, &n.Insts[i].Line.Inst) {
			continue
		}
		low.Flags |= machine.DepBreak
		low.OwnLatencies()
		for k, r := range low.Effects.Reads {
			if r.Role == isa.RoleData {
				low.ClearInput(k)
			}
		}
	}
}
