package x86

import (
	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// operands makes the MC operands by the form's plan; false means that the bytes are undefined.
func (d *decoder) operands(s *sigInfo, plan []enc.Step) bool {
	if s.ModRM != enc.ModRMNone {
		d.next() // the ModRM byte, peeked at before
		if s.ModRM == enc.ModRMMem {
			if d.modrm&7 != 4 && vectorIndex(plan) != enc.ClassNone { // only a SIB byte names one
				return false
			}
			d.memory(s, plan)
		}
	}
	if !s.V && !d.vvvvFree(s, plan) {
		return false
	}
	if s.NF && d.aaa != 4 {
		return false
	}
	ok := true
	for _, st := range plan {
		ok = d.operand(st) && ok
	}
	return ok
}

// vvvvFree reports whether vvvv is used by the form or empty, as an unused vvvv must be.
func (d *decoder) vvvvFree(s *sigInfo, plan []enc.Step) bool {
	if d.vvvv == 0 || s.TwoCond {
		return true
	}
	for _, st := range plan {
		switch st.Op() {
		case enc.OpVVVV: // the signatures of gathers do not state it
			return true
		case enc.OpMem:
			if st.Class() != enc.ClassNone && d.vvvv == 0x10 { // V' belongs to the vector index
				return true
			}
		}
	}
	return false
}

// operand appends the MC operands of one step.
func (d *decoder) operand(st enc.Step) bool {
	class := st.Class()
	switch st.Op() {
	case enc.OpReg:
		return d.reg(class, d.modrm>>3&7|d.rx)
	case enc.OpRM:
		n := d.modrm&7 | d.bx
		if class >= enc.ClassXMM && class <= enc.ClassZMM {
			n |= d.bv
		}
		return d.reg(class, n)
	case enc.OpVVVV:
		return d.reg(class, d.vvvv)
	case enc.OpOpcode:
		return d.reg(class, d.opcode&7|d.bx)
	case enc.OpIs4:
		d.is4 = d.next()
		return d.reg(class, d.is4>>4)
	case enc.OpMask:
		return d.reg(class, d.aaa)
	case enc.OpTied:
		if st.Arg() >= int(d.in.NOps) {
			return false
		}
		d.in.Add(d.in.Ops[st.Arg()])
	case enc.OpMem:
		d.in.AddReg(d.mem.base)
		d.in.AddImm(int64(d.mem.scale))
		d.in.AddReg(d.mem.index)
		d.in.AddImm(d.mem.disp)
		d.in.AddReg(d.segment())
	case enc.OpImm:
		d.in.AddImm(d.immediate(class, st.Arg()))
	case enc.OpRel:
		rel := d.immediate(enc.ImmSigned, st.Arg())
		d.in.AddImm(int64(d.addr) + int64(d.pos) + rel)
	case enc.OpCC:
		d.in.AddImm(int64(d.opcode & 15))
	case enc.OpSCC:
		d.in.AddImm(int64(d.aaa | ^d.vvvv>>1&8))
	case enc.OpDFV:
		d.in.AddImm(int64(^d.vvvv & 15))
	case enc.OpRC:
		d.in.AddImm(int64(d.length))
	case enc.OpMoffs:
		d.in.AddImm(d.immediate(enc.ImmUnsigned, st.Arg()))
		d.in.AddReg(d.segment())
	case enc.OpSrcIdx:
		d.in.AddReg(d.pointer(RSI, ESI))
		d.in.AddReg(d.segment())
	case enc.OpDstIdx:
		d.in.AddReg(d.pointer(RDI, EDI))
	}
	return true
}

func (d *decoder) pointer(wide, narrow isa.Reg) isa.Reg {
	if d.adsize {
		return narrow
	}
	return wide
}

func (d *decoder) segment() isa.Reg {
	if d.notrack() {
		return isa.NoReg
	}
	return d.seg
}

// reg appends register n of a class; false means that the class has no such number.
func (d *decoder) reg(class int, n uint8) bool {
	switch class {
	case enc.Class8:
		if d.rex == 0 && !d.vector && n >= 4 && n < 8 {
			d.in.AddReg(highBytes[n-4])
			return true
		}
	case enc.ClassMMX, enc.ClassST, enc.ClassSeg:
		n &= 7 // the extension bits are ignored
	case enc.ClassXMM:
		if d.rex2 {
			n &= 15 // REX2's highest bits count for general-purpose registers alone (Intel's APX specification, as LLVM's pull request 82584 quotes it)
		}
	}
	r := classRegs[class][n&31]
	if r == isa.NoReg {
		return false
	}
	d.in.AddReg(r)
	return true
}

// immediate reads n bytes.
func (d *decoder) immediate(kind, n int) int64 {
	if kind == enc.ImmNibble {
		return int64(d.is4 & 15)
	}
	if d.pos+n > len(d.code) {
		d.short = true
		return 0
	}
	b := d.code[d.pos:]
	d.pos += n
	var v int64
	switch n {
	case 1:
		v = int64(int8(b[0]))
	case 2:
		v = int64(int16(uint16(b[0]) | uint16(b[1])<<8))
	case 4:
		v = int64(int32(le32(b)))
	default:
		v = int64(uint64(le32(b)) | uint64(le32(b[4:]))<<32)
	}
	if kind == enc.ImmUnsigned && n < 8 {
		v &= 1<<(8*n) - 1
	}
	return v
}

func le32(b []byte) uint32 {
	_ = b[3]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// memory reads SIB and displacement. Redundant encodings of the displacement are
// recorded, so that encoding the instruction again gives the same bytes.
func (d *decoder) memory(s *sigInfo, plan []enc.Step) {
	mod, rm := d.modrm>>6, d.modrm&7
	regs := &classRegs[enc.Class64]
	ip, iz := RIP, RIZ
	if d.adsize {
		regs, ip, iz = &classRegs[enc.Class32], EIP, EIZ
	}
	m := &d.mem
	m.scale = 1
	needed := false // a displacement byte can't be left out
	switch {
	case rm == 4:
		needed = d.sib(s, plan, regs, iz)
	case rm == 5 && mod == 0:
		m.base, m.disp = ip, d.immediate(enc.ImmSigned, 4)
		return
	default:
		m.base = regs[rm|d.bx]
		needed = rm == 5
	}
	switch mod {
	case 0:
		if m.base == isa.NoReg {
			m.disp = d.immediate(enc.ImmSigned, 4)
		}
	case 1:
		m.disp = d.immediate(enc.ImmSigned, 1) << s.Disp8
		if m.disp == 0 && !needed {
			d.in.Prefix |= isa.PfxDisp8
		}
	case 2:
		m.disp = d.immediate(enc.ImmSigned, 4)
		if fitsDisp8(m.disp, s.Disp8) {
			d.in.Prefix |= isa.PfxDisp32
		}
	}
}

// fitsDisp8 reports whether a displacement has an 8-bit encoding with the given scale (log2).
func fitsDisp8(disp int64, scale uint8) bool {
	return disp>>scale<<scale == disp && disp>>scale == int64(int8(disp>>scale))
}

// vectorIndex is the class of the registers that index a gather's or scatter's elements, ClassNone for other forms.
func vectorIndex(plan []enc.Step) int {
	for _, st := range plan {
		if st.Op() == enc.OpMem && st.Class() != enc.ClassNone {
			return st.Class()
		}
	}
	return enc.ClassNone
}

// sib reads the SIB byte and reports whether its base requires a displacement.
func (d *decoder) sib(s *sigInfo, plan []enc.Step, regs *[32]isa.Reg, iz isa.Reg) bool {
	b := d.next()
	m := &d.mem
	m.scale = 1 << (b >> 6)
	noBase := b&7 == 5 && d.modrm>>6 == 0
	if !noBase {
		m.base = regs[b&7|d.bx]
	}
	if class := vectorIndex(plan); class != enc.ClassNone {
		m.index = classRegs[class][b>>3&7|d.xx&8|d.xv]
		return b&7 == 5
	}
	n := b>>3&7 | d.xx
	switch {
	case n != 4:
		m.index = regs[n]
	case !s.FSIB && (m.scale != 1 || m.base != isa.NoReg && b&7 != 4):
		m.index = iz // the zero index shows a redundant SIB byte
	}
	return b&7 == 5
}
