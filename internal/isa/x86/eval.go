package x86

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"incore/internal/isa"
)

// evalRule is the computation of a family of instructions: one elementary operation on the
// operands, or a function for families that need several operations. A family's name is its forms' name up to
// the operand size ("ADD" of ADD64rr).
type evalRule struct {
	op    isa.StepKind
	extra operand // a further operand that the form implies
	do    func(l *lifter)
}

// operand is an operand that a form implies.
type operand uint8

const (
	noOperand    operand = iota
	plusOne              // the constant 1
	shiftCountOp         // the shift count: an immediate, 1 or cl, taken modulo 32, or 64
)

// evalRules lists the families that are evaluated. All other instructions make the registers that they write unknown.
var evalRules = map[string]evalRule{
	"MOV": {op: isa.StepCopy}, "ADD": {op: isa.StepAdd}, "SUB": {op: isa.StepSub}, "ADC": {do: (*lifter).withCarry}, "SBB": {do: (*lifter).withCarry}, "AND": {op: isa.StepAnd}, "OR": {op: isa.StepOr},
	"XOR": {op: isa.StepXor}, "INC": {op: isa.StepAdd, extra: plusOne}, "DEC": {op: isa.StepSub, extra: plusOne},
	"NEG": {do: (*lifter).neg}, "NOT": {do: (*lifter).not},
	"SHL": {op: isa.StepShl, extra: shiftCountOp}, "SHR": {op: isa.StepShr, extra: shiftCountOp}, "SAR": {op: isa.StepSar, extra: shiftCountOp},
	"ROL": {op: isa.StepRol, extra: shiftCountOp}, "ROR": {op: isa.StepRor, extra: shiftCountOp},
	"SHLX": {op: isa.StepShl, extra: shiftCountOp}, "SHRX": {op: isa.StepShr, extra: shiftCountOp}, "SARX": {op: isa.StepSar, extra: shiftCountOp},
	"RORX": {op: isa.StepRor, extra: shiftCountOp},
	"SHLD": {do: (*lifter).shiftDouble}, "SHRD": {do: (*lifter).shiftDouble},
	"IMUL": {do: (*lifter).multiply}, "MUL": {do: (*lifter).multiply}, "MULX": {do: (*lifter).mulx},
	"DIV": {do: (*lifter).divide}, "IDIV": {do: (*lifter).divide},
	"BSWAP": {op: isa.StepByteSwap}, "MOVBE": {op: isa.StepByteSwap}, "POPCNT": {op: isa.StepPopcount},
	"LZCNT": {op: isa.StepClz}, "TZCNT": {op: isa.StepCtz},
	"ANDN": {do: (*lifter).andn}, "BLSI": {do: (*lifter).lowestBit}, "BLSR": {do: (*lifter).lowestBit}, "BLSMSK": {do: (*lifter).lowestBit},
	"MOVSX": {do: (*lifter).extend}, "MOVZX": {do: (*lifter).extend},
	"LEA": {do: (*lifter).lea}, "LEA64_": {do: (*lifter).lea},
	"XCHG": {do: (*lifter).exchange}, "XADD": {do: (*lifter).exchange}, "LXADD": {do: (*lifter).exchange},
	"PUSH": {do: (*lifter).push}, "POP": {do: (*lifter).pop}, "LEAVE": {do: (*lifter).leave},
	"CBW": {do: (*lifter).widen}, "CWDE": {do: (*lifter).widen}, "CDQE": {do: (*lifter).widen},
	"CWD": {do: (*lifter).widen}, "CDQ": {do: (*lifter).widen}, "CQO": {do: (*lifter).widen},
	"MOVSB": {do: (*lifter).stringMove}, "MOVSW": {do: (*lifter).stringMove}, "MOVSL": {do: (*lifter).stringMove}, "MOVSQ": {do: (*lifter).stringMove},
	"STOSB": {do: (*lifter).stringStore}, "STOSW": {do: (*lifter).stringStore}, "STOSL": {do: (*lifter).stringStore}, "STOSQ": {do: (*lifter).stringStore},
	"LODSB": {do: (*lifter).stringLoad}, "LODSW": {do: (*lifter).stringLoad}, "LODSL": {do: (*lifter).stringLoad}, "LODSQ": {do: (*lifter).stringLoad},
	"SYSCALL": {do: (*lifter).system}, "CALL": {do: (*lifter).call}, "FARCALL": {do: (*lifter).call},
	"CMP": {do: (*lifter).compare, op: isa.StepSub}, "TEST": {do: (*lifter).compare, op: isa.StepAnd},
	"CMOV": {do: (*lifter).conditionalMove}, "SETCCr": {do: (*lifter).setCondition}, "SETCCm": {do: (*lifter).setCondition},
}

