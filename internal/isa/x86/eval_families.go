package x86

import (
	"strings"

	"incore/internal/isa"
)

func (l *lifter) neg() {
	src, t := l.operands(), l.fresh()
	if len(src) == 1 {
		l.compute(isa.StepXor, l.f.width, t, src[0], evalValue{imm: -1})
		l.compute(isa.StepAdd, l.f.width, t, evalValue{slot: t}, evalValue{imm: 1})
		l.setOrder(isa.StepSub, evalValue{}, src[0], t)
		l.put(evalValue{slot: t})
		return
	}
	l.fail()
}

func (l *lifter) not() {
	src, t := l.operands(), l.fresh()
	if len(src) == 1 {
		l.compute(isa.StepXor, l.f.width, t, src[0], evalValue{imm: -1})
		l.put(evalValue{slot: t})
		return
	}
	l.fail()
}

// andn is ~first & second.
func (l *lifter) andn() {
	src, t := l.operands(), l.fresh()
	if len(src) != 2 {
		l.fail()
		return
	}
	l.compute(isa.StepAndNot, l.f.width, t, src[1], src[0])
	l.setOrder(isa.StepAndNot, src[1], src[0], t)
	l.put(evalValue{slot: t})
}

// lowestBit lifts blsi (x & -x), blsr (x & x-1) and blsmsk (x ^ x-1).
func (l *lifter) lowestBit() {
	src, t := l.operands(), l.fresh()
	if len(src) != 1 {
		l.fail()
		return
	}
	w, x := l.f.width, src[0]
	l.compute(isa.StepSub, w, t, x, evalValue{imm: 1})
	op := isa.StepAnd
	switch l.f.name {
	case "BLSI":
		op = isa.StepAndNot // x & -x = x &^ (x-1)
	case "BLSMSK":
		op = isa.StepXor
	}
	l.compute(op, w, t, x, evalValue{slot: t})
	l.put(evalValue{slot: t})
}

// shiftDouble lifts shld and shrd; counts beyond 16 bits leave 16-bit registers undefined.
func (l *lifter) shiftDouble() {
	src := l.operands()
	imm := len(src) == 3 && src[2].slot == isa.Imm
	if !imm || l.f.width == 16 {
		l.fail()
		return
	}
	w := int64(l.f.width)
	n, t := src[2].imm&(w-1), l.fresh()
	high, low := src[0], src[1]
	if l.f.name == "SHRD" {
		high, low = low, high
	} else {
		n = w - n
	}
	if high.slot == isa.Imm || low.slot == isa.Imm {
		l.fail()
		return
	}
	if n == 0 || n == w { // a shift by zero
		l.put(src[0])
		return
	}
	l.emit(isa.IntStep{Op: isa.StepExtract2, Width: l.f.width, Dst: t, A: high.slot, B: low.slot, Imm: n})
	l.put(evalValue{slot: t})
}

// multiply lifts mul and imul: products of two or three operands, and products of the accumulator, which have a high half.
func (l *lifter) multiply() {
	forms := db().forms
	src, t, w := l.operands(), l.fresh(), l.f.width
	if forms.NumDefs(l.in.Form) > 0 {
		if len(src) != 2 {
			l.fail()
			return
		}
		l.compute(isa.StepMul, w, t, src[0], src[1])
		l.put(evalValue{slot: t})
		return
	}
	if len(src) != 1 {
		l.fail()
		return
	}
	high := isa.StepMulHU
	if l.f.name == "IMUL" {
		high = isa.StepMulHS
	}
	t2, acc := l.fresh(), l.reg(accumulator(w))
	l.compute(high, w, t2, acc, src[0])
	l.compute(isa.StepMul, w, t, acc, src[0])
	l.set(accumulator(w), evalValue{slot: t})
	l.set(map[uint8]isa.Reg{8: AH, 16: DX, 32: EDX, 64: RDX}[w], evalValue{slot: t2})
}

// divide lifts div and idiv of 16 bits and more. The results are known if the dividend's upper half is the extension of its lower half, as in
// compiled code. The result of a division that traps is arbitrary.
func (l *lifter) divide() {
	src, w := l.operands(), l.f.width
	if len(src) != 1 || w < 16 || src[0].slot == isa.Imm {
		l.fail()
		return
	}
	quotient, remainder, sign := isa.StepDivU, isa.StepRemU, evalValue{slot: isa.Imm}
	low, upper := accumulator(w), map[uint8]isa.Reg{16: DX, 32: EDX, 64: RDX}[w]
	acc, high := l.reg(low), l.reg(upper)
	if l.f.name == "IDIV" {
		quotient, remainder = isa.StepDivS, isa.StepRemS
		t := l.fresh()
		l.emit(isa.IntStep{Op: isa.StepSar, Width: w, Dst: t, A: acc.slot, B: isa.Imm, Imm: int64(w) - 1})
		sign = evalValue{slot: t}
	}
	t := l.fresh()
	l.compute(isa.StepXor, w, t, high, sign)
	results := [2]isa.Slot{}
	for i, op := range []isa.StepKind{quotient, remainder} {
		r, known := l.fresh(), l.fresh()
		l.compute(op, w, r, acc, src[0])
		l.emit(isa.IntStep{Op: isa.StepInvalid, Width: w, Dst: known})
		l.emit(isa.IntStep{Op: isa.StepMoveIfZero, Width: w, Dst: known, A: t, B: r})
		results[i] = known
	}
	l.set(low, evalValue{slot: results[0]})
	l.set(upper, evalValue{slot: results[1]})
}

