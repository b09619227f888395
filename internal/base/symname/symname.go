// Package symname turns the symbols of C++, Rust and Go programs into the names that programmers write, and shortens these for people: a template's full name
// has thousands of characters.
package symname

import (
	"strings"
	"unicode/utf8"

	"github.com/ianlancetaylor/demangle"
)

// Demangle returns the name that a C++, Rust or Go programmer wrote, or the symbol itself.
func Demangle(symbol string) string {
	name := symbol
	if strings.HasPrefix(name, "__Z") || strings.HasPrefix(name, "__R") { // Mach-O adds an underscore
		name = name[1:]
	}
	return demangle.Filter(name, demangle.NoClones)
}

// Split divides the name of a kernel into its function and its place there: "f(int)+0x1c" into "f(int)" and "+0x1c", "A::f:.L3" into "A::f" and ":.L3". A name
// without a place is a function.
func Split(kernel string) (function, place string) {
	if i := strings.LastIndex(kernel, "+0x"); i > 0 {
		return kernel[:i], kernel[i:]
	}
	for i := len(kernel) - 2; i > 0 && !strings.ContainsRune("()<>{}", rune(kernel[i+1])); i-- {
		if kernel[i] == ':' && kernel[i-1] != ':' && kernel[i+1] != ':' {
			return kernel[:i], kernel[i:]
		}
		if kernel[i] == ':' {
			break // of a scope
		}
	}
	return kernel, ""
}

// Rank says how well the name that a user asks for fits a function's full name: 0 if it is the name, 1 without result and parameters, 2 also without template
// arguments, 3 also without scopes, 4 if an ellipsis stands for a part of one of these, as in the tables of reports; -1 if it is another name.
func Rank(full, asked string) int {
	if full == asked {
		return 0
	}
	if before, after, cut := strings.Cut(asked, "…"); cut {
		for _, s := range forms(full) {
			if len(s) >= len(before)+len(after) && strings.HasPrefix(s, before) && strings.HasSuffix(s, after) {
				return 4
			}
		}
		return -1
	}
	if len(asked) >= len(full) || !strings.Contains(full, Shorter(asked)[2]) {
		return -1
	}
	for i, s := range Shorter(full) {
		if s == asked {
			return i + 1
		}
	}
	return -1
}

// Same reports whether a user may mean a kernel by a name: its function's may be shortened as Rank says, and its place may be left out or stand alone.
func Same(kernel, asked string) bool {
	if kernel == asked {
		return true
	}
	function, place := Split(kernel)
	if place != "" && (place[1:] == asked || function == asked) {
		return true
	}
	f, p := Split(asked)
	return (p == "" || p == place) && Rank(function, f) >= 0
}

// forms returns a function's full name and its shortened ones.
func forms(function string) []string {
	s := Shorter(function)
	return []string{function, s[0], s[1]}
}

// Short is the length of names in sentences.
const Short = 60

// Fit shortens the names of kernels or functions to so many characters: it leaves out result and parameters, then template arguments, where that still tells the
// functions of the list apart, else the middle.
func Fit(names []string, room int) []string {
	means := map[string]string{} // short form → the function that it stands for; "" if there are several
	fs := make([][]string, len(names))
	for i, n := range names {
		if utf8.RuneCountInString(n) <= room {
			continue
		}
		function, _ := Split(n)
		fs[i] = forms(function)
		for _, s := range fs[i] {
			if f, ok := means[s]; ok && f != function {
				function = ""
			}
			means[s] = function
			function = fs[i][0]
		}
	}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n
		if fs[i] == nil {
			continue
		}
		function, place := Split(n)
		best := function
		for _, s := range fs[i] {
			if means[s] == function && s != "" {
				if best = s; utf8.RuneCountInString(s+place) <= room {
					break
				}
			}
		}
		out[i] = middle(best, place, room)
	}
	return out
}

// FitColumn shortens the names in a column of a table, whose first row is the heading, so that its lines have at most so many characters. Columns are two spaces
// apart.
func FitColumn(rows [][]string, column, width int) {
	const least = 24
	names := make([]string, len(rows))
	for c := range rows[0] {
		wide := 0
		for i, r := range rows {
			if c == column {
				names[i] = r[c]
			} else {
				wide = max(wide, utf8.RuneCountInString(r[c]))
			}
		}
		if c != column {
			width -= wide + 2
		}
	}
	for i, n := range Fit(names, max(width, least)) {
		rows[i][column] = n
	}
}

