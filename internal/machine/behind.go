package machine

import (
	"slices"

	"incore/internal/isa"
)

// behind applies the rows' "x+2#9": an instruction of which some operand comes from a result with that tag is slower as a whole, its
// other operands are waited for so much longer, too; with "xx" it executes twice. The operand itself is delayed by its own
// "r0+2#9" where it comes directly, by as much as the others where moves that rename eliminates lie between. Of such moves it
// notes what they copy, for Forward.
func (b *Bound) behind() {
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

// slower delays instruction i if an operand has the tag of l.
func (b *Bound) slower(i int, l lateUse) {
	in := &b.Insts[i]
	var from, direct uint64 // inputs of that tag, and those without a move between
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

// tagOf is the forwarding tag of what instruction i finds in a register, 0 if it has none, and whether it got there by moves that
// rename eliminates.
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
		case p.late == nil || moved && p.Effects.Writes[o].Reg != r: // what another width leaves is no longer pending
			return 0, moved
		default:
			return p.late.tagOf(o), moved
		}
	}
	return 0, moved
}
