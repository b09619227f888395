package riscv

import (
	"strings"
	"sync"

	"incore/internal/isa"
)

// evalRule is the computation of an instruction: an elementary operation on its operands after
// their extension and shift, or a function for instructions that need several operations.
type evalRule struct {
	op    isa.StepKind
	do    func(l *lifter)
	width uint8 // 32: on the low words, the result sign-extended; 0: 64
	uw    bool  // the first operand is zero-extended from 32 bits
	shift uint8 // … and then shifted left by a constant
	n     uint8 // IntStep.N
	imm   int64 // IntStep.Imm
}

// evalRules lists the forms that are evaluated, by name without "C_". All other instructions make the registers that they write unknown.
var evalRules = sync.OnceValue(func() map[string]evalRule {
	m := map[string]evalRule{
		"MV": {op: isa.StepCopy}, "LI": {op: isa.StepCopy}, "LUI": {do: (*lifter).upper}, "AUIPC": {do: (*lifter).upper},
		"ADDI16SP": {op: isa.StepAdd}, "ADDI4SPN": {op: isa.StepAdd}, "ADDI": {op: isa.StepAdd},
		"ADD": {op: isa.StepAdd}, "SUB": {op: isa.StepSub},
		"ADDW": {op: isa.StepAdd, width: 32}, "ADDIW": {op: isa.StepAdd, width: 32}, "SUBW": {op: isa.StepSub, width: 32},
		"SLT": {op: isa.StepLessS}, "SLTI": {op: isa.StepLessS}, "SLTU": {op: isa.StepLessU}, "SLTIU": {op: isa.StepLessU},
		"MUL": {op: isa.StepMul}, "MULW": {op: isa.StepMul, width: 32},
		"MULH": {op: isa.StepMulHS}, "MULHU": {op: isa.StepMulHU}, "MULHSU": {op: isa.StepMulHSU},
		"DIV": {op: isa.StepDivS, imm: -1}, "DIVU": {op: isa.StepDivU, imm: -1}, "REM": {op: isa.StepRemS}, "REMU": {op: isa.StepRemU},
		"DIVW": {op: isa.StepDivS, imm: -1, width: 32}, "DIVUW": {op: isa.StepDivU, imm: -1, width: 32},
		"REMW": {op: isa.StepRemS, width: 32}, "REMUW": {op: isa.StepRemU, width: 32},
		"SLLI_UW": {op: isa.StepShl, uw: true}, "ADD_UW": {op: isa.StepAdd, uw: true},
		"ANDN": {op: isa.StepAndNot}, "ORN": {op: isa.StepOrNot}, "XNOR": {op: isa.StepXorNot},
		"MIN": {op: isa.StepMinS}, "MAX": {op: isa.StepMaxS}, "MINU": {op: isa.StepMinU}, "MAXU": {op: isa.StepMaxU},
		"CLZ": {op: isa.StepClz}, "CTZ": {op: isa.StepCtz}, "CPOP": {op: isa.StepPopcount},
		"CLZW": {op: isa.StepClz, width: 32}, "CTZW": {op: isa.StepCtz, width: 32}, "CPOPW": {op: isa.StepPopcount, width: 32},
		"REV8_RV64": {op: isa.StepByteSwap}, "ORC_B": {op: isa.StepOrBytes},
		"SEXT_B": {op: isa.StepSext, n: 8}, "SEXT_H": {op: isa.StepSext, n: 16}, "ZEXT_H_RV64": {op: isa.StepZext, n: 16},
		"ZEXT_B": {op: isa.StepZext, n: 8}, "ZEXT_H": {op: isa.StepZext, n: 16}, "ZEXT_W": {op: isa.StepZext, n: 32},
		"NOT": {op: isa.StepXor, imm: -1}, "SLLI64_HINT": {op: isa.StepCopy}, "SRLI64_HINT": {op: isa.StepCopy}, "SRAI64_HINT": {op: isa.StepCopy},
		"TH_ADDSL": {do: (*lifter).addShifted},
		"ECALL":    {do: (*lifter).system},
		"CALL":     {do: (*lifter).call}, "JAL": {do: (*lifter).call}, "JALR": {do: (*lifter).call},
		"VSETVLI": {do: (*lifter).setVL}, "VSETIVLI": {do: (*lifter).setVL}, "CSRRS": {do: (*lifter).readVLENB},
	}
	for name, op := range map[string]isa.StepKind{"AND": isa.StepAnd, "OR": isa.StepOr, "XOR": isa.StepXor} {
		m[name], m[name+"I"] = evalRule{op: op}, evalRule{op: op}
	}
	for name, op := range map[string]isa.StepKind{"SLL": isa.StepShl, "SRL": isa.StepShr, "SRA": isa.StepSar, "ROL": isa.StepRol, "ROR": isa.StepRor} {
		for _, imm := range []string{"", "I"} {
			m[name+imm], m[name+imm+"W"] = evalRule{op: op, do: (*lifter).shiftBy}, evalRule{op: op, do: (*lifter).shiftBy, width: 32}
		}
	}
	for name, op := range map[string]isa.StepKind{"BSET": isa.StepOr, "BCLR": isa.StepAndNot, "BINV": isa.StepXor, "BEXT": isa.StepAnd} {
		m[name], m[name+"I"] = evalRule{op: op, do: (*lifter).oneBit}, evalRule{op: op, do: (*lifter).oneBit}
	}
	for k, name := range []string{"SH1ADD", "SH2ADD", "SH3ADD"} {
		m[name] = evalRule{op: isa.StepAdd, shift: uint8(k + 1)}
		m[name+"_UW"] = evalRule{op: isa.StepAdd, shift: uint8(k + 1), uw: true}
	}
	return m
})