// middle cuts the middle of a function's name, so that it has room for its place. It is at least a few characters long.
func middle(function, place string, room int) string {
	f := []rune(function)
	room = max(room-utf8.RuneCountInString(place), 8)
	if len(f) <= room {
		return function + place
	}
	tail := room / 3
	return string(f[:room-tail-1]) + "…" + string(f[len(f)-tail:]) + place
}

// Shorter returns three shortened forms of a demangled name: without result and parameters, also without template arguments, and also without
// scopes, packages and path. Names within functions keep the functions: "f(int)::{lambda(char)#1}::operator()" and "f::{lambda#1}::operator()".
func Shorter(s string) [3]string {
	if strings.HasPrefix(s, "-[") || strings.HasPrefix(s, "+[") { // a method of Objective-C
		return [3]string{s, s, s}
	}
	var plain strings.Builder // without template arguments
	start, end, from := 0, len(s), 0
	write := func(i, n int) int {
		plain.WriteString(s[i : i+n])
		return n
	}
scan:
	for i := 0; i < len(s); {
		n := group(s[i:])
		switch c := s[i]; {
		case strings.HasPrefix(s[i:], "operator") && (i == start || s[i-1] == ':'):
			i += write(i, operatorName(s[i:]))
		case strings.HasPrefix(s[i:], "(anonymous namespace)"):
			i += write(i, n)
		case c == '(' && i > start && s[i-1] == '.': // of Go's methods
			plain.WriteString(bare(s[i : i+n]))
			i += n
		case c == '(' && i == start: // of decltype, or a function whose result is a pointer to one
			i += write(i, n)
		case strings.HasPrefix(s[i:], " <") && i > start: // of an operator's template
			i++
		case c == '(':
			rest := strings.TrimPrefix(s[i+n:], " const")
			if !strings.HasPrefix(rest, "::") {
				end = i
				break scan
			}
			i = len(s) - len(rest)
		case c == '<' && i == start, c == '{': // a type of Rust, a lambda
			plain.WriteString(bare(s[i : i+n]))
			i += n
		case c == '<', c == '[' && i > start:
			i += n
		case strings.HasPrefix(s[i:], " ["): // "[clone .cold]"
			end = i
			break scan
		case c == ' ': // it separates the result's type from the name
			plain.Reset()
			i++
			start, from = i, 0
		default:
			if c == ':' || c == '.' || c == '/' {
				from = plain.Len() + 1
			}
			i += write(i, 1)
		}
	}
	p := plain.String()
	return [3]string{s[start:end], p, p[from:]}
}

// group returns the length of the brackets and what they hold at the start of a name, all of it if they are not closed; 1 if there are none.
func group(s string) int {
	var open []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case '<':
			if len(open) == 0 || open[len(open)-1] != '(' || strings.HasSuffix(s[:i], "lambda") || i > 0 && s[i-1] != ' ' { // else a comparison
				open = append(open, c)
			}
		case ')', ']', '}', '>':
			if c == '>' && (i > 0 && s[i-1] == '-' || len(open) == 0 || open[len(open)-1] != '<') {
				continue
			}
			for len(open) > 0 { // brackets that were never closed are signs of an operator
				last := open[len(open)-1]
				open = open[:len(open)-1]
				if last == map[byte]byte{')': '(', ']': '[', '}': '{', '>': '<'}[c] {
					break
				}
			}
		}
		if len(open) == 0 {
			return i + 1
		}
	}
	return len(s)
}

// operatorName returns the length of the name of an operator or conversion at the start of s, which ends before its template arguments or parameters.
func operatorName(s string) int {
	i := len("operator")
	if strings.HasPrefix(s[i:], "()") {
		return i + 2
	}
	for i < len(s) && strings.IndexByte("+-*/%^&|~!=<>,[]\"", s[i]) >= 0 {
		i++
	}
	if i > len("operator") && !strings.HasSuffix(s[:i], `"`) {
		return i
	}
	for i < len(s) && s[i] != '(' {
		i += group(s[i:])
	}
	return i
}

// bare removes what inner brackets hold: "{lambda(int)#1}" is "{lambda#1}", "<Vec<T> as Index<I>>" is "<Vec as Index>".
func bare(s string) string {
	var b strings.Builder
	b.WriteByte(s[0])
	for i := 1; i < len(s); {
		if n := group(s[i:]); n > 1 {
			i += n
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}
