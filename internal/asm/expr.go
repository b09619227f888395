package asm

import (
	"strconv"
	"strings"
)

// evaluate computes a constant expression of the GNU assembler: integers, character constants and
// operators with GNU as's precedence. Names are looked up in symbols; ok is
// false if a name is unknown or the text is no expression.
func evaluate(text string, symbols func(name string) (int64, bool)) (v int64, ok bool) {
	e := evaluator{text: text, symbols: symbols}
	v = e.binary(0)
	e.blanks()
	return v, !e.bad && e.pos == len(e.text)
}

type evaluator struct {
	text    string
	pos     int
	depth   int
	bad     bool
	symbols func(string) (int64, bool)
}

// maxDepth bounds the nesting of parentheses and signs.
const maxDepth = 100

// operators by precedence, lowest first; longer operators precede their prefixes.
var operators = [][]string{{"||"}, {"&&"}, {"==", "<>", "!=", "<=", ">="}, {"+", "-"}, {"|", "&", "^", "!"}, {"*", "/", "%", "<<", ">>"}}

// comparison is the level of "<" and ">". The list lacks them because they are prefixes of "<<" and ">>", which have a higher level.
const comparison = 2

func (e *evaluator) blanks() {
	for e.pos < len(e.text) && isBlank(e.text[e.pos]) {
		e.pos++
	}
}

// operator returns the next operator if it has the given precedence level, else "".
func (e *evaluator) operator(level int) string {
	e.blanks()
	rest := e.text[e.pos:]
	for _, op := range operators[level] {
		if strings.HasPrefix(rest, op) && (len(op) > 1 || len(rest) < 2 || op != "|" && op != "&" && op != "!" || rest[1] != rest[0] && rest[1] != '=') {
			return op
		}
	}
	if level == comparison && rest != "" && (rest[0] == '<' || rest[0] == '>') && (len(rest) < 2 || rest[1] != rest[0]) {
		return rest[:1]
	}
	return ""
}

func (e *evaluator) binary(level int) int64 {
	if level == len(operators) {
		return e.unary()
	}
	v := e.binary(level + 1)
	for !e.bad {
		op := e.operator(level)
		if op == "" {
			break
		}
		e.pos += len(op)
		v = e.apply(op, v, e.binary(level+1))
	}
	return v
}

// truth is GNU as' value of a comparison.
func truth(b bool) int64 {
	if b {
		return -1
	}
	return 0
}

func (e *evaluator) apply(op string, a, b int64) int64 {
	switch op {
	case "||":
		return -truth(a != 0 || b != 0)
	case "&&":
		return -truth(a != 0 && b != 0)
	case "==":
		return truth(a == b)
	case "<>", "!=":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	case "+":
		return a + b
	case "-":
		return a - b
	case "|":
		return a | b
	case "&":
		return a & b
	case "^":
		return a ^ b
	case "!":
		return a | ^b
	case "*":
		return a * b
	case "<<":
		return a << uint64(b&63)
	case ">>":
		return int64(uint64(a) >> uint64(b&63))
	}
	switch { // "/" and "%"
	case b == 0:
		e.bad = true
		return 0
	case b == -1: // the quotient of the smallest number does not fit
		return map[string]int64{"/": -a, "%": 0}[op]
	case op == "/":
		return a / b
	}
	return a % b
}

func (e *evaluator) unary() int64 {
	if e.depth++; e.depth > maxDepth {
		e.bad = true
	}
	defer func() { e.depth-- }()
	e.blanks()
	if e.bad || e.pos >= len(e.text) {
		e.bad = true
		return 0
	}
	c := e.text[e.pos]
	switch c {
	case '-', '+', '~', '!':
		e.pos++
		v := e.unary()
		switch c {
		case '-':
			return -v
		case '~':
			return ^v
		case '!':
			return -truth(v == 0)
		}
		return v
	case '(':
		e.pos++
		v := e.binary(0)
		if e.blanks(); e.pos >= len(e.text) || e.text[e.pos] != ')' {
			e.bad = true
			return 0
		}
		e.pos++
		return v
	case '\'':
		n := charEnd(e.text[e.pos:])
		s := strings.Trim(e.text[e.pos:e.pos+n], "'")
		e.pos += n
		if len(s) != 1 {
			e.bad = true
			return 0
		}
		return int64(s[0])
	}
	return e.atom()
}

// atom reads a number or a name.
func (e *evaluator) atom() (v int64) {
	start := e.pos
	for e.pos < len(e.text) && isName(e.text[e.pos]) {
		e.pos++
	}
	word := e.text[start:e.pos]
	if word == "" {
		e.bad = true
		return 0
	}
	var ok bool
	if word[0] >= '0' && word[0] <= '9' {
		v, ok = integer(word)
	} else {
		v, ok = e.symbols(word)
	}
	e.bad = e.bad || !ok
	return v
}

// integer reads a number in C notation; a number that only fits unsigned wraps around.
func integer(s string) (int64, bool) {
	if v, err := strconv.ParseInt(s, 0, 64); err == nil {
		return v, true
	}
	v, err := strconv.ParseUint(s, 0, 64)
	return int64(v), err == nil
}
