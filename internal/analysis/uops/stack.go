package uops

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file has the µops that synchronize the stack pointer, and the dependences on them.

// stack marks the instructions that need a synchronizing µop in the steady state of the loop: those that read
// the stack pointer as a named operand after push or pop moved it.
func (l *lowering) stack() {
	if l.core.StackSync == 0 || l.g.Bound.Kernel.ISA.StackPointer == nil {
		return
	}
	moved := l.moved
	for range l.passes() {
		for i := range l.insts {
			reads, moves := l.stackUse(i)
			l.contexts[i].syncs = reads && moved
			l.synced = l.synced || reads && moved
			moved = moved && !reads || moves
		}
	}
}

// passes is how often the code is read from beginning to end until what it leaves is what it begins with.
func (l *lowering) passes() int {
	if l.once {
		return 1
	}
	return 2
}

// stackUse reports whether an instruction reads the stack pointer as a named operand, and whether it moves it implicitly, as push and pop do.
func (l *lowering) stackUse(i int) (reads, moves bool) {
	if l.kept != nil {
		c := l.kept.at(l, i)
		return c.reads, c.moves
	}
	return l.usesStack(&l.g.Bound.Insts[i])
}

func (l *lowering) usesStack(in *machine.Inst) (reads, moves bool) {
	if in.Flags&machine.ReadsStack != 0 {
		return true, false
	}
	offsets := l.g.Bound.Kernel.ISA.Offsets
	for k := range in.Effects.Reads {
		reads = reads || l.stackPointer(in.Effects.Reads[k].Reg) && l.explicit(in, k) &&
			!(l.core.StackOffsets && offsets != nil && offsets(&in.Line.Inst, int(in.Effects.Reads[k].Op)))
	}
	for k := range in.Effects.Mem {
		m := &in.Effects.Mem[k]
		moves = moves || m.Op < 0 && l.stackPointer(m.Base)
	}
	return reads, moves
}

func (l *lowering) stackPointer(r isa.Reg) bool {
	q := l.g.Bound.Kernel.ISA.StackPointer
	return q != nil && q(r)
}

// explicit reports whether an input is an operand that the instruction names.
func (l *lowering) explicit(in *machine.Inst, input int) bool {
	return input < len(in.Effects.Reads) && in.Effects.Reads[input].Op >= 0
}

// syncedBetween returns the last µop that synchronizes the stack pointer between the ends of a dependence on the stack pointer, and the number of
// iterations from that µop to the reader, which reads the stack pointer from it. It returns absent if no such µop exists.
func (l *lowering) syncedBetween(e *depgraph.Edge) (on Index, dist int32) {
	if !l.synced || e.Dist > 1 || !l.stackPointer(e.Reg) || l.insts[e.To].sync != absent {
		return absent, 0
	}
	for i := e.To - 1; ; i-- {
		if i < 0 {
			if dist++; dist > e.Dist {
				return absent, 0
			}
			i = int32(len(l.insts)) - 1
		}
		if i == e.From && dist == e.Dist {
			return absent, 0
		}
		if s := l.insts[i].sync; s != absent {
			return s, dist
		}
	}
}
