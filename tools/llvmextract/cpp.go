package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The part of C++ that TableGen's backends emit for predicates: switch, if,
// return and expressions over an instruction's operands.
//
// Expressions become prefix lists ([]any) as they are written to JSON:
//
//	true, false, ["and", …], ["or", …], ["not", x]
//	["same", i, j]                 MC operands i and j are the same register
//	["reg", i, R]  ["imm", i, n]   operand i is that register or immediate
//	["invalidreg", i]  ["isreg", i]  ["isimm", i]
//	["opc", names…]                the opcode is one of these
//	["fn", name, i…]  ["fneq", name, i, value]    a function that LLVM has in C++
//	["feature", name]              the CPU has that subtarget feature (since LLVM 22)

// stmt is a statement of the subset.
type stmt struct {
	kind  string // "if", "return", "break", "switch", "block"
	expr  any
	body  []stmt
	cases []switchCase
}

type switchCase struct {
	labels []string // "default" among them
	body   []stmt
}

// x86Conditions numbers LLVM's X86::COND_* as in the instruction encoding.
var x86Conditions = func() map[string]int {
	m := map[string]int{}
	for i, c := range strings.Fields("O NO B AE E NE BE A S NS P NP L GE LE G") {
		m["COND_"+c] = i
	}
	return m
}()

var cppToken = regexp.MustCompile(`^(?:(\s+|//[^\n]*|(?s:/\*.*?\*/))|([A-Za-z_]\w*(?:::[A-Za-z_]\w*)*|-?\d+|"[^"]*"|->|&&|\|\||==|!=|>=|<=|[-+*/(){};:,.!<>&=?\[\]]))`)

// cppParser parses with panics of type cppError, which parseCpp turns into an error.
type cppParser struct {
	tok []string
	at  int
}

type cppError string

// parseCpp parses a function's body, braces included.
func parseCpp(body string) (out []stmt, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(cppError)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("generated C++: %s", string(e))
		}
	}()
	p := &cppParser{}
	for i := 0; i < len(body); {
		m := cppToken.FindStringSubmatch(body[i:])
		if m == nil {
			return nil, fmt.Errorf("generated C++: unexpected text %.40q", body[i:])
		}
		if m[2] != "" {
			p.tok = append(p.tok, m[2])
		}
		i += len(m[0])
	}
	return p.block(), nil
}

func (p *cppParser) fail(format string, a ...any) {
	near := strings.Join(p.tok[max(0, p.at-12):min(len(p.tok), p.at+12)], " ")
	panic(cppError(fmt.Sprintf(format, a...) + " near " + near))
}

func (p *cppParser) peek() string {
	if p.at < len(p.tok) {
		return p.tok[p.at]
	}
	return ""
}

func (p *cppParser) next() string {
	t := p.peek()
	if t == "" {
		p.fail("unexpected end")
	}
	p.at++
	return t
}

func (p *cppParser) accept(t string) bool {
	if p.peek() == t {
		p.at++
		return true
	}
	return false
}

func (p *cppParser) need(tokens ...string) {
	for _, t := range tokens {
		if got := p.next(); got != t {
			p.fail("want %q, got %q", t, got)
		}
	}
}

func (p *cppParser) block() []stmt {
	p.need("{")
	var out []stmt
	for !p.accept("}") {
		if s, ok := p.statement(); ok {
			out = append(out, s)
		}
	}
	return out
}

// statement parses one statement; ok is false for a statement that is ignored here.
func (p *cppParser) statement() (s stmt, ok bool) {
	switch p.peek() {
	case "{":
		return stmt{kind: "block", body: p.block()}, true
	case ";":
		p.next()
		return stmt{}, false
	case "if":
		p.next()
		p.need("(")
		c := p.expr()
		p.need(")")
		then, _ := p.statement()
		if then.kind == "block" {
			return stmt{kind: "if", expr: c, body: then.body}, true
		}
		return stmt{kind: "if", expr: c, body: []stmt{then}}, true
	case "return":
		p.next()
		if p.accept(";") {
			return stmt{kind: "return"}, true
		}
		e := p.expr()
		p.need(";")
		return stmt{kind: "return", expr: e}, true
	case "break":
		p.next()
		p.need(";")
		return stmt{kind: "break"}, true
	case "switch":
		return p.switchStmt(), true
	}
	for p.next() != ";" { // a declaration or an expression
	}
	return stmt{}, false
}

func (p *cppParser) switchStmt() stmt {
	p.need("switch", "(")
	s := stmt{kind: "switch", expr: p.expr()}
	p.need(")", "{")
	var c switchCase
	inBody := false
	for p.peek() != "}" {
		if p.peek() == "case" || p.peek() == "default" {
			if inBody {
				s.cases = append(s.cases, c)
				c, inBody = switchCase{}, false
			}
			label := p.next()
			if label == "case" {
				label = p.next()
			}
			c.labels = append(c.labels, label)
			p.need(":")
			continue
		}
		inBody = true
		if b, ok := p.statement(); ok {
			c.body = append(c.body, b)
		}
	}
	p.need("}")
	s.cases = append(s.cases, c)
	return s
}

