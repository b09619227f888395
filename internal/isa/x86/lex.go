package x86

import "incore/internal/isa"

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'
}

// isSymbolStart and isSymbolPart report whether a character may start or continue a symbol: GNU as's
// characters, those of MSVC's decorated names, and all non-ASCII characters.
func isSymbolStart(c byte) bool {
	return isLetter(c) || c == '_' || c == '.' || c == '?' || c == '@' || c >= 0x80
}

func isSymbolPart(c byte) bool {
	return isSymbolStart(c) || c >= '0' && c <= '9' || c == '$'
}

// foldEqual compares ASCII strings without regard to case; the lengths must match.
func foldEqual(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// lowerInto appends s in lower case.
func lowerInto(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		dst = append(dst, lower(s[i]))
	}
	return dst
}

// clip shortens text for messages.
func clip(s string) string {
	if len(s) > 40 {
		return s[:37] + "..."
	}
	return s
}

func (p *parser) space() {
	for p.pos < len(p.src) && isSpace(p.src[p.pos]) {
		p.pos++
	}
}

func (p *parser) at(c byte) bool { return p.pos < len(p.src) && p.src[p.pos] == c }

// expect skips blanks and the character c.
func (p *parser) expect(c byte) bool {
	p.space()
	if !p.at(c) {
		return p.fail("'" + string(rune(c)) + "' expected")
	}
	p.pos++
	return true
}

// peekWord returns the letters, digits, underscores and dots at the cursor.
func (p *parser) peekWord() string {
	i := p.pos
	for i < len(p.src) && (isLetter(p.src[i]) || p.src[i] >= '0' && p.src[i] <= '9' || p.src[i] == '_' || p.src[i] == '.') {
		i++
	}
	return p.src[p.pos:i]
}

// fail records the first error and its column; it always returns false.
func (p *parser) fail(msg string) bool {
	if p.msg == "" {
		p.msg, p.col = msg, p.pos+1
	}
	return false
}

// register parses a register name (without %), for example rax or st(1).
func (p *parser) register() (isa.Reg, bool) {
	start := p.pos
	for p.pos < len(p.src) && (isLetter(p.src[p.pos]) || p.src[p.pos] >= '0' && p.src[p.pos] <= '9') {
		p.pos++
	}
	r := db().spelled.find(p.src[start:p.pos])
	if r == 0 {
		name := p.src[start:p.pos]
		p.pos = start
		return 0, p.fail("unknown register '" + clip(name) + "'")
	}
	if r == ST0 {
		return p.stackRegister()
	}
	return r, true
}

// stackRegister parses the optional number after st: (0) to (7).
func (p *parser) stackRegister() (isa.Reg, bool) {
	save := p.pos
	p.space()
	if !p.at('(') {
		p.pos = save
		return ST0, true
	}
	p.pos++
	p.space()
	if p.pos >= len(p.src) || p.src[p.pos] < '0' || p.src[p.pos] > '7' {
		return 0, p.fail("stack register number from 0 to 7 expected")
	}
	r := ST0 + isa.Reg(p.src[p.pos]-'0')
	p.pos++
	return r, p.expect(')')
}
