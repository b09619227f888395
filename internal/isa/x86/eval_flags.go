package x86

import (
	"strings"

	"incore/internal/isa"
)

// flags emits the new values of the flags. The slot of the sign and zero flags holds the result from which they follow.
func (l *lifter) flags() {
	t := traitsOf(l.in.Form)
	last := &l.in.Ops[max(l.in.NOps, 1)-1]
	byImm := t.count != 0 && last.Kind == isa.OpImm // shifts by zero leave the flags
	if byImm && last.Imm&int64(t.count) == 0 {
		return
	}
	for _, f := range flagRegs {
		switch {
		case t.flags.write&f.set == 0, f.set != flagSPAZ && l.order:
		case f.set == flagSPAZ && setZero[l.f.name] && l.result.slot != isa.Imm && (byImm || !strings.Contains(l.f.tail, "CL")):
			l.emit(isa.IntStep{Op: isa.StepSext, Width: 64, N: l.f.width, Dst: isa.RegSlot(SPAZ), A: l.result.slot})
		default:
			l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(f.reg)})
		}
	}
}

// setOrder sets the carry and overflow flags after r = a op b. Addition and subtraction compute them, logic operations clear them, and
// all other operations leave them unknown.
func (l *lifter) setOrder(op isa.StepKind, a, b evalValue, r isa.Slot) {
	writes := traitsOf(l.in.Form).flags.write
	cf, of := isa.RegSlot(CF), isa.RegSlot(OF)
	switch op {
	case isa.StepAnd, isa.StepOr, isa.StepXor, isa.StepAndNot:
		for _, f := range flagRegs {
			if f.set != flagSPAZ && writes&f.set != 0 {
				l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.RegSlot(f.reg)})
			}
		}
	case isa.StepAdd, isa.StepSub:
		if writes&flagOF != 0 {
			l.overflow(op, of, a, b, r)
		}
		switch {
		case writes&flagCF == 0:
		case op == isa.StepAdd:
			l.less(cf, evalValue{slot: r}, a)
		default:
			l.less(cf, a, b)
		}
	default:
		return
	}
	l.order = true
}

// less sets dst to 1 if a < b (unsigned), else to 0.
func (l *lifter) less(dst isa.Slot, a, b evalValue) {
	l.compute(isa.StepLessU, l.f.width, dst, a, b)
}

// overflow sets dst to the overflow flag of r = a ± b.
func (l *lifter) overflow(op isa.StepKind, dst isa.Slot, a, b evalValue, r isa.Slot) {
	w, x, y := l.f.width, l.fresh(), l.fresh()
	l.compute(isa.StepXor, w, x, a, b)
	l.compute(isa.StepXor, w, y, a, evalValue{slot: r})
	if op == isa.StepAdd {
		op = isa.StepAndNot
	} else {
		op = isa.StepAnd
	}
	l.compute(op, w, y, evalValue{slot: y}, evalValue{slot: x})
	l.compute(isa.StepShr, w, dst, evalValue{slot: y}, evalValue{imm: int64(w) - 1})
}

// withCarry lifts adc and sbb.
func (l *lifter) withCarry() {
	src, w := l.operands(), l.f.width
	if len(src) != 2 {
		l.fail()
		return
	}
	op, carry := isa.StepAdd, evalValue{slot: isa.RegSlot(CF)}
	if l.f.name == "SBB" {
		op = isa.StepSub
	}
	t, r, c := l.fresh(), l.fresh(), l.fresh()
	if op == isa.StepSub && src[0] == src[1] && src[0].slot >= isa.FirstReg { // carry spread, whatever the register holds
		zero := l.fresh()
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: zero})
		src[0], src[1] = evalValue{slot: zero}, evalValue{}
	}
	l.compute(op, w, t, src[0], src[1])
	l.compute(op, w, r, evalValue{slot: t}, carry)
	cf := isa.RegSlot(CF)
	if op == isa.StepSub {
		l.less(c, evalValue{slot: t}, carry)
		l.less(cf, src[0], src[1])
	} else {
		l.less(c, evalValue{slot: r}, evalValue{slot: t})
		l.less(cf, evalValue{slot: t}, src[0])
	}
	l.compute(isa.StepOr, 64, cf, evalValue{slot: cf}, evalValue{slot: c})
	l.overflow(op, isa.RegSlot(OF), src[0], src[1], r)
	l.order = true
	l.put(evalValue{slot: r})
}

// moveIf emits a move into a temporary on the form's condition.
func (l *lifter) moveIf(t isa.Slot, v evalValue) {
	v = l.slotted(v)
	cond := l.in.Ops[traitsOf(l.in.Form).cond].Imm & 15
	s := isa.IntStep{Op: isa.StepMoveIfNot, Width: 64, N: isa.Exactly, Dst: t, A: l.condition(cond &^ 1), B: v.slot, Imm: v.imm}
	if cond&1 != 0 {
		s.Op = isa.StepMoveIfZero
	}
	if cond&^1 == whenEqual {
		s.N = 0
		s.Op ^= isa.StepMoveIfZero ^ isa.StepMoveIfNot
	}
	l.emit(s)
}

// Conditions with even numbers; the next odd number is the opposite condition.
const (
	overflows   = 0
	below       = 2
	whenEqual   = 4
	belowEqual  = 6
	negative    = 8
	parity      = 10
	lessThan    = 12
	lessOrEqual = 14
)

// condition returns a slot that is not 0 if an even condition holds; for whenEqual the slot is 0 if it holds.
func (l *lifter) condition(cond int64) isa.Slot {
	zs, cf, of := isa.RegSlot(SPAZ), isa.RegSlot(CF), isa.RegSlot(OF)
	switch cond {
	case overflows:
		return of
	case below:
		return cf
	case whenEqual:
		return zs
	}
	t := l.fresh()
	sign := func() { l.emit(isa.IntStep{Op: isa.StepShr, Width: 64, Dst: t, A: zs, Imm: 63}) }
	and := func(op isa.StepKind, s isa.Slot) { l.emit(isa.IntStep{Op: op, Width: 64, Dst: t, A: t, B: s}) }
	zero := func() isa.Slot {
		z := l.fresh()
		l.emit(isa.IntStep{Op: isa.StepLessU, Width: 64, Dst: z, A: zs, Imm: 1})
		return z
	}
	switch cond {
	case belowEqual:
		z := zero()
		l.emit(isa.IntStep{Op: isa.StepOr, Width: 64, Dst: t, A: z, B: cf})
	case negative:
		sign()
	case lessThan:
		sign()
		and(isa.StepXor, of)
	case lessOrEqual:
		sign()
		and(isa.StepXor, of)
		and(isa.StepOr, zero())
	case parity: // not evaluated
		l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: t})
	}
	return t
}
