package x86

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// value is the value of an expression: a constant, a symbol plus a
// constant, or (Intel syntax) an address with registers.
type value struct {
	add         int64
	start, end  int32 // text of the symbol with its modifier, if hasSym
	hasSym      bool
	opaque      bool // symbolic, but not a symbol plus a constant
	scaled      bool // index was written with a scale
	scale       uint8
	base, index isa.Reg // base first; index also for a second plain register
}

func (v *value) constant() bool { return !v.hasSym && v.base|v.index == 0 }

// maxDepth bounds the nesting of parentheses and unary operators.
const maxDepth = 64

// binaryOps lists the operators with their precedence (higher binds tighter) in
// GNU as and in Intel syntax, which uses MASM's precedences.
var binaryOps = []struct {
	text  string
	prec  int
	intel int
	do    func(a, b int64) int64
}{
	{"<<", 6, 4, shiftLeft}, {">>", 6, 4, shiftRight},
	{"&&", 1, 1, func(a, b int64) int64 { return truth(a != 0 && b != 0) }},
	{"||", 1, 1, func(a, b int64) int64 { return truth(a != 0 || b != 0) }},
	{"==", 3, 3, equal}, {"!=", 3, 3, unequal}, {"<>", 3, 3, unequal},
	{"<=", 3, 3, lessEqual}, {">=", 3, 3, greaterEqual}, {"<", 3, 3, less}, {">", 3, 3, greater},
	{"*", 6, 6, func(a, b int64) int64 { return a * b }}, {"/", 6, 6, quotient}, {"%", 6, 6, remainder},
	{"|", 5, 0, or}, {"^", 5, 1, xor}, {"&", 5, 2, and},
	{"+", 4, 5, func(a, b int64) int64 { return a + b }}, {"-", 4, 5, func(a, b int64) int64 { return a - b }},
}

// wordOps are the operators that MASM spells as words.
var wordOps = map[string]struct {
	prec int
	do   func(a, b int64) int64
}{
	"shl": {4, shiftLeft}, "shr": {4, shiftRight}, "mod": {6, remainder}, "and": {2, and}, "or": {0, or}, "xor": {1, xor},
	"eq": {3, equal}, "ne": {3, unequal}, "lt": {3, less}, "le": {3, lessEqual}, "gt": {3, greater}, "ge": {3, greaterEqual},
}

func and(a, b int64) int64          { return a & b }
func or(a, b int64) int64           { return a | b }
func xor(a, b int64) int64          { return a ^ b }
func equal(a, b int64) int64        { return truth(a == b) }
func unequal(a, b int64) int64      { return truth(a != b) }
func less(a, b int64) int64         { return truth(a < b) }
func lessEqual(a, b int64) int64    { return truth(a <= b) }
func greater(a, b int64) int64      { return truth(a > b) }
func greaterEqual(a, b int64) int64 { return truth(a >= b) }

// truth is an assembler's comparison result: all ones if true.
func truth(b bool) int64 {
	if b {
		return -1
	}
	return 0
}

func shiftLeft(a, b int64) int64 {
	if b < 0 || b > 63 {
		return 0
	}
	return a << b
}

func shiftRight(a, b int64) int64 {
	if b < 0 || b > 63 {
		return 0
	}
	return int64(uint64(a) >> b)
}

