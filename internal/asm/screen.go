package asm

import (
	"strconv"
	"strings"

	"incore/internal/base/regex"
)

// This file reads what perf annotate's screen shows, and what --stdio2 and the screen's key P write without its line
// between shares and code. Each function's jumps name offsets in it.

var (
	// screen is a line: " 12.50 │10:   movsd (%rdi),%xmm0"; a group of events has a share each.
	screen = regex.Lazy(`^\s*((?:\d+(?:\.\d+)?\s*)*)│(.*)$`)
	// screenPlace is an offset that jumps lead to, behind their number.
	screenPlace = regex.Lazy(`^\s*(?:\d+ +)?([0-9a-f]+):(.*)$`)
	// screenHead is the heading of the shares.
	screenHead = regex.Lazy(`^(Percent|Samples|Period) *( IPC Cycle.*)?$`)
	// perfEvents is a line above the heading, which begins the text of a function; screenName the line below it.
	perfEvents = regex.Lazy(`(?m)^(?:Samples: .* of event|Event: )`)
	screenName = regex.Lazy(`^(\S.*?)(?:\(\) |  )(?:/\S+|\[[^\] ]+\])(?: +\[Percent: .*\])?$`)
)

const (
	// arrows are the signs that the screen draws beside instructions: jumps, calls, returns; bars is its right edge.
	arrows = " \t│┌└├─►▶↓↑←→"
	bars   = " \t▒◆░█▲▼↑↓"
	// perfCycles is the width of the columns that branch records add.
	perfCycles = 12
)

// onScreen reports whether a line with the sign │ is one of the screen: its heading, one with a share, or one that begins a section.
func onScreen(line string) bool {
	before, _, _ := strings.Cut(line, "│")
	m := screen().FindStringSubmatch(line)
	return screenHead().MatchString(before) || m != nil && (strings.Contains(m[1], ".") || strings.Contains(line, "Disassembly of section"))
}

// screenOf returns what draws the screen's line in a text that lacks it. The shares of each heading are as wide as half of it, where its blanks were kept.
func screenOf() func(line string) string {
	const percent, period = 8, 13
	width := 0
	return func(line string) string {
		head := screenHead().FindStringSubmatch(line)
		switch {
		case perfEvents().MatchString(line):
			width = 0
		case head != nil:
			width = percent
			if head[1] == "Period" {
				width = period
			}
			if n := (len(line) + 1) / 2; head[2] == "" && n > width {
				width = n
			}
			return line[:len(head[1])] + "│" + head[2]
		case width > 0 && len(line) >= width:
			return line[:width] + "│" + line[width:]
		case width > 0:
			return ""
		}
		return line
	}
}

// screenReader returns what reads the lines. Lines of the source look like instructions, but hold signs of C. Where machine code is shown and addresses are not,
// the code tells them.
func screenReader() func(line string) listed {
	cycles, at := false, -1
	return func(line string) (l listed) {
		line = strings.TrimRight(line, bars)
		m := screen().FindStringSubmatch(line)
		if m == nil {
			if before, after, ok := strings.Cut(line, "│"); ok && screenHead().MatchString(before) {
				cycles = strings.HasPrefix(strings.TrimLeft(after, " "), "IPC Cycle")
			} else if name := screenName().FindStringSubmatch(line); name != nil && !perfEvents().MatchString(line) {
				return listed{label: name[1], begins: true}
			}
			return l
		}
		text := m[2]
		if head := strings.TrimSpace(text); objdumpLabel(head) != "" {
			start, _, _ := strings.Cut(head, " ")
			n, _ := strconv.ParseInt(start, 16, 64)
			at = int(n)
			return listed{label: objdumpLabel(head)}
		}
		if cycles {
			text = text[min(perfCycles, len(text)):]
		}
		if place := screenPlace().FindStringSubmatch(text); place != nil {
			l.addr, text = trimAddr(place[1]), place[2]
		}
		bare := strings.Trim(text, arrows)
		if code := spacedCode().FindStringSubmatch(bare); code != nil && l.addr == "" && at >= 0 && !isLetters(strings.TrimSpace(code[1])) {
			l.addr = strconv.FormatInt(int64(at), 16)
			at += len(strings.ReplaceAll(code[1], " ", "")) / 2
		}
		if strings.TrimSpace(m[1]) == "" && l.addr == "" && !strings.ContainsAny(text, "↓↑←→") && ofSource(bare) {
			return l
		}
		l.code(bare)
		return l
	}
}

// ofSource reports whether a line of perf's screen is of the source, not an instruction.
func ofSource(s string) bool {
	first, _ := word(s)
	for _, w := range strings.Fields("else do return static const double float int void unsigned long char bool auto if for while struct template public private inline pub fn let use func") {
		if first == w {
			return true
		}
	}
	return strings.HasPrefix(s, "Disassembly of section") || strings.HasSuffix(s, "):") || strings.HasPrefix(s, "#") || strings.HasPrefix(s, "//") || strings.ContainsAny(s, ";{}=\"'") && !strings.Contains(s, "%") || s == ")"
}
