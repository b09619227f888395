package main

import (
	"regexp"
	"strconv"
	"strings"
)

// section returns the part of a generated file from "#ifdef guard" to its "#endif", "" if there is none.
func section(text, guard string) string {
	start := strings.Index(text, "#ifdef "+guard+"\n")
	if start < 0 {
		return ""
	}
	depth, at := 0, start
	for at < len(text) {
		line, rest := text[at:], len(text)
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, rest = line[:i], at+i+1
		}
		if l := strings.TrimSpace(line); strings.HasPrefix(l, "#") {
			switch l = strings.TrimSpace(l[1:]); {
			case strings.HasPrefix(l, "if"):
				depth++
			case strings.HasPrefix(l, "endif"):
				depth--
			}
			if depth == 0 {
				return text[start:rest]
			}
		}
		at = rest
	}
	return text[start:]
}

// array returns the lines of the array whose definition starts with a name that ends
// in the given one, up to the line "};", and whether there is one.
func array(text, name string) ([]string, bool) {
	i := strings.Index(text, name+"[] = {")
	if i < 0 {
		return nil, false
	}
	return untilBrace(text[i:])
}

// value returns the lines of a structure's definition "name = {", like array.
func value(text, name string) ([]string, bool) {
	i := strings.Index(text, " "+name+" = {\n")
	if i < 0 {
		return nil, false
	}
	return untilBrace(text[i:])
}

func untilBrace(text string) ([]string, bool) {
	_, text, _ = strings.Cut(text, "\n")
	text, _, ok := strings.Cut(text, "\n};")
	return strings.Split(text, "\n"), ok
}

// function is a function of a generated file: the submatches of its header and its body with braces.
type function struct {
	head []string
	body string
}

// functions returns the functions whose header, up to and with the opening brace, matches.
func functions(text string, header *regexp.Regexp) []function {
	var out []function
	for _, m := range header.FindAllStringSubmatchIndex(text, -1) {
		f := function{body: braced(text[m[1]-1:])}
		for i := 0; i < len(m); i += 2 {
			f.head = append(f.head, text[m[i]:m[i+1]])
		}
		out = append(out, f)
	}
	return out
}

// braced returns the text from an opening brace to the one that closes it.
// Braces in strings, characters and comments don't count.
func braced(s string) string {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return s[:i+1]
			}
		case c == '"' || c == '\'':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case strings.HasPrefix(s[i:], "//"):
			if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
				i += n
			} else {
				return s
			}
		}
	}
	return s
}

var (
	comment = regexp.MustCompile(`/\*.*?\*/`)
	integer = regexp.MustCompile(`-?\d+`)
)

// uncomment removes /* … */ comments, and a // comment at the end of a line.
func uncomment(line string) string {
	line = comment.ReplaceAllString(line, "")
	if i := strings.Index(line, "//"); i >= 0 {
		line = line[:i]
	}
	return line
}

// ints returns the decimal integers of a text.
func ints(s string) []int {
	var out []int
	for _, x := range integer.FindAllString(s, -1) {
		n, _ := strconv.Atoi(x)
		out = append(out, n)
	}
	return out
}

// rowInts returns the integers between the braces of an array's row.
func rowInts(line string) []int {
	_, line, _ = strings.Cut(line, "{")
	line, _, _ = strings.Cut(line, "}")
	return ints(line)
}

// unqualified drops the qualifier of a C++ name ("X86::EAX" → "EAX").
func unqualified(s string) string {
	return s[strings.LastIndex(s, ":")+1:]
}

// enumerators returns number → name of "NAME = NUMBER," lines.
func enumerators(text string) map[int]string {
	out := map[int]string{}
	for _, m := range enumLine.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[2])
		out[n] = m[1]
	}
	return out
}

var enumLine = regexp.MustCompile(`(?m)^\s*(\w+)\s*=\s*(\d+),`)