// setZero are the families that set the zero and sign flags by their result.
var setZero = map[string]bool{"ADD": true, "SUB": true, "AND": true, "OR": true, "XOR": true, "INC": true, "DEC": true, "NEG": true, "ADC": true, "SBB": true,
	"SHL": true, "SHR": true, "SAR": true, "POPCNT": true, "LZCNT": true, "TZCNT": true, "ANDN": true, "BLSI": true, "BLSR": true,
	"CMP": true, "TEST": true}

// evalForm is the evaluation rule of a form and the parts of its name.
type evalForm struct {
	rule  *evalRule // nil: not evaluated
	name  string    // family
	width uint8
	tail  string // end of the form's name, after the size
}

// evalCache has a slot per form; each entry is a pure function of the form.
var evalCache [1 << 15]atomic.Pointer[evalForm]

func evalOf(f isa.FormID) *evalForm {
	slot := &evalCache[int(f)%len(evalCache)]
	if e := slot.Load(); e != nil {
		return e
	}
	e := newEvalForm(db().forms.Name(f))
	slot.Store(e)
	return e
}

// newEvalForm splits a form's name into family, size and the rest.
func newEvalForm(full string) *evalForm {
	name := strings.TrimPrefix(full, "LOCK_")
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_NF"), "_EVEX"), "_NF_ND")
	e := &evalForm{name: name, width: 64}
	if r, ok := evalRules[name]; ok {
		e.rule = &r
		return e
	}
	at := strings.IndexAny(name, "0123456789")
	if at < 0 {
		return e
	}
	if strings.HasPrefix(name, "LEA64_") {
		at = len("LEA64_")
	}
	end := at
	for end < len(name) && name[end]-'0' <= 9 {
		end++
	}
	w, _ := strconv.Atoi(name[at:end])
	r, ok := evalRules[name[:at]]
	if !ok || w != 8 && w != 16 && w != 32 && w != 64 || !evalTail(name[end:]) {
		return e
	}
	e.rule, e.name, e.width, e.tail = &r, name[:at], uint8(w), name[end:]
	return e
}

// evalTails are the operand kinds at the end of a form's name that are evaluated: r is a register, m memory, i an immediate.
// Forms with other ends have vector, segment, control or debug registers.
var evalTails = map[string]bool{"": true, "r": true, "m": true, "rr": true, "rm": true, "mr": true, "ri": true, "mi": true, "rri": true,
	"rmi": true, "mri": true, "i": true, "rmr": true, "rmm": true, "ar": true, "pcrel": true}

// evalTail reports whether the end of a form's name describes operands that are evaluated.
func evalTail(s string) bool {
	for _, suffix := range []string{"_REV", "_ND", "_DB", "_NOREX", "_alt"} {
		s = strings.TrimSuffix(s, suffix)
	}
	s = strings.TrimSuffix(s, "CL")
	return evalTails[strings.TrimRight(s, "0123456789")]
}

// gpr describes a general register as a part of a 64-bit register.
type gpr struct {
	full         isa.Reg
	shift, width uint8
}

// gprs is the table of general registers by number.
var gprs = sync.OnceValue(func() *[numRegs]gpr {
	t := new([numRegs]gpr)
	d := db()
	l, _ := d.regs.Class("GR64")
	for i := range l.Len() {
		full := isa.Reg(l.At(i))
		if full == RIP {
			continue
		}
		t[full] = gpr{full, 0, 64}
		for s, subs := 0, d.regs.Subs(full); s < subs.Len(); s++ {
			r := isa.Reg(subs.At(s))
			switch {
			case r == AH || r == BH || r == CH || r == DH:
				t[r] = gpr{full, 8, 8}
			case d.class[r]&isGR8 != 0:
				t[r] = gpr{full, 0, 8}
			case d.class[r]&isGR16 != 0:
				t[r] = gpr{full, 0, 16}
			case d.class[r]&isGR32 != 0:
				t[r] = gpr{full, 0, 32}
			}
		}
	}
	t[SPAZ] = gpr{SPAZ, 0, 64} // the sign-extended result, which determines the sign and zero flags
	t[CF], t[OF] = gpr{CF, 0, 64}, gpr{OF, 0, 64}
	return t
})

func newEvaluation() *isa.Semantics {
	return &isa.Semantics{
		Lift:   lift,
		Branch: branch,
		Part:   func(r isa.Reg) (isa.Reg, uint8, uint8) { g := gprs()[r]; return g.full, g.shift, g.width },
		Symbol: symbolPart,
		PC:     RIP,
		Flags:  []isa.Slot{isa.RegSlot(SPAZ), isa.RegSlot(CF), isa.RegSlot(OF)},
		// By the System V ABI (3.2.3): the registers that a function may change, and the registers of integer arguments.
		Clobbered: []isa.Reg{RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11},
		Arguments: []isa.Reg{RDI, RSI, RDX, RCX, R8, R9},
	}
}

