package asm

import (
	"strings"

	"incore/internal/base/regex"
)

// This file rewrites what flat assembler (FASM) has of its own in the words of GNU as, line by line. Its macros, which stand in braces, are refused by name.

var (
	fasmMade    = regex.Lazy(`(?mi)^[ \t]*(?:format[ \t]+(?:elf|elf64|pe|pe64|ms|ms64|coff|binary|mz)\b|use64\b|segment[ \t]+(?:readable|executable)|section[ \t]+'[^'\n]+'[ \t]+(?:code|data|executable|readable|writeable))`)
	fasmCounter = regex.Lazy(`(?:^|[\s,(+*\[-])%(?:$|[\s,)+*\]-])`)
)

// fasmWords are the words of FASM that GNU as has under another name; "" leaves the line out.
var fasmWords = map[string]string{
	"format": "", "public": "", "extrn": "", "entry": "", "use64": "", "endp": "", "local": "", "locals": "", "endl": "", "stack": "", "heap": "",
	"repeat": ".rept", "end repeat": ".endr", "if": ".if", "else if": ".elseif", "else": ".else", "end if": ".endif", "include": ".include",
}

// fromFASM rewrites a text.
func fromFASM(text string) string {
	lines := strings.SplitAfter(text, "\n")
	braces := false // within a macro's
	for i, line := range lines {
		body, end := strings.TrimRight(line, "\r\n"), ""
		end = line[len(body):]
		code, comment, commented := strings.Cut(body, ";")
		if commented {
			comment = "#" + comment
		}
		if braces {
			braces = !strings.Contains(code, "}")
			lines[i] = end
			continue
		}
		out, open := fasmLine(code)
		braces = open
		lines[i] = out + comment + end
	}
	return strings.Join(lines, "")
}

// fasmLine rewrites a line; open reports that it begins a macro whose brace is not closed on it.
func fasmLine(code string) (out string, open bool) {
	trimmed := strings.TrimSpace(code)
	first, rest := word(trimmed)
	name := strings.ToLower(first)
	if second, more := word(rest); name == "end" || name == "else" && strings.EqualFold(second, "if") {
		name, rest = name+" "+strings.ToLower(second), more
	}
	to, known := fasmWords[name]
	switch {
	case known && to == "":
		return "", false
	case known:
		return to + " " + rest, false
	case name == "section" || name == "segment":
		if strings.Contains(rest, "executable") || strings.Contains(rest, "code") {
			return ".text", false
		}
		return ".data", false
	case name == "proc":
		function, _ := word(strings.ReplaceAll(rest, ",", " "))
		return function + ":", false
	case name == "macro" || name == "struc" || name == "irp" || name == "irps" || name == "rept" || name == "match":
		return ".fasm " + trimmed, strings.Contains(code, "{") && !strings.Contains(code, "}") || !strings.Contains(code, "{")
	case name == "while" || name == "virtual" || name == "postpone" || strings.HasPrefix(name, "end "):
		return ".fasm " + trimmed, false
	case fasmCounter().MatchString(code):
		return ".fasm % (the count of a repetition) in " + trimmed, false
	}
	return code, false
}