// evaluation implements isa.Semantics.
type evaluation struct {
	*isa.ISA
	regs  *registers
	sem   func() *semantics
	rules []*evalRule // by form
}

func newEvaluation(a *isa.ISA, regs *registers, sem func() *semantics) *isa.Semantics {
	build := sync.OnceValue(func() *evaluation {
		e := &evaluation{ISA: a, regs: regs, sem: sem, rules: make([]*evalRule, a.Forms.Len())}
		rules := evalRules()
		for f := range e.rules {
			name := strings.TrimPrefix(a.Forms.Name(isa.FormID(f)), "C_")
			if r, ok := rules[strings.TrimSuffix(strings.TrimSuffix(name, "_HINT"), "_HINT_IMM_ZERO")]; ok {
				e.rules[f] = &r
			} else if r, ok := rules[name]; ok {
				e.rules[f] = &r
			} else if name == "ADDI_NOP" || name == "ADDI_HINT_IMM_ZERO" {
				e.rules[f] = &evalRule{op: isa.StepAdd}
			}
		}
		return e
	})
	s := &isa.Semantics{Symbol: symbolPart, Clobbered: clobbered(regs), Arguments: regs.x[10:18]}
	s.Lift = func(in *isa.Inst, dst []isa.IntStep) ([]isa.IntStep, bool) { return build().lift(in, dst) }
	s.Branch = func(in *isa.Inst, dst []isa.IntStep) ([]isa.IntStep, bool) { return build().branch(in, dst) }
	s.Part = func(r isa.Reg) (isa.Reg, uint8, uint8) {
		if file, n := regs.of(r); file == fileX && r == regs.x[n] && n != 0 {
			return r, 0, 64
		}
		return isa.NoReg, 0, 0
	}
	s.ElementBytes = func(in *isa.Inst, m *isa.MemRef) int {
		return int(m.Bits) / 8 * max(1, int(build().sem().facts.of(in.Form).fields))
	}
	s.VectorBytes = func(in *isa.Inst, m *isa.MemRef, vl int) int { return build().vectorBytes(in, m, vl) }
	return s
}

// clobbered are ra, t0 to t6 and a0 to a7.
func clobbered(r *registers) (out []isa.Reg) {
	for _, n := range [...]int{1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31} {
		out = append(out, r.x[n])
	}
	return out
}

