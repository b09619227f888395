package aarch64

import (
	"strings"

	"incore/internal/isa"
)

// exprParser evaluates the constant and symbolic expressions of assembly
// operands with C's operator precedence, as assemblers do.
type exprParser struct {
	s     string
	at    int
	sym   string // first symbol
	syms  int
	depth int // of nested parentheses and signs
	bad   bool
}

// parseExpr reads a whole operand expression ("(1<<4)+2", ":lo12:foo+8",
// "foo@PAGEOFF", "'a'", "1f"). A symbolic result has a non-nil Expr. ok is false if
// the text is no expression.
func parseExpr(s string) (v int64, e *isa.Expr, ok bool) {
	mod, body := "", s
	if strings.HasPrefix(body, ":") {
		i := strings.IndexByte(body[1:], ':')
		if i < 0 {
			return 0, nil, false
		}
		mod, body = strings.ToLower(body[1:1+i]), body[i+2:]
	}
	p := exprParser{s: body}
	v = p.binary(0)
	p.space()
	if p.at < len(body) && body[p.at] == '@' && mod == "" && p.syms > 0 { // (foo+8)@PAGE
		mod, p.at = body[p.at+1:], len(body)
	}
	if p.bad || p.at != len(body) || body == "" {
		return 0, nil, false
	}
	if p.syms == 0 && mod == "" {
		return v, nil, true
	}
	sym := p.sym
	if i := strings.IndexByte(sym, '@'); i > 0 && mod == "" {
		sym, mod = sym[:i], sym[i+1:]
	}
	return v, &isa.Expr{Text: s, Sym: sym, Mod: mod, Add: v}, true
}

func (p *exprParser) space() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\t') {
		p.at++
	}
}

// binaryOps lists operators by precedence, loosest first; two-character ones before their prefixes.
var binaryOps = [...][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (p *exprParser) operator(level int) string {
	p.space()
	rest := p.s[p.at:]
	if rest == "" {
		return ""
	}
	for _, op := range binaryOps[level] {
		if strings.HasPrefix(rest, op) && !(len(op) == 1 && len(rest) > 1 && (op == "|" || op == "&") && rest[1] == rest[0]) {
			p.at += len(op)
			return op
		}
	}
	return ""
}

// binary parses the operators of one precedence level and the tighter ones.
func (p *exprParser) binary(level int) int64 {
	if level == len(binaryOps) {
		return p.unary()
	}
	if p.at == len(p.s) {
		p.bad = true
		return 0
	}
	v := p.binary(level + 1)
	for !p.bad && p.at < len(p.s) {
		op := p.operator(level)
		if op == "" {
			break
		}
		v = p.apply(op, v, p.binary(level+1))
	}
	return v
}

func (p *exprParser) apply(op string, a, b int64) int64 {
	truth := func(c bool) int64 {
		if c {
			return -1
		}
		return 0
	}
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/", "%":
		if b == 0 || b == -1 && op == "%" {
			p.bad = b == 0
			return 0
		}
		if op == "/" {
			return a / b
		}
		return a % b
	case "<<":
		return a << (uint64(b) & 63)
	case ">>":
		return int64(uint64(a) >> (uint64(b) & 63))
	case "&":
		return a & b
	case "|":
		return a | b
	case "^":
		return a ^ b
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "&&":
		return truth(a != 0 && b != 0)
	}
	return truth(a != 0 || b != 0)
}

const maxExprDepth = 64

func (p *exprParser) unary() int64 {
	p.space()
	if p.at >= len(p.s) || p.depth > maxExprDepth {
		p.bad = true
		return 0
	}
	p.depth++
	defer func() { p.depth-- }()
	switch c := p.s[p.at]; {
	case c == '-':
		p.at++
		return -p.unary()
	case c == '+':
		p.at++
		return p.unary()
	case c == '~':
		p.at++
		return ^p.unary()
	case c == '(':
		p.at++
		v := p.binary(0)
		p.space()
		if p.at >= len(p.s) || p.s[p.at] != ')' {
			p.bad = true
			return 0
		}
		p.at++
		return v
	case c == '\'':
		return p.char()
	case c-'0' <= 9:
		return p.number()
	}
	return p.symbol()
}

func (p *exprParser) char() int64 {
	rest := p.s[p.at+1:]
	if len(rest) >= 2 && rest[0] == '\\' {
		if i := strings.IndexByte(`ntr0\'`, rest[1]); i >= 0 {
			p.at += 3
			p.closeQuote()
			return int64("\n\t\r\x00\\'"[i])
		}
	}
	if rest == "" {
		p.bad = true
		return 0
	}
	p.at += 2
	p.closeQuote()
	return int64(rest[0])
}

func (p *exprParser) closeQuote() {
	if p.at < len(p.s) && p.s[p.at] == '\'' {
		p.at++
	}
}

// number reads an integer in C notation, or a reference to a local label ("1b", "23f").
func (p *exprParser) number() int64 {
	s, i := p.s[p.at:], 0
	base := uint64(10)
	switch {
	case len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x':
		base, i = 16, 2
	case len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'b' && s[2]-'0' <= 1:
		base, i = 2, 2
	case len(s) > 1 && s[0] == '0' && s[1]-'0' <= 7:
		base, i = 8, 1
	}
	v, start := uint64(0), i
	for ; i < len(s); i++ {
		d := uint64(s[i] - '0')
		if d > 9 {
			d = uint64(s[i]|0x20-'a') + 10
			if s[i]|0x20 < 'a' {
				d = 99
			}
		}
		if d >= base {
			break
		}
		v = v*base + d
	}
	if i == start {
		p.bad = true
		return 0
	}
	if i < len(s) && (s[i] == 'b' || s[i] == 'f') && base != 16 && (i+1 == len(s) || !isWord(s[i+1])) {
		i++
		p.note(s[:i])
		v = 0
	}
	if i < len(s) && isWord(s[i]) {
		p.bad = true
	}
	p.at += i
	return int64(v)
}

// isWord reports whether a character may stand in a symbol.
func isWord(c byte) bool {
	return c|0x20-'a' < 26 || c-'0' <= 9 || c == '_' || c == '.' || c == '$' || c == '@' || c >= 0x80
}

func (p *exprParser) symbol() int64 {
	i := p.at
	if p.s[i] == '"' {
		j := strings.IndexByte(p.s[i+1:], '"')
		if j < 0 {
			p.bad = true
			return 0
		}
		p.at += j + 2
		p.note(p.s[i+1 : i+1+j])
		return 0
	}
	for p.at < len(p.s) && (isWord(p.s[p.at]) || p.s[p.at] == '\\') {
		p.at++
	}
	if p.at == i {
		p.bad = true
		return 0
	}
	p.note(p.s[i:p.at])
	return 0
}

func (p *exprParser) note(sym string) {
	if p.syms == 0 {
		p.sym = sym
	}
	p.syms++
}
