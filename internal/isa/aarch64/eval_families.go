package aarch64

import (
	"strings"

	"incore/internal/isa"
)

func (l *lifter) emit(s isa.IntStep) { l.steps = append(l.steps, s) }

// read returns the slot of a register; the zero register is the immediate 0.
func (l *lifter) read(r isa.Reg) isa.Slot {
	if r == l.r.xzr || r == l.r.wzr {
		return isa.Imm
	}
	full, _, width := l.part(r)
	if width == 0 {
		l.failed = true
		return isa.Imm
	}
	return isa.RegSlot(full)
}

// slot returns the slot of MC operand i.
func (l *lifter) slot(i int) isa.Slot { return l.read(l.in.Reg(i)) }

// dst returns the slot for writes to a register; a write to the zero register is discarded.
func (l *lifter) dst(r isa.Reg) isa.Slot {
	if s := l.read(r); s != isa.Imm {
		return s
	}
	return isa.T7
}

// binary emits an operation on two slots into a register; the slot isa.Imm means 0.
func (l *lifter) binary(op isa.StepKind, width uint8, dst isa.Reg, a, b isa.Slot) {
	if l.f.flags {
		l.flagged(isa.IntStep{Op: op, Width: width, A: l.own(a), B: b})
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: width, Dst: l.dst(dst), A: isa.T4})
		return
	}
	l.emit(isa.IntStep{Op: op, Width: width, Dst: l.dst(dst), A: a, B: b})
}

// plain lifts forms that are one operation on one or two registers.
func (l *lifter) plain() {
	s := isa.IntStep{Op: l.f.rule.op, Width: l.f.width, N: l.f.rule.n, Dst: l.dst(l.in.Reg(0)), A: l.slot(1)}
	if l.in.NOps > 2 {
		s.B = l.slot(2)
	}
	l.emit(s)
}

func (l *lifter) arithImm() {
	o := &l.in.Ops[2]
	if o.Kind == isa.OpExpr {
		l.emit(isa.IntStep{Op: isa.StepSymbol, Width: 64, Dst: isa.T1, Imm: o.Imm, Sym: o.Expr})
		l.binary(l.f.rule.op, l.f.width, l.in.Reg(0), l.slot(1), isa.T1)
		return
	}
	a := l.slot(1)
	l.immediate(a, o.Imm<<uint(l.in.Ops[3].Imm&63))
}

// own copies a zero register to a temporary, for steps whose immediate has another value.
func (l *lifter) own(s isa.Slot) isa.Slot {
	if s != isa.Imm {
		return s
	}
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T3})
	return isa.T3
}

// shifted lifts a second operand that is shifted by a constant: operand 3 holds kind and amount.
func (l *lifter) shifted() {
	kinds := [4]isa.StepKind{isa.StepShl, isa.StepShr, isa.StepSar, isa.StepRor}
	b, enc := l.slot(2), l.in.Ops[3].Imm
	if n := enc & 63; n != 0 && b != isa.Imm {
		l.emit(isa.IntStep{Op: kinds[enc>>6&3], Width: l.f.width, Dst: isa.T1, A: b, Imm: n})
		b = isa.T1
	}
	l.binary(l.f.rule.op, l.f.width, l.in.Reg(0), l.slot(1), b)
}

// extended lifts a second operand that is extended and shifted left: operand 3 holds kind and amount.
func (l *lifter) extended() {
	b, enc := l.slot(2), l.in.Ops[3].Imm
	if b != isa.Imm {
		s := isa.IntStep{Op: isa.StepZext, Width: 64, N: 8 << (enc >> 3 & 3), Dst: isa.T1, A: b}
		if enc>>5&1 != 0 {
			s.Op = isa.StepSext
		}
		l.emit(s)
		l.emit(isa.IntStep{Op: isa.StepShl, Width: 64, Dst: isa.T1, A: isa.T1, Imm: enc & 7})
		b = isa.T1
	}
	l.binary(l.f.rule.op, l.f.width, l.in.Reg(0), l.slot(1), b)
}