// symbolPart implements isa.Semantics.Symbol. auipc is taken to compute the whole of a pc-relative
// address, so the low part, which names auipc's label, need not be resolved.
func symbolPart(e *isa.Expr) isa.SymbolPart {
	switch mod := strings.ToLower(e.Mod); {
	case strings.HasSuffix(mod, "pcrel_lo"), strings.HasPrefix(mod, "tprel_add"):
		return isa.SymbolNone
	case strings.HasPrefix(mod, "got"), strings.HasPrefix(mod, "tls_ie"):
		return isa.SymbolSlot
	case mod == "hi", mod == "tprel_hi":
		return isa.SymbolHighAdd
	case mod == "lo", mod == "tprel_lo":
		return isa.SymbolLowAdd
	}
	return isa.SymbolWhole
}

// vectorBytes is the size of a unit-stride or strided access of VLMAX elements, of the number of elements in an immediate, or of whole registers.
func (ev *evaluation) vectorBytes(in *isa.Inst, m *isa.MemRef, vl int) int {
	x := ev.sem().facts.of(in.Form)
	if m.Gather || m.Bits == 0 {
		return 0
	}
	n := in.VType.Elements(vl)
	switch {
	case x.whole > 0:
		return int(x.whole) * vl
	case x.maskBits:
		return (n + 7) / 8
	}
	return n * int(m.Bits) / 8 * max(1, int(x.fields))
}

// lifter collects the steps of one instruction.
type lifter struct {
	*evaluation
	in     *isa.Inst
	rule   *evalRule
	steps  []isa.IntStep
	failed bool
}

func (ev *evaluation) lift(in *isa.Inst, dst []isa.IntStep) ([]isa.IntStep, bool) {
	l := &lifter{evaluation: ev, in: in, rule: ev.rules[in.Form], steps: dst}
	switch {
	case l.rule == nil:
		l.access()
	case l.rule.do != nil:
		l.rule.do(l)
	default:
		l.plain()
	}
	if l.failed {
		return dst, false
	}
	return l.steps, true
}

func (l *lifter) emit(s isa.IntStep) { l.steps = append(l.steps, s) }

// read returns the slot of MC operand i; it copies constants and x0 to the temporary t.
func (l *lifter) read(i int, t isa.Slot) isa.Slot {
	switch o := &l.in.Ops[i]; {
	case i >= int(l.in.NOps):
		l.failed = true
	case o.Kind == isa.OpReg && l.regs.isX0(o.Reg):
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t})
	case o.Kind == isa.OpReg:
		if file, _ := l.regs.of(o.Reg); file != fileX {
			l.failed = true
		}
		return isa.RegSlot(o.Reg)
	case o.Kind == isa.OpExpr:
		l.emit(isa.IntStep{Op: isa.StepSymbol, Width: 64, Dst: t, Imm: o.Imm, Sym: o.Expr})
	default:
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t, Imm: o.Imm})
	}
	return t
}

// dst is the slot of the result; a result in x0 is discarded.
func (l *lifter) dst() isa.Slot {
	if r := l.in.Reg(0); r != isa.NoReg && !l.regs.isX0(r) {
		return isa.RegSlot(r)
	}
	return isa.T7
}

// result emits an operation of the rule's width into the destination.
func (l *lifter) result(a, b isa.Slot) {
	r := l.rule
	s := isa.IntStep{Op: r.op, Width: 64, N: r.n, Dst: l.dst(), A: a, B: b, Imm: r.imm}
	if r.width != 32 {
		l.emit(s)
		return
	}
	s.Width, s.Dst = 32, isa.T6
	l.emit(s)
	l.emit(isa.IntStep{Op: isa.StepSext, Width: 64, N: 32, Dst: l.dst(), A: isa.T6})
}