// symbolPart classifies a symbolic operand: isa.Semantics.Symbol. A symbol may stand for its address or for the address of its table entry.
func symbolPart(e *isa.Expr) isa.SymbolPart {
	switch strings.ToUpper(e.Mod) {
	case "GOTPCREL", "GOTPCREL_NORELAX", "GOT", "GOTTPOFF", "INDNTPOFF", "GOTENT", "GOTPAGE", "GOTPAGEOFF":
		return isa.SymbolSlot
	}
	return isa.SymbolWhole
}

// lift implements isa.Semantics.Lift.
func lift(in *isa.Inst, dst []isa.IntStep) ([]isa.IntStep, bool) {
	e := evalOf(in.Form)
	if e.rule == nil || in.Prefix&(isa.PfxRep|isa.PfxRepne) != 0 && traitsOf(in.Form).str != stringNone {
		return dst, false
	}
	l := lifters.Get().(*lifter)
	defer lifters.Put(l)
	*l = lifter{in: in, f: e, steps: dst}
	if e.rule.do != nil {
		e.rule.do(l)
	} else {
		l.plain()
	}
	l.flags()
	if l.failed {
		return dst, false
	}
	return l.steps, true
}

// lifters are reused because the function values in evalRules make the compiler allocate each one on the heap.
var lifters = sync.Pool{New: func() any { return new(lifter) }}

// lifter collects the steps of one instruction.
type lifter struct {
	in     *isa.Inst
	f      *evalForm
	steps  []isa.IntStep
	temp   isa.Slot // last temporary in use
	result evalValue
	order  bool // the carry and overflow flags are set
	failed bool
	src    [4]evalValue // buffer of the source operands
}

// value is an operand: a slot, or an immediate.
type evalValue struct {
	slot isa.Slot
	imm  int64
	sym  *isa.Expr
}

func (l *lifter) fail() { l.failed = true }

func (l *lifter) fresh() isa.Slot {
	if l.temp++; l.temp >= isa.FirstReg {
		l.fail()
		l.temp = isa.T1
	}
	return l.temp
}

func (l *lifter) emit(s isa.IntStep) { l.steps = append(l.steps, s) }

// compute emits an operation on two values into dst.
func (l *lifter) compute(op isa.StepKind, width uint8, dst isa.Slot, a, b evalValue) {
	a, b = l.slotted(a), l.slotted(b)
	s := isa.IntStep{Op: op, Width: width, Dst: dst, A: a.slot, B: b.slot}
	switch {
	case a.slot == isa.Imm && b.slot == isa.Imm && op != isa.StepCopy:
		t := l.fresh()
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t, Imm: a.imm})
		s.A, s.Imm = t, b.imm
	case a.slot == isa.Imm:
		s.Imm = a.imm
	case b.slot == isa.Imm:
		s.Imm = b.imm
	}
	l.emit(s)
}

// slotted copies a symbol into a temporary.
func (l *lifter) slotted(v evalValue) evalValue {
	if v.sym == nil {
		return v
	}
	t := l.fresh()
	l.emit(isa.IntStep{Op: isa.StepSymbol, Width: 64, Dst: t, Imm: v.imm, Sym: v.sym})
	return evalValue{slot: t}
}

// reg returns the value of a register in the lowest bits of a slot.
func (l *lifter) reg(r isa.Reg) evalValue {
	g := gprs()[r]
	if g.width == 0 {
		l.fail()
		return evalValue{}
	}
	if g.shift == 0 {
		return evalValue{slot: isa.RegSlot(g.full)}
	}
	t := l.fresh()
	l.emit(isa.IntStep{Op: isa.StepExtract, Width: 64, N: g.width, Dst: t, A: isa.RegSlot(g.full), Imm: int64(g.shift)})
	return evalValue{slot: t}
}

// load reads memory operand k.
func (l *lifter) load(k int, width uint8) evalValue {
	t := l.fresh()
	l.emit(isa.IntStep{Op: isa.StepLoad, Width: width, Dst: t, Imm: int64(k)})
	return evalValue{slot: t}
}

func (l *lifter) store(k int, width uint8, v evalValue) {
	v = l.slotted(v)
	s := isa.IntStep{Op: isa.StepStore, Width: width, A: v.slot, Imm: int64(k)}
	if v.slot == isa.Imm {
		t := l.fresh()
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t, Imm: v.imm})
		s.A = t
	}
	l.emit(s)
}

