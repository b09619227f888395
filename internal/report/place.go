package report

import (
	"strconv"
	"strings"
)

// place returns an instruction's address if it is machine code, otherwise its line.
func (in *Instruction) place() string {
	if in.Address != "" {
		return in.Address
	}
	return strconv.Itoa(in.Line)
}

// member names the member of a library that holds the kernel, as linkers write it.
func (k *Kernel) member() string {
	if k.Member == "" {
		return ""
	}
	return "(" + k.Member + ")"
}

// shortPlace returns the kernel's place; it shortens a long list of lines to the first and the last line.
func (k *Kernel) shortPlace() string {
	short := *k
	short.Lines = shortLines(k.Lines)
	return short.place()
}

// longLines is the length in characters up to which a short report shows a list of lines in full.
const longLines = 32

// shortLines shortens a long list of lines to its first and last line.
func shortLines(lines string) string {
	if len(lines) <= longLines {
		return lines
	}
	if file, _, ok := strings.Cut(lines, " "); ok { // lines of several files
		return shortLines(file) + " …"
	}
	first, rest, _ := strings.Cut(lines, ",")
	begin, _, _ := strings.Cut(first, "-")
	return begin + "…" + rest[strings.LastIndexAny(rest, ",-")+1:]
}

// place returns a kernel's address or lines in words.
func (k *Kernel) place() string {
	switch {
	case k.Address == "":
		return ", lines " + k.Lines
	case k.Lines == "":
		return " at " + k.Address
	}
	return " at " + k.Address + ", " + k.Lines
}
