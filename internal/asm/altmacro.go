package asm

import (
	"fmt"
	"strconv"
	"strings"
)

// This file has what .altmacro adds to macros of GNU as: parameters without a backslash, LOCAL names, arguments in <> and arguments %EXPRESSION.

// alternate returns the body of a macro with its parameters and local names put in.
func (r *reader) alternate(body string, params []param) string {
	with := map[string]string{}
	for _, p := range params {
		with[p.name] = p.value
	}
	lines := strings.SplitAfter(body, "\n")
	for i, l := range lines {
		first, rest := word(strings.TrimSpace(l))
		if !strings.EqualFold(first, "local") {
			continue
		}
		for _, name := range strings.FieldsFunc(rest, func(c rune) bool { return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n' }) {
			r.locals++
			with[name] = fmt.Sprintf(".LL%04d", r.locals)
		}
		lines[i] = "\n"
	}
	body = strings.Join(lines, "")
	var b strings.Builder
	for i := 0; i < len(body); {
		end := i
		for end < len(body) && isName(body[end]) && body[end] != '.' && body[end] != '$' && body[end] != '@' {
			end++
		}
		switch value, ok := with[body[i:end]]; {
		case end == i && body[i] == '\\': // a parameter as without .altmacro
			for end++; end < len(body) && isName(body[end]); end++ {
			}
			b.WriteString(body[i:end])
		case end == i && body[i] == '&': // joins
			end++
		case end == i:
			b.WriteByte(body[i])
			end++
		case ok:
			b.WriteString(value)
		default:
			b.WriteString(body[i:end])
		}
		i = end
	}
	return b.String()
}

// alternateArg returns the value of an argument: text in <> without them, and the value of %EXPRESSION.
func (r *reader) alternateArg(v string) string {
	if n := len(v); n > 1 && v[0] == '<' && v[n-1] == '>' {
		return strings.ReplaceAll(v[1:n-1], "!", "")
	}
	if expr, ok := strings.CutPrefix(v, "%"); ok {
		if n, ok := evaluate(r.substitute(expr), r.lookup); ok {
			return strconv.FormatInt(n, 10)
		}
	}
	return v
}
