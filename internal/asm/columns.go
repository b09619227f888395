package asm

import (
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/regex"
)

// This file removes what assemblers' listings, profilers and viewers put beside the text of instructions, line by line:
// the columns of numbers and machine code of GNU as (-al), NASM (-l) and Microsoft's compiler (/FAc, /FAcs), the arrows
// that objdump draws (--visualize-jumps), the colours of terminals. It adds what listings leave out: the addresses of
// objdump --no-addresses, by the machine code.

var (
	// gasLine is "  19 0000 4885F6   \ttestq\t%rsi, %rsi" of GNU as; lines without code have a number only.
	gasLine = regex.Lazy(`^ *\d+(?: [0-9a-f]{4,8} [0-9A-F?]+ *| +)\t(.*)$`)
	// gasSign is a line that only such a listing has.
	gasSign = regex.Lazy(`^(?:GAS LISTING | {2,3}\d+ +\t+\.(?:file|text|section|globl)\b)`)
	// nasmListed is "     5 00000000 4885F6                  test rsi,rsi"; the source begins at a fixed column.
	nasmListed = regex.Lazy(`^ {0,5}\d+ [0-9A-F]{8} [0-9A-F\[\]()<>?-]{2,}`)
	// masmCode is "  00010\tf2 0f 58 01\t addsd\t xmm0, …" of /FAc, whose long codes go on in lines of their own.
	masmCode = regex.Lazy(`^(?:  [0-9a-f]{5,8})?\t((?:[0-9a-f]{2} ?)+)(?:\t+ (.*))?$`)
	// escape is a command to a terminal.
	escape = regex.Lazy(`\x1b\[[0-9;]*[A-Za-z]`)
	// art is what objdump draws before the machine code or instruction of a line.
	art = regex.Lazy(`^(\s*[0-9a-f]+:\t)[-/\\|>X+ ]+`)
	// tableHead is the heading of VTune's table of instructions.
	tableHead = regex.Lazy(`^Address\t(?:.*\t)?Assembly(?:\t|$)`)
)

const nasmColumn = 40 // where the source begins in NASM's listings

// uncolumned removes the columns of such texts. Others are returned unchanged.
func uncolumned(text string) string {
	if strings.Contains(text[:min(len(text), 1<<14)], "\x1b[") {
		text = escape().ReplaceAllString(text, "")
	}
	read := columnsOf(text)
	if read == nil {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		b.WriteString(read(strings.TrimRight(line, "\r\n")))
		b.WriteByte('\n')
	}
	return b.String()
}

// columnsOf returns what reads a line of a text with columns, nil for other texts, by the text's first lines.
func columnsOf(text string) func(line string) string {
	n := 0
	for line := range strings.Lines(text[:min(len(text), 1<<14)]) {
		line = strings.TrimRight(line, "\r\n")
		m := masmCode().FindStringSubmatch(line)
		switch {
		case gasSign().MatchString(line):
			return gasSource
		case nasmListed().MatchString(line):
			return nasmSource(strings.Contains(text, " <1> "))
		case m != nil && m[2] != "":
			return masmSource
		case tableHead().MatchString(line):
			return tableCells(line)
		case screenHead().MatchString(line) && perfEvents().MatchString(text[:min(len(text), 1<<12)]):
			return screenOf()
		case art().MatchString(line):
			return func(line string) string { return art().ReplaceAllString(line, "$1") }
		}
		if n++; n > 200 {
			break
		}
	}
	return nil
}

// gasSource returns the source of a line of GNU as' listing; macros are expanded there, behind a sign.
func gasSource(line string) string {
	if m := gasLine().FindStringSubmatch(line); m != nil {
		return strings.TrimPrefix(m[1], "> ")
	}
	return ""
}

// nasmSource returns what reads a line of NASM's listing. Where macros are expanded, which the depth behind the code tells, definitions and calls have no code
// and are left out.
func nasmSource(expanded bool) func(string) string {
	return func(line string) string {
		if len(line) <= nasmColumn {
			return ""
		}
		source := line[nasmColumn:]
		first, _ := word(strings.TrimSpace(source))
		if bare := !nasmListed().MatchString(line); expanded && bare && first != "section" && first != "bits" && first != "global" && !strings.HasSuffix(first, ":") {
			return ""
		}
		return source
	}
}

