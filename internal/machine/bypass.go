package machine

import "incore/internal/isa"

// domains notes of each instruction whose vector units are those of floating point or of integers which they are, on a core where a result takes longer
// from one domain to the other ("bypass"). A move that executes nothing passes on the domain of what it copies.
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

// copies is the register that instruction i copies, if it is a move that executes nothing.
func (b *Bound) copies(i int) (src isa.Reg, ok bool) {
	in, move := &b.Insts[i], b.Kernel.ISA.RegMove
	if move == nil || len(in.Uops) > 0 && in.Flags&MoveElim == 0 {
		return isa.NoReg, false
	}
	_, src, ok = move(&in.Line.Inst)
	return src, ok
}

// domainOf is the domain of what instruction i finds in a register; 0 if it has none.
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

// crossing is how many cycles longer a result of producer takes to the instruction because it comes from the other domain of vector units.
func (i *Inst) crossing(producer *Inst) float64 {
	if i.bypass == 0 || i.domain == 0 || producer.domain == 0 || i.domain == producer.domain {
		return 0
	}
	return i.bypass
}
