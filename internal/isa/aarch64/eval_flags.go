package aarch64

import "incore/internal/isa"

// Conditions with even numbers; the next odd number is the opposite condition.
const (
	whenEqual   = 0
	whenCarry   = 2
	whenMinus   = 4
	whenOver    = 6
	whenHigher  = 8
	whenAtLeast = 10
	whenGreater = 12
	always      = 14
)

// flagged emits an operation into T4 and sets the flags by the result. The flags' register holds the sign-extended
// result, which determines the sign and zero flags. The first operand must be a register.
func (l *lifter) flagged(s isa.IntStep) {
	s.Dst = isa.T4
	l.emit(s)
	w := s.Width
	l.emit(isa.IntStep{Op: isa.StepSext, Width: 64, N: w, Dst: isa.RegSlot(l.r.nzcv), A: isa.T4})
	if s.Op != isa.StepAdd && s.Op != isa.StepSub {
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.Carry})
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.Overflow})
		return
	}
	less := isa.IntStep{Op: isa.StepLessU, Width: w, Dst: isa.Carry, A: isa.T4, B: s.A}
	if s.Op == isa.StepSub {
		less.A, less.B, less.Imm = s.A, s.B, s.Imm
	}
	l.emit(less)
	if s.Op == isa.StepSub { // the carry is set if the subtraction does not borrow
		l.emit(isa.IntStep{Op: isa.StepXor, Width: 64, Dst: isa.Carry, A: isa.Carry, Imm: 1})
	}
	l.overflow(s)
}

// overflow sets the overflow flag after T4 = a ± b.
func (l *lifter) overflow(s isa.IntStep) {
	op := isa.StepAnd
	if s.Op == isa.StepAdd {
		op = isa.StepAndNot
	}
	l.emit(isa.IntStep{Op: isa.StepXor, Width: s.Width, Dst: isa.T5, A: s.A, B: s.B, Imm: s.Imm})
	l.emit(isa.IntStep{Op: isa.StepXor, Width: s.Width, Dst: isa.T6, A: s.A, B: isa.T4})
	l.emit(isa.IntStep{Op: op, Width: s.Width, Dst: isa.T6, A: isa.T6, B: isa.T5})
	l.emit(isa.IntStep{Op: isa.StepShr, Width: s.Width, Dst: isa.Overflow, A: isa.T6, Imm: int64(s.Width) - 1})
}

// withCarry lifts adc, adcs, sbc and sbcs: a + b + carry; subtraction inverts b.
func (l *lifter) withCarry() {
	w, a, b := l.f.width, l.own(l.slot(1)), l.slot(2)
	if l.f.rule.op == isa.StepSub {
		l.emit(isa.IntStep{Op: isa.StepXorNot, Width: w, Dst: isa.T1, A: b, B: isa.Imm})
	} else {
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: w, Dst: isa.T1, A: b})
	}
	l.emit(isa.IntStep{Op: isa.StepAdd, Width: w, Dst: isa.T2, A: a, B: isa.T1})
	l.emit(isa.IntStep{Op: isa.StepAdd, Width: w, Dst: isa.T4, A: isa.T2, B: isa.Carry})
	if l.f.flags {
		l.emit(isa.IntStep{Op: isa.StepSext, Width: 64, N: w, Dst: isa.RegSlot(l.r.nzcv), A: isa.T4})
		l.emit(isa.IntStep{Op: isa.StepLessU, Width: w, Dst: isa.T5, A: isa.T2, B: a})
		l.emit(isa.IntStep{Op: isa.StepLessU, Width: w, Dst: isa.Carry, A: isa.T4, B: isa.T2})
		l.emit(isa.IntStep{Op: isa.StepOr, Width: 64, Dst: isa.Carry, A: isa.Carry, B: isa.T5})
		l.overflow(isa.IntStep{Op: isa.StepAdd, Width: w, A: a, B: isa.T1})
	}
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: w, Dst: l.dst(l.in.Reg(0)), A: isa.T4})
}

// compareIf lifts ccmp and ccmn: they set the flags by a comparison if a condition holds, else to an immediate.
func (l *lifter) compareIf() {
	const n, z, c, v = 8, 4, 2, 1
	in, w := l.in, l.f.width
	given, cond := in.Ops[2].Imm, min(in.Ops[3].Imm, always)
	if given&(n|z) == n|z { // no result is both negative and zero
		l.failed = true
		return
	}
	nz := isa.RegSlot(l.r.nzcv)
	held := l.condition(cond)
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T7, A: held})
	s := isa.IntStep{Op: l.f.rule.op, Width: w, A: l.own(l.slot(0))}
	if o := &in.Ops[1]; o.Kind == isa.OpImm {
		s.Imm = o.Imm
	} else {
		s.B = l.slot(1)
	}
	l.flagged(s)
	result := int64(1)
	switch {
	case given&z != 0:
		result = 0
	case given&n != 0:
		result = -1
	}
	for _, f := range [...]struct {
		dst isa.Slot
		imm int64
	}{{nz, result}, {isa.Carry, given & c / c}, {isa.Overflow, given & v}} {
		l.emit(l.unless(cond, isa.IntStep{Width: 64, Dst: f.dst, A: isa.T7, Imm: f.imm}))
	}
}

// moveIf emits a move on a condition.
func (l *lifter) moveIf(cond int64, s isa.IntStep) {
	cond = min(cond, always)
	s.Width, s.A = 64, l.condition(cond)
	l.emit(l.unless(cond^1, s))
}

// unless turns a step into a move that happens if a condition does not hold. l.condition must have been called for the condition before.
func (l *lifter) unless(cond int64, s isa.IntStep) isa.IntStep {
	holds := cond&1 == 0 // where A is not 0
	switch cond &^ 1 {
	case whenEqual:
		holds = !holds
	case whenAtLeast, whenGreater:
		s.N, holds = isa.Exactly, !holds
	default:
		s.N = isa.Exactly
	}
	if cond >= always {
		holds = cond == always
	}
	if s.Op = isa.StepMoveIfNot; holds {
		s.Op = isa.StepMoveIfZero
	}
	return s
}

// condition returns a slot that is not 0 if the even condition of a pair holds; for equal, greater or equal and
// greater the slot is 0 if it holds.
func (l *lifter) condition(cond int64) isa.Slot {
	nz, t := isa.RegSlot(l.r.nzcv), isa.T5
	sign := func() { l.emit(isa.IntStep{Op: isa.StepShr, Width: 64, Dst: t, A: nz, Imm: 63}) }
	zero := func() {
		l.emit(isa.IntStep{Op: isa.StepLessU, Width: 64, Dst: isa.T6, A: nz, Imm: 1})
	}
	switch cond &^ 1 {
	case whenEqual:
		return nz
	case whenCarry:
		return isa.Carry
	case whenOver:
		return isa.Overflow
	case whenMinus:
		sign()
	case whenHigher:
		zero()
		l.emit(isa.IntStep{Op: isa.StepAndNot, Width: 64, Dst: t, A: isa.Carry, B: isa.T6})
	case whenAtLeast, whenGreater: // not less; nor equal
		sign()
		l.emit(isa.IntStep{Op: isa.StepXor, Width: 64, Dst: t, A: t, B: isa.Overflow})
		if cond&^1 == whenGreater {
			zero()
			l.emit(isa.IntStep{Op: isa.StepOr, Width: 64, Dst: t, A: t, B: isa.T6})
		}
	default: // always
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t, Imm: 1})
	}
	return t
}
