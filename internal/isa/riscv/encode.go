package riscv

import (
	"encoding/binary"
	"fmt"

	"incore/internal/isa"
)

// encode implements isa.ISA.Encode. Pseudo-instructions and symbolic operands have no
// encoding; targets of branches are absolute addresses.
func (c *coder) encode(a *isa.ISA) func([]byte, *isa.Inst, uint64) ([]byte, error) {
	insn := newInsnFormats(a)
	return func(dst []byte, in *isa.Inst, addr uint64) ([]byte, error) {
		if int(in.Form) >= a.Forms.Len() || in.Form == isa.NoForm {
			return dst, fmt.Errorf("encode: unknown form")
		}
		e := c.Of(in.Form)
		if e < 0 {
			if word, size, ok := insn.encode(c.regs, in, addr); ok {
				return appendWord(dst, word, size), nil
			}
			return dst, fmt.Errorf("encode %s: pseudo-instructions have no encoding", a.Forms.Name(in.Form))
		}
		p := &c.plans[e]
		if len(p.ops) != int(in.NOps) {
			return dst, fmt.Errorf("encode %s: %d operands, needs %d", a.Forms.Name(in.Form), in.NOps, len(p.ops))
		}
		word := p.value
		for i := range p.ops {
			v, err := p.ops[i].value(in, i, addr, c.regs)
			if err != nil {
				return dst, fmt.Errorf("encode %s: operand %d: %w", a.Forms.Name(in.Form), i, err)
			}
			for _, r := range p.ops[i].runs {
				word |= uint32(v>>r.op&(1<<r.width-1)) << r.insn
			}
			if p.ops[i].code == opTwoRegs {
				break
			}
		}
		return appendWord(dst, word, int(p.size)), nil
	}
}

func appendWord(dst []byte, word uint32, size int) []byte {
	if size == 2 {
		return binary.LittleEndian.AppendUint16(dst, uint16(word))
	}
	return binary.LittleEndian.AppendUint32(dst, word)
}

// value returns the field value of MC operand i.
func (o *opPlan) value(in *isa.Inst, i int, addr uint64, regs *registers) (uint64, error) {
	op := &in.Ops[i]
	if op.Kind == isa.OpExpr {
		return 0, fmt.Errorf("symbol %q has no known value", op.Expr.Text)
	}
	wantReg := o.code <= opFixedReg && o.code != opSame || o.code == opMask || o.code == opTwoRegs
	if o.code != opSame && wantReg != (op.Kind == isa.OpReg) {
		return 0, fmt.Errorf("wrong kind of operand")
	}
	switch o.code {
	case opRegister:
		for n, r := range o.table {
			if r == op.Reg && r != isa.NoReg {
				return uint64(n), nil
			}
		}
		return 0, fmt.Errorf("register does not fit")
	case opMask:
		if op.Reg == isa.NoReg {
			return 1, nil
		}
		if op.Reg != o.reg {
			return 0, fmt.Errorf("the mask must be v0")
		}
		return 0, nil
	case opSame:
		if *op != in.Ops[o.tied] {
			return 0, fmt.Errorf("must equal operand %d", o.tied)
		}
		return 0, nil
	case opFixedReg:
		if op.Reg != o.reg {
			return 0, fmt.Errorf("register does not fit")
		}
		return 0, nil
	case opFixedImm:
		if op.Imm != o.imm {
			return 0, fmt.Errorf("must be %d", o.imm)
		}
		return 0, nil
	case opTwoRegs:
		_, a := regs.of(op.Reg)
		_, b := regs.of(in.Reg(i + 1))
		return uint64(a | b<<5), nil
	}
	return o.number(op.Imm, addr)
}

// number returns the field value of an immediate operand.
func (o *opPlan) number(v int64, addr uint64) (uint64, error) {
	if o.code == opDistance {
		v -= int64(addr)
	}
	if !o.legal.holds(v) || v&(1<<o.shift-1) != 0 {
		return 0, fmt.Errorf("value %d does not fit", v)
	}
	if o.code == opUpper {
		return uint64(v & 63), nil
	}
	v >>= o.shift
	w := int(o.width)
	if o.signed && !fits(v, w) || !o.signed && uint64(v)>>w != 0 {
		return 0, fmt.Errorf("value %d does not fit %d bits", v<<o.shift, w)
	}
	if held := o.held(); uint64(v)&(1<<w-1)&^held != 0 {
		return 0, fmt.Errorf("value %d is not a multiple of the scale", v)
	}
	return uint64(v), nil
}

// held is the mask of the value's bits that the instruction holds.
func (o *opPlan) held() (m uint64) {
	for _, r := range o.runs {
		m |= (1<<r.width - 1) << r.op
	}
	return m
}

