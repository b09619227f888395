package x86

import "incore/internal/isa"

// validate rejects statements that the match table accepts wrongly: addresses that no encoding can
// express in 64-bit mode, and registers that exclude each other.
func (p *parser) validate(d *database) bool {
	high, rex := false, false
	for i := range p.ops[:p.n] {
		o := &p.ops[i]
		switch o.kind {
		case asmReg:
			if constant(o.reg) {
				return p.fail("the instruction pointer is no operand")
			}
			c := d.class[o.reg]
			high = high || isHighByte(o.reg)
			rex = rex || c&(isExtended|isEGPR|isGR64) != 0 || o.reg == SPL || o.reg == BPL || o.reg == SIL || o.reg == DIL
		case asmMem:
			if !p.validAddress(d, o) {
				return false
			}
			rex = rex || (d.class[o.base]|d.class[o.index])&(isExtended|isEGPR) != 0
		}
	}
	if high && rex {
		return p.fail("ah, bh, ch and dh cannot be encoded together with registers that need a REX prefix")
	}
	return true
}

func isHighByte(r isa.Reg) bool { return r == AH || r == BH || r == CH || r == DH }

// validAddress checks base and index registers.
func (p *parser) validAddress(d *database, o *asmOp) bool {
	const vector = isXMM | isYMM | isZMM
	b, x := d.class[o.base], d.class[o.index]
	switch {
	case o.base != 0 && b&(isGR32|isGR64) == 0 && o.base != EIP:
		return p.fail("invalid base register")
	case o.index != 0 && x&(isGR32|isGR64|vector) == 0 && o.index != RIZ && o.index != EIZ,
		o.index == RSP, o.index == ESP, constant(o.index) && o.index != RIZ && o.index != EIZ:
		return p.fail("invalid index register")
	case constant(o.base) && o.index != 0:
		return p.fail("an address relative to the instruction pointer has no index")
	case o.base != 0 && o.index != 0 && x&vector == 0 && (b&isGR64 != 0) != (x&isGR64 != 0 || o.index == RIZ):
		return p.fail("base and index registers differ in size")
	}
	return true
}