// immediate emits the form's operation on a slot and a number.
func (l *lifter) immediate(a isa.Slot, imm int64) {
	s := isa.IntStep{Op: l.f.rule.op, Width: l.f.width, Dst: l.dst(l.in.Reg(0)), A: l.own(a), Imm: imm}
	if l.f.flags {
		s.Dst = isa.T4
		l.flagged(s)
		s = isa.IntStep{Op: isa.StepCopy, Width: l.f.width, Dst: l.dst(l.in.Reg(0)), A: isa.T4}
	}
	l.emit(s)
}

func (l *lifter) logicalImm() {
	o := &l.in.Ops[2]
	v, ok := decodeLogical(uint32(o.Imm), uint(l.f.width))
	if !ok || o.Kind != isa.OpImm {
		l.failed = true
		return
	}
	l.immediate(l.slot(1), int64(v))
}

// bitField lifts ubfm, sbfm and bfm. If imms >= immr, bits immr to imms of the source move to bit 0; else
// bits 0 to imms move to bit width - immr.
func (l *lifter) bitField() {
	const unsigned, signed, merge = 0, 1, 2
	kind, w, at := l.f.rule.n, l.f.width, 2
	if kind == merge {
		at = 3
	}
	src := l.own(l.slot(at - 1))
	immr, imms := l.in.Ops[at].Imm, l.in.Ops[at+1].Imm
	from, to, n := immr, int64(0), imms-immr+1
	if imms < immr {
		from, to, n = 0, int64(w)-immr, imms+1
	}
	dst := l.dst(l.in.Reg(0))
	if kind == merge {
		l.emit(isa.IntStep{Op: isa.StepShr, Width: 64, Dst: isa.T1, A: src, Imm: from})
		old := l.slot(1)
		if old == isa.Imm {
			old = isa.T2
			l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T2})
		}
		l.emit(isa.IntStep{Op: isa.StepInsert, Width: w, N: uint8(n), Dst: dst, A: old, B: isa.T1, Imm: to})
		return
	}
	ext := isa.IntStep{Op: isa.StepZext, Width: w, N: uint8(n), Dst: isa.T1, A: isa.T1}
	if kind == signed {
		ext.Op = isa.StepSext
	}
	l.emit(isa.IntStep{Op: isa.StepShr, Width: w, Dst: isa.T1, A: src, Imm: from})
	l.emit(ext)
	l.emit(isa.IntStep{Op: isa.StepShl, Width: w, Dst: dst, A: isa.T1, Imm: to})
}

func (l *lifter) extract() {
	n := l.in.Ops[3].Imm
	a, b := l.slot(1), l.slot(2)
	if a == isa.Imm || b == isa.Imm {
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T1})
		if a == isa.Imm {
			a = isa.T1
		}
		if b == isa.Imm {
			b = isa.T1
		}
	}
	l.emit(isa.IntStep{Op: isa.StepExtract2, Width: l.f.width, Dst: l.dst(l.in.Reg(0)), A: a, B: b, Imm: n})
}

func (l *lifter) moveWide() {
	const zero, inverted, keep = 0, 1, 2
	i, dst := 1, l.dst(l.in.Reg(0))
	if l.f.rule.n == keep {
		i = 2
	}
	o, shift := &l.in.Ops[i], l.in.Ops[i+1].Imm&63
	if o.Kind != isa.OpImm {
		l.failed = true
		return
	}
	v := o.Imm << uint(shift)
	switch l.f.rule.n {
	case inverted:
		v = ^v
	case keep:
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T1, Imm: o.Imm})
		l.emit(isa.IntStep{Op: isa.StepInsert, Width: l.f.width, N: 16, Dst: dst, A: l.own(l.slot(1)), B: isa.T1, Imm: shift})
		return
	}
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: l.f.width, Dst: dst, Imm: v})
}

// pcRelative lifts adr and adrp. Decoded targets are absolute; symbols of adrp are pages.
func (l *lifter) pcRelative() {
	o, dst := &l.in.Ops[1], l.dst(l.in.Reg(0))
	if o.Kind != isa.OpExpr {
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: dst, Imm: o.Imm})
		return
	}
	l.emit(isa.IntStep{Op: isa.StepSymbol, Width: 64, Dst: dst, Imm: o.Imm, Sym: o.Expr})
	if l.t.Forms.Name(l.in.Form) == "ADRP" && symbolPart(o.Expr) == isa.SymbolWhole {
		l.emit(isa.IntStep{Op: isa.StepAnd, Width: 64, Dst: dst, A: dst, Imm: ^0xfff})
	}
}

