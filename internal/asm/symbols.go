package asm

import (
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/source"
	"incore/internal/isa"
)

// symbol is the value of a name that a directive defines: a constant (.set, .equ, "=") or a
// text that replaces it, which is another name or a register (.req).
type symbol struct {
	text     string
	value    int64
	constant bool
	register bool // defined by .req: its name is case-insensitive and may have a suffix (".4s")
}

// lookup returns the value of a constant symbol, for evaluate.
func (r *reader) lookup(name string) (int64, bool) {
	s, ok := r.symbols[name]
	return s.value, ok && s.constant
}

// define handles "name, expression" of .set and similar directives. An expression that is not constant is kept
// if it is one word: a register or another symbol.
func (r *reader) define(name, expr string) {
	name, expr = unquote(name), strings.TrimSpace(expr)
	if name == "" || name == "." {
		return
	}
	if v, ok := evaluate(expr, r.lookup); ok {
		r.symbols[name] = symbol{text: strconv.FormatInt(v, 10), value: v, constant: true}
		return
	}
	s := r.substitute(expr)
	if w := strings.TrimPrefix(s, "%"); w != "" && strings.IndexFunc(w, func(c rune) bool { return c < 0x80 && !isName(byte(c)) }) < 0 && w != name && w[0] != '.' {
		r.symbols[name] = symbol{text: s}
		return
	}
	delete(r.symbols, name)
}

// assignment handles "name = expression" and "name == expression".
func (r *reader) assignment(text string) {
	name, expr, _ := strings.Cut(text, "=")
	r.define(name, strings.TrimPrefix(expr, "="))
}

// alias handles "name .req register"; it reports whether the statement has this form.
func (r *reader) alias(text string) bool {
	name, rest := word(text)
	if rest == "" || rest[0] != '.' {
		return false
	}
	d, reg := word(rest)
	if !strings.EqualFold(d, ".req") || reg == "" {
		return false
	}
	if _, dup := r.symbols[strings.ToLower(name)]; !dup { // the first definition is valid until .unreq
		r.symbols[strings.ToLower(name)] = symbol{text: r.substitute(strings.TrimSpace(reg)), register: true}
	}
	return true
}

// substitute replaces the defined names in an expression or in a statement's operands.
func (r *reader) substitute(s string) string {
	if len(r.symbols) == 0 {
		return s
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"':
			i += stringEnd(s[i:])
			continue
		case c >= '0' && c <= '9' || c == '%' || c == '\\': // numbers, registers and relocations are no symbols
			for i++; i < len(s) && isName(s[i]); i++ {
			}
			continue
		case !isName(c), c == '$':
			i++
			continue
		}
		end := i
		for end < len(s) && isName(s[end]) {
			end++
		}
		if text, n := r.replacement(s[i:end]); n > 0 {
			b.WriteString(s[done:i])
			b.WriteString(text)
			done = i + n
		}
		i = end
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// replacement looks a name up; it returns the text that replaces the first n bytes of the name; n is 0 for unknown names.
func (r *reader) replacement(name string) (text string, n int) {
	if s, ok := r.symbols[name]; ok {
		return s.text, len(name)
	}
	head, _, _ := strings.Cut(name, ".")
	if s, ok := r.symbols[strings.ToLower(head)]; ok && s.register {
		return s.text, len(head)
	}
	return "", 0
}

// operands substitutes the symbols in a statement's operands, and joins what NASM's %+ joins; ok is false if no symbol was replaced.
func (r *reader) operands(text string) (out string, ok bool) {
	joins := strings.Contains(text, "%+")
	if len(r.symbols) == 0 && !joins {
		return "", false
	}
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return "", false
	}
	s := r.substitute(text[i:])
	if joins {
		s = nasmJoin().ReplaceAllString(s, "")
	}
	return text[:i] + s, s != text[i:]
}

// forward tries to resolve the unresolved statements again, with symbols that the
// text defines later.
func (r *reader) forward() {
	p := r.p
	if len(r.symbols) == 0 || len(r.unknown) == 0 {
		return
	}
	solved := map[source.Pos]bool{}
	for _, i := range r.unknown {
		in := &p.insts[i]
		text, ok := r.operands(p.instText(int(i)))
		if !ok {
			continue
		}
		var err error
		if r.buf, err = p.Language.ISA.Parse(r.buf[:0], text, p.syntaxes[in.syntax]); err != nil {
			continue
		}
		in.unresolved = false
		p.Unresolved--
		solved[p.pos(in.line, 0)] = true
		p.substituted[i] = text
		r.flow(i)
	}
	p.Errors = slices.DeleteFunc(p.Errors, func(d source.Diagnostic) bool {
		d.Pos.Col = 0
		return solved[d.Pos]
	})
}

// flow records the control flow of the last resolved statement, instruction i; plain means that control only continues with the next statement.
func (r *reader) flow(i int32) (plain bool) {
	a := r.p.Language.ISA
	if a.Flow == nil {
		return true
	}
	plain = true
	for k := range r.buf {
		fl := a.Flow(&r.buf[k])
		if fl.Kind == isa.FlowNext {
			continue
		}
		plain = false
		if fl.Kind == isa.FlowCall && fl.Target.Kind == isa.OpExpr && fl.Target.Expr != nil && isa.NoReturn(fl.Target.Expr.Sym) {
			fl.Kind = isa.FlowTrap
		}
		r.p.insts[i].flow = fl.Kind
		if fl.Target.Kind == isa.OpExpr && fl.Target.Expr != nil && fl.Kind != isa.FlowCall {
			r.jumps = append(r.jumps, jump{i, fl.Target.Expr.Sym, fl.Target.Expr.Add})
		}
	}
	return plain
}