// plain lifts one operation on one or two operands.
func (l *lifter) plain() {
	a := l.read(1, isa.T1)
	if l.rule.uw {
		l.emit(isa.IntStep{Op: isa.StepZext, Width: 64, N: 32, Dst: isa.T1, A: a})
		a = isa.T1
	}
	if l.rule.shift != 0 {
		l.emit(isa.IntStep{Op: isa.StepShl, Width: 64, Dst: isa.T1, A: a, Imm: int64(l.rule.shift)})
		a = isa.T1
	}
	b := isa.Imm
	if l.in.NOps > 2 {
		b = l.read(2, isa.T2)
	}
	l.result(a, b)
}

// shiftBy lifts shifts by a register, whose count is taken modulo the width.
func (l *lifter) shiftBy() {
	mask := int64(63)
	if l.rule.width == 32 {
		mask = 31
	}
	a, b := l.read(1, isa.T1), l.read(2, isa.T2)
	l.emit(isa.IntStep{Op: isa.StepAnd, Width: 64, Dst: isa.T2, A: b, Imm: mask})
	l.result(a, isa.T2)
}

// oneBit lifts bset, bclr, binv and bext.
func (l *lifter) oneBit() {
	a, b := l.read(1, isa.T1), l.read(2, isa.T2)
	l.emit(isa.IntStep{Op: isa.StepAnd, Width: 64, Dst: isa.T2, A: b, Imm: 63})
	if l.rule.op == isa.StepAnd {
		l.emit(isa.IntStep{Op: isa.StepShr, Width: 64, Dst: isa.T2, A: a, B: isa.T2})
		l.emit(isa.IntStep{Op: isa.StepAnd, Width: 64, Dst: l.dst(), A: isa.T2, Imm: 1})
		return
	}
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T3, Imm: 1})
	l.emit(isa.IntStep{Op: isa.StepShl, Width: 64, Dst: isa.T2, A: isa.T3, B: isa.T2})
	l.result(a, isa.T2)
}

// addShifted lifts th.addsl: rs1 + (rs2 << imm).
func (l *lifter) addShifted() {
	a, b := l.read(1, isa.T1), l.read(2, isa.T2)
	l.emit(isa.IntStep{Op: isa.StepShl, Width: 64, Dst: isa.T2, A: b, Imm: l.in.Ops[3].Imm & 3})
	l.emit(isa.IntStep{Op: isa.StepAdd, Width: 64, Dst: l.dst(), A: a, B: isa.T2})
}

// upper lifts lui and auipc.
func (l *lifter) upper() {
	o, pc := &l.in.Ops[1], l.Forms.Name(l.in.Form) == "AUIPC"
	if o.Kind == isa.OpExpr { // the whole address, or its upper part
		l.emit(isa.IntStep{Op: isa.StepSymbol, Width: 64, Dst: l.dst(), Imm: o.Imm, Sym: o.Expr})
		return
	}
	v := o.Imm << 44 >> 32
	if pc { // of auipc itself
		l.emit(isa.IntStep{Op: isa.StepPC, Width: 64, Dst: l.dst(), Imm: v - int64(l.in.Size)})
		return
	}
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: l.dst(), Imm: v})
}

// numVLENB is the number of the register that holds the bytes of a vector register.
const numVLENB = 0xc22

// readVLENB lifts csrr of vlenb, which compilers use as the step through arrays; other control registers are unknown.
func (l *lifter) readVLENB() {
	if csr, with := &l.in.Ops[1], &l.in.Ops[2]; l.in.NOps != 3 || csr.Kind != isa.OpImm || csr.Imm != numVLENB || with.Kind != isa.OpReg || !l.regs.isX0(with.Reg) {
		l.failed = true
		return
	}
	l.emit(isa.IntStep{Op: isa.StepVL, Width: 64, Dst: l.dst(), Imm: 1})
}

