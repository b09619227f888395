package x86

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// attOperand parses one operand of AT&T syntax with its decorations.
func (p *parser) attOperand() bool {
	p.space()
	if p.at('*') {
		p.pos++
		p.token(db().tokens.star)
		p.space()
	}
	if p.pos >= len(p.src) {
		return p.fail("operand expected")
	}
	ok := false
	switch p.src[p.pos] {
	case '%':
		ok = p.attRegister()
	case '$':
		ok = p.attImmediate()
	case '{':
		return p.braced()
	default:
		ok = p.annotatedTarget() || p.attMemory(isa.NoReg)
	}
	return ok && p.decorations()
}

func (p *parser) attRegister() bool {
	p.pos++
	p.space()
	r, ok := p.register()
	if !ok {
		return false
	}
	if isSegment(r) {
		if p.space(); p.at(':') {
			p.pos++
			if p.space(); p.at('*') {
				p.pos++
				p.token(db().tokens.star)
			}
			return p.attMemory(r)
		}
	}
	p.push(asmOp{kind: asmReg, reg: r})
	return true
}

func (p *parser) attImmediate() bool {
	p.pos++
	from := p.pos
	v, ok := p.expr(0)
	if !ok {
		return false
	}
	o := asmOp{kind: asmImm, val: v.add}
	if v.hasSym {
		o.expr = p.symbolic(&v, from, p.pos)
	}
	p.push(o)
	return true
}

// attMemory parses displacement(base, index, scale), every part of it optional,
// or a branch target.
func (p *parser) attMemory(seg isa.Reg) bool {
	o := asmOp{kind: asmMem, seg: seg, scale: 1}
	p.space()
	if !p.atAddress() {
		from := p.pos
		v, ok := p.expr(0)
		if !ok {
			return false
		}
		o.val = v.add
		if v.hasSym {
			o.expr = p.symbolic(&v, from, p.pos)
		}
		p.space()
	}
	if !p.at('(') {
		o.bare = seg == 0
		p.push(o)
		return true
	}
	p.pos++
	if !p.attAddress(&o) || !p.expect(')') {
		return false
	}
	if o.base == DX && o.seg|o.index == 0 && o.val == 0 { // inb (%dx), %al
		o = asmOp{kind: asmReg, reg: DX}
	} else if o.base|o.index == 0 {
		o.bare = seg == 0
	}
	p.push(o)
	return true
}

// atAddress reports whether the parenthesis at the cursor opens an address and not an expression.
func (p *parser) atAddress() bool {
	if !p.at('(') {
		return false
	}
	i := p.pos + 1
	for i < len(p.src) && isSpace(p.src[i]) {
		i++
	}
	return i < len(p.src) && (p.src[i] == '%' || p.src[i] == ',')
}

// attAddress parses base, index and scale within the parentheses.
func (p *parser) attAddress(o *asmOp) bool {
	var ok bool
	if p.space(); p.at('%') {
		p.pos++
		if o.base, ok = p.register(); !ok {
			return false
		}
	}
	if p.space(); !p.at(',') {
		return true
	}
	p.pos++
	if p.space(); p.at('%') {
		p.pos++
		if o.index, ok = p.register(); !ok {
			return false
		}
		if p.space(); !p.at(',') {
			return true
		}
		p.pos++
	}
	if p.space(); p.at(')') {
		return true
	}
	v, ok := p.expr(0)
	if !ok {
		return false
	}
	if !v.constant() || v.add != 1 && v.add != 2 && v.add != 4 && v.add != 8 {
		return p.fail("scale factor must be 1, 2, 4 or 8")
	}
	if o.index != 0 { // a scale without an index register means nothing
		o.scale = uint8(v.add)
	}
	return true
}

// annotatedTarget parses a disassembler's branch target, "401126 <main+0x10>": a
// hexadecimal address and its name.
func (p *parser) annotatedTarget() bool {
	s := p.src[p.pos:]
	n := 0
	for n < len(s) && n <= 16 && (s[n] >= '0' && s[n] <= '9' || s[n] >= 'a' && s[n] <= 'f') {
		n++
	}
	if n == 0 || n > 16 || len(s) < n+4 || s[n] != ' ' || s[n+1] != '<' || !isSymbolStart(s[n+2]) {
		return false
	}
	end := strings.IndexByte(s, '>')
	if end < 0 {
		return false
	}
	addr, err := strconv.ParseUint(s[:n], 16, 64)
	if err != nil {
		return false
	}
	name := s[n+2 : end]
	p.push(asmOp{kind: asmMem, scale: 1, bare: true, val: int64(addr), expr: &isa.Expr{Text: name, Sym: name}})
	p.pos += end + 1
	return true
}

func isSegment(r isa.Reg) bool {
	return r == FS || r == GS || r == CS || r == DS || r == ES || r == SS
}
