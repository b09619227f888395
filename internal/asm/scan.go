// Package asm reads assembly text of compilers and people: statements,
// labels, directives and comments of every common style. It detects the instruction set and
// syntax, builds the control flow between the instructions, and finds the code to
// analyse (marked regions, loops, functions, line ranges).
package asm

import (
	"strings"
)

// kind is the kind of a statement.
type kind uint8

const (
	kindInst         kind = iota
	kindLabel             // without its colon and quotes
	kindDirective         // ".byte 100,103,144"; assignments too
	kindMarker            // a comment that begins or ends a region
	kindPreprocessor      // "#define", at the start of a line
)

// stmt is one statement: text[off:end] on a line, counted from 1.
type stmt struct {
	off, end uint32
	line     int32
	col      int32
	kind     kind
}

// dialect holds the rules that separate comments and statements.
type dialect struct {
	comments  []string // sequences that start a comment anywhere
	hashLine  bool     // '#' marks immediates: it starts a comment at a line's start only
	separator byte     // separates statements, 0 if none
	masm      bool     // Microsoft listing: PROC, ENDP, DD …
}

// scanner splits a text into statements.
type scanner struct {
	dialect
	text    string
	pos     int
	line    int
	start   int  // offset of the current line
	comment bool // inside /* */
	stop    bool
	found   func(s stmt) bool
}

// scan calls found for every statement of a text, in order, until it returns false.
func scan(text string, d dialect, found func(s stmt) bool) {
	sc := scanner{dialect: d, text: text, line: 1, found: found}
	for sc.pos < len(text) && !sc.stop {
		sc.scanLine()
	}
}

// scanLine reads one line with all its statements.
func (s *scanner) scanLine() {
	end := len(s.text)
	if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
		end = s.pos + i
	}
	s.start = s.pos
	next := end + 1
	if end > s.pos && s.text[end-1] == '\r' {
		end--
	}
	begin := s.pos
	if end > begin && s.text[begin] == '#' && !s.comment {
		if word := cppDirective(s.text[begin:end]); word != "" {
			s.emit(begin, begin+1+len(word), kindPreprocessor)
		}
	}
	for i := s.pos; i < end; {
		if s.comment {
			i = s.skipBlock(i, end)
			begin = i
			continue
		}
		n, what := s.token(i, end)
		switch what {
		case tokBlock:
			if after := s.closed(n, end); after > 0 { // white space
				if strings.TrimSpace(s.text[begin:i]) == "" {
					begin = after
				}
				n = after
				break
			}
			s.statement(begin, i)
			s.marker(i+2, end)
			s.comment = true
			begin = n
		case tokComment:
			s.statement(begin, i)
			s.marker(i, end)
			begin, n = end, end
		case tokSeparator:
			s.statement(begin, i)
			begin = n
		}
		i = n
	}
	s.pos = next
	if !s.comment {
		if begin < end && s.text[end-1] == '\\' && next < len(s.text) {
			s.joined(begin)
			return
		}
		s.statement(begin, end)
	}
	s.line++
}

// joined reads a statement that a backslash at the line's end continues on the next line.
func (s *scanner) joined(begin int) {
	lines := 1
	var end int
	for {
		if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
			end = s.pos + i
		} else {
			end = len(s.text)
		}
		s.pos = min(end+1, len(s.text))
		if end > begin && s.text[end-1] == '\r' {
			end--
		}
		lines++
		if s.text[end-1] != '\\' || s.pos == len(s.text) {
			break
		}
	}
	for i := begin; i < end; {
		n, what := s.token(i, end)
		if what == tokComment || what == tokBlock {
			end = i
			break
		}
		i = n
	}
	s.statement(begin, end)
	s.line += lines
}

// closed returns the end of a block comment that begins before i, ends in this
// line and marks no region; 0 for other comments.
func (s *scanner) closed(i, end int) int {
	n := strings.Index(s.text[i:end], "*/")
	if n < 0 || markerAt(s.text[i:i+n]) >= 0 {
		return 0
	}
	return i + n + 2
}

// stripBlocks replaces the block comments within a statement by blanks.
func stripBlocks(s string) string {
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			return strings.TrimSpace(s)
		}
		n := strings.Index(s[i+2:], "*/")
		if n < 0 {
			return strings.TrimSpace(s)
		}
		s = s[:i] + " " + s[i+2+n+2:]
	}
}

// skipBlock finds the end of a block comment in a line.
func (s *scanner) skipBlock(i, end int) int {
	if n := strings.Index(s.text[i:end], "*/"); n >= 0 {
		s.comment = false
		return i + n + 2
	}
	return end
}

type tokKind uint8

const (
	tokOther tokKind = iota
	tokBlock
	tokComment
	tokSeparator
)

// special marks the bytes that token must examine.
var special = func() (t [256]bool) {
	for _, c := range "\"'/#;@!|" {
		t[c] = true
	}
	return
}()

// token reads the token at i and returns its end and kind.
func (s *scanner) token(i, end int) (next int, what tokKind) {
	c := s.text[i]
	if !special[c] && c != s.separator {
		for i++; i < end && !special[s.text[i]] && s.text[i] != s.separator; i++ {
		}
		return i, tokOther
	}
	rest := s.text[i:end]
	switch {
	case c == '"':
		return i + stringEnd(rest), tokOther
	case c == '\'':
		return i + charEnd(rest), tokOther
	case strings.HasPrefix(rest, "/*"):
		return i + 2, tokBlock
	case strings.HasPrefix(rest, "//"):
		return end, tokComment
	case c == '#' && s.hash(i, end), c == '@' && s.spaced(i, end):
		return end, tokComment
	}
	for _, cm := range s.comments {
		if cm != "#" && strings.HasPrefix(rest, cm) {
			return end, tokComment
		}
	}
	if c == s.separator {
		return i + 1, tokSeparator
	}
	return i + 1, tokOther
}

