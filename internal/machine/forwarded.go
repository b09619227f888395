package machine

import (
	"slices"

	"incore/internal/isa"
)

// applyForwarding applies tagged latency exceptions ("x+2#9"): if some operand is a result with that tag, the instruction is slower as a whole, so all its other operands wait
// longer too. With "xx" it executes twice. The operand itself is delayed by its own "r0+2#9" if it arrives directly, and by as much as the other
// operands if it passes through eliminated moves. applyForwarding also notes the tags of the results that eliminated moves copy, for Forward.
func (b *Bound) applyForwarding() {
	through := b.Model.Core().ForwardMoves && b.Kernel.ISA.RegMove != nil
	for i := range b.Insts {
		in := &b.Insts[i]
		if through && in.Flags&MoveElim != 0 {
			if _, src, ok := b.Kernel.ISA.RegMove(&in.Line.Inst); ok {
				in.copied, _ = b.tagOf(i, src)
			}
		}
		if in.late == nil || in.Flags&(ZeroIdiom|DepBreak|MoveElim) != 0 {
			continue
		}
		for _, l := range in.late.lat.late {
			if l.op == opInst || l.op == opTwice {
				b.slower(i, l)
			}
		}
	}
}

// slower delays instruction i if an operand is a result with the tag of l.
func (b *Bound) slower(i int, l lateUse) {
	in := &b.Insts[i]
	var from, direct uint64 // inputs with that tag, and those of them that pass through no move
	for k := range min(len(in.Effects.Reads), 64) {
		r := &in.Effects.Reads[k]
		if r.Role == isa.RoleAddr || r.Role == isa.RoleControl || r.Merge {
			continue
		}
		if tag, moved := b.tagOf(i, r.Reg); tag == l.tag {
			from |= 1 << k
			if !moved {
				direct |= 1 << k
			}
		}
	}
	if from == 0 {
		return
	}
	in.lat = slices.Clone(in.lat)
	for k := range in.Inputs() {
		if k < 64 && direct&(1<<k) != 0 {
			continue
		}
		for o := range in.Outputs() {
			if c, ok := in.Pair(k, o); ok {
				in.SetPair(k, o, c-l.cycles)
			}
		}
	}
	in.Latency -= l.cycles
	if l.op == opTwice {
		for k := range slices.Backward(in.Uops) {
			if u := in.Uops[k]; u.Kind == UopExec && !u.Resource {
				in.Uops = append(slices.Clone(in.Uops), u)
				break
			}
		}
	}
}

// tagOf returns the forwarding tag of the value that instruction i reads from a register, 0 if it has none. moved reports whether the value passes
// through eliminated moves.
func (b *Bound) tagOf(i int, r isa.Reg) (tag uint16, moved bool) {
	a := b.Kernel.ISA
	for n := 1; n <= len(b.Insts); n++ {
		p := &b.Insts[(i-n+len(b.Insts))%len(b.Insts)]
		o := slices.IndexFunc(p.Effects.Writes, func(w isa.Access) bool { return a.Regs.Overlap(w.Reg, r) })
		switch {
		case o < 0:
		case p.Flags&MoveElim != 0 && a.RegMove != nil:
			dst, src, ok := a.RegMove(&p.Line.Inst)
			if !ok || dst != r {
				return 0, false
			}
			r, moved = src, true
		case p.late == nil || moved && p.Effects.Writes[o].Reg != r: // a value that a move of another width leaves behind is no longer pending
			return 0, moved
		default:
			return p.late.tagOf(o), moved
		}
	}
	return 0, moved
}
