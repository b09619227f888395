package x86

import (
	"strings"

	"incore/internal/isa"
)

// intelOperand parses one operand of Intel syntax with its decorations.
func (p *parser) intelOperand() bool {
	p.space()
	if p.at('{') {
		return p.braced()
	}
	if p.annotatedTarget() {
		return true
	}
	p.brackets, p.within, p.seg, p.offset = 0, 0, isa.NoReg, false
	start := p.pos
	size, broadcast := p.intelSize()
	sized := size != 0 && !foldEqual(lastWord(p.src[start:p.pos]), "ptr") // NASM gives immediates a size, too: "byte 5"
	from := p.pos
	p.flat()
	v, ok := p.expr(0)
	if !ok {
		return false
	}
	if p.space(); p.at(':') && isSegment(v.base) && v.index == 0 && !v.hasSym {
		p.pos++
		p.seg = v.base
		p.space()
		from = p.pos
		if v, ok = p.expr(0); !ok {
			return false
		}
	}
	size = max(size, p.within)
	switch {
	case p.brackets == 0 && v.base != 0 && v.index == 0 && !v.hasSym && v.add == 0 && p.seg == 0:
		if size != 0 {
			return p.fail("memory operand expected after its size")
		}
		p.push(asmOp{kind: asmReg, reg: v.base})
	case p.brackets == 0 && p.seg == 0 && (p.offset && v.base|v.index == 0 || (size == 0 || sized) && v.constant()):
		o := asmOp{kind: asmImm, val: v.add}
		if v.hasSym {
			o.expr = p.symbolic(&v, from, p.pos)
		}
		p.push(o)
	default:
		p.intelMemory(&v, size, from)
	}
	if broadcast {
		p.token(anyBroadcast)
	}
	return p.decorations()
}

func (p *parser) intelMemory(v *value, size uint16, from int) {
	o := asmOp{kind: asmMem, seg: p.seg, base: v.base, index: v.index, scale: v.scale, val: v.add, size: size}
	c := db().class
	vector := func(r isa.Reg) bool { return c[r]&(isXMM|isYMM|isZMM) != 0 }
	switch {
	case o.index == 0 && vector(o.base):
		o.base, o.index = 0, o.base
	case !v.scaled && o.index != 0 && (vector(o.base) && !vector(o.index) || o.index == RSP || o.index == ESP):
		o.base, o.index = o.index, o.base
	}
	if o.index == 0 || !v.scaled {
		o.scale = 1
	}
	if v.hasSym {
		o.expr = p.symbolic(v, from, p.pos)
	}
	o.bare = p.brackets == 0 && size == 0 && o.seg|o.base|o.index == 0
	p.push(o)
}

// intelSize parses the words before a memory operand or branch target: its size
// in bits (0 if none is given), distance and ptr. broadcast is set by bcst.
func (p *parser) intelSize() (size uint16, broadcast bool) {
	for {
		p.space()
		word := p.peekWord()
		if len(word) < 3 || len(word) > 7 {
			return size, broadcast
		}
		var buf [8]byte
		w := lowerInto(buf[:0], word)
		n, known := sizeWord(w)
		if !known {
			return size, broadcast
		}
		// A symbol may have the same name: the word is a size only if an operand follows.
		after := p.pos + len(word)
		for after < len(p.src) && isSpace(p.src[after]) {
			after++
		}
		if string(w) != "ptr" && (after >= len(p.src) || strings.IndexByte(",:+-", p.src[after]) >= 0 && !p.withSign(p.pos+len(word), after)) {
			return size, broadcast
		}
		p.pos = after
		if n != 0 {
			size = n
		}
		broadcast = broadcast || string(w) == "bcst"
	}
}

// withSign reports whether a number with a sign follows a word: blanks, the sign and a digit, as in NASM's "byte -2".
func (p *parser) withSign(word, sign int) bool {
	return sign > word && sign+1 < len(p.src) && (p.src[sign] == '+' || p.src[sign] == '-') && p.src[sign+1] >= '0' && p.src[sign+1] <= '9'
}

// sizeWord returns the size that a word of intelSize states, 0 for words without a size (ptr).
func sizeWord(w []byte) (bits uint16, ok bool) {
	switch string(w) {
	case "ptr", "short", "near", "bcst":
		return 0, true
	case "byte", "sbyte":
		return 8, true
	case "word", "sword":
		return 16, true
	case "dword", "float", "long", "real4", "sdword":
		return 32, true
	case "fword", "far":
		return 48, true
	case "qword", "mmword", "double", "real8", "sqword":
		return 64, true
	case "tbyte", "xword", "real10":
		return 80, true
	case "xmmword", "oword":
		return 128, true
	case "ymmword":
		return 256, true
	case "zmmword":
		return 512, true
	}
	return 0, false
}

// flat skips the segment name that GCC and MSVC write before symbols.
func (p *parser) flat() {
	p.space()
	if p.pos+5 <= len(p.src) && foldEqual(p.src[p.pos:p.pos+5], "flat:") {
		p.pos += 5
		p.space()
	}
}
