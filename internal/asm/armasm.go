package asm

import (
	"strings"

	"incore/internal/base/regex"
)

// This file rewrites what Arm's and Microsoft's assembler for AArch64 (armasm, armasm64, cl /FA) has of its own in the words of GNU as, line by line: labels at
// the start of a line without a colon, names between bars, comments behind a semicolon, and directives of functions and sections.

var (
	// armasmMade is a line that only armasm has: a name between bars at its start, or an area. A procedure's line alone is MASM's as well.
	armasmMade = regex.Lazy(`(?m)^(?:\|[^|\n]+\|[ \t]*(?:$|\r|;|PROC\b|[a-z])|[ \t]+AREA[ \t]+\S+[ \t]*,)`)
	armasmSure = regex.Lazy(`(?m)^(?:\S.*[ \t]PROC\b|[ \t]+AREA[ \t]|[ \t]+(?:b|cb|tb)[\w.]*[ \t][^;\n]*\|[^|\n]+\|)`)
	armasmName = regex.Lazy(`\|([^|\n]+)\|`)
	armasmOdd  = regex.Lazy(`[^\w.]+`)
)

// armasmWords are the directives of which nothing is left in GNU as; with a name before them, the name is a label or a constant's.
var armasmWords = map[string]bool{"area": true, "export": true, "global": true, "import": true, "extern": true, "end": true, "endp": true, "endfunc": true, "align": true, "ttl": true,
	"include": true, "get": true, "preserve8": true, "require8": true, "entry": true, "keep": true, "proc": true, "function": true, "thumb": true, "arm": true}

// armasmData are those that reserve or define data.
var armasmData = map[string]string{"dcb": ".byte", "dcw": ".hword", "dcd": ".word", "dcq": ".quad", "space": ".skip"}

// fromArmasm rewrites a text.
func fromArmasm(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body := strings.TrimRight(line, "\r\n")
		code, comment, commented := strings.Cut(body, ";")
		if commented {
			comment = " //" + comment
		}
		lines[i] = armasmLine(code) + comment + line[len(body):]
	}
	return strings.Join(lines, "")
}

// armasmLine rewrites a line without its comment.
func armasmLine(code string) string {
	label, rest := "", code
	switch {
	case strings.HasPrefix(code, "|"):
		if end := strings.IndexByte(code[1:], '|'); end > 0 {
			label, rest = code[1:1+end], code[end+2:]
		}
	case code != "" && isName(code[0]):
		label, rest = word(code)
	}
	first, args := word(strings.TrimSpace(rest))
	name := strings.ToLower(first)
	if strings.HasSuffix(label, ":") || name == "equ" { // a label of GNU as, or a constant
		return code
	}
	out := ""
	if label != "" {
		out = armasmLabel(label) + ":"
	}
	to, data := armasmData[name]
	switch {
	case armasmWords[name]:
		return out
	case data:
		return out + " " + to + " " + args
	}
	return out + " " + armasmName().ReplaceAllStringFunc(rest, func(s string) string { return armasmLabel(strings.Trim(s, "|")) })
}

// armasmLabel makes a name one of GNU as; a function's loses its types, and "$LN4@sum" is the local label .LN4_sum.
func armasmLabel(s string) string {
	if i := strings.IndexByte(s, '('); i > 0 {
		s = s[:i]
		s = s[strings.LastIndexAny(s, " *&")+1:]
	}
	if strings.HasPrefix(s, "$") {
		s = "." + s[1:]
	}
	return armasmOdd().ReplaceAllString(s, "_")
}
