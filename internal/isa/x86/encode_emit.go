package x86

import (
	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// memory encodes the five operands of an address into ModRM, SIB and displacement.
func (e *encoder) memory(vector, at int) {
	base, index, disp := e.in.Reg(at), e.in.Reg(at+2), e.value(at+3)
	symbolic := e.in.Ops[at+3].Kind == isa.OpExpr
	e.segment(at + 4)
	ss := e.scale(at + 1)
	e.indexReg(index, vector)
	if base == RIP || base == EIP {
		if index != isa.NoReg {
			e.fail(errOperands)
		}
		e.adsize = base == EIP
		e.modrm[0], e.modrmLen = 5, 1
		e.putDisp(disp, 4)
		return
	}
	if base != isa.NoReg {
		e.baseReg(base)
	}
	sib := base == isa.NoReg || index != isa.NoReg || e.base&7 == 4 || e.s.FSIB
	e.modrm[0], e.modrmLen = e.base&7, 1
	if sib {
		b, x := e.base&7, uint8(4)
		if base == isa.NoReg {
			b = 5
		}
		if index != isa.NoReg && index != RIZ && index != EIZ {
			x = e.index & 7
		}
		e.modrm[0], e.modrm[1], e.modrmLen = 4, ss<<6|x<<3|b, 2
	}
	switch {
	case base == isa.NoReg:
		e.putDisp(disp, 4)
	case symbolic || e.in.Prefix&isa.PfxDisp32 != 0 || !fitsDisp8(disp, e.s.Disp8):
		e.modrm[0] |= 0x80
		e.putDisp(disp, 4)
	case disp != 0 || e.base&7 == 5 || e.in.Prefix&isa.PfxDisp8 != 0:
		e.modrm[0] |= 0x40
		e.putDisp(disp>>e.s.Disp8, 1)
	}
}

func (e *encoder) scale(at int) uint8 {
	switch e.value(at) {
	case 0, 1:
		return 0
	case 2:
		return 1
	case 4:
		return 2
	case 8:
		return 3
	}
	e.fail(errOperands)
	return 0
}

// baseReg encodes the base register, which determines the address size.
func (e *encoder) baseReg(r isa.Reg) {
	if int(r) >= len(e.regs) || e.regs[r].class != enc.Class32 && e.regs[r].class != enc.Class64 {
		e.fail(errOperands)
		return
	}
	e.base = e.regs[r].num
	e.adsize = e.adsize || e.regs[r].class == enc.Class32
}

// indexReg encodes the index, which is a vector in gathers and scatters.
func (e *encoder) indexReg(r isa.Reg, vector int) {
	switch {
	case r == isa.NoReg && vector == enc.ClassNone:
		return
	case (r == RIZ || r == EIZ) && vector == enc.ClassNone:
		e.adsize = e.adsize || r == EIZ
		return
	case int(r) >= len(e.regs):
		e.fail(errOperands)
		return
	}
	c := &e.regs[r]
	e.index = c.num
	switch {
	case vector != enc.ClassNone:
		e.vecIndex = true
		if int(c.class) != vector {
			e.fail(errOperands)
		}
	case c.class == enc.Class32:
		e.adsize = true
	case c.class != enc.Class64:
		e.fail(errOperands)
	}
	if vector == enc.ClassNone && c.num == 4 {
		e.fail(errOperands) // the stack pointer cannot be an index
	}
}

// putDisp appends n bytes of displacement. With 32-bit addressing it may be written unsigned.
func (e *encoder) putDisp(v int64, n int) {
	if n == 4 && v != int64(int32(v)) && !(e.adsize && v == int64(uint32(v))) {
		e.fail(errRange)
	}
	for i := 0; i < n; i++ {
		e.modrm[e.modrmLen] = byte(v >> (8 * i))
		e.modrmLen++
	}
}

// emit appends the collected fields.
func (e *encoder) emit(dst []byte) []byte {
	dst = e.legacyPrefixes(dst)
	switch m := e.s.Map; {
	case m < enc.MapVEX:
		dst = e.legacyOpcode(dst)
	case m < enc.MapEVEX:
		dst = e.vex(dst, 0xc4, m-enc.MapVEX)
	case m < enc.MapXOP:
		dst = e.evexOpcode(dst)
	default:
		dst = e.vex(dst, 0x8f, m-enc.MapXOP+8)
	}
	if e.modrmLen > 0 {
		e.modrm[0] |= e.reg & 7 << 3
		if e.modrm[0] >= 0xc0 {
			e.modrm[0] |= e.rm & 7
		}
		dst = append(dst, e.modrm[:e.modrmLen]...)
	}
	return append(dst, e.imm[:e.immLen]...)
}

var segmentBytes = map[isa.Reg]byte{ES: 0x26, CS: 0x2e, SS: 0x36, DS: 0x3e, FS: 0x64, GS: 0x65}

func (e *encoder) legacyPrefixes(dst []byte) []byte {
	p, s := e.in.Prefix, e.s
	if s.Lock || p&isa.PfxLock != 0 {
		dst = append(dst, 0xf0)
	}
	if s.Rep || p&isa.PfxRep != 0 {
		dst = append(dst, 0xf3)
	}
	if p&(isa.PfxRepne|isa.PfxBnd) != 0 {
		dst = append(dst, 0xf2)
	}
	if s.NoTrack || p&isa.PfxNotrack != 0 {
		dst = append(dst, 0x3e)
	}
	if e.seg != isa.NoReg {
		dst = append(dst, segmentBytes[e.seg])
	}
	if e.adsize || s.AdSize == 32 || p&isa.PfxAddr32 != 0 {
		dst = append(dst, 0x67)
	}
	if s.Map >= enc.MapVEX {
		return dst
	}
	if s.Prefix == enc.Prefix66 || s.OpSize == 16 || p&isa.PfxData16 != 0 {
		dst = append(dst, 0x66)
	}
	switch s.Prefix {
	case enc.PrefixF3:
		dst = append(dst, 0xf3)
	case enc.PrefixF2:
		dst = append(dst, 0xf2)
	}
	return dst
}

// extBits returns the bits of REX, with the bits for registers 16 to 31 one nibble higher.
func (e *encoder) extBits() byte {
	b := e.base
	if e.modrm[0] >= 0xc0 || e.modrmLen == 0 {
		b = e.rm | e.opreg
	}
	bits := func(n uint8, bit byte) byte {
		out := byte(0)
		if n&8 != 0 {
			out |= bit
		}
		if n&16 != 0 {
			out |= bit << 4
		}
		return out
	}
	return bits(e.reg, rexR) | bits(e.index, rexX) | bits(b, rexB)
}

func (e *encoder) legacyOpcode(dst []byte) []byte {
	x := e.extBits()
	if e.s.W || e.in.Prefix&isa.PfxRexW != 0 {
		x |= rexW
	}
	switch {
	case x&0xf0 != 0 || e.s.Rex2:
		if e.s.Map > enc.Map0F {
			e.fail(errExtended)
		}
		if e.s.Map == enc.Map0F {
			x |= 0x80
		}
		if e.noRex {
			e.fail(errHighByte)
		}
		return append(dst, 0xd5, x, e.opcode)
	case x != 0 || e.rex:
		if e.noRex {
			e.fail(errHighByte)
		}
		dst = append(dst, 0x40|x)
	}
	switch e.s.Map {
	case enc.Map0F:
		dst = append(dst, 0x0f)
	case enc.Map0F38:
		dst = append(dst, 0x0f, 0x38)
	case enc.Map0F3A:
		dst = append(dst, 0x0f, 0x3a)
	}
	return append(dst, e.opcode)
}

// pp is the mandatory prefix as VEX, EVEX and XOP encode it.
func (e *encoder) pp() byte {
	if e.s.OpSize == 16 {
		return 1
	}
	return [...]byte{0, 0, 1, 2, 3}[e.s.Prefix]
}

func (e *encoder) wBit() byte {
	if e.s.W {
		return 0x80
	}
	return 0
}

func (e *encoder) vex(dst []byte, first, opmap byte) []byte {
	x := e.extBits()
	if x&0xf0 != 0 || e.vvvv > 15 {
		e.fail(errExtended)
	}
	if e.noRex {
		e.fail(errHighByte)
	}
	tail := ^e.vvvv&15<<3 | e.length&1<<2 | e.pp()
	if first == 0xc4 && opmap == 1 && x&(rexX|rexB) == 0 && !e.s.W && e.in.Prefix&isa.PfxVEX3 == 0 {
		return append(dst, 0xc5, ^x<<5&0x80|tail, e.opcode)
	}
	return append(dst, first, ^x<<5&0xe0|opmap, e.wBit()|tail, e.opcode)
}

// evexOpcode emits EVEX. The fifth bit of a vector in ModRM.rm is X, that of a vector index is V'.
func (e *encoder) evexOpcode(dst []byte) []byte {
	x := e.extBits()
	v4 := e.vvvv & 16
	p0 := ^x<<5&0xe0 | ^x>>2&0x10 | (e.s.Map - enc.MapEVEX)
	p1 := e.wBit() | ^e.vvvv&15<<3 | 4 | e.pp()
	b4, x4 := x>>4&rexB != 0, x>>4&rexX != 0
	if e.vecRM && e.modrm[0] >= 0xc0 && b4 {
		p0, b4 = p0&^0x40, false
	}
	if e.vecIndex && x4 {
		v4, x4 = 16, false
	}
	if b4 {
		p0 |= 8
	}
	if x4 {
		p1 &^= 4
	}
	p2 := e.length<<5 | ^v4>>1&8 | e.aaa
	if e.s.NF {
		p2 |= 4
	}
	if e.s.B {
		p2 |= 0x10
	}
	if e.s.Z {
		p2 |= 0x80
	}
	if e.noRex {
		e.fail(errHighByte)
	}
	return append(dst, 0x62, p0, p1, p2, e.opcode)
}
