package uops

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// bypass notes which instructions run on floating-point and which on integer vector units, on cores where a result
// takes longer between the two domains ("bypass"). An eliminated move has the domain of the value that it copies.
func (n *neighbours) bypass() {
	if n.core.Bypass == 0 {
		return
	}
	for i := range n.Insts {
		if in := &n.Insts[i]; in.Flags&machine.ZeroIdiom == 0 {
			in.Bypass, in.Domain = n.core.Bypass, in.Flags&(machine.FloatDomain|machine.IntegerDomain)
		}
	}
	for i := range n.Insts {
		if src, ok := n.copies(i); ok {
			n.Insts[i].Domain = n.domainOf(i, src)
		}
	}
}

// copies returns the register that instruction i copies, if it is a move without execution.
func (n *neighbours) copies(i int) (src isa.Reg, ok bool) {
	in, move := &n.Insts[i], n.isa.RegMove
	if move == nil || len(in.Uops) > 0 && in.Flags&machine.MoveElim == 0 {
		return isa.NoReg, false
	}
	_, src, ok = move(&in.Line.Inst)
	return src, ok
}

// domainOf returns the domain of the value that instruction i reads from a register; 0 if it has none.
func (n *neighbours) domainOf(i int, r isa.Reg) machine.InstFlags {
	for k := range n.before(i) {
		in := &n.Insts[k]
		if !slices.ContainsFunc(in.Effects.Writes, func(w isa.Access) bool { return n.isa.Regs.Overlap(w.Reg, r) }) {
			continue
		}
		src, ok := n.copies(k)
		if !ok {
			return in.Domain
		}
		r = src
	}
	return 0
}