func (p *cppParser) expr() any { return p.chain("||", "or", p.conjunction) }

func (p *cppParser) conjunction() any { return p.chain("&&", "and", p.relation) }

func (p *cppParser) chain(token, op string, operand func() any) any {
	l := []any{operand()}
	for p.accept(token) {
		l = append(l, operand())
	}
	if len(l) == 1 {
		return l[0]
	}
	return simplify(op, l)
}

// simplify flattens nested operations, drops neutral elements and gathers opcode tests.
func simplify(op string, l []any) any {
	neutral := op == "and"
	var out, opcodes []any
	for _, x := range l {
		list, _ := x.([]any)
		switch {
		case list != nil && list[0] == op:
			out = append(out, list[1:]...)
		case list != nil && op == "or" && list[0] == "opc":
			opcodes = append(opcodes, list[1:]...)
		case x == neutral:
		default:
			out = append(out, x)
		}
	}
	if opcodes != nil {
		out = append([]any{append([]any{"opc"}, opcodes...)}, out...)
	}
	switch len(out) {
	case 0:
		return neutral
	case 1:
		return out[0]
	}
	return append([]any{op}, out...)
}

func (p *cppParser) relation() any {
	if p.accept("!") {
		return []any{"not", p.relation()}
	}
	a := p.atom()
	switch {
	case p.accept("=="):
		return p.equal(a, p.atom())
	case p.accept("!="):
		return []any{"not", p.equal(a, p.atom())}
	}
	return a
}

func (p *cppParser) equal(a, b any) any {
	l, ok := a.([]any)
	if !ok {
		p.fail("comparison of %v", a)
	}
	value := b
	if s, ok := b.(string); ok {
		value = unqualified(s)
	}
	switch l[0] {
	case "getReg":
		if r, ok := b.([]any); ok && r[0] == "getReg" {
			return []any{"same", l[1], r[1]}
		}
		if b == 0 {
			return []any{"invalidreg", l[1]}
		}
		return []any{"reg", l[1], value}
	case "getImm":
		if s, ok := value.(string); ok {
			if n, ok := x86Conditions[s]; ok {
				value = n
			}
		}
		return []any{"imm", l[1], value}
	case "getOpcode":
		return []any{"opc", value}
	case "fn":
		if len(l) == 3 {
			return []any{"fneq", l[1], l[2], value}
		}
	case "var":
		return []any{"var", l[1], b}
	}
	p.fail("comparison of %v with %v", a, b)
	return nil
}

var operandMethods = map[string]string{"getReg": "getReg", "getImm": "getImm", "isReg": "isreg", "isImm": "isimm"}

func (p *cppParser) atom() any {
	t := p.next()
	switch {
	case t == "(":
		e := p.expr()
		p.need(")")
		return e
	case t == "true" || t == "false":
		return t == "true"
	case t == "*":
		return p.atom()
	case t == "MI" && (p.accept("->") || p.accept(".")):
		return p.instMethod()
	case t == "STI" && p.accept("."):
		p.need("hasFeature", "(")
		f := []any{"feature", unqualified(p.next())}
		p.need(")")
		return f
	case unqualified(t) == "is_contained":
		return p.contained()
	case p.peek() == "(":
		return p.call(t)
	case t == "CPUID" || t == "ProcessorID" || t == "SchedClass":
		return []any{"var", t}
	case strings.Contains(t, "::"):
		return t
	}
	if n, err := strconv.Atoi(t); err == nil {
		return n
	}
	return []any{"id", t}
}

// instMethod parses the text after "MI->": getOpcode() or getOperand(i).method().
func (p *cppParser) instMethod() any {
	switch m := p.next(); m {
	case "getOpcode":
		p.need("(", ")")
		return []any{"getOpcode"}
	case "getOperand":
		p.need("(")
		i, err := strconv.Atoi(p.next())
		p.need(")", ".")
		f, ok := operandMethods[p.next()]
		if err != nil || !ok {
			p.fail("unknown operand test")
		}
		p.need("(", ")")
		return []any{f, i}
	default:
		p.fail("unknown method %s of MI", m)
		return nil
	}
}

// contained parses the text after is_contained if it tests the opcode: ({X::A, X::B}, MI->getOpcode()). LLVM emits it since version 20.
func (p *cppParser) contained() any {
	p.need("(", "{")
	out := []any{"opc"}
	for !p.accept("}") {
		out = append(out, unqualified(p.next()))
		p.accept(",")
	}
	p.need(",", "MI", "->", "getOpcode", "(", ")", ")")
	return out
}

// call parses the arguments of a function; arguments that are the values of operands are written as operand numbers.
func (p *cppParser) call(name string) any {
	p.need("(")
	out := []any{"fn", unqualified(name)}
	for !p.accept(")") {
		if l, ok := p.expr().([]any); ok && (l[0] == "getImm" || l[0] == "getReg") {
			out = append(out, l[1])
		}
		p.accept(",")
	}
	return out
}