// insnFormats encodes the forms of .insn, whose fields are all operands.
type insnFormats map[isa.FormID][]insnField

// insnField is the field of an MC operand of an .insn form: a register number in five bits
// (three in compressed formats with only registers 8 to 15), or the runs of an immediate.
type insnField struct {
	kind byte // 'r' register, 'c' compressed register, 'u' unsigned, 's' signed, 'p' distance
	runs []run
}

// newInsnFormats lists the formats of the RISC-V unprivileged ISA (chapters "RV32I" and "C",
// instruction formats) for LLVM's .insn forms, operand by operand in MC order.
func newInsnFormats(a *isa.ISA) insnFormats {
	r := func(at uint8) insnField { return insnField{'r', []run{{at, 0, 5}}} }
	cr := func(at uint8) insnField { return insnField{'c', []run{{at, 0, 3}}} }
	u := func(at, width uint8) insnField { return insnField{'u', []run{{at, 0, width}}} }
	op7, f3 := u(0, 7), u(12, 3)
	op2, f3c := u(0, 2), u(13, 3)
	i12 := insnField{'s', []run{{20, 0, 12}}}
	s12 := insnField{'s', []run{{7, 0, 5}, {25, 5, 7}}}
	b12 := insnField{'p', []run{{8, 1, 4}, {25, 5, 6}, {7, 11, 1}, {31, 12, 1}}}
	j20 := insnField{'p', []run{{21, 1, 10}, {20, 11, 1}, {12, 12, 8}, {31, 20, 1}}}
	cb := insnField{'p', []run{{3, 1, 2}, {10, 3, 2}, {2, 5, 1}, {5, 6, 2}, {12, 8, 1}}}
	cj := insnField{'p', []run{{3, 1, 3}, {11, 4, 1}, {2, 5, 1}, {7, 6, 1}, {6, 7, 1}, {9, 8, 2}, {8, 10, 1}, {12, 11, 1}}}
	ci := insnField{'s', []run{{2, 0, 5}, {12, 5, 1}}}
	c5 := insnField{'u', []run{{5, 0, 2}, {10, 2, 3}}}
	out := insnFormats{}
	for name, fields := range map[string][]insnField{
		"InsnR": {r(7), op7, f3, u(25, 7), r(15), r(20)}, "InsnR4": {r(7), op7, f3, u(25, 2), r(15), r(20), r(27)},
		"InsnI": {r(7), op7, f3, r(15), i12}, "InsnI_Mem": {r(7), op7, f3, r(15), i12},
		"InsnB": {op7, f3, r(15), r(20), b12}, "InsnS": {op7, f3, r(20), r(15), s12},
		"InsnU": {r(7), op7, u(12, 20)}, "InsnJ": {r(7), op7, j20},
		"InsnCR": {r(7), op2, u(12, 4), r(2)}, "InsnCI": {r(7), op2, f3c, ci},
		"InsnCIW": {cr(2), op2, f3c, u(5, 8)}, "InsnCSS": {op2, f3c, r(2), u(7, 6)},
		"InsnCL": {cr(2), op2, f3c, cr(7), c5}, "InsnCS": {op2, f3c, cr(2), cr(7), c5},
		"InsnCA": {cr(7), op2, u(10, 6), u(5, 2), cr(2)}, "InsnCB": {op2, f3c, cr(7), cb}, "InsnCJ": {op2, f3c, cj},
		"Insn16": {u(0, 16)}, "Insn32": {u(0, 32)},
	} {
		if f := a.Forms.Named(name); f != isa.NoForm {
			out[f] = fields
		}
	}
	return out
}

// encode returns the word of an .insn form; ok is false for other forms and operands that don't fit.
func (m insnFormats) encode(regs *registers, in *isa.Inst, addr uint64) (word uint32, size int, ok bool) {
	fields, ok := m[in.Form]
	if !ok || len(fields) != int(in.NOps) {
		return 0, 0, false
	}
	size = 4
	if w := fields[len(fields)-1].runs[0].width; w == 16 {
		size = 2
	}
	for i, f := range fields {
		v := in.Ops[i].Imm
		switch {
		case in.Ops[i].Kind == isa.OpExpr:
			return 0, 0, false
		case f.kind == 'r' || f.kind == 'c':
			_, n := regs.of(in.Ops[i].Reg)
			if v = int64(n); f.kind == 'c' {
				v -= 8
			}
		case f.kind == 'p':
			v -= int64(addr)
		}
		for _, r := range f.runs {
			word |= uint32(uint64(v)>>r.op&(1<<r.width-1)) << r.insn
		}
		if f.kind == 'u' && f.runs[0].insn == 0 && f.runs[0].width == 2 {
			size = 2 // a compressed quadrant
		}
	}
	return word, size, true
}