// masmSource removes the columns of addresses and machine code of Microsoft's compiler.
func masmSource(line string) string {
	if m := masmCode().FindStringSubmatch(line); m != nil {
		return "\t" + m[2]
	}
	return line
}

// tableCells returns what reads a row of VTune's table of instructions as a line of a debugger.
func tableCells(head string) func(string) string {
	at := 0
	for i, cell := range strings.Split(head, "\t") {
		if cell == "Assembly" {
			at = i
		}
	}
	return func(row string) string {
		if cells := strings.Split(row, "\t"); len(cells) > at && strings.HasPrefix(cells[0], "0x") && !strings.HasPrefix(cells[at], "Block ") {
			return cells[0] + ":\t" + strings.TrimSpace(cells[at])
		}
		return ""
	}
}

// addressed adds the addresses of a listing of objdump --no-addresses or llvm-objdump --no-leading-addr. The machine code tells them; without it, each instruction
// has one of its own, so that places with a name are found.
func addressed(text string) string {
	for line := range strings.Lines(text) {
		if addr, _, ok := strings.Cut(line, ":"); ok && isHex(strings.TrimSpace(addr)) {
			return text
		}
	}
	var b strings.Builder
	b.Grow(2 * len(text))
	starts, function, at := map[string]int{}, "", 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		name := strings.TrimSuffix(line, ":")
		switch {
		case strings.HasPrefix(name, "<") && strings.HasSuffix(name, ">") && name != line && !isTargetName(name):
			function = name[1 : len(name)-1]
			at = (at + 15) &^ 15
			starts[function] = at
			line = "0000000000000000 " + line
		case isCodeLine(line):
			bytes, _, ok := strings.Cut(strings.TrimSpace(line), "\t")
			n := 1
			if ok && isByteColumn(bytes) || isCodeOnly(bytes) { // the rest of long machine code has a line of its own
				n = len(strings.ReplaceAll(strings.TrimSpace(bytes), " ", "")) / 2
			}
			line = strconv.FormatInt(int64(at), 16) + ":\t" + placed(strings.TrimSpace(line), function, starts[function])
			at += n
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// isCodeLine reports whether a line without an address holds an instruction: behind a tab, with machine code, or far to the right.
func isCodeLine(line string) bool {
	before, after, ok := strings.Cut(line, "\t")
	if !ok || strings.Trim(before, " ") != "" && !isByteColumn(before) {
		return false
	}
	if isCodeOnly(after) {
		return true
	}
	bytes, _, ok := strings.Cut(strings.TrimSpace(after), "\t")
	return len(before) >= 8 || before != "" && isByteColumn(before) || ok && isByteColumn(bytes) || isByteColumn(after) && len(strings.Fields(after)) > 1
}

// isCodeOnly reports whether a text is bytes of machine code alone, two digits each.
func isCodeOnly(s string) bool {
	fields := strings.Fields(s)
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(f string) bool { return len(f) != 2 || !isHex(f) })
}

// placed adds the address to a jump's target "<sum+0x20>" in the function that begins at an address.
func placed(inst, function string, start int) string {
	i := strings.LastIndex(inst, "<"+function)
	if i < 0 || !strings.HasSuffix(inst, ">") {
		return inst
	}
	offset, ok := strings.CutPrefix(inst[i+1+len(function):len(inst)-1], "+0x")
	n, err := strconv.ParseInt(offset, 16, 32)
	if !ok && inst[i:] != "<"+function+">" || ok && err != nil {
		return inst
	}
	head := strings.TrimRight(inst[:i], " ")
	if j := strings.LastIndexAny(head, " \t"); j >= 0 && isHex(strings.TrimPrefix(head[j+1:], "0x")) {
		head = head[:j+1] // llvm-objdump writes the target's address in the file, too
	}
	return head + " " + strconv.FormatInt(int64(start)+n, 16) + " " + inst[i:]
}
