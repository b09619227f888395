package riscv

import (
	"strings"

	"incore/internal/isa"
)

// item is one piece of an assembly operand: "8(a1)" is four, the displacement,
// a parenthesis, the base register, a parenthesis; most operands are one.
type item struct {
	text string
	pos  int // within the statement
	tok  byte
	reg  isa.Reg // X, F (named by its double width) or V register
	num  numState
	val  value
}

type numState uint8

const (
	unread numState = iota
	isConst
	isSymbolic
	noExpr
)

// number evaluates the item as an expression, once.
func (it *item) number() numState {
	if it.num == unread {
		v, ok := parseExpr(it.text)
		switch it.val = v; {
		case !ok || it.tok != 0:
			it.num = noExpr
		case v.rel:
			it.num = isSymbolic
		default:
			it.num = isConst
		}
	}
	return it.num
}

// isConst reports whether the item is a constant expression and returns it.
func (it *item) isConst() (int64, bool) { return it.val.c, it.number() == isConst && it.reg == 0 }

// symbolic reports whether the item is a symbolic expression with one of the modifiers.
func (it *item) symbolic(mods ...string) bool {
	if it.reg != 0 || it.number() != isSymbolic {
		return false
	}
	for _, m := range mods {
		if m == it.val.mod {
			return true
		}
	}
	return false
}

// statement is a split assembly statement.
type statement struct {
	text     string
	mnemonic string // lower case
	items    []item
	buf      [12]item
	at       [16]int8 // operand of the row that match tried last → its first item; 0 is the mnemonic
}

// split cuts a statement into mnemonic and operands.
func (p *parser) split(s *statement, text string) {
	s.text = text
	text = strings.TrimLeft(text, " \t")
	n := strings.IndexAny(text, " \t")
	if n < 0 {
		n = len(text)
	}
	mn, rest := text[:n], text[n:]
	s.mnemonic = strings.ToLower(mn)
	upper := s.mnemonic != mn && strings.ToUpper(mn) == mn
	if s.mnemonic == ".insn" { // the format is the first word after it
		rest = strings.TrimLeft(rest, " \t")
		n := strings.IndexAny(rest, " \t,")
		if n > 0 && rest[n] != ',' {
			s.mnemonic, rest = ".insn_"+strings.ToLower(rest[:n]), rest[n:]
		}
	}
	s.items = s.buf[:0]
	base := len(s.text) - len(rest)
	depth, start, quoted := 0, 0, false
	for i := 0; i <= len(rest); i++ {
		if i < len(rest) {
			switch c := rest[i]; {
			case c == '"':
				quoted = !quoted
				continue
			case quoted:
				continue
			case c == '(' || c == '{' || c == '[':
				depth++
				continue
			case c == ')' || c == '}' || c == ']':
				depth--
				continue
			case c != ',' || depth > 0:
				continue
			}
		}
		op := strings.Trim(rest[start:i], " \t\r")
		if op != "" || i < len(rest) || len(s.items) > 0 {
			p.operand(s, op, base+start, upper)
		}
		start = i + 1
	}
}

// operand appends the items of one operand.
func (p *parser) operand(s *statement, op string, pos int, upper bool) {
	for op != "" && pos < len(s.text) && (s.text[pos] == ' ' || s.text[pos] == '\t') {
		pos++
	}
	open := strings.LastIndexByte(op, '(')
	if open < 0 || op[len(op)-1] != ')' {
		s.items = append(s.items, item{text: op, pos: pos, reg: p.register(op, upper)})
		return
	}
	base := p.register(strings.Trim(op[open+1:len(op)-1], " \t"), upper)
	before := strings.TrimRight(op[:open], " \t")
	if base == isa.NoReg || before != "" && before[0] == '%' && !strings.HasSuffix(before, ")") {
		s.items = append(s.items, item{text: op, pos: pos})
		return
	}
	if before != "" {
		s.items = append(s.items, item{text: before, pos: pos, reg: p.register(before, upper)})
	}
	s.items = append(s.items, item{text: "(", pos: pos + open, tok: '('},
		item{text: op[open+1 : len(op)-1], pos: pos + open + 1, reg: base},
		item{text: ")", pos: pos + len(op) - 1, tok: ')'})
}

// register finds an X, F or V register by its ABI or architectural name.
func (p *parser) register(name string, upper bool) isa.Reg {
	if len(name) < 2 || len(name) > 5 {
		return isa.NoReg
	}
	if upper {
		name = strings.ToLower(name)
	}
	if name == "v0.t" {
		return p.regs.v[0][0]
	}
	r := p.Regs.Spelled(name)
	if f, _ := p.regs.of(r); f == fileNone {
		return isa.NoReg
	}
	return r
}
