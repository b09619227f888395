package report

import (
	"strconv"
	"strings"
)

// place is where an instruction is: its address if it is machine code, else its line.
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

// shortPlace is place without what lies between the first and the last line, where that is long.
func (k *Kernel) shortPlace() string {
	short := *k
	short.Lines = shortLines(k.Lines)
	return short.place()
}

// longLines is how long a list of lines a short report shows in full.
const longLines = 32

// shortLines says of a long list of lines where it begins and ends.
func shortLines(lines string) string {
	if len(lines) <= longLines {
		return lines
	}
	if file, _, ok := strings.Cut(lines, " "); ok { // of several files
		return shortLines(file) + " …"
	}
	first, rest, _ := strings.Cut(lines, ",")
	begin, _, _ := strings.Cut(first, "-")
	return begin + "…" + rest[strings.LastIndexAny(rest, ",-")+1:]
}

// place says where a kernel is.
func (k *Kernel) place() string {
	switch {
	case k.Address == "":
		return ", lines " + k.Lines
	case k.Lines == "":
		return " at " + k.Address
	}
	return " at " + k.Address + ", " + k.Lines
}
