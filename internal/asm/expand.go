package asm

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Macros and repetitions are expanded as in GNU as: parameters are replaced in the body's text,
// and the result is read like the file itself. Instructions of a macro have the line of
// the call, instructions of .rept their own line.

// Limits of expansion: bytes of expanded text, instructions, depth of macros within macros.
const (
	maxExpanded = 64 << 20
	maxRepeated = 1_000_000
	maxNested   = 64
	maxTimes    = 1 << 20 // of one repetition
)

// macro is a definition: .macro name param, param=default, param:req, param:vararg.
type macro struct {
	params []param
	body   piece
}

type param struct {
	name, value string
	vararg      bool
}

// piece is a part of the text with the number of its first line.
type piece struct {
	off, end uint32
	line     int32
}

// openBlock is an open .macro, .rept, .irp or .irpc whose body is being skipped.
type openBlock struct {
	start    stmt
	name     string // the directive
	args     string
	depth    int // of blocks of any kind within
	body     uint32
	bodyLine int32
}

// expansion is a text with replaced parameters; base is its offset, which follows the program's text.
type expansion struct {
	base uint32
	text string
}

// at returns the text between two offsets, which must both be in the file or in one expansion.
func (p *Program) at(off, end uint32) string {
	if int(off) < len(p.text) {
		return p.text[off:end]
	}
	i := sort.Search(len(p.expanded), func(i int) bool { return p.expanded[i].base > off }) - 1
	if i < 0 {
		return ""
	}
	x := &p.expanded[i]
	return x.text[off-x.base : end-x.base]
}

// closers maps the first directive of a block to the directive that ends it.
var closers = map[string]string{".macro": ".endm", ".rept": ".endr", ".rep": ".endr", ".irp": ".endr", ".irpc": ".endr"}

// passOver skips a statement of the open block and handles the block's end.
func (r *reader) passOver(s stmt) {
	if s.kind != kindDirective {
		return
	}
	name, _ := word(r.p.slice(s))
	name = strings.ToLower(name)
	b := r.open
	switch {
	case closers[name] != "":
		b.depth++
	case name == ".endm" || name == ".endmacro" || name == ".endr":
		if b.depth > 0 {
			b.depth--
			return
		}
		r.open = nil
		r.close(b, piece{b.body, s.off, b.bodyLine})
	}
}

// begin opens a block.
func (r *reader) begin(s stmt, name, args string) {
	r.open = &openBlock{start: s, name: name, args: args, body: s.end, bodyLine: s.line}
}

// close handles a complete block: it defines the macro or expands the repetition.
func (r *reader) close(b *openBlock, body piece) {
	switch b.name {
	case ".macro":
		name, params := macroHead(b.args)
		r.macros[strings.ToLower(name)] = macro{params, body}
	case ".irp", ".irpc":
		name, list := splitName(b.args)
		var values []string
		if b.name == ".irpc" {
			for _, c := range unquote(list) {
				values = append(values, string(c))
			}
		} else if values = macroArgs(list); len(values) == 0 {
			values = []string{""}
		}
		for _, v := range values {
			if !r.expand(b.start, r.p.at(body.off, body.end), []param{{name: name, value: v}}) {
				return
			}
		}
	default:
		n, ok := evaluate(r.substitute(b.args), r.lookup)
		if !ok || n < 0 || n > maxTimes {
			r.cut(b.start, b.name+" "+b.args+" counts as one copy", fmt.Sprintf("a count up to %d is needed", maxTimes))
			n = 1
		}
		for range n {
			if !r.again(b.start, body) {
				return
			}
		}
	}
}

// times expands NASM's "times 4 nop", an instruction that is repeated; it reports whether the statement is one.
func (r *reader) times(s stmt, text string) bool {
	first, rest := word(text)
	if !strings.EqualFold(first, "times") {
		return false
	}
	count, body := word(rest)
	n, ok := evaluate(r.substitute(count), r.lookup)
	if !ok || n < 0 || n > maxTimes || body == "" {
		r.cut(s, "times "+count+" counts as one copy", fmt.Sprintf("a count up to %d is needed", maxTimes))
		n = 1
	}
	for range n {
		if !r.expand(s, body, nil) {
			break
		}
	}
	return true
}

// afford adds n bytes of text to the expanded text; it reports whether the limits allow it.
func (r *reader) afford(s stmt, n int) bool {
	r.spent += n + 16
	if len(r.p.insts) < maxRepeated && r.spent <= maxExpanded && r.nested < maxNested {
		return true
	}
	if !r.full {
		r.full = true
		r.cut(s, fmt.Sprintf("macros and repetitions are expanded to %d instructions, %d levels and %d MB of text at most", maxRepeated, maxNested, maxExpanded>>20), "")
	}
	return false
}

// again reads a part of the text once more.
func (r *reader) again(s stmt, b piece) bool {
	if !r.afford(s, int(b.end-b.off)) {
		return false
	}
	r.nested++
	scan(r.p.at(b.off, b.end), r.dialect, func(s stmt) bool {
		s.off, s.end, s.line = s.off+b.off, s.end+b.off, s.line+b.line-1
		if r.fixedLine != 0 { // within a macro
			s.line = r.fixedLine
		}
		r.statement(s)
		return r.goOn()
	})
	r.nested--
	return true
}

