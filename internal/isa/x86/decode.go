package x86

import (
	"errors"

	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// Errors of decode.
var (
	errUndefined = errors.New("undefined instruction")
	errTruncated = errors.New("truncated instruction")
)

// maxSize is the longest legal instruction.
const maxSize = 15

// Bits of REX, and of the same extensions in VEX and EVEX (here not inverted).
const (
	rexB = 1 << iota
	rexX
	rexR
	rexW
)

// decoder is the state of decoding one instruction.
type decoder struct {
	code []byte // at most maxSize bytes
	pos  int
	addr uint64
	in   *isa.Inst
	c    *codec

	rep    byte // last of F2 and F3, 0 if none
	lock   bool
	opsize bool
	adsize bool
	seg    isa.Reg
	rex    byte // 0x4x as found; 0 if none
	w      bool
	rx     uint8 // register extension: value that R and R' add to ModRM.reg
	xx, bx uint8 // register extensions of SIB.index, and of ModRM.rm or SIB.base
	bv, xv uint8 // EVEX: 16 to add for a vector in rm (X), and for a vector index (V')
	vvvv   uint8
	length uint8 // vector length, or rounding control
	aaa    uint8
	b, z   bool
	vector bool // VEX, EVEX or XOP
	rex2   bool
	evex   bool
	pp     uint8
	opmap  int
	opcode byte
	modrm  byte
	is4    uint8 // the byte of an OpIs4
	short  bool  // the code ended too early
	mem    address
}

// address is a decoded memory operand.
type address struct {
	base, index isa.Reg
	scale       uint8
	disp        int64
}

// decode reads the instruction at the start of code, located at addr. Branch
// targets become absolute addresses. On failure it returns the bytes to skip
// and whether the bytes are undefined or cut off.
func decode(code []byte, addr uint64, in *isa.Inst) (int, error) {
	*in = isa.Inst{}
	d := decoder{code: code, addr: addr, in: in, c: codes()}
	if len(code) > maxSize {
		d.code = code[:maxSize]
	}
	if err := d.run(); err != nil {
		*in = isa.Inst{}
		if d.short && len(code) < maxSize {
			return len(code), errTruncated
		}
		return min(1, len(code)), errUndefined
	}
	in.Size = uint8(d.pos)
	return d.pos, nil
}

// next returns the next byte; past the end it returns 0 and sets short.
func (d *decoder) next() byte {
	if d.pos >= len(d.code) {
		d.short = true
		return 0
	}
	b := d.code[d.pos]
	d.pos++
	return b
}

func (d *decoder) peek() byte {
	if d.pos >= len(d.code) {
		return 0
	}
	return d.code[d.pos]
}

func (d *decoder) run() error {
	op := d.prefixes()
	if !d.opcodeMap(op) || d.short {
		return errUndefined
	}
	d.modrm = d.peek()
	key := d.key()
	form := d.c.find(d.opmap<<8|int(d.opcode), key)
	if form == isa.NoForm {
		return errUndefined
	}
	f := &d.c.forms[form]
	s := &d.c.sigs[f.sig]
	if key&s.mask != s.value {
		return errUndefined
	}
	d.in.Form = form
	if !d.operands(s, d.c.plans[f.plan]) || d.short {
		return errUndefined
	}
	d.leftover(s)
	return nil
}

// prefixes reads legacy prefixes and REX and returns the byte after them.
func (d *decoder) prefixes() byte {
	for {
		b := d.next()
		if b < 0x26 { // most opcodes are no prefixes: decide early
			return b
		}
		switch b {
		case 0x66:
			d.opsize = true
		case 0x67:
			d.adsize = true
		case 0xf0:
			d.lock = true
		case 0xf2, 0xf3:
			d.rep = b
		case 0x26:
			d.seg = ES
		case 0x2e:
			d.seg = CS
		case 0x36:
			d.seg = SS
		case 0x3e:
			d.seg = DS
		case 0x64:
			d.seg = FS
		case 0x65:
			d.seg = GS
		default:
			if b&0xf0 == 0x40 { // REX counts only right before the opcode
				for b&0xf0 == 0x40 && !d.short {
					d.rex = b
					b = d.next()
				}
				if isPrefix(b) {
					d.rex = 0
					d.pos--
					continue
				}
				d.extend(d.rex)
			}
			return b
		}
	}
}

func isPrefix(b byte) bool {
	switch b {
	case 0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65:
		return true
	}
	return false
}

// extend stores the bits W, R, X, B.
func (d *decoder) extend(rex byte) {
	d.w = rex&rexW != 0
	d.rx = rex & rexR << 1
	d.xx = rex & rexX << 2
	d.bx = rex & rexB << 3
}

// opcodeMap finds map and opcode from the first byte after the prefixes.
func (d *decoder) opcodeMap(op byte) bool {
	switch op {
	case 0x0f:
		d.opmap, d.opcode = enc.Map0F, d.next()
		switch d.opcode {
		case 0x38:
			d.opmap, d.opcode = enc.Map0F38, d.next()
		case 0x3a:
			d.opmap, d.opcode = enc.Map0F3A, d.next()
		}
		return true
	case 0xc4, 0xc5, 0x62, 0x8f:
		if op == 0x8f && d.peek()&0x1f < 8 {
			break // pop
		}
		if d.rex != 0 || d.rep != 0 || d.opsize || d.lock {
			return false
		}
		d.vector = true
		switch op {
		case 0xc5:
			return d.vex2()
		case 0x62:
			return d.evexPrefix()
		}
		return d.vex3(op)
	case 0xd5:
		return d.rex2Prefix()
	}
	d.opmap, d.opcode = enc.MapPrimary, op
	return true
}

func (d *decoder) vex2() bool {
	p := d.next()
	d.rx = ^p >> 4 & 8
	d.vvvv, d.length, d.pp = ^p>>3&15, p>>2&1, p&3
	d.opmap, d.opcode = enc.MapVEX+1, d.next()
	return true
}

func (d *decoder) vex3(op byte) bool {
	p, q := d.next(), d.next()
	d.rx, d.xx, d.bx = ^p>>4&8, ^p>>3&8, ^p>>2&8
	d.w, d.vvvv, d.length, d.pp = q&0x80 != 0, ^q>>3&15, q>>2&1, q&3
	d.opcode = d.next()
	m := int(p & 31)
	if op == 0x8f {
		d.opmap = enc.MapXOP + m - 8
		return m <= 10
	}
	d.opmap = enc.MapVEX + m
	return m >= 1 && m <= 7
}

// evexPrefix reads P0 to P2; B4 and X4 of APX are bit 3 of P0 and (inverted) bit 2 of P1.
func (d *decoder) evexPrefix() bool {
	p0, p1, p2 := d.next(), d.next(), d.next()
	d.opcode = d.next()
	d.evex = true
	d.rx = ^p0>>4&8 | ^p0&0x10
	d.xx = ^p0>>3&8 | ^p1<<2&0x10
	d.bx = ^p0>>2&8 | p0<<1&0x10
	d.bv = ^p0 >> 2 & 0x10
	d.xv = ^p2 << 1 & 0x10
	d.vvvv = ^p1>>3&15 | d.xv
	d.w, d.pp = p1&0x80 != 0, p1&3
	d.z, d.length, d.b, d.aaa = p2&0x80 != 0, p2>>5&3, p2&0x10 != 0, p2&7
	m := int(p0 & 7)
	d.opmap = enc.MapEVEX + m
	return m >= 1
}

// rex2Prefix reads the payload of APX's REX2.
func (d *decoder) rex2Prefix() bool {
	if d.rex != 0 {
		return false
	}
	p := d.next()
	d.rex2, d.rex = true, 0x40
	d.extend(p)
	d.rx |= p >> 2 & 0x10
	d.xx |= p >> 1 & 0x10
	d.bx |= p & 0x10
	d.opmap, d.opcode = enc.MapPrimary, d.next()
	if p&0x80 != 0 {
		d.opmap = enc.Map0F
	}
	return true
}

// key returns the bits that select a form in addition to map and opcode.
func (d *decoder) key() uint32 {
	var k uint32
	if d.vector {
		k = uint32(d.pp)
	} else {
		if d.opsize {
			k = enc.Key66
		}
		switch d.rep {
		case 0xf3:
			k |= enc.KeyF3
		case 0xf2:
			k |= enc.KeyF2
		}
	}
	if d.w {
		k |= enc.KeyW
	}
	if d.evex {
		if d.b {
			k |= enc.KeyB
		}
		if d.z {
			k |= enc.KeyZ
		}
		if d.aaa != 0 {
			k |= enc.KeyK
		}
	}
	if d.modrm >= 0xc0 {
		k |= enc.KeyMod3
	}
	if d.adsize {
		k |= enc.Key67
	}
	if d.bx != 0 {
		k |= enc.KeyRexB
	}
	if d.rex2 {
		k |= enc.KeyRex2
	}
	return k | uint32(d.length)<<enc.KeyLShift | uint32(d.modrm>>3&7)<<enc.KeyRegShift | uint32(d.modrm&7)<<enc.KeyRMShift
}

// leftover records prefixes that are not part of the form or its operands.
func (d *decoder) leftover(s *sigInfo) {
	var p isa.Prefix
	if d.vector {
		return
	}
	if d.lock && !s.Lock {
		p |= isa.PfxLock
	}
	if d.rep == 0xf3 && s.Prefix != enc.PrefixF3 && !s.Rep {
		p |= isa.PfxRep
	}
	if d.rep == 0xf2 && s.Prefix != enc.PrefixF2 {
		p |= isa.PfxRepne
		if d.c.forms[d.in.Form].branch {
			p = p&^isa.PfxRepne | isa.PfxBnd
		}
	}
	if d.opsize && s.OpSize != 16 && s.Prefix != enc.Prefix66 {
		p |= isa.PfxData16
	}
	if d.w && !s.W {
		p |= isa.PfxRexW
	}
	if d.notrack() {
		p |= isa.PfxNotrack
	}
	d.in.Prefix |= p
}

// notrack reports whether a DS prefix means that an indirect branch needs no landing pad (CET).
func (d *decoder) notrack() bool {
	return d.seg == DS && d.opmap == enc.MapPrimary && d.opcode == 0xff && (d.modrm>>3&7 == 2 || d.modrm>>3&7 == 4)
}
