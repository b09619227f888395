package asm

import (
	"fmt"
	"strings"

	"incore/internal/base/regex"
)

// This file reads NASM's structures: "struc NAME", fields as ".x: resq 1", "endstruc". A field is a constant, its offset, and NAME_size the structure's length.

var (
	strucBegin = regex.Lazy(`(?i)^\s*struc\s+([A-Za-z_.?][\w.?$#@~]*)\s*(?:,\s*(\S+)\s*)?(?:;.*)?$`)
	strucEnd   = regex.Lazy(`(?i)^\s*endstruc\b`)
	strucField = regex.Lazy(`(?i)^\s*(?:([A-Za-z_.?][\w.?$#@~]*)\s*:?)??\s*(?:(res[bwdqtoyz]|alignb)\s+([^;]+?))?\s*(?:;.*)?$`)
)

// reserves are the bytes of a unit of each directive that reserves space.
var reserves = map[string]int64{"resb": 1, "resw": 2, "resd": 4, "resq": 8, "rest": 10, "reso": 16, "resy": 32, "resz": 64}

// structures writes the constants of structures in the place of their text.
func structures(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		m := strucBegin().FindStringSubmatch(strings.TrimRight(lines[i], "\r\n"))
		if m == nil {
			continue
		}
		end := i + 1
		for end < len(lines) && !strucEnd().MatchString(lines[end]) {
			end++
		}
		if end < len(lines) {
			layOut(lines[i:end+1], m[1], m[2])
		}
		i = end
	}
	return strings.Join(lines, "")
}

// layOut replaces the lines of a structure, unless one of them is not understood. at is the offset of its first field.
func layOut(lines []string, name, at string) {
	none := func(string) (int64, bool) { return 0, false }
	offset, ok := evaluate(at, none)
	if at != "" && !ok {
		return
	}
	out := []string{"\n"}
	for _, line := range lines[1 : len(lines)-1] {
		m := strucField().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			return
		}
		set := ""
		if field := m[1]; field != "" {
			if field[0] == '.' {
				field = name + field
			}
			set = fmt.Sprintf(".set %s, %d", field, offset)
		}
		out = append(out, set+"\n")
		if m[2] == "" {
			continue
		}
		n, ok := evaluate(m[3], none)
		const most = 1 << 30
		if !ok || n < 0 || n > most {
			return
		}
		if unit := reserves[strings.ToLower(m[2])]; unit > 0 {
			offset += n * unit
		} else if n > 0 {
			offset += ((n - offset%n) % n)
		}
	}
	copy(lines, append(out, fmt.Sprintf(".set %s_size, %d\n", name, offset)))
}