// multiplyAdd lifts madd and msub, and their variants with 32-bit multiplicands.
func (l *lifter) multiplyAdd() {
	a, b := l.slot(1), l.slot(2)
	if n := l.f.rule.n; n != 0 {
		op := isa.StepSext
		if n == isaUnsigned {
			op = isa.StepZext
		}
		l.emit(isa.IntStep{Op: op, Width: 64, N: 32, Dst: isa.T1, A: a})
		l.emit(isa.IntStep{Op: op, Width: 64, N: 32, Dst: isa.T2, A: b})
		a, b = isa.T1, isa.T2
	}
	l.emit(isa.IntStep{Op: isa.StepMul, Width: l.f.width, Dst: isa.T1, A: a, B: b})
	l.binary(l.f.rule.op, l.f.width, l.in.Reg(0), l.slot(3), isa.T1)
}

func (l *lifter) variableShift() {
	l.emit(isa.IntStep{Op: isa.StepAnd, Width: 64, Dst: isa.T1, A: l.own(l.slot(2)), Imm: int64(l.f.width) - 1})
	l.binary(l.f.rule.op, l.f.width, l.in.Reg(0), l.slot(1), isa.T1)
}

// addVector lifts addvl, addpl and rdvl.
func (l *lifter) addVector() {
	last := &l.in.Ops[l.in.NOps-1]
	l.emit(isa.IntStep{Op: isa.StepVL, Width: 64, N: l.f.rule.n, Dst: isa.T1, Imm: last.Imm})
	if l.in.NOps == 2 {
		l.binary(isa.StepCopy, 64, l.in.Reg(0), isa.T1, isa.Imm)
		return
	}
	l.binary(isa.StepAdd, 64, l.in.Reg(0), l.slot(1), isa.T1)
}

// countVector lifts cntb to cntd, incb to incd and decb to decd with all lanes.
func (l *lifter) countVector() {
	const all = 31
	n := int(l.in.NOps)
	if l.in.Ops[n-2].Imm != all {
		l.failed = true
		return
	}
	l.emit(isa.IntStep{Op: isa.StepVL, Width: 64, N: l.f.rule.n, Dst: isa.T1, Imm: l.in.Ops[n-1].Imm})
	if n == 3 {
		l.binary(isa.StepCopy, 64, l.in.Reg(0), isa.T1, isa.Imm)
		return
	}
	l.binary(l.f.rule.op, 64, l.in.Reg(0), l.slot(1), isa.T1)
}

// allTrue lifts ptrue of all elements. A predicate's value is its number of active bytes, because the active elements of loops start at the lowest.
func (l *lifter) allTrue() {
	const all = 31
	if l.in.Ops[1].Imm != all {
		l.failed = true
		return
	}
	l.emit(isa.IntStep{Op: isa.StepVL, Width: 64, Dst: isa.RegSlot(l.in.Reg(0)), Imm: 1})
}

// while lifts whilelo and whilelt: the number of active elements is the second operand minus the first, at most all. The zero flag means no
// active element, the sign flag an active first element, the carry flag an inactive last element.
func (l *lifter) while() {
	a, b, w, p := l.own(l.slot(1)), l.slot(2), l.f.width, isa.RegSlot(l.in.Reg(0))
	l.emit(isa.IntStep{Op: l.f.rule.op, Width: w, Dst: isa.T1, A: a, B: b})
	l.emit(isa.IntStep{Op: isa.StepSub, Width: w, Dst: isa.T2, A: b, B: a})
	l.emit(isa.IntStep{Op: isa.StepMul, Width: 64, Dst: isa.T2, A: isa.T2, B: isa.T1}) // none unless a < b
	l.emit(isa.IntStep{Op: isa.StepVL, Width: 64, N: l.f.rule.n, Dst: isa.T4, Imm: 1})
	l.emit(isa.IntStep{Op: isa.StepLessU, Width: 64, Dst: isa.Carry, A: isa.T2, B: isa.T4})
	l.emit(isa.IntStep{Op: isa.StepMinU, Width: 64, Dst: isa.T2, A: isa.T2, B: isa.T4})
	l.emit(isa.IntStep{Op: isa.StepShl, Width: 64, Dst: p, A: isa.T2, Imm: int64(l.f.rule.n)})
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T5})
	l.emit(isa.IntStep{Op: isa.StepSub, Width: 64, Dst: isa.RegSlot(l.r.nzcv), A: isa.T5, B: isa.T1})
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.Overflow})
}

