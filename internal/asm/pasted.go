package asm

import (
	"regexp"
	"strings"

	"incore/internal/base/regex"
)

// This file reads what debuggers, profilers and virtual machines print: gdb's and lldb's disassemble and x/i, perf
// annotate (--stdio, and what its screen saves or shows), the disassembly of Java's hsdis (with the shares and arrows
// of JMH's perfasm), and the columns of WinDbg, dumpbin, Ghidra, radare2 and IDA.

var (
	// hexLine is a line of gdb, lldb and hsdis: "=> 0x401136 <main+4>:	push %rbp". The name may hold < and >.
	hexLine = regex.Lazy(`^(?:\s*\d+\.\d+%)*[\s│┃|╭╰↗↘→]*(?:=>|->|[Bb]?\+?>)?\s*(?:[^\s\[\]]+\[)?0x([0-9a-f]+)\]?(?:\s*(?:<(.*)>)?:\s+|\s+<([^<>]*)>\s+)(.*)$`)
	// gdbHead begins a listing of gdb's, lldbHead one of lldb's; javaHead names a compiled method.
	lldbHead = regex.Lazy("^[^\\s`]+`(.+):$")
	gdbHead  = regex.Lazy(`^Dump of assembler code for function (.*):$`)
	javaHead = regex.Lazy(`# \{method\}.*?'([^']*)' '[^']*' in '([^']*)'`)
	// annotated is an instruction of perf annotate --stdio: "   12.50 :   401136:   push %rbp"; annotatedHead a function's start there.
	annotated     = regex.Lazy(`^\s*(?:\d+(?:\.\d+)?\s+)*:\s+([0-9a-f]+):\s+(.*)$`)
	annotatedHead = regex.Lazy(`^\s*:\s*(?:\d+\s+)?([0-9a-f]{8,16} <.*>:)$`)
	// xdis is a line of Intel's SDE, shown one of Capstone's cstool.
	xdis  = regex.Lazy(`^XDIS ([0-9a-f]+): \S+\s+([0-9A-F]+)\s+(\S.*)$`)
	shown = regex.Lazy(`^ ?([0-9a-f]{1,16})  ((?:[0-9a-f]{2} )+) +(\S.*)$`)
	// spacedCode is machine code and an instruction, apart by spaces alone.
	spacedCode = regex.Lazy(`^((?:[0-9a-f]{2} ){1,16}|[0-9a-f]{4} |[0-9a-f]{8} ) *([a-z].*)$`)
	// columned has an address, machine code and an instruction: "00007ff7`12341002 0f1000 movups xmm0,xmmword ptr
	// [rax]"; named has IDA's section, no code.
	columned = regex.Lazy("^[\\s│┃|╎╭╰┌└─<>=.,:`-]*(?:0x)?([0-9A-Fa-f]{8}(?:`?[0-9A-Fa-f]{8})?):?\\s+((?:[0-9A-Fa-f]{2} ?)+)\\s+([A-Za-z].*)$")
	named    = regex.Lazy(`^\.?[A-Za-z_]+:([0-9A-F]{8,16})\s+(\S.*)$`)
	// plain has an address and an instruction, as Visual Studio and LuaJIT write them; ruled is a line of x64dbg.
	plain = regex.Lazy(`^(?:0x)?([0-9A-Fa-f]{8,16})(?:\s{2,}|\t)([a-z][a-z0-9.]+(?:\s.*)?)$`)
	ruled = regex.Lazy(`^([0-9A-F]{8,16}) \|(?:[^|]*\|)? [0-9A-F][0-9A-F: ]*\| ([^|]*?)\s*(?:\|.*)?$`)
	// placeName is a jump's target in these: its address, as such or in a name, alone or behind the name of a function.
	placeName = regex.Lazy("(?:\\S+ \\()?(?:\\w+\\.)?(?:0x([0-9A-Fa-f]{1,16})|(?:loc_|LAB_)?([0-9A-Fa-f]{8}`[0-9A-Fa-f]{8}|[0-9A-Fa-f]{4,16})h?)\\)?(?:\\s+->\\w+)?$")
)

// pastedKind detects such a text by a line: 'x' has addresses in hexadecimal, 'p' is perf annotate --stdio, 's' its
// screen, 'c' has columns without a colon; 0 is none.
func pastedKind(line string) byte {
	switch {
	case hexLine().MatchString(line), gdbHead().MatchString(line):
		return 'x'
	case annotated().MatchString(line):
		return 'p'
	case strings.Contains(line, "│") && onScreen(line):
		return 's'
	case columned().MatchString(line), named().MatchString(line), plain().MatchString(line), ruled().MatchString(line), xdis().MatchString(line), shown().MatchString(line):
		return 'c'
	}
	return 0
}

// pastedReaders read the lines of such texts, by kind.
var pastedReaders = map[byte]func(string) listed{'x': hexadecimalLine, 'p': annotatedLine, 'c': columnLine}

