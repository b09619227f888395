package x86

import (
	"errors"
	"fmt"
	"sync"

	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// Errors of encode; each is wrapped with the form's name.
var (
	errNoCode   = errors.New("form has no machine code of its own")
	errOperands = errors.New("operands don't fit the form")
	errRange    = errors.New("immediate or displacement out of range")
	errDistance = errors.New("branch target out of reach")
	errHighByte = errors.New("ah, bh, ch, dh can't be used together with a REX prefix")
	errExtended = errors.New("register 16 to 31 in a form without room for it")
)

// regCode is a register's class and number in machine code.
type regCode struct {
	class, num uint8
	rex        bool // SPL, BPL, SIL, DIL: needs a REX prefix
	noRex      bool // AH, BH, CH, DH: forbids it
	known      bool
}

var regCodes = sync.OnceValue(func() *[numRegs]regCode {
	t := new([numRegs]regCode)
	for class := range classRegs {
		for n := len(classRegs[class]) - 1; n >= 0; n-- { // the lower number stays where a class repeats
			if r := classRegs[class][n]; r != isa.NoReg {
				t[r] = regCode{class: uint8(class), num: uint8(n), known: true, rex: class == enc.Class8 && n >= 4 && n < 8}
			}
		}
	}
	for i, r := range highBytes {
		t[r] = regCode{class: enc.Class8, num: uint8(4 + i), known: true, noRex: true}
	}
	return t
})

// encoder collects the fields of one instruction.
type encoder struct {
	in   *isa.Inst
	s    *sigInfo
	regs *[numRegs]regCode

	opcode            byte
	reg, rm, vvvv     uint8
	opreg, aaa        uint8
	index, base       uint8 // numbers of the memory operand's registers
	vecRM, vecIndex   bool  // rm and index are vectors: EVEX encodes the fifth bit elsewhere
	adsize            bool
	rex, noRex        bool
	seg               isa.Reg
	length            uint8
	modrm             [7]byte // ModRM, SIB, displacement
	modrmLen          int
	imm               [10]byte
	immLen            int
	is4               uint8
	hasIs4            bool
	rel               int64
	relSize, relStart int
	err               error
}

// encode appends the machine code of an instruction located at addr. The form
// decides the encoding; displacements and REX are as short as they can be
// unless a prefix ({disp32}, {vex3}) asks otherwise. A short jump whose target
// is out of reach becomes the long one. Symbolic operands are
// encoded as their constant part, as an assembler does before relocation.
func encode(dst []byte, in *isa.Inst, addr uint64) ([]byte, error) {
	code, err := encodeForm(dst, in, addr)
	if s := shorterForms(); (in.Form == s.jmp || in.Form == s.jcc) && in.Prefix&isa.PfxDisp8 == 0 && errors.Is(err, errDistance) {
		long := *in
		if long.Form = s.jmp4; in.Form == s.jcc {
			long.Form = s.jcc4
		}
		long.Prefix &^= isa.PfxData16 // which would make the long displacement one of 16 bits
		return encodeForm(dst, &long, addr)
	}
	return code, err
}

// encodeForm is encode without the change of a short jump into a long one.
func encodeForm(dst []byte, in *isa.Inst, addr uint64) ([]byte, error) {
	c := codes()
	if int(in.Form) >= len(c.forms) || c.forms[in.Form].sig == 0 {
		return dst, encodeError(in, errNoCode)
	}
	f := &c.forms[in.Form]
	e := encoder{in: in, s: &c.sigs[f.sig], regs: regCodes(), opcode: f.opcode}
	e.operands(c.plans[f.plan])
	if e.err != nil {
		return dst, encodeError(in, e.err)
	}
	start := len(dst)
	dst = e.emit(dst)
	if e.relSize > 0 {
		e.branch(dst, start, addr)
	}
	if e.err == nil && len(dst)-start > maxSize {
		e.err = fmt.Errorf("longer than %d bytes", maxSize)
	}
	if e.err != nil {
		return dst[:start], encodeError(in, e.err)
	}
	return dst, nil
}

func encodeError(in *isa.Inst, err error) error {
	return fmt.Errorf("encode %s: %w", codes().table.Name(in.Form), err)
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// operands stores the instruction's operands in the fields by the form's plan.
func (e *encoder) operands(plan []enc.Step) {
	if e.s.ModRM == enc.ModRMReg || e.s.ModRM == enc.ModRMAny {
		e.modrm[0], e.modrmLen = 0xc0, 1
	}
	e.reg, e.rm = e.s.Ext, e.s.RM
	e.length = e.s.L
	at := 0
	for _, st := range plan {
		n := stepOps(st)
		if at+n > int(e.in.NOps) {
			e.fail(errOperands)
			return
		}
		e.operand(st, at)
		at += n
	}
	if at != int(e.in.NOps) {
		e.fail(errOperands)
	}
	if e.hasIs4 {
		e.putImm(int64(e.is4), 1)
	}
}

// stepOps is the number of MC operands of a step.
func stepOps(st enc.Step) int {
	switch st.Op() {
	case enc.OpMem:
		return 5
	case enc.OpMoffs, enc.OpSrcIdx:
		return 2
	}
	return 1
}

func (e *encoder) operand(st enc.Step, at int) {
	switch st.Op() {
	case enc.OpReg:
		e.reg = e.number(st, at)
	case enc.OpRM:
		e.rm = e.number(st, at)
		e.vecRM = st.Class() >= enc.ClassXMM && st.Class() <= enc.ClassZMM
	case enc.OpVVVV:
		e.vvvv = e.number(st, at)
	case enc.OpOpcode:
		e.opreg = e.number(st, at)
		e.opcode |= e.opreg & 7
	case enc.OpIs4:
		n := e.number(st, at)
		if n > 15 {
			e.fail(errExtended)
		}
		e.is4, e.hasIs4 = e.is4|n<<4, true
	case enc.OpMask:
		if e.aaa = e.number(st, at); e.aaa == 0 {
			e.fail(errOperands) // k0 means no mask
		}
	case enc.OpTied:
		if e.in.Ops[at].Reg != e.in.Ops[st.Arg()].Reg {
			e.fail(errOperands)
		}
	case enc.OpMem:
		e.memory(st.Class(), at)
	case enc.OpImm:
		e.immediate(st, at)
	case enc.OpRel:
		e.rel, e.relSize = e.value(at), st.Arg()
		e.relStart = e.immLen
		e.immLen += st.Arg()
	case enc.OpCC, enc.OpSCC, enc.OpDFV:
		v := e.value(at)
		if v < 0 || v > 15 {
			e.fail(errRange)
			return
		}
		switch st.Op() {
		case enc.OpCC:
			e.opcode |= byte(v)
		case enc.OpSCC: // EVEX.SC: its high bit is the bit of V'
			e.aaa = byte(v) & 7
			e.vvvv |= ^byte(v) << 1 & 16
		case enc.OpDFV:
			e.vvvv |= ^byte(v) & 15
		}
	case enc.OpRC:
		v := e.value(at)
		if v < 0 || v > 3 {
			e.fail(errRange)
		}
		e.length = uint8(v & 3)
	case enc.OpMoffs:
		e.putImm(e.value(at), st.Arg())
		e.segment(at + 1)
	case enc.OpSrcIdx:
		e.pointer(e.in.Reg(at), RSI, ESI)
		e.segment(at + 1)
	case enc.OpDstIdx:
		e.pointer(e.in.Reg(at), RDI, EDI)
	}
}

// value is the number in operand at.
func (e *encoder) value(at int) int64 {
	o := &e.in.Ops[at]
	if o.Kind != isa.OpImm && o.Kind != isa.OpExpr {
		e.fail(errOperands)
	}
	return o.Imm
}

// number is the code of the register in operand at, which must be of the step's class.
func (e *encoder) number(st enc.Step, at int) uint8 {
	r := e.in.Reg(at)
	if int(r) >= len(e.regs) || !e.regs[r].known {
		e.fail(errOperands)
		return 0
	}
	c := &e.regs[r]
	ok := int(c.class) == st.Class()
	if !ok && c.class == enc.Class64 && st.Class() == enc.Class32 {
		ok = codes().wider(e.in.Form, at)
	}
	if !ok {
		e.fail(errOperands)
		return 0
	}
	e.rex = e.rex || c.rex
	e.noRex = e.noRex || c.noRex
	return c.num
}

func (e *encoder) segment(at int) {
	if r := e.in.Reg(at); r != isa.NoReg {
		if int(r) >= len(e.regs) || e.regs[r].class != enc.ClassSeg {
			e.fail(errOperands)
		}
		e.seg = r
	}
}

func (e *encoder) pointer(r, wide, narrow isa.Reg) {
	switch r {
	case wide:
	case narrow:
		e.adsize = true
	default:
		e.fail(errOperands)
	}
}

// immediate appends an immediate, which must fit its size. If the processor sign-extends the
// immediate, the result must be the operand's value; other immediates may be written as signed or unsigned.
func (e *encoder) immediate(st enc.Step, at int) {
	v, n := e.value(at), st.Arg()
	if st.Class() == enc.ImmNibble {
		if v < 0 || v > 15 {
			e.fail(errRange)
		}
		e.is4, e.hasIs4 = e.is4|uint8(v&15), true
		return
	}
	if n < 8 {
		lo, hi := -int64(1)<<(8*n-1), int64(1)<<(8*n)-1
		if st.Class() == enc.ImmSigned {
			hi >>= 1
			if n == 1 {
				v = e.signed(v)
			}
		}
		if v < lo || v > hi {
			e.fail(errRange)
		}
	}
	e.putImm(v, n)
}

// signed returns the signed value of an immediate that the processor sign-extends from one byte. Operations of 16 and 32 bits may state
// it as unsigned: $0xffffffc0 for $-64.
func (e *encoder) signed(v int64) int64 {
	switch {
	case e.s.W:
	case e.s.OpSize == 16 && v>>16 == 0:
		return int64(int16(v))
	case e.s.OpSize != 16 && v>>32 == 0:
		return int64(int32(v))
	}
	return v
}

func (e *encoder) putImm(v int64, n int) {
	for i := 0; i < n; i++ {
		e.imm[e.immLen] = byte(v >> (8 * i))
		e.immLen++
	}
}

// branch fills in the distance after the instruction's size is known.
func (e *encoder) branch(dst []byte, start int, addr uint64) {
	rel := e.rel - int64(addr) - int64(len(dst)-start)
	for _, o := range e.in.Ops[:e.in.NOps] {
		if o.Kind == isa.OpExpr {
			rel = e.rel // left to the linker
		}
	}
	n := e.relSize
	if rel>>(8*n-1) != 0 && rel>>(8*n-1) != -1 {
		e.fail(errDistance)
	}
	at := len(dst) - e.immLen + e.relStart
	for i := 0; i < n; i++ {
		dst[at+i] = byte(rel >> (8 * i))
	}
}
