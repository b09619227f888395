package lsp

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"incore/internal/base/source"
	"incore/internal/report"
)

// text is a document's text with an index of its lines. It doesn't change.
type text struct {
	string        // with \n in place of each lone \r, which also ends a line
	raw    string // as the editor has it
	starts []int  // of each line
	utf16  bool   // positions count UTF-16 units; otherwise bytes
}

func newText(raw string, utf16 bool) *text {
	s := source.Lines(raw)
	t := &text{string: s, raw: raw, utf16: utf16, starts: append(make([]int, 0, strings.Count(s, "\n")+1), 0)}
	for i := 0; ; {
		n := strings.IndexByte(s[i:], '\n')
		if n < 0 {
			return t
		}
		i += n + 1
		t.starts = append(t.starts, i)
	}
}

// line returns a line without its end; line 0 is the first. It is empty outside of the text.
func (t *text) line(n int) string {
	if n < 0 || n >= len(t.starts) {
		return ""
	}
	end := len(t.string)
	if n+1 < len(t.starts) {
		end = t.starts[n+1] - 1
	}
	return strings.TrimSuffix(t.string[t.starts[n]:end], "\r")
}

// offset returns the byte offset of a position. As the protocol says, a character beyond the line's end means its end.
func (t *text) offset(p Position) (int, error) {
	if p.Line == len(t.starts) && p.Character == 0 {
		return len(t.string), nil
	}
	if p.Line < 0 || p.Line > len(t.starts) || p.Character < 0 {
		return 0, fmt.Errorf("line %d, character %d: the document has %s", p.Line, p.Character, report.Counted(len(t.starts), "line"))
	}
	if p.Line == len(t.starts) {
		return len(t.string), nil
	}
	return t.starts[p.Line] + t.bytes(t.line(p.Line), p.Character), nil
}

// bytes converts the character of a position to a byte offset in its line. One before the line's start, which the protocol excludes, counts as its start.
func (t *text) bytes(line string, character int) int {
	if !t.utf16 {
		at := min(max(0, character), len(line))
		for at > 0 && at < len(line) && !utf8.RuneStart(line[at]) {
			at-- // within a character
		}
		return at
	}
	units := 0
	for i, r := range line {
		if units >= character {
			return i
		}
		units++
		if r > 0xffff {
			units++
		}
	}
	return len(line)
}

// at returns the position of a byte offset in a line.
func (t *text) at(line, offset int) Position {
	s := t.line(line)
	s = s[:min(offset, len(s))]
	if !t.utf16 {
		return Position{line, len(s)}
	}
	units := 0
	for _, r := range s {
		units++
		if r > 0xffff {
			units++
		}
	}
	return Position{line, units}
}

// end returns the position of a line's end.
func (t *text) end(line int) Position { return t.at(line, len(t.line(line))) }

// whole returns the range of a line's text without the white space around it.
func (t *text) whole(line int) Range {
	s := t.line(line)
	first := len(s) - len(strings.TrimLeft(s, " \t"))
	return Range{t.at(line, first), t.at(line, max(first, len(strings.TrimRight(s, " \t"))))}
}

// apply returns the text after a change.
func (t *text) apply(c *change) (*text, error) {
	if c.Range == nil {
		return newText(c.Text, t.utf16), nil
	}
	lo, err := t.offset(c.Range.Start)
	if err != nil {
		return nil, err
	}
	hi, err := t.offset(c.Range.End)
	if err != nil {
		return nil, err
	}
	if hi < lo {
		return nil, fmt.Errorf("a change ends at line %d before it begins", c.Range.End.Line)
	}
	return newText(t.raw[:lo]+c.Text+t.raw[hi:], t.utf16), nil
}

// lineOf returns the line of a byte offset.
func (t *text) lineOf(offset int) int {
	return sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > offset }) - 1
}

// word returns the bounds of the word around a byte offset in a line: letters, digits, and what labels and registers have.
func word(line string, at int) (lo, hi int) {
	is := func(b byte) bool {
		return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' || b == '.' || b == '$' || b == '@' || b >= utf8.RuneSelf
	}
	for lo = min(at, len(line)); lo > 0 && is(line[lo-1]); lo-- {
	}
	for hi = min(at, len(line)); hi < len(line) && is(line[hi]); hi++ {
	}
	return lo, hi
}