// mulx writes the high half of rdx · source to its first destination, the low half to its second.
func (l *lifter) mulx() {
	w := l.f.width
	d := RDX
	if w == 32 {
		d = EDX
	}
	src := l.operands()
	if len(src) != 1 || db().forms.NumDefs(l.in.Form) != 2 {
		l.fail()
		return
	}
	hi, lo := l.fresh(), l.fresh()
	l.compute(isa.StepMulHU, w, hi, l.reg(d), src[0])
	l.compute(isa.StepMul, w, lo, l.reg(d), src[0])
	l.set(l.in.Reg(1), evalValue{slot: lo})
	l.set(l.in.Reg(0), evalValue{slot: hi}) // last: if both destinations are one register, it gets the high half
}

// extend lifts movsx and movzx; the form's name ends with the source width.
func (l *lifter) extend() {
	src, t := l.operands(), l.fresh()
	from := uint8(0)
	for _, w := range []struct {
		text string
		bits uint8
	}{{"8", 8}, {"16", 16}, {"32", 32}} {
		if tail := strings.TrimSuffix(l.f.tail, "_NOREX"); strings.HasSuffix(tail, w.text) {
			from = w.bits
		}
	}
	if len(src) != 1 || from == 0 {
		l.fail()
		return
	}
	op := isa.StepZext
	if l.f.name == "MOVSX" {
		op = isa.StepSext
	}
	l.emit(isa.IntStep{Op: op, Width: 64, N: min(from, l.f.width), Dst: t, A: src[0].slot})
	l.put(evalValue{slot: t})
}

// lea computes an address without an access.
func (l *lifter) lea() {
	const base, scale, index, disp = 1, 2, 3, 4
	o := &l.in.Ops
	w := uint8(64)
	t := l.fresh()
	switch d := &o[disp]; {
	case d.Kind == isa.OpExpr:
		l.emit(isa.IntStep{Op: isa.StepSymbol, Width: 64, Dst: t, Imm: d.Imm, Sym: d.Expr})
	case o[base].Reg == RIP || o[base].Reg == EIP:
		l.emit(isa.IntStep{Op: isa.StepPC, Width: 64, Dst: t, Imm: d.Imm})
	default:
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t, Imm: d.Imm})
	}
	if l.in.Prefix&isa.PfxAddr32 != 0 || gprs()[o[base].Reg].width == 32 || gprs()[o[index].Reg].width == 32 {
		w = 32
	}
	if r := o[base].Reg; r != isa.NoReg && r != RIP && r != EIP {
		l.compute(isa.StepAdd, w, t, evalValue{slot: t}, l.reg(r))
	}
	if r := o[index].Reg; r != isa.NoReg && r != RIZ && r != EIZ {
		x := l.fresh()
		l.compute(isa.StepMul, w, x, l.reg(r), evalValue{imm: o[scale].Imm})
		l.compute(isa.StepAdd, w, t, evalValue{slot: t}, evalValue{slot: x})
	}
	l.set(l.in.Reg(0), evalValue{slot: t})
}

// exchange lifts xchg and xadd.
func (l *lifter) exchange() {
	forms, in, w := db().forms, l.in, l.f.width
	add := l.f.name != "XCHG"
	both := func(a, b evalValue) evalValue { // new value of the first operand
		if !add {
			return b
		}
		t := l.fresh()
		l.compute(isa.StepAdd, w, t, a, b)
		return evalValue{slot: t}
	}
	copied := func(v evalValue) evalValue { // a copy, valid after its register is overwritten
		t := l.fresh()
		l.compute(isa.StepCopy, 64, t, v, evalValue{})
		return evalValue{slot: t}
	}
	switch mem := forms.MemOp(in.Form); {
	case mem >= 0 && forms.NumDefs(in.Form) == 1:
		old := l.load(0, w)
		l.store(0, w, both(old, l.reg(in.Reg(1))))
		l.set(in.Reg(0), old)
	case strings.HasPrefix(l.f.tail, "ar"): // with the accumulator
		acc := accumulator(w)
		a, b := copied(l.reg(acc)), copied(l.reg(in.Reg(1)))
		l.set(acc, b)
		l.set(in.Reg(1), a)
	case mem < 0 && forms.NumDefs(in.Form) == 2:
		a, b := copied(l.reg(in.Reg(2))), copied(l.reg(in.Reg(3)))
		first := both(a, b)
		l.set(in.Reg(1), a)
		l.set(in.Reg(0), first)
	default:
		l.fail()
	}
}

