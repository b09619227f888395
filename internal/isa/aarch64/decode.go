package aarch64

import (
	"errors"
	"fmt"

	"incore/internal/isa"
)

var errShort = errors.New("code ends within an instruction")

// UnallocatedError reports an instruction word that no form encodes.
type UnallocatedError struct{ Word uint32 }

func (e *UnallocatedError) Error() string { return fmt.Sprintf("unallocated encoding %08x", e.Word) }

// decode reads one instruction; see isa.ISA.Decode.
func (a *arch) decode(code []byte, addr uint64, in *isa.Inst) (int, error) {
	if len(code) < 4 {
		return len(code), errShort
	}
	word := uint32(code[0]) | uint32(code[1])<<8 | uint32(code[2])<<16 | uint32(code[3])<<24
	l := a.enc.Candidates(word)
	for i := 0; i < l.Len(); i++ {
		e := int(l.At(i))
		if word&a.enc.Mask(e) != a.enc.Value(e) || a.skip[e] {
			continue
		}
		*in = isa.Inst{Form: a.enc.Form(e), Size: 4}
		if a.decodeOperands(a.plan(e), word, addr, in) {
			return 4, nil
		}
	}
	*in = isa.Inst{}
	return 4, &UnallocatedError{word}
}

// decodeOperands fills the MC operands; it fails on values that the form does not have.
func (a *arch) decodeOperands(p *plan, word uint32, addr uint64, in *isa.Inst) bool {
	tied := false
	for i := range p.ops {
		c := &p.ops[i]
		switch c.kind {
		case cdFixedReg:
			in.AddReg(c.reg)
			continue
		case cdFixedImm:
			in.AddImm(c.arg)
			continue
		case cdTied: // filled below: the other operand may follow later
			tied = true
			in.Add(isa.Operand{})
			continue
		}
		v := c.extract(word)
		switch c.kind {
		case cdReg:
			if int(v) >= c.regs.Len() {
				return false
			}
			in.AddReg(isa.Reg(c.regs.At(int(v))))
		case cdRegPair:
			if v%2 != 0 || int(v/2) >= c.regs.Len() {
				return false
			}
			in.AddReg(isa.Reg(c.regs.At(int(v / 2))))
		case cdRaw:
			in.AddImm(int64(v))
		default:
			if !c.decodeImm(v, addr, in) {
				return false
			}
		}
	}
	if tied {
		for mc, i := 0, 0; i < len(p.ops); i++ {
			if c := &p.ops[i]; c.kind == cdTied {
				in.Ops[mc] = in.Ops[c.arg]
			}
			mc += p.ops[i].mcOps()
		}
	}
	return !p.distinct || allDistinct(in)
}

// allDistinct reports whether the last three operands are different registers.
func allDistinct(in *isa.Inst) bool {
	o := in.Ops[in.NOps-3 : in.NOps]
	return o[0].Reg != o[1].Reg && o[1].Reg != o[2].Reg && o[0].Reg != o[2].Reg
}

// mcOps is the number of MC operands that a codec covers.
func (c *opCodec) mcOps() int {
	switch c.kind {
	case cdAddSubImm, cdSVEImm, cdMemExtend:
		return 2
	}
	return 1
}

// decodeImm decodes the immediates that are not plain numbers.
func (c *opCodec) decodeImm(v uint32, addr uint64, in *isa.Inst) bool {
	signed := int64(int32(v<<(32-c.width)) >> (32 - c.width))
	switch c.kind {
	case cdSigned:
		in.AddImm(signed)
	case cdFromTop:
		in.AddImm(int64(1)<<c.width - int64(v))
	case cdPlus:
		in.AddImm(int64(v) + c.arg)
	case cdScale:
		in.AddImm(int64(v) * c.arg)
	case cdOr:
		in.AddImm(int64(v) | c.arg)
	case cdBranch:
		in.AddImm(int64(addr) + signed*4)
	case cdBranchBack:
		in.AddImm(int64(addr) - int64(v)*4)
	case cdAdr:
		in.AddImm(int64(addr) + signed)
	case cdAdrp:
		in.AddImm(int64(addr&^0xfff) + signed<<12)
	case cdAddSubImm:
		if v>>13 != 0 {
			return false
		}
		in.AddImm(int64(v & 0xfff))
		in.AddImm(int64(v >> 12 * 12))
	case cdSVEImm:
		if v>>8 != 0 && c.arg&2 != 0 {
			return false
		}
		imm := int64(uint8(v))
		if c.arg&1 != 0 {
			imm = int64(int8(v))
		}
		in.AddImm(imm)
		in.AddImm(int64(v >> 8 * 8))
	case cdMemExtend:
		in.AddImm(int64(v >> 1))
		in.AddImm(int64(v & 1))
	case cdMSL:
		in.AddImm(int64(shMSL-shLSL)<<6 | int64(8+8*v))
	case cdLogical:
		if _, ok := decodeLogical(v, uint(c.arg)); !ok {
			return false
		}
		in.AddImm(int64(v))
	case cdShiftW:
		if v&0x3f >= uint32(c.arg&0xff) || c.arg&256 != 0 && v>>6 == 3 {
			return false
		}
		in.AddImm(int64(v))
	case cdExtend:
		if v&7 > 4 {
			return false
		}
		in.AddImm(int64(v) | c.arg)
	case cdPState:
		if _, ok := namedValue(c.table, int64(v)); !ok {
			return false
		}
		in.AddImm(int64(v))
	case cdMovShift:
		if int64(v) >= c.arg {
			return false
		}
		in.AddImm(int64(v))
	default:
		return false
	}
	return true
}
