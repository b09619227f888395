package lsp

import (
	"context"
	"strings"

	"incore/internal/base/regex"
)

// machineComment is the part of a line before the name of a machine in a comment.
var machineComment = regex.Lazy(`(?:#|//|;|/\*|!|@)[ \t]*incore:[ \t]*(?:arch[ \t]*=[ \t]*)?(?:[\w./-]+[ \t]*,[ \t]*)*`)

// labelled finds labels at the start of lines: "name:", and "name PROC" of MASM.
var labelled = regex.Lazy(`(?m)^[ \t]*(?:\d+:[ \t]+)?("[^"\n]+"|[\w.$@?]+)(?::|[ \t]+(?i:proc)\b)`)

// labels returns the names of all labels but numbers.
func (s *snapshot) labels() (out []string) {
	for _, m := range labelled().FindAllStringSubmatch(s.text.string, -1) {
		if name := m[1]; name[0] < '0' || name[0] > '9' {
			out = append(out, name)
		}
	}
	return out
}

// definition finds the label that the word at a position names. "1b" and "1f" are the nearest label 1 before and after the line.
func (s *snapshot) definition(_ context.Context, p *documentParams) (any, error) {
	if !s.assembly() {
		return nil, nil
	}
	line := s.text.line(p.Position.Line)
	lo, hi := word(line, s.text.bytes(line, p.Position.Character))
	name := line[lo:hi]
	if name == "" {
		return nil, nil
	}
	numeric := name[0] >= '0' && name[0] <= '9'
	back := numeric && strings.HasSuffix(name, "b")
	if numeric {
		if name = strings.TrimRight(name, "bf"); len(name) != hi-lo-1 {
			return nil, nil
		}
	} else if i := strings.IndexByte(name, '@'); i > 0 { // foo@PLT
		name = name[:i]
	}
	at := -1
	for _, m := range labelled().FindAllStringSubmatchIndex(s.text.string, -1) {
		if strings.Trim(s.text.string[m[2]:m[3]], `"`) != name {
			continue
		}
		n := s.text.lineOf(m[2])
		if !numeric || back && n <= p.Position.Line || !back && n > p.Position.Line {
			at = m[2]
			if !back {
				break // the first; backwards the last counts
			}
		}
	}
	if at < 0 {
		return nil, nil
	}
	n := s.text.lineOf(at)
	from := at - s.text.starts[n]
	return Location{URI: s.uri, Range: Range{s.text.at(n, from), s.text.at(n, from+len(name))}}, nil
}
