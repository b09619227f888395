package riscv

import (
	"encoding/binary"
	"errors"

	"incore/internal/isa"
)

// Errors of Decode.
var (
	errTruncated = errors.New("truncated instruction")
	errNoForm    = errors.New("no known instruction has this encoding")
)

// decode implements isa.ISA.Decode. Bytes that are no instruction are counted by their
// length bits (2, 4, 6 or 8) and reported with errNoForm.
func (c *coder) decode(code []byte, addr uint64, in *isa.Inst) (int, error) {
	in.Form, in.NOps, in.Size, in.Prefix, in.VType = isa.NoForm, 0, 0, 0, isa.VType{}
	if len(code) < 2 {
		return len(code), errTruncated
	}
	word, n := uint32(binary.LittleEndian.Uint16(code)), 2
	switch {
	case word&3 != 3:
	case word&0x1c != 0x1c:
		n = 4
	case word&0x3f == 0x1f:
		n = 6
	default:
		n = 8
	}
	if len(code) < n {
		return len(code), errTruncated
	}
	if n > 4 {
		return n, errNoForm
	}
	if n == 4 {
		word = binary.LittleEndian.Uint32(code)
	}
	cand := c.Candidates(word)
	for i := range cand.Len() {
		p := &c.plans[cand.At(i)]
		if word&p.mask == p.value && !p.skip && int(p.size) == n && c.operands(p, word, addr, in) {
			in.Form, in.NOps, in.Size = p.form, uint8(len(p.ops)), p.size
			return n, nil
		}
	}
	return n, errNoForm
}

// operands fills the MC operands from a word; false if a field's value is not legal.
func (c *coder) operands(p *plan, word uint32, addr uint64, in *isa.Inst) bool {
	for i := range p.ops {
		o, dst := &p.ops[i], &in.Ops[i]
		raw := uint32(0)
		for _, r := range o.runs {
			raw |= word >> r.insn & (1<<r.width - 1) << r.op
		}
		dst.Kind, dst.Reg, dst.Imm, dst.Expr = isa.OpReg, isa.NoReg, 0, nil
		switch o.code {
		case opRegister:
			if dst.Reg = o.table[raw&31]; dst.Reg == isa.NoReg {
				return false
			}
		case opMask:
			if raw == 0 {
				dst.Reg = o.reg
			}
		case opFixedReg:
			dst.Reg = o.reg
		case opSame: // filled below: the other operand may follow later
		case opFixedImm:
			dst.Kind, dst.Imm = isa.OpImm, o.imm
		case opTwoRegs:
			dst.Reg = c.regs.x[raw&31]
			in.Ops[i+1] = isa.Operand{Kind: isa.OpReg, Reg: c.regs.x[raw>>5&31]}
			return true
		default:
			v := int64(raw)
			if o.signed {
				v = signExtend(v, int(o.width))
			}
			v <<= o.shift
			if o.code == opUpper && v >= 32 {
				v += 1<<20 - 1<<6
			}
			if !o.legal.holds(v) {
				return false
			}
			if o.code == opDistance {
				v += int64(addr)
			}
			dst.Kind, dst.Imm = isa.OpImm, v
		}
	}
	for i := range p.ops {
		if p.ops[i].code == opSame {
			in.Ops[i] = in.Ops[p.ops[i].tied]
		}
	}
	return true
}