func (l *lifter) push() {
	if l.f.width != 64 && l.f.width != 16 || strings.HasPrefix(l.f.tail, "f") {
		l.fail()
		return
	}
	switch o := &l.in.Ops[0]; {
	case db().forms.MemOp(l.in.Form) >= 0:
		l.store(1, l.f.width, l.load(0, l.f.width))
	case l.in.NOps != 1:
		l.fail()
	case o.Kind == isa.OpReg:
		l.store(0, l.f.width, l.reg(o.Reg))
	case o.Kind == isa.OpExpr:
		l.store(0, l.f.width, evalValue{sym: o.Expr, imm: o.Imm})
	default:
		l.store(0, l.f.width, evalValue{imm: o.Imm})
	}
}

func (l *lifter) pop() {
	switch {
	case l.f.width != 64 && l.f.width != 16, l.in.NOps != 1 && db().forms.MemOp(l.in.Form) < 0, strings.HasPrefix(l.f.tail, "f"):
		l.fail()
	case db().forms.MemOp(l.in.Form) >= 0:
		l.store(0, l.f.width, l.load(1, l.f.width))
	default:
		l.set(l.in.Reg(0), l.load(0, l.f.width))
	}
}

func (l *lifter) leave() {
	v := l.load(0, 64)
	l.compute(isa.StepAdd, 64, isa.RegSlot(RSP), l.reg(RBP), evalValue{imm: 8})
	l.set(RBP, v)
}

// widen lifts the sign extensions of the accumulator.
func (l *lifter) widen() {
	v := l.reg(RAX)
	t := l.fresh()
	ext := func(n uint8) { l.emit(isa.IntStep{Op: isa.StepSext, Width: 64, N: n, Dst: t, A: v.slot}) }
	high := func(n uint8, dst isa.Reg) {
		ext(n)
		l.compute(isa.StepSar, 64, t, evalValue{slot: t}, evalValue{imm: 63})
		l.set(dst, evalValue{slot: t})
	}
	switch l.f.name {
	case "CBW":
		ext(8)
		l.set(AX, evalValue{slot: t})
	case "CWDE":
		ext(16)
		l.set(EAX, evalValue{slot: t})
	case "CDQE":
		ext(32)
		l.set(RAX, evalValue{slot: t})
	case "CWD":
		high(16, DX)
	case "CDQ":
		high(32, EDX)
	case "CQO":
		high(64, RDX)
	}
}

// stringWidth is the width that the last letter of a string instruction states.
func (l *lifter) stringWidth() uint8 {
	return map[byte]uint8{'B': 8, 'W': 16, 'L': 32, 'Q': 64}[l.f.name[len(l.f.name)-1]]
}

func (l *lifter) stringMove() { l.store(1, l.stringWidth(), l.load(0, l.stringWidth())) }

func (l *lifter) stringStore() {
	l.store(0, l.stringWidth(), l.reg(accumulator(l.stringWidth())))
}

func (l *lifter) stringLoad() {
	l.set(accumulator(l.stringWidth()), l.load(0, l.stringWidth()))
}

// system makes the registers that the kernel may change unknown.
func (l *lifter) system() {
	for _, r := range [...]isa.Reg{RAX, RCX, R11} {
		l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(r)})
	}
}

// call makes the registers that a function may change unknown.
func (l *lifter) call() {
	for _, r := range [...]isa.Reg{RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11} {
		l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(r)})
	}
}

// compare lifts cmp and test, which only set flags.
func (l *lifter) compare() {
	src, t := l.operands(), l.fresh()
	if len(src) != 2 {
		l.fail()
		return
	}
	src[1] = l.slotted(src[1])
	l.compute(l.f.rule.op, l.f.width, t, src[0], src[1])
	l.setOrder(l.f.rule.op, src[0], src[1], t)
	l.result = evalValue{slot: t}
}

func (l *lifter) conditionalMove() {
	src, t := l.operands(), l.fresh()
	if len(src) != 3 || traitsOf(l.in.Form).cond < 0 { // the last is the condition
		l.fail()
		return
	}
	l.compute(isa.StepCopy, 64, t, src[0], evalValue{})
	l.moveIf(t, src[1])
	l.put(evalValue{slot: t})
}

func (l *lifter) setCondition() {
	t := l.fresh()
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t})
	l.moveIf(t, evalValue{imm: 1})
	if db().forms.MemOp(l.in.Form) >= 0 {
		l.store(0, 8, evalValue{slot: t})
		return
	}
	l.set(l.in.Reg(0), evalValue{slot: t})
}

// branch implements isa.Semantics.Branch.
func branch(in *isa.Inst, dst []isa.IntStep) ([]isa.IntStep, bool) {
	if in.Form == db().forms.Named("LOOP") {
		rcx := isa.RegSlot(RCX)
		return append(dst, isa.IntStep{Op: isa.StepSub, Width: 64, Dst: rcx, A: rcx, Imm: 1}, isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T1, A: rcx}), true
	}
	if t := traitsOf(in.Form); t.flow != isa.FlowCond || t.cond < 0 || int(t.cond) >= int(in.NOps) {
		return dst, false
	}
	l := &lifter{in: in, steps: append(dst, isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T1}), temp: isa.T1}
	l.moveIf(isa.T1, evalValue{imm: 1})
	return l.steps, !l.failed
}