func quotient(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func remainder(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a % b
}

// expr parses an expression whose operators bind at least as tightly as prec.
func (p *parser) expr(prec int) (value, bool) {
	if p.depth++; p.depth > maxDepth {
		return value{}, p.fail("expression nested too deeply")
	}
	defer func() { p.depth-- }()
	a, ok := p.unary()
	for ok {
		p.space()
		op, do, n := p.binaryOp()
		if n == 0 || op < prec {
			break
		}
		kind := p.src[p.pos]
		p.pos += n
		var b value
		if b, ok = p.expr(op + 1); ok {
			a, ok = p.combine(a, b, kind, do)
		}
	}
	return a, ok
}

// binaryOp returns the operator at the cursor; n is its length, 0 if no operator follows.
func (p *parser) binaryOp() (prec int, do func(a, b int64) int64, n int) {
	if p.pos >= len(p.src) {
		return 0, nil, 0
	}
	c := p.src[p.pos]
	if p.intel && isLetter(c) {
		word := p.peekWord()
		if len(word) > 3 {
			return 0, nil, 0
		}
		var buf [4]byte
		if op, ok := wordOps[string(lowerInto(buf[:0], word))]; ok {
			return op.prec, op.do, len(word)
		}
		return 0, nil, 0
	}
	switch c {
	case ',', ')', '(', ']', '[', '{', '}', ':':
		return 0, nil, 0
	}
	for i := range binaryOps {
		if o := &binaryOps[i]; c == o.text[0] && strings.HasPrefix(p.src[p.pos:], o.text) {
			if at := p.pos + 1; o.text == "<" && at < len(p.src) && isSymbolStart(p.src[at]) {
				return 0, nil, 0 // a disassembler's annotation, "401126 <main+0x10>"
			}
			if p.intel {
				return o.intel, o.do, len(o.text)
			}
			return o.prec, o.do, len(o.text)
		}
	}
	return 0, nil, 0
}

// combine applies a binary operator.
func (p *parser) combine(a, b value, op byte, do func(a, b int64) int64) (value, bool) {
	switch {
	case a.constant() && b.constant():
		a.add = do(a.add, b.add)
		return a, true
	case op == '+':
		return p.sum(a, b)
	case op == '-' && b.constant():
		a.add -= b.add
		return a, true
	case op == '*' && b.constant():
		return p.scaleBy(a, b.add)
	case op == '*' && a.constant():
		return p.scaleBy(b, a.add)
	case b.base|b.index != 0 || a.base|a.index != 0 && op != '-':
		return a, p.fail("registers cannot be operands of this operator")
	}
	if !a.hasSym {
		a.start, a.end, a.hasSym = b.start, b.end, true
	}
	a.opaque = true
	return a, true
}

// sum adds two values; a first plain register is the base, a second or scaled one the index.
func (p *parser) sum(a, b value) (value, bool) {
	a.add += b.add
	if b.hasSym {
		if a.hasSym {
			a.opaque = true
		} else {
			a.start, a.end, a.hasSym, a.opaque = b.start, b.end, true, b.opaque
		}
	}
	return p.addRegisters(a, &b)
}

// addRegisters adds the registers of b to a.
func (p *parser) addRegisters(a value, b *value) (value, bool) {
	switch {
	case b.base == 0:
	case a.base == 0:
		a.base = b.base
	case a.index == 0:
		a.index, a.scale = b.base, 1
	default:
		return a, p.fail("more than two registers in an address")
	}
	switch {
	case b.index == 0:
	case a.index == 0:
		a.index, a.scale, a.scaled = b.index, b.scale, b.scaled
	case a.base == 0 && (!a.scaled || !b.scaled):
		if a.scaled {
			a.base = b.index
		} else {
			a.base, a.index, a.scale, a.scaled = a.index, b.index, b.scale, b.scaled
		}
	default:
		return a, p.fail("more than two registers in an address")
	}
	return a, true
}

func (p *parser) scaleBy(a value, k int64) (value, bool) {
	if a.base != 0 && a.index == 0 && !a.hasSym && a.add == 0 {
		if k != 1 && k != 2 && k != 4 && k != 8 {
			return a, p.fail("scale factor must be 1, 2, 4 or 8")
		}
		a.index, a.base, a.scale, a.scaled = a.base, 0, uint8(k), true
		return a, true
	}
	if a.base|a.index != 0 {
		return a, p.fail("only a register can be scaled")
	}
	a.add, a.opaque = a.add*k, true
	return a, true
}

// unary parses an operand of a binary operator: a term and, in Intel syntax, the
// terms that juxtaposition adds to it: sym[rax], -8[rbp], [rax][rcx*4], [rax].8.
func (p *parser) unary() (value, bool) {
	v, ok := p.term()
	for ok && p.intel {
		p.space()
		if p.pos+1 >= len(p.src) {
			break
		}
		var w value
		switch c := p.src[p.pos]; {
		case c == '[':
			w, ok = p.bracket()
		case c == '.' && p.src[p.pos-1] == ']' && p.src[p.pos+1] >= '0' && p.src[p.pos+1] <= '9':
			p.pos++
			w, ok = p.number()
		default:
			return v, ok
		}
		if ok {
			v, ok = p.sum(v, w)
		}
	}
	return v, ok
}

// term parses an operand with its signs.
func (p *parser) term() (value, bool) {
	p.space()
	if p.pos >= len(p.src) {
		return value{}, p.fail("expression expected")
	}
	switch c := p.src[p.pos]; c {
	case '+', '-', '~', '!':
		p.pos++
		return p.signed(c)
	}
	return p.primary()
}

func (p *parser) signed(sign byte) (value, bool) {
	if p.depth++; p.depth > maxDepth {
		return value{}, p.fail("expression nested too deeply")
	}
	v, ok := p.term()
	p.depth--
	if !ok || sign == '+' {
		return v, ok
	}
	if v.base|v.index != 0 {
		return v, p.fail("a register cannot be negated")
	}
	switch sign {
	case '-':
		v.add = -v.add
	case '~':
		v.add = ^v.add
	default:
		v.add = truth(v.add == 0) & 1
	}
	v.opaque = v.opaque || v.hasSym
	return v, true
}

func (p *parser) primary() (value, bool) {
	c := p.src[p.pos]
	switch {
	case c == '(':
		p.pos++
		v, ok := p.expr(0)
		return v, ok && p.expect(')')
	case c == '[' && p.intel:
		return p.bracket()
	case c >= '0' && c <= '9':
		return p.number()
	case c == '\'':
		return p.char()
	case c == '"':
		end := strings.IndexByte(p.src[p.pos+1:], '"')
		if end < 0 {
			return value{}, p.fail("unterminated string")
		}
		start := p.pos
		p.pos += end + 2
		p.modifier()
		return value{hasSym: true, start: int32(start), end: int32(p.pos)}, true
	case isSymbolStart(c) || c == '$' && p.intel:
		return p.symbol()
	}
	return value{}, p.fail("expression expected")
}

// bracket parses [...] of Intel syntax.
func (p *parser) bracket() (value, bool) {
	p.pos++
	p.brackets++
	from := p.pos
	if size, _ := p.intelSize(); size == 0 || !foldEqual(lastWord(p.src[from:p.pos]), "ptr") {
		p.pos = from
	} else {
		p.within = size // [qword ptr table[0+rax*8]], as GCC writes jumps through tables
	}
	v, ok := p.expr(0)
	if p.space(); ok && p.at(':') && isSegment(v.base) && v.index == 0 { // [fs:rax]
		p.pos++
		p.seg = v.base
		v, ok = p.expr(0)
	}
	return v, ok && p.expect(']')
}

func lastWord(s string) string {
	s = strings.TrimRight(s, " \t")
	return s[strings.LastIndexAny(s, " \t")+1:]
}

// symbol parses a name with its relocation modifier or, in Intel syntax, a register.
func (p *parser) symbol() (value, bool) {
	start := p.pos
	for p.pos < len(p.src) && isSymbolPart(p.src[p.pos]) {
		p.pos++
	}
	if p.intel {
		word := p.src[start:p.pos]
		if r := db().spelled.find(word); r == ST0 {
			r, ok := p.stackRegister()
			return value{base: r}, ok
		} else if r != 0 {
			return value{base: r}, true
		}
		if v, ok, done := p.operatorWord(word); done {
			return v, ok
		}
	}
	p.modifier()
	return value{hasSym: true, start: int32(start), end: int32(p.pos)}, true
}

// operatorWord handles the words that may precede an operand: MASM's offset and not, NASM's rel.
func (p *parser) operatorWord(word string) (v value, ok, done bool) {
	if len(word) != 3 && len(word) != 6 || p.pos >= len(p.src) || !isSpace(p.src[p.pos]) && p.src[p.pos] != '(' {
		return v, false, false
	}
	switch {
	case foldEqual(word, "not"):
		v, ok = p.signed('~')
	case foldEqual(word, "offset"):
		p.offset = true
		p.flat()
		v, ok = p.unary()
	case foldEqual(word, "rel") && p.brackets > 0:
		if v, ok = p.unary(); ok {
			v, ok = p.sum(value{base: RIP}, v)
		}
	case foldEqual(word, "abs") && p.brackets > 0:
		v, ok = p.unary()
	default:
		return v, false, false
	}
	return v, ok, true
}

// modifier skips @PLT and the like after a quoted symbol.
func (p *parser) modifier() {
	if p.pos < len(p.src) && p.src[p.pos] == '@' {
		for p.pos++; p.pos < len(p.src) && isSymbolPart(p.src[p.pos]); {
			p.pos++
		}
	}
}

// number parses an integer in the notations of GNU as and MASM, or a reference
// to a numeric label (1f, 2b).
func (p *parser) number() (value, bool) {
	start := p.pos
	for p.pos < len(p.src) && (isLetter(p.src[p.pos]) || p.src[p.pos] >= '0' && p.src[p.pos] <= '9') {
		p.pos++
	}
	s := p.src[start:p.pos]
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	if digits == len(s)-1 && (s[digits] == 'f' || s[digits] == 'b' && !(p.intel && digits >= 4)) {
		return value{hasSym: true, start: int32(start), end: int32(p.pos)}, true
	}
	v, ok := parseInt(s, p.intel)
	if !ok {
		p.pos = start
		return value{}, p.fail("invalid number '" + clip(s) + "'")
	}
	return value{add: v}, true
}

// parseInt reads an integer of up to 64 bits: 0x1f, 0b101, 017, 31 and in Intel
// syntax also 1fh, 101y, 17o. Values from 2^63 on are returned as negative numbers.
func parseInt(s string, intel bool) (int64, bool) {
	base := 10
	switch {
	case len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'):
		s, base = s[2:], 16
	case len(s) > 2 && s[0] == '0' && (s[1] == 'b' || s[1] == 'B') && !(intel && lower(s[len(s)-1]) == 'h'):
		s, base = s[2:], 2
	case intel && len(s) > 1 && lower(s[len(s)-1]) == 'h':
		s, base = s[:len(s)-1], 16
	case intel && len(s) > 1 && (lower(s[len(s)-1]) == 'y' || lower(s[len(s)-1]) == 'b'):
		s, base = s[:len(s)-1], 2
	case intel && len(s) > 1 && (lower(s[len(s)-1]) == 'o' || lower(s[len(s)-1]) == 'q'):
		s, base = s[:len(s)-1], 8
	case intel && len(s) > 1 && lower(s[len(s)-1]) == 't':
		s = s[:len(s)-1]
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if len(s) > 80 {
		return 0, false
	}
	v, err := strconv.ParseUint(s, base, 64)
	return int64(v), err == nil
}

// char parses 'a' or '\n'; the closing quote is optional, as in GNU as.
func (p *parser) char() (value, bool) {
	s := p.src[p.pos+1:]
	if len(s) == 0 {
		return value{}, p.fail("unterminated character constant")
	}
	c, n := s[0], 1
	if c == '\\' && len(s) > 1 {
		n = 2
		if i := strings.IndexByte("btnfr", s[1]); i >= 0 {
			c = "\b\t\n\f\r"[i]
		} else if c = s[1]; c == '0' {
			c = 0
		}
	}
	if n < len(s) && s[n] == '\'' {
		n++
	}
	p.pos += 1 + n
	return value{add: int64(c)}, true
}

// symbolic makes the operand expression of a value with a symbol. from and to
// delimit the expression's source text, which is used if the expression is not a symbol plus a constant.
func (p *parser) symbolic(v *value, from, to int) *isa.Expr {
	name := p.src[v.start:v.end]
	e := &isa.Expr{Sym: name, Add: v.add}
	if at := strings.LastIndexByte(name, '@'); at > 0 && isModifier(name[at+1:]) {
		e.Sym, e.Mod = name[:at], name[at+1:]
	}
	if n := len(e.Sym); n > 1 && e.Sym[0] == '"' && e.Sym[n-1] == '"' {
		e.Sym = e.Sym[1 : n-1]
	}
	switch {
	case v.opaque && v.base|v.index == 0:
		e.Text = strings.TrimSpace(p.src[from:to])
	case v.add == 0:
		e.Text = name
	case v.add > 0:
		e.Text = name + "+" + strconv.FormatInt(v.add, 10)
	default:
		e.Text = name + strconv.FormatInt(v.add, 10)
	}
	return e
}

var modifiers = [...]string{"PLT", "GOTPCREL", "GOTPCREL_NORELAX", "GOT", "GOTOFF", "TPOFF", "DTPOFF", "TLSGD", "TLSLD", "TLSLDM",
	"GOTTPOFF", "INDNTPOFF", "NTPOFF", "GOTNTPOFF", "SIZE", "PLTOFF", "TLSDESC", "TLSCALL", "TLVP", "TLVPPAGE", "IMGREL",
	"SECREL32", "ABS8", "GOTENT", "PCREL", "PAGE", "PAGEOFF", "GOTPAGE", "GOTPAGEOFF"}

// isModifier reports whether a word after @ is a relocation modifier, not part
// of the name (C++ names of MSVC and ELF symbol versions hold @ too).
func isModifier(s string) bool {
	for _, m := range modifiers {
		if len(m) == len(s) && foldEqual(s, m) {
			return true
		}
	}
	return false
}