// set writes a value to a register. Values of 32 bits are zero-extended, narrower ones keep the rest of the register.
func (l *lifter) set(r isa.Reg, v evalValue) {
	g := gprs()[r]
	if g.width == 0 {
		l.fail()
		return
	}
	v = l.slotted(v)
	full := isa.RegSlot(g.full)
	if g.width >= 32 {
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: g.width, Dst: full, A: v.slot, Imm: v.imm})
		return
	}
	if v.slot == isa.Imm {
		t := l.fresh()
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t, Imm: v.imm})
		v.slot = t
	}
	l.emit(isa.IntStep{Op: isa.StepInsert, Width: 64, N: g.width, Dst: full, A: full, B: v.slot, Imm: int64(g.shift)})
}

// accumulator returns the part of rax with the given width.
func accumulator(width uint8) isa.Reg {
	return map[uint8]isa.Reg{8: AL, 16: AX, 32: EAX, 64: RAX}[width]
}

// operands lists the source operands in order: registers, immediates, memory. Forms that name
// neither register nor memory work on the accumulator.
func (l *lifter) operands() (src []evalValue) {
	src = l.src[:0]
	forms := db().forms
	defs, mem := forms.NumDefs(l.in.Form), forms.MemOp(l.in.Form)
	if defs == 0 && mem < 0 && l.in.NOps == 1 && l.in.Ops[0].Kind != isa.OpReg {
		src = append(src, l.reg(accumulator(l.f.width)))
	}
	for i := defs; i < int(l.in.NOps); i++ {
		switch o := &l.in.Ops[i]; {
		case i == mem:
			if int(traitsOf(l.in.Form).memOps) != 5 {
				l.fail()
				return src
			}
			if l.f.name == "MOV" && defs == 0 { // the old value does not matter
				src = append(src, evalValue{})
			} else if l.f.name == "MOVBE" && defs == 0 {
				// the next register is the source
			} else {
				src = append(src, l.load(0, l.memWidth()))
			}
			i += 4
		case o.Kind == isa.OpReg:
			src = append(src, l.reg(o.Reg))
		case o.Kind == isa.OpExpr:
			src = append(src, evalValue{sym: o.Expr, imm: o.Imm})
		default:
			src = append(src, evalValue{imm: o.Imm})
		}
	}
	return src
}

// memWidth is the width of the memory operand, which for sign and zero extensions differs from the operand size.
func (l *lifter) memWidth() uint8 {
	if w := traitsOf(l.in.Form).bits; w != 0 && w <= 64 {
		return uint8(w)
	}
	return l.f.width
}

// put writes a result to the form's destination.
func (l *lifter) put(v evalValue) {
	l.result = v
	forms := db().forms
	switch {
	case forms.NumDefs(l.in.Form) > 0:
		l.set(l.in.Reg(0), v)
	case forms.MemOp(l.in.Form) >= 0:
		l.store(0, l.f.width, v)
	default:
		l.set(accumulator(l.f.width), v)
	}
}

// plain lifts forms that compute one operation.
func (l *lifter) plain() {
	r := l.f.rule
	src := l.operands()
	switch r.extra {
	case plusOne:
		src = append(src, evalValue{imm: 1})
	case shiftCountOp:
		src = l.counted(src)
	}
	if l.failed || len(src) == 0 {
		l.fail()
		return
	}
	t := l.fresh()
	switch {
	case r.op == isa.StepCopy:
		l.put(src[len(src)-1])
		return
	case len(src) == 1:
		l.compute(r.op, l.f.width, t, src[0], evalValue{})
	case (r.op == isa.StepXor || r.op == isa.StepSub) && src[0] == src[1] && src[0].slot >= isa.FirstReg:
		l.emit(isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: t}) // 0, whatever the register holds
		l.setOrder(isa.StepAnd, evalValue{}, evalValue{}, t)
	default:
		src[1] = l.slotted(src[1])
		l.compute(r.op, l.f.width, t, src[0], src[1])
		l.setOrder(r.op, src[0], src[1], t)
	}
	l.put(evalValue{slot: t})
}

// counted appends the count to the operands of a shift.
func (l *lifter) counted(src []evalValue) []evalValue {
	switch {
	case strings.Contains(l.f.tail, "CL"):
		src = append(src, l.reg(CL))
	case strings.HasPrefix(l.f.tail, "r1"), strings.HasPrefix(l.f.tail, "m1"):
		return append(src, evalValue{imm: 1})
	}
	n := len(src) - 1
	if n < 1 {
		l.fail()
		return src
	}
	mask := int64(31)
	if l.f.width == 64 {
		mask = 63
	}
	if src[n].slot == isa.Imm {
		src[n].imm &= mask
		return src
	}
	t := l.fresh()
	l.compute(isa.StepAnd, 64, t, src[n], evalValue{imm: mask})
	src[n] = evalValue{slot: t}
	return src
}