// setVL lifts vsetvli and vsetivli with a known configuration. A vector length in a register is assumed to
// be at least VLMAX, as in all iterations except the last.
func (l *lifter) setVL() {
	t := l.in.VType
	if t.SEW == 0 {
		l.failed = true
		return
	}
	n := log2of(int(t.SEW)) // VLMAX = vl bytes · 8 / SEW · LMUL
	s := isa.IntStep{Op: isa.StepVL, Width: 64, Dst: l.dst(), Imm: 8 << (t.LMUL & 3), N: uint8(n)}
	if t.LMUL >= 4 {
		s.Imm, s.N = 8, uint8(n)+8-t.LMUL
	}
	if o := &l.in.Ops[1]; o.Kind == isa.OpImm {
		s.Dst = isa.T1
		l.emit(s)
		l.emit(isa.IntStep{Op: isa.StepMinU, Width: 64, Dst: l.dst(), A: isa.T1, Imm: o.Imm})
		return
	} else if l.regs.isX0(o.Reg) && l.regs.isX0(l.in.Reg(0)) {
		return
	}
	l.emit(s)
}

func log2of(n int) (k int) {
	for ; n > 1; n >>= 1 {
		k++
	}
	return k
}

// access lifts loads and stores of one integer register.
func (l *lifter) access() {
	x := l.sem().facts.of(l.in.Form)
	if x.mem == memNone || x.mem == memStack || x.vector || x.load == x.store || x.elems != 1 || x.bits == 0 || x.bits > 64 || l.in.NOps == 0 {
		l.failed = true
		return
	}
	name := strings.TrimPrefix(l.Forms.Name(l.in.Form), "C_")
	kind, ok := map[string]bool{"LB": true, "LH": true, "LW": true, "LD": true, "LWSP": true, "LDSP": true, "LBU": false, "LHU": false, "LWU": false,
		"SB": true, "SH": true, "SW": true, "SD": true, "SWSP": true, "SDSP": true}[name]
	if !ok {
		l.failed = true
		return
	}
	if x.store {
		l.emit(isa.IntStep{Op: isa.StepStore, Width: uint8(x.bits), A: l.read(0, isa.T1)})
		return
	}
	s := isa.IntStep{Op: isa.StepZext, Width: 64, N: uint8(x.bits), Dst: l.dst(), A: isa.T1}
	if kind {
		s.Op = isa.StepSext
	}
	l.emit(isa.IntStep{Op: isa.StepLoad, Width: uint8(x.bits), Dst: isa.T1})
	l.emit(s)
}

// system makes the results of a system call unknown.
func (l *lifter) system() {
	for _, n := range [...]int{10, 11} {
		l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(l.regs.x[n])})
	}
}

// call makes the registers that a function may change unknown; jumps and returns write nothing.
func (l *lifter) call() {
	if l.Flow(l.in).Kind != isa.FlowCall {
		l.failed = true // the only result, if any, is a return address
		return
	}
	for _, r := range clobbered(l.regs) {
		l.emit(isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(r)})
	}
}

// branch implements isa.Semantics.Branch.
func (ev *evaluation) branch(in *isa.Inst, dst []isa.IntStep) ([]isa.IntStep, bool) {
	l := &lifter{evaluation: ev, in: in, steps: dst}
	s := isa.IntStep{Op: isa.StepMoveIfNot, Width: 64, Dst: isa.T1, A: isa.T3, Imm: 1}
	d := isa.IntStep{Op: isa.StepSub, Width: 64, Dst: isa.T3, A: l.read(0, isa.T1)}
	switch ev.Forms.Name(in.Form) {
	case "BEQ", "C_BEQZ":
		s.Op = isa.StepMoveIfZero
	case "BNE", "C_BNEZ":
	case "BLT":
		d.Op = isa.StepLessS
	case "BLTU":
		d.Op = isa.StepLessU
	case "BGE":
		d.Op, s.Op = isa.StepLessS, isa.StepMoveIfZero
	case "BGEU":
		d.Op, s.Op = isa.StepLessU, isa.StepMoveIfZero
	default:
		return dst, false
	}
	if in.NOps > 2 { // forms with two operands compare with zero
		d.B = l.read(1, isa.T2)
	}
	l.emit(d)
	l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T1})
	l.emit(s)
	return l.steps, !l.failed
}
