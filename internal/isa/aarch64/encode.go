package aarch64

import (
	"encoding/binary"
	"fmt"

	"incore/internal/isa"
)

// encode appends the machine code of an instruction; see isa.ISA.Encode. PC-relative
// operands are addresses (LLVM's distances for an instruction at address 0); symbolic operands cannot be encoded.
func (a *arch) encode(dst []byte, in *isa.Inst, addr uint64) ([]byte, error) {
	e := a.enc.Of(in.Form)
	if e < 0 {
		return dst, fmt.Errorf("%s has no encoding", a.t.FormName(in))
	}
	p, mc := a.plan(e), 0
	word := a.enc.Value(e) | p.ones
	for i := range p.ops {
		c := &p.ops[i]
		n := c.mcOps()
		if mc+n > int(in.NOps) {
			return dst, fmt.Errorf("%s: %d operands are too few", a.t.FormName(in), in.NOps)
		}
		if c.kind == cdTied {
			if x, y := &in.Ops[mc], &in.Ops[c.arg]; x.Kind != y.Kind || x.Reg != y.Reg || x.Imm != y.Imm {
				return dst, fmt.Errorf("%s: operands %d and %d must be the same", a.t.FormName(in), c.arg, mc)
			}
		} else if err := a.encodeOperand(c, in.Ops[mc:mc+n], addr, &word); err != nil {
			return dst, fmt.Errorf("%s: operand %d: %w", a.t.FormName(in), mc, err)
		}
		mc += n
	}
	if mc != int(in.NOps) {
		return dst, fmt.Errorf("%s: %d operands are too many", a.t.FormName(in), in.NOps)
	}
	return binary.LittleEndian.AppendUint32(dst, word), nil
}

func (a *arch) encodeOperand(c *opCodec, o []isa.Operand, addr uint64, word *uint32) error {
	var v int64
	switch c.kind {
	case cdFixedReg:
		if o[0].Kind != isa.OpReg || o[0].Reg != c.reg {
			return fmt.Errorf("must be %s", a.t.Regs.Name(c.reg))
		}
		return nil
	case cdReg, cdRegPair:
		n, ok := c.regNumber(a.r, o[0])
		if !ok {
			return fmt.Errorf("register %s does not fit", a.t.Regs.Name(o[0].Reg))
		}
		v = n
	default:
		for i := range o {
			if o[i].Kind == isa.OpExpr {
				return fmt.Errorf("symbol '%s' has no value", o[i].Expr.Text)
			}
			if o[i].Kind != isa.OpImm {
				return fmt.Errorf("must be a number")
			}
		}
		if c.kind == cdFixedImm {
			if o[0].Imm != c.arg {
				return fmt.Errorf("must be %d", c.arg)
			}
			return nil
		}
		n, ok := c.fieldOf(o, addr)
		if !ok {
			return fmt.Errorf("value %d cannot be encoded", o[0].Imm)
		}
		v = n
	}
	w, ok := c.insert(uint32(v), *word)
	if !ok || v>>32 != 0 {
		return fmt.Errorf("value %d does not fit", v)
	}
	*word = w
	return nil
}

// regNumber finds a register in the class: most classes list their registers by number.
func (c *opCodec) regNumber(r *registers, o isa.Operand) (int64, bool) {
	if o.Kind != isa.OpReg || o.Reg == isa.NoReg {
		return 0, false
	}
	scale := int64(1)
	if c.kind == cdRegPair {
		scale = 2
	}
	if n := int(r.num[o.Reg]); n < c.regs.Len() && isa.Reg(c.regs.At(n)) == o.Reg {
		return int64(n) * scale, true
	}
	for i := 0; i < c.regs.Len(); i++ {
		if isa.Reg(c.regs.At(i)) == o.Reg {
			return int64(i) * scale, true
		}
	}
	if n := int(r.num[o.Reg]); r.file[o.Reg] == filePN && n < c.regs.Len() && r.first[o.Reg] == isa.Reg(c.regs.At(n)) {
		return int64(n), true
	}
	return 0, false
}

// fieldOf computes the bits of an immediate, the inverse of decodeImm.
func (c *opCodec) fieldOf(o []isa.Operand, addr uint64) (v int64, ok bool) {
	imm := o[0].Imm
	signed := func(v int64) (int64, bool) {
		top := v >> (c.width - 1)
		return v & (1<<c.width - 1), top == 0 || top == -1
	}
	switch c.kind {
	case cdRaw, cdPState:
		return imm, imm >= 0
	case cdSigned:
		return signed(imm)
	case cdFromTop:
		v = int64(1)<<c.width - imm
		return v, v >= 0 && v < 1<<c.width
	case cdPlus:
		return imm - c.arg, imm >= c.arg
	case cdScale:
		return imm / c.arg, imm >= 0 && imm%c.arg == 0
	case cdOr:
		return imm &^ c.arg, imm&c.arg == c.arg && imm >= 0
	case cdBranch:
		d := imm - int64(addr)
		v, ok = signed(d >> 2)
		return v, ok && d&3 == 0
	case cdBranchBack:
		d := int64(addr) - imm
		return d >> 2, d >= 0 && d&3 == 0
	case cdAdr:
		return signed(imm - int64(addr))
	case cdAdrp:
		d := imm - int64(addr&^0xfff)
		v, ok = signed(d >> 12)
		return v, ok && d&0xfff == 0
	case cdAddSubImm:
		return imm | o[1].Imm/12<<12, uint64(imm) < 1<<12 && (o[1].Imm == 0 || o[1].Imm == 12)
	case cdSVEImm:
		ok = imm >= 0 && imm < 256 || c.arg&1 != 0 // DUP's signed values count modulo the element
		return imm&0xff | o[1].Imm/8<<8, ok && (o[1].Imm == 0 || o[1].Imm == 8 && c.arg&2 == 0)
	case cdMemExtend:
		return imm<<1 | o[1].Imm, imm>>1 == 0 && o[1].Imm>>1 == 0
	case cdMSL:
		v = imm&^(int64(shMSL-shLSL)<<6)/8 - 1
		return v, v == 0 || v == 1
	case cdLogical:
		if imm < 0 || imm >= 1<<13 {
			return 0, false
		}
		_, ok = decodeLogical(uint32(imm), uint(c.arg))
		return imm, ok
	case cdShiftW:
		return imm, imm >= 0 && imm&0x3f < c.arg&0xff && !(c.arg&256 != 0 && imm>>6 == 3)
	case cdExtend:
		return imm &^ c.arg, imm >= 0 && imm&7 <= 4 && imm&c.arg == c.arg
	case cdMovShift:
		return imm, imm >= 0 && imm < c.arg && imm%16 == 0
	}
	return 0, false
}
