package uops

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file finds the registers that an instruction takes, and the µop of it that issues in program order.

// leading marks the leading µop of an instruction, and sets the distance of the others from it.
func (l *lowering) leading(p *parts) {
	at := absent
	for u := p.first; u < p.end; u++ {
		switch x := &l.body[u]; {
		case x.Idle:
		case at == absent:
			x.Lead, at = true, u
			x.Opens, x.Closes = p.in.Flags&machine.IssueFirst != 0, p.in.Flags&machine.IssueLast != 0
			x.Early = p.in.Flags&machine.EarlyALU != 0
		default:
			x.Behind = SeqNo(u - at)
		}
	}
}

// results counts the registers that an instruction allocates. Eliminated moves and zero idioms allocate none; nor does the stack pointer that push
// and pop move.
func (l *lowering) results(in *machine.Inst) (n files) {
	file := l.g.Bound.Kernel.ISA.RegFile
	if file == nil || l.core.IntegerRegisters|l.core.VectorRegisters|l.core.FlagRegisters == 0 || in.Flags&(machine.ZeroIdiom|machine.MoveElim) != 0 {
		return n
	}
	for i := range in.Effects.Writes {
		switch w := &in.Effects.Writes[i]; {
		case w.Role == isa.RoleFlags:
			n[isa.FlagFile] = 1 // all flags share one register
		case w.Op < 0 && l.core.StackEngine && l.stackPointer(w.Reg):
		default:
			if k, ok := file(w.Reg); ok {
				n[k]++
			}
		}
	}
	return n
}
