package uops

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// delayTagged applies tagged latency exceptions ("x+2#9"): if some operand is a result with that tag, the instruction
// is slower as a whole, so all its other operands wait longer too. With "xx" it executes twice. The operand itself is
// delayed by its own "r0+2#9" if it arrives directly, and by as much as the other operands if it passes through
// eliminated moves. delayTagged also notes the tags of the results that eliminated moves copy, for
// machine.Inst.Forward.
func (n *neighbours) delayTagged() {
	through := n.core.ForwardMoves && n.isa.RegMove != nil
	for i := range n.Insts {
		in := &n.Insts[i]
		if through && in.Flags&machine.MoveElim != 0 {
			if _, src, ok := n.isa.RegMove(&in.Line.Inst); ok {
				in.Copied, _ = n.tagOf(i, src)
			}
		}
		if in.Flags&(machine.ZeroIdiom|machine.DepBreak|machine.MoveElim) == 0 {
			for d := range in.Delays {
				n.delay(i, d)
			}
		}
	}
}

// delay delays instruction i if an operand is a result with the tag of d.
func (n *neighbours) delay(i int, d machine.Delay) {
	in := &n.Insts[i]
	var from, direct uint64 // inputs with that tag, and those of them that pass through no move
	for k := range min(len(in.Effects.Reads), 64) {
		r := &in.Effects.Reads[k]
		if r.Role == isa.RoleAddr || r.Role == isa.RoleControl || r.Merge {
			continue
		}
		if tag, moved := n.tagOf(i, r.Reg); tag == d.Tag {
			from |= 1 << k
			if !moved {
				direct |= 1 << k
			}
		}
	}
	if from == 0 {
		return
	}
	in.OwnLatencies()
	for k := range in.Inputs() {
		if k < 64 && direct&(1<<k) != 0 {
			continue
		}
		for o := range in.Outputs() {
			if c, ok := in.Pair(k, o); ok {
				in.SetPair(k, o, c+d.Cycles)
			}
		}
	}
	in.Latency += d.Cycles
	if d.Twice {
		for _, u := range slices.Backward(in.Uops) {
			if executes(u) {
				in.Uops = append(slices.Clone(in.Uops), u)
				break
			}
		}
	}
}

// tagOf returns the tag of the value that instruction i reads from a register, 0 if it has none. moved reports whether
// the value passes through eliminated moves.
func (n *neighbours) tagOf(i int, r isa.Reg) (tag machine.Tag, moved bool) {
	for k := range n.before(i) {
		p := &n.Insts[k]
		o := slices.IndexFunc(p.Effects.Writes, func(w isa.Access) bool { return n.isa.Regs.Overlap(w.Reg, r) })
		switch {
		case o < 0:
		case p.Flags&machine.MoveElim != 0 && n.isa.RegMove != nil:
			dst, src, ok := n.isa.RegMove(&p.Line.Inst)
			if !ok || dst != r {
				return 0, false
			}
			r, moved = src, true
		case !p.Tagged(), moved && p.Effects.Writes[o].Reg != r:
			// a value of which a move of another width leaves a part behind is no longer pending
			return 0, moved
		default:
			return p.Tag(o), moved
		}
	}
	return 0, moved
}

// before yields the instructions before instruction i, the last one first, and in the end those after it and itself, of
// the iteration before.
func (n *neighbours) before(i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k := range n.Insts {
			if !yield((i - k - 1 + len(n.Insts)) % len(n.Insts)) {
				return
			}
		}
	}
}