// hexadecimalLine reads a line of gdb, lldb or hsdis. Lines without an address are prompts, source lines and remarks.
func hexadecimalLine(line string) (l listed) {
	if m := gdbHead().FindStringSubmatch(line); m != nil {
		l.label = m[1]
		return l
	}
	if m := lldbHead().FindStringSubmatch(line); m != nil {
		l.label = m[1]
		return l
	}
	if m := javaHead().FindStringSubmatch(line); m != nil {
		l.label = m[2] + "." + m[1]
		return l
	}
	m := hexLine().FindStringSubmatch(line)
	if m == nil {
		return l
	}
	l.addr = trimAddr(m[1])
	l.function = m[2] + m[3]
	if i := strings.LastIndexByte(l.function, '+'); i >= 0 && isNumber(l.function[i+1:]) {
		l.function = l.function[:i]
	}
	l.code(strings.TrimRight(cutRemark(m[4]), " │"))
	return l
}

// columnLine reads a line of WinDbg, dumpbin, Ghidra, radare2 or IDA. Other lines are names, references and remarks.
func columnLine(line string) (l listed) {
	m := columned().FindStringSubmatch(line)
	if m != nil && len(m[2]) == 4 && isLetters(m[2]) { // the mnemonic "fadd"
		m = nil
	}
	for _, form := range []func() *regexp.Regexp{xdis, shown} {
		if m == nil {
			m = form().FindStringSubmatch(line)
		}
	}
	for _, form := range []func() *regexp.Regexp{named, plain, ruled} {
		if two := form().FindStringSubmatch(line); m == nil && two != nil {
			m = append(two[:2:2], "", two[2])
		}
	}
	if m == nil {
		return l
	}
	l.inst = strings.TrimSpace(cutRemark(m[3]))
	if _, rest := word(l.inst); strings.HasSuffix(l.inst, ":") || strings.Contains(l.inst, "= ") || strings.HasPrefix(rest, "proc ") || strings.HasPrefix(rest, "endp") {
		return listed{}
	}
	address := func(s string) string { return trimAddr(strings.ReplaceAll(s, "`", "")) }
	l.addr = address(m[1])
	if at := placeName().FindStringSubmatchIndex(l.inst); at != nil && isBranchWord(strings.ToLower(l.inst)) {
		from, to := max(at[2], at[4]), max(at[3], at[5])
		l.target = address(l.inst[from:to])
		l.inst = strings.TrimSuffix(strings.TrimSpace(l.inst[:at[0]]), " short") + " "
	}
	return l
}

// cutRemark removes a remark of hsdis: "inc %r10d  ;*iinc".
func cutRemark(s string) string {
	if i := strings.Index(s, ";"); i >= 0 && (i == 0 || isBlank(s[i-1])) {
		return s[:i]
	}
	return s
}

// annotatedLine reads a line of perf annotate --stdio. Lines without an address are source lines.
func annotatedLine(line string) (l listed) {
	if m := annotatedHead().FindStringSubmatch(line); m != nil {
		return listed{label: objdumpLabel(m[1])}
	}
	if m := annotated().FindStringSubmatch(line); m != nil {
		l.addr = trimAddr(m[1])
		l.code(m[2])
	}
	return l
}

// code takes the instruction of a line, after a column of machine code, with the target of a jump.
func (l *listed) code(s string) {
	s = strings.TrimSpace(cutListingComment(s))
	if bytes, after, ok := strings.Cut(s, "\t"); ok && isByteColumn(bytes) && (len(bytes) != 4 || !isLetters(bytes)) { // the mnemonic "fadd" is hexadecimal, too
		s = strings.TrimSpace(after)
	} else if m := spacedCode().FindStringSubmatch(s); m != nil && !isLetters(strings.TrimSpace(m[1])) {
		s = m[2]
	} else if isByteColumn(s) && strings.ContainsAny(s, "0123456789") {
		return // only machine code: the virtual machine has no disassembler
	}
	if s == "" {
		return
	}
	l.inst = s
	l.cutTarget()
	if l.target == "" {
		l.bareTarget()
	}
	l.plainJump()
}

// bareTarget splits a jump's target without a name off the instruction: "jl 0x7f3c8d1a5b60", "jne 10".
func (l *listed) bareTarget() {
	m, rest := word(l.inst)
	i := strings.LastIndexAny(rest, " \t,") + 1
	addr := strings.TrimPrefix(rest[i:], "0x")
	if m == "call" || m == "bl" || m == "callq" || !isBranchWord(l.inst) || !isHex(addr) || !strings.HasPrefix(rest[i:], "0x") && isLetters(addr) && len(addr) > 4 {
		return
	}
	l.inst, l.target = strings.TrimSuffix(l.inst, rest[i:]), trimAddr(addr)
}