// hash reports whether '#' at i starts a comment. If '#' also marks immediates, a comment needs
// the start of a line, or a space after '#' and no comma before it.
func (s *scanner) hash(i, end int) bool {
	before := strings.TrimRight(s.text[s.start:i], " \t")
	if !s.hashLine {
		return true
	}
	return before == "" || !strings.HasSuffix(before, ",") && !strings.HasSuffix(before, "[") && s.spaced(i, end)
}

// spaced reports whether the byte at i stands alone between blanks (or a line's ends).
func (s *scanner) spaced(i, end int) bool {
	blank := func(c byte) bool { return c == ' ' || c == '\t' }
	return (i == s.start || blank(s.text[i-1])) && (i+1 == end || blank(s.text[i+1]))
}

// stringEnd returns the length of the string literal that s begins with.
func stringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// charEnd returns the length of the character constant that s begins with: 'c or 'c'.
func charEnd(s string) int {
	n := 2
	if len(s) > 1 && s[1] == '\\' {
		n = 3
	}
	if len(s) > n && s[n] == '\'' {
		n++
	}
	return min(n, len(s))
}

// statement emits the labels and the statement in text[begin:end].
func (s *scanner) statement(begin, end int) {
	for {
		for begin < end && isBlank(s.text[begin]) {
			begin++
		}
		for end > begin && isBlank(s.text[end-1]) {
			end--
		}
		if begin == end {
			return
		}
		name, quote, n := labelEnd(s.text[begin:end])
		if n == 0 {
			break
		}
		s.emit(begin+quote, begin+name-quote, kindLabel)
		begin += n
	}
	k := kindInst
	switch {
	case s.text[begin] == '.' || isAssignment(s.text[begin:end]):
		k = kindDirective
	case s.masm:
		if name := masmProc(s.text[begin:end]); name > 0 {
			s.emit(begin, begin+name, kindLabel)
			return
		}
		if isMASMDirective(s.text[begin:end]) {
			k = kindDirective
		}
	}
	s.emit(begin, end, k)
}

func (s *scanner) emit(begin, end int, k kind) {
	if !s.stop {
		s.stop = !s.found(stmt{off: uint32(begin), end: uint32(end), line: int32(s.line), col: int32(begin - s.start + 1), kind: k})
	}
}

// marker emits a comment that marks a region.
func (s *scanner) marker(begin, end int) {
	text := s.text[begin:end]
	if i := markerAt(text); i >= 0 {
		text = strings.TrimSuffix(strings.TrimRight(text[i:], " \t"), "*/")
		s.emit(begin+i, begin+i+len(strings.TrimRight(text, " \t")), kindMarker)
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r' }

// isName reports whether c can be part of a symbol.
func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '@' || c == '?' || c >= 0x80
}

// labelEnd looks for a label at the start of s. It returns the length of the
// name with its quotes, the length of one quote, and the length with the colon; 0 if s does not start with a label.
func labelEnd(s string) (name, quote, all int) {
	switch {
	case s[0] == '"':
		name, quote = stringEnd(s), 1
		if name < 3 {
			return 0, 0, 0
		}
	default:
		for name < len(s) && isName(s[name]) {
			name++
		}
	}
	if name == 0 || name >= len(s) {
		return 0, 0, 0
	}
	i := name
	if s[i] == ' ' && i+1 < len(s) && s[i+1] == ':' {
		i++
	}
	if s[i] != ':' || i+1 < len(s) && s[i+1] == '[' { // fs:[…]
		return 0, 0, 0
	}
	return name, quote, i + 1
}

// isAssignment reports whether a statement sets a symbol ("x = 8", "x == 8").
func isAssignment(s string) bool {
	i := 0
	for i < len(s) && isName(s[i]) {
		i++
	}
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i > 0 && i < len(s) && s[i] == '='
}

// word returns the first word of s and the rest.
func word(s string) (first, rest string) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimLeft(s[i:], " \t")
}

// masmProc returns the length of the name in "name PROC", 0 if s is something else.
func masmProc(s string) int {
	name, rest := word(s)
	if w, _ := word(rest); strings.EqualFold(w, "PROC") {
		return len(name)
	}
	return 0
}

// masmFirst and masmSecond are the words that make a statement of a Microsoft listing a directive.
var (
	masmFirst = map[string]bool{"PUBLIC": true, "EXTRN": true, "EXTERN": true, "INCLUDELIB": true, "INCLUDE": true, "END": true, "TITLE": true,
		"OPTION": true, "COMM": true, "ASSUME": true, "NPAD": true, "ALIGN": true, "ORG": true, "DB": true, "DW": true, "DD": true, "DQ": true, "LOCAL": true}
	masmSecond = map[string]bool{"ENDP": true, "SEGMENT": true, "ENDS": true, "DB": true, "DW": true, "DD": true, "DQ": true, "DT": true,
		"EQU": true, "LABEL": true, "MACRO": true, "STRUCT": true, "PROTO": true, "TYPEDEF": true}
)

func isMASMDirective(s string) bool {
	first, rest := word(s)
	second, _ := word(rest)
	_, init := word(rest)
	third, _ := word(init)
	return masmFirst[strings.ToUpper(first)] || masmSecond[strings.ToUpper(second)] ||
		masmBytes[strings.ToLower(second)] > 0 && init != "" && !strings.EqualFold(third, "ptr") && !strings.Contains(init, "[") // data with a name
}
