package uops

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file inserts the µops that merge separately renamed parts: the second byte of a register, and the carry flag.

// merges marks the instructions that need a merging µop in the steady state of the loop: those that read a register whose
// second byte was written after the last write or merge of the register, and those that read the carry flag and other flags written by different instructions.
func (l *lowering) merges() {
	apart := l.g.Bound.Kernel.ISA.Apart
	if apart == nil || l.core.HighMerge|l.core.FlagMerge == 0 {
		return
	}
	var high []isa.Reg                    // second bytes that were written and not merged
	carry, others := int32(-1), int32(-1) // the last instructions that wrote the flags
	for range l.passes() {
		for i := range l.g.Bound.Insts {
			p := &l.contexts[i]
			p.mergesHigh, p.mergesFlags = isa.NoReg, false
			if l.kept != nil && len(high) == 0 && !l.kept.at(l, i).apart {
				continue
			}
			in := &l.g.Bound.Insts[i]
			readsCarry, readsOthers := false, false
			for k := range in.Effects.Reads {
				switch r := &in.Effects.Reads[k]; {
				case in.Flags&machine.ZeroIdiom != 0 || r.Merge:
				case r.Role == isa.RoleFlags:
					readsCarry = readsCarry || apart(r.Reg) == isa.CarryFlag
					readsOthers = readsOthers || apart(r.Reg) != isa.CarryFlag
				case len(high) > 0 && apart(r.Reg) != isa.HighByte:
					n := len(high)
					if high = slices.DeleteFunc(high, l.within(r.Reg)); len(high) < n && l.core.HighMerge != 0 {
						p.mergesHigh = r.Reg
					}
				}
			}
			if readsCarry && readsOthers && carry != others {
				p.mergesFlags = l.core.FlagMerge != 0 && carry >= 0 && others >= 0
				carry = others
			}
			for k := range in.Effects.Writes {
				switch w := &in.Effects.Writes[k]; {
				case w.Role == isa.RoleFlags && apart(w.Reg) == isa.CarryFlag:
					carry = int32(i)
				case w.Role == isa.RoleFlags:
					others = int32(i)
				case apart(w.Reg) == isa.HighByte:
					if !slices.Contains(high, w.Reg) {
						high = append(high, w.Reg)
					}
				case len(high) > 0:
					high = slices.DeleteFunc(high, l.within(w.Reg))
				}
			}
		}
	}
}

// touchesApart reports whether an instruction reads or writes flags, or writes the second byte of a register.
func (l *lowering) touchesApart(in *machine.Inst) bool {
	apart := l.g.Bound.Kernel.ISA.Apart
	return slices.ContainsFunc(in.Effects.Reads, func(r isa.Access) bool { return r.Role == isa.RoleFlags }) ||
		slices.ContainsFunc(in.Effects.Writes, func(w isa.Access) bool {
			return w.Role == isa.RoleFlags || apart != nil && apart(w.Reg) == isa.HighByte
		})
}

// within returns a function that reports whether a register overlaps r.
func (l *lowering) within(r isa.Reg) func(part isa.Reg) bool {
	return func(part isa.Reg) bool { return l.g.Bound.Kernel.ISA.Regs.Overlap(part, r) }
}

// merge adds the merging µops that an instruction needs. A µop that merges registers is dispatched alone in a cycle.
func (l *lowering) merge(p *parts) {
	if p.mergesHigh != isa.NoReg {
		p.high = l.rename(p, l.core.HighMerge)
		l.body[p.high].Alone = true
	}
	if p.mergesFlags {
		p.flags = l.rename(p, l.core.FlagMerge)
	}
}

// merger returns the µop that merges the value of an edge, absent if the value needs no merge.
func (l *lowering) merger(e *depgraph.Edge, p *parts) Index {
	if p.high == absent && p.flags == absent || int(e.In) >= len(p.in.Effects.Reads) {
		return absent
	}
	r := &p.in.Effects.Reads[e.In]
	switch {
	case r.Role == isa.RoleFlags:
		return p.flags
	case p.high != absent && r.Reg == p.mergesHigh:
		return p.high
	}
	return absent
}
