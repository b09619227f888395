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
			x.Queued = x.Ports != 0 && x.Ports&^PortSet(l.core.UnitQueue.Ports) == 0
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

// takenBranches marks the µops that take an entry for a taken branch: of the branches after which code at another address executes, and of the one that closes
// a loop.
func (l *lowering) takenBranches(lay Layout) {
	code := l.g.Bound.Kernel.ISA
	if l.core.TakenBranches == 0 || code == nil || code.Flow == nil {
		return
	}
	loop := len(l.insts) / max(1, lay.Times) // instructions of an iteration
	run := 0                                 // slots since the last taken branch
	for i := range l.insts {
		p := &l.insts[i]
		kind := code.Flow(&p.in.Line.Inst).Kind
		run += p.in.WholeSlots()
		if kind == isa.FlowNext || p.end == 0 {
			continue
		}
		taken := kind != isa.FlowCond
		switch {
		case l.kept == nil && (i+1)%loop == 0:
			taken = !lay.Unrolled
		case i+1 < len(l.insts) && p.in.Line.Addr != 0:
			taken = p.in.Line.Addr+uint64(p.in.Line.Inst.Size) != l.insts[i+1].in.Line.Addr
		}
		if taken {
			l.body[p.end-1].Jumps = l.jumps(run) // a fused branch has no µop of its own
			run = 0
		}
	}
}

// jumps returns the entries of a taken branch behind so many slots without one: two where an entry of the µop cache does not hold them, so that the branch is
// not predicted together with the one before it.
func (l *lowering) jumps(slots int) int32 {
	if most := l.core.FetchEntries.Slots; most > 0 && slots > most {
		return 2
	}
	return 1
}
