package machine

import "incore/internal/isa"

// domains notes which instructions run on floating-point and which on integer vector units, on cores where a result takes longer between the two
// domains ("bypass"). An eliminated move has the domain of the value that it copies.
func (b *Bound) domains() {
	bypass := b.Model.Core().Bypass
	if bypass == 0 {
		return
	}
	for i := range b.Insts {
		if in := &b.Insts[i]; in.Flags&ZeroIdiom == 0 {
			in.bypass, in.domain = bypass, in.Flags&(FloatDomain|IntegerDomain)
		}
	}
	for i := range b.Insts {
		if src, ok := b.copies(i); ok {
			b.Insts[i].domain = b.domainOf(i, src)
		}
	}
}

// copies returns the register that instruction i copies, if it is a move without execution.
func (b *Bound) copies(i int) (src isa.Reg, ok bool) {
	in, move := &b.Insts[i], b.Kernel.ISA.RegMove
	if move == nil || len(in.Uops) > 0 && in.Flags&MoveElim == 0 {
		return isa.NoReg, false
	}
	_, src, ok = move(&in.Line.Inst)
	return src, ok
}

// domainOf returns the domain of the value that instruction i reads from a register; 0 if it has none.
func (b *Bound) domainOf(i int, r isa.Reg) InstFlags {
	for n := 1; n <= len(b.Insts); n++ {
		k := (i - n + len(b.Insts)) % len(b.Insts)
		if !b.writes(k, r) {
			continue
		}
		src, ok := b.copies(k)
		if !ok {
			return b.Insts[k].domain
		}
		r = src
	}
	return 0
}

// writes reports whether instruction i writes a part of a register.
func (b *Bound) writes(i int, r isa.Reg) bool {
	for _, w := range b.Insts[i].Effects.Writes {
		if b.Kernel.ISA.Regs.Overlap(w.Reg, r) {
			return true
		}
	}
	return false
}

// crossing returns the extra cycles of a result from producer because it comes from the other vector domain.
func (i *Inst) crossing(producer *Inst) float64 {
	if i.bypass == 0 || i.domain == 0 || producer.domain == 0 || i.domain == producer.domain {
		return 0
	}
	return i.bypass
}
