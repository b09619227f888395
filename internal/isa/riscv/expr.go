package riscv

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// value is the value of an assembly expression: a constant, or a symbolic value
// with the constant part c.
type value struct {
	c    int64
	sym  string // first symbol; "" in a constant
	mod  string // relocation modifier: "lo", "pcrel_hi", "plt"; "" none
	rel  bool   // symbolic
	diff bool   // a difference of symbols, which the assembler resolves to a constant
	text string
}

// expr returns the value as a symbolic operand.
func (v *value) expr() *isa.Expr { return &isa.Expr{Text: v.text, Sym: v.sym, Mod: v.mod, Add: v.c} }

// parseExpr reads a GNU assembler expression: numbers, characters, symbols,
// local labels (1b, 2f), '.', %modifiers and the operators of C. ok is false
// unless all of s is one.
func parseExpr(s string) (v value, ok bool) {
	p := exprParser{s: s}
	v, ok = p.binary(0)
	p.space()
	v.text = s
	return v, ok && p.at == len(s)
}

type exprParser struct {
	s     string
	at    int
	depth int
}

// maxDepth bounds the nesting of parentheses and unary operators.
const maxDepth = 100

func (p *exprParser) space() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\t') {
		p.at++
	}
}

// binaryOps holds the operators by precedence as in GNU as, loosest first; longer spellings before their prefixes.
var binaryOps = [...][]string{
	{"||"}, {"&&"}, {"==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"|", "^", "&"}, {"*", "/", "%", "<<", ">>"},
}

func (p *exprParser) operator(level int) string {
	p.space()
	rest := p.s[p.at:]
	for _, op := range binaryOps[level] {
		if !strings.HasPrefix(rest, op) {
			continue
		}
		if len(op) == 1 && len(rest) > 1 && (op == "<" || op == ">" || op == "|" || op == "&") && rest[1] == op[0] {
			continue // a longer operator of another level
		}
		return op
	}
	return ""
}

func (p *exprParser) binary(level int) (value, bool) {
	if level == len(binaryOps) {
		return p.unary()
	}
	a, ok := p.binary(level + 1)
	for ok {
		op := p.operator(level)
		if op == "" {
			break
		}
		p.at += len(op)
		var b value
		if b, ok = p.binary(level + 1); !ok {
			break
		}
		a, ok = apply(op, a, b)
	}
	return a, ok
}

// apply computes a op b; with symbols only sums keep their constant part.
func apply(op string, a, b value) (value, bool) {
	if a.rel || b.rel {
		r := a
		r.rel = true
		if !a.rel {
			r.sym, r.mod = b.sym, b.mod
		}
		switch op {
		case "+":
			r.c = a.c + b.c
		case "-":
			r.c, r.diff = a.c-b.c, a.rel && b.rel
		}
		return r, true
	}
	c, ok := constant(op, a.c, b.c)
	return value{c: c}, ok
}

func constant(op string, x, y int64) (int64, bool) {
	truth := func(b bool) (int64, bool) {
		if b {
			return -1, true
		}
		return 0, true
	}
	switch op {
	case "+":
		return x + y, true
	case "-":
		return x - y, true
	case "*":
		return x * y, true
	case "/", "%":
		if y == 0 || x == -1<<63 && y == -1 {
			return 0, false
		}
		if op == "/" {
			return x / y, true
		}
		return x % y, true
	case "|":
		return x | y, true
	case "&":
		return x & y, true
	case "^":
		return x ^ y, true
	case "<<", ">>":
		if y < 0 || y > 63 {
			return 0, false
		}
		if op == "<<" {
			return x << y, true
		}
		return int64(uint64(x) >> y), true
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<":
		return truth(x < y)
	case ">":
		return truth(x > y)
	case "<=":
		return truth(x <= y)
	case ">=":
		return truth(x >= y)
	case "&&":
		return truth(x != 0 && y != 0)
	}
	return truth(x != 0 || y != 0) // "||"
}

func (p *exprParser) unary() (value, bool) {
	p.space()
	if p.depth++; p.depth > maxDepth || p.at >= len(p.s) {
		return value{}, false
	}
	defer func() { p.depth-- }()
	switch c := p.s[p.at]; c {
	case '-', '+', '~', '!':
		p.at++
		v, ok := p.unary()
		switch {
		case c == '-':
			v.c = -v.c
		case c == '~':
			v.c = ^v.c
		case c == '!':
			v.c = map[bool]int64{true: 1}[v.c == 0]
		}
		return v, ok
	case '(':
		p.at++
		v, ok := p.binary(0)
		return v, ok && p.eat(')')
	case '%':
		return p.modifier()
	case '\'':
		if p.at+1 < len(p.s) && p.s[p.at+1] != '\\' {
			v := value{c: int64(p.s[p.at+1])}
			p.at += 2
			p.eat('\'')
			return v, true
		}
		return value{}, false
	}
	return p.atom()
}

func (p *exprParser) eat(c byte) bool {
	p.space()
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

// modifier reads %name(expression).
func (p *exprParser) modifier() (value, bool) {
	start := p.at + 1
	for p.at++; p.at < len(p.s) && isSymbolByte(p.s[p.at]); p.at++ {
	}
	name := p.s[start:p.at]
	if name == "" || !p.eat('(') {
		return value{}, false
	}
	v, ok := p.binary(0)
	if !ok || !p.eat(')') {
		return value{}, false
	}
	if !v.rel {
		switch name { // constants have halves, too
		case "lo":
			return value{c: v.c << 52 >> 52, mod: name}, true
		case "hi":
			return value{c: (v.c + 0x800) >> 12 & 0xfffff, mod: name}, true
		}
		v.rel = true
	}
	v.mod = name
	return v, true
}

func isSymbolByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c >= 0x80
}

// atom reads a number, a local label reference or a symbol.
func (p *exprParser) atom() (value, bool) {
	start := p.at
	if p.s[p.at] == '"' { // quoted symbol
		end := strings.IndexByte(p.s[p.at+1:], '"')
		if end < 0 {
			return value{}, false
		}
		p.at += end + 2
		return value{rel: true, sym: p.s[start+1 : p.at-1]}, true
	}
	for p.at < len(p.s) && isSymbolByte(p.s[p.at]) {
		p.at++
	}
	w := p.s[start:p.at]
	if w == "" {
		return value{}, false
	}
	if w[0] >= '0' && w[0] <= '9' {
		if c, ok := number(w); ok {
			return value{c: c}, true
		}
		if isLocalLabel(w) {
			return value{rel: true, sym: w}, true
		}
		return value{}, false
	}
	v := value{rel: true, sym: w}
	if p.at < len(p.s) && p.s[p.at] == '@' { // foo@plt
		m := p.at + 1
		for p.at++; p.at < len(p.s) && isSymbolByte(p.s[p.at]); p.at++ {
		}
		v.mod = strings.ToLower(p.s[m:p.at])
	}
	return v, true
}

// number reads an integer constant of 64 bits, signed or unsigned.
func number(w string) (int64, bool) {
	digits, base := w, 10
	switch {
	case len(w) > 2 && w[0] == '0' && (w[1] == 'x' || w[1] == 'X'):
		digits, base = w[2:], 16
	case len(w) > 2 && w[0] == '0' && (w[1] == 'b' || w[1] == 'B'):
		digits, base = w[2:], 2
	case len(w) > 1 && w[0] == '0':
		digits, base = w[1:], 8
	}
	u, err := strconv.ParseUint(digits, base, 64)
	return int64(u), err == nil
}

// isLocalLabel reports whether w refers to a numeric label: digits, then b or f.
func isLocalLabel(w string) bool {
	n := len(w) - 1
	if n < 1 || w[n] != 'b' && w[n] != 'f' {
		return false
	}
	for i := range n {
		if w[i] < '0' || w[i] > '9' {
			return false
		}
	}
	return true
}
