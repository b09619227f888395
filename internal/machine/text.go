package machine

import "strings"

// logical is a logical line of a model file: a line and the indented ones that continue it.
type logical struct {
	raw  string // with comments and blank lines up to the next one
	at   int    // offset in the text
	line int    // 1-based
}

// lines splits text, from the start of a physical line (at and line of from), into logical lines without comments and blank lines.
func lines(text string, from logical, yield func(logical) bool) {
	cur := logical{at: -1}
	for at, no := from.at, from.line; at < len(text); no++ {
		l := firstLine(text[at:])
		// An indented line continues the logical line before it; comments and blank lines may lie between the two.
		if indented := l[0] == ' ' || l[0] == '\t'; (!indented || cur.at < 0) && !isBlank(l) {
			if cur.at >= 0 {
				cur.raw = text[cur.at:at]
				if !yield(cur) {
					return
				}
			}
			cur.at, cur.line = at, no
		}
		at += len(l)
	}
	if cur.at >= 0 {
		cur.raw = text[cur.at:]
		yield(cur)
	}
}

// firstLine returns the first physical line of text, with its line end.
func firstLine(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

// isBlank reports whether a physical line is a comment or blank.
func isBlank(l string) bool {
	l = strings.TrimSpace(l)
	return l == "" || l[0] == '#'
}

// join returns the text of a logical line: its physical lines without comments, joined by blanks.
func (l *logical) join() string {
	first := firstLine(l.raw)
	if len(first) == len(l.raw) {
		return strings.TrimSpace(first)
	}
	var parts []string
	for rest := l.raw; rest != ""; {
		p := firstLine(rest)
		rest = rest[len(p):]
		if !isBlank(p) {
			parts = append(parts, strings.TrimSpace(p))
		}
	}
	return strings.Join(parts, " ")
}

// sourceKey begins the lines that state the source of the following rows.
const sourceKey = "source:"

// isRow distinguishes rows ("ADD64rr | 0156 | 1") from header lines ("title: x").
func isRow(s string) bool {
	bar := strings.IndexByte(s, '|')
	colon := strings.IndexByte(s, ':')
	return bar >= 0 && (colon < 0 || bar < colon)
}