// expand reads a text with its parameters replaced, on the line of s.
func (r *reader) expand(s stmt, body string, params []param) bool {
	if !r.afford(s, len(body)) {
		return false
	}
	r.count++
	text := replaceParams(body, params, r.count)
	base := uint32(len(r.p.text))
	if n := len(r.p.expanded); n > 0 {
		base = r.p.expanded[n-1].base + uint32(len(r.p.expanded[n-1].text))
	}
	if r.spent += len(text) - min(len(text), len(body)); r.spent > maxExpanded {
		return r.afford(s, 0)
	}
	r.p.expanded = append(r.p.expanded, expansion{base, text})
	line := s.line
	if r.fixedLine != 0 {
		line = r.fixedLine
	}
	old, conds := r.fixedLine, len(r.conds)
	r.fixedLine = line
	r.nested++
	scan(text, r.dialect, func(x stmt) bool {
		x.off, x.end, x.line, x.col = x.off+base, x.end+base, line, s.col
		r.statement(x)
		return !r.exit && r.goOn()
	})
	r.nested--
	r.fixedLine = old
	if r.exit { // .exitm leaves its surrounding conditions open
		r.exit, r.conds = false, r.conds[:min(conds, len(r.conds))]
	}
	return true
}

// call expands a statement that calls a macro; it reports whether it does.
func (r *reader) call(s stmt, text string) bool {
	name, args := word(text)
	m, ok := r.macros[strings.ToLower(name)]
	if !ok {
		return false
	}
	params := append([]param(nil), m.params...)
	next := 0
	for _, v := range macroArgs(args) {
		if r.alt {
			v = r.alternateArg(v)
		}
		if name, value, ok := strings.Cut(v, "="); ok {
			if i := paramIndex(params, strings.TrimSpace(name)); i >= 0 {
				params[i].value = strings.TrimSpace(value)
				continue
			}
		}
		switch {
		case next >= len(params):
			continue
		case params[next].vararg:
			if params[next].value != "" {
				v = params[next].value + ", " + v
			}
			params[next].value = v
			continue
		case v != "":
			params[next].value = v
		}
		next++
	}
	for i := range params {
		params[i].value = unquoteArg(params[i].value)
	}
	body := r.p.at(m.body.off, m.body.end)
	if strings.Contains(body, rotate) {
		body = r.rotated(s, body, params)
	}
	if r.alt {
		body = r.alternate(body, params)
	}
	r.expand(s, body, params)
	return true
}

func paramIndex(params []param, name string) int {
	for i := range params {
		if params[i].name == name {
			return i
		}
	}
	return -1
}

// unquoteArg removes the quotes of a string argument.
func unquoteArg(v string) string {
	if len(v) > 1 && v[0] == '"' && stringEnd(v) == len(v) {
		return v[1 : len(v)-1]
	}
	return v
}

// splitName splits "name, rest" or "name rest".
func splitName(s string) (name, rest string) {
	i := strings.IndexAny(s, ", \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimPrefix(strings.TrimLeft(s[i:], " \t"), ",")
}

// macroHead reads "name a, b=3, c:req, d:vararg".
func macroHead(s string) (name string, params []param) {
	name, rest := splitName(s)
	for _, v := range macroArgs(rest) {
		p := param{name: v}
		if n, def, ok := strings.Cut(v, "="); ok {
			p.name, p.value = strings.TrimSpace(n), strings.TrimSpace(def)
		}
		if n, kind, ok := strings.Cut(p.name, ":"); ok {
			p.name, p.vararg = strings.TrimSpace(n), strings.TrimSpace(kind) == "vararg"
		}
		params = append(params, p)
	}
	return name, params
}

// macroArgs splits arguments at commas outside of parentheses and strings, and at blanks that are
// not next to an operator.
func macroArgs(s string) (args []string) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil
	}
	const operators = "+-*/%&|^<>=!~,:"
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			i += stringEnd(s[i:]) - 1
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			args = append(args, strings.TrimSpace(s[start:i]))
			start = i + 1
		case isBlank(c) && depth <= 0 && strings.TrimSpace(s[start:i]) != "":
			after := strings.TrimLeft(s[i:], " \t")
			if after != "" && strings.IndexByte(operators, after[0]) < 0 && strings.IndexByte(operators, s[i-1]) < 0 {
				args = append(args, strings.TrimSpace(s[start:i]))
				start = i
			}
		}
	}
	return append(args, strings.TrimSpace(s[start:]))
}

// replaceParams replaces \name by the parameter's value and \@ by the number of the expansion, and removes \().
func replaceParams(body string, params []param, count int) string {
	if strings.IndexByte(body, '\\') < 0 {
		return body
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(body, '\\')
		if i < 0 || i+1 == len(body) {
			b.WriteString(body)
			return b.String()
		}
		b.WriteString(body[:i])
		rest := body[i+1:]
		n := 0
		for n < len(rest) && (isName(rest[n]) && rest[n] != '.' && rest[n] != '@') {
			n++
		}
		switch k := paramIndex(params, rest[:n]); {
		case rest[0] == '@':
			b.WriteString(strconv.Itoa(count - 1))
			n = 1
		case strings.HasPrefix(rest, "()"):
			n = 2
		case k >= 0 && n > 0:
			b.WriteString(params[k].value)
		default:
			b.WriteByte('\\')
			n = 0
		}
		body = rest[n:]
	}
}