// access lifts loads and stores of one or two general registers.
func (l *lifter) access() {
	for k, op := range l.f.rt {
		if op < 0 {
			continue
		}
		offset := uint8(k) * l.f.bits / 8
		r := l.in.Reg(int(op))
		if !l.f.load {
			s := l.own(l.read(r))
			l.emit(isa.IntStep{Op: isa.StepStore, Width: l.f.bits, N: offset, A: s})
			continue
		}
		dst := l.dst(r)
		l.emit(isa.IntStep{Op: isa.StepLoad, Width: l.f.bits, N: offset, Dst: isa.Slot(isa.T1 + isa.Slot(k))})
		s := isa.IntStep{Op: isa.StepZext, Width: 64, N: l.f.bits, Dst: dst, A: isa.T1 + isa.Slot(k)}
		if _, _, w := l.part(r); l.f.signed && w != 0 {
			s.Op, s.Width = isa.StepSext, w
		}
		l.emit(s)
	}
}

// system makes the results of a system call unknown: x0, and x1 outside of Linux.
func (l *lifter) system() {
	for i := range 2 {
		l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(isa.Reg(l.r.x.At(i)))})
	}
}

// call makes the registers that a function may change unknown.
func (l *lifter) call() {
	for i := range 19 {
		l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(isa.Reg(l.r.x.At(i)))})
	}
	l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(isa.Reg(l.r.x.At(numLR)))})
}

// selects lifts csel, csinc, csinv and csneg.
func (l *lifter) selects() {
	const increment, invert, negate = 1, 2, 3
	w, other := l.f.width, isa.IntStep{Op: isa.StepCopy, Width: l.f.width, Dst: isa.T1, A: l.own(l.slot(2))}
	switch l.f.rule.n {
	case increment:
		other.Op, other.Imm = isa.StepAdd, 1
	case invert:
		other.Op, other.Imm = isa.StepXor, -1
	case negate:
		other = isa.IntStep{Op: isa.StepSub, Width: w, Dst: isa.T1, B: other.A}
	}
	l.emit(other)
	l.moveIf(l.in.Ops[3].Imm, isa.IntStep{Dst: isa.T1, B: l.slot(1)})
	l.binary(isa.StepCopy, w, l.in.Reg(0), isa.T1, isa.Imm)
}

// branch implements isa.Semantics.Branch.
func (ls *lifters) branch(in *isa.Inst, dst []isa.IntStep) ([]isa.IntStep, bool) {
	l := &lifter{lifters: ls, in: in, steps: dst}
	s := isa.IntStep{Op: isa.StepMoveIfNot, Width: 64, Dst: isa.T1, Imm: 1}
	switch ls.class[in.Form] {
	case fcCompareBranch:
		name := ls.t.Forms.Name(in.Form)
		width := uint8(64)
		if strings.HasSuffix(name, "W") {
			width = 32
		}
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: width, Dst: isa.T2, A: l.slot(0)})
		if s.A = isa.T2; strings.HasPrefix(name, "CBZ") {
			s.Op = isa.StepMoveIfZero
		}
	case fcTestBranch:
		l.emit(isa.IntStep{Op: isa.StepExtract, Width: 64, N: 1, Dst: isa.T2, A: l.own(l.slot(0)), Imm: in.Ops[1].Imm})
		if s.A = isa.T2; strings.HasPrefix(ls.t.Forms.Name(in.Form), "TBZ") {
			s.Op = isa.StepMoveIfZero
		}
	case fcCondBranch:
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T1})
		l.moveIf(in.Ops[0].Imm, isa.IntStep{Dst: isa.T1, Imm: 1})
		return l.steps, true
	default:
		return dst, false
	}
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T1})
	l.emit(s)
	return l.steps, !l.failed
}
