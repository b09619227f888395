package plan

import (
	"fmt"
	"regexp"
)

// x86Jumps are the jumps, calls and returns of x86-64 that stay in its 64-bit mode.
func x86Jumps() *jumps {
	return &jumps{
		forms:    regexp.MustCompile(`^(JCC_[14]|JMP_[14]|JMP64[rm](_NT)?|CALL64(pcrel32|r|m)(_NT)?|RETI?64|LOOP(E|NE)?|J[ER]CXZ)$`),
		outcomes: x86Outcomes,
		address:  func(distance int) string { return fmt.Sprintf("leaq %d(%%rip), %%R", distance) },
		store:    func(disp int64) string { return fmt.Sprintf("movq %%W, %d(%%r14)", disp) },
		drop:     func(bytes int) string { return fmt.Sprintf("leaq %d(%%rsp), %%rsp", bytes) },
		pad:      x86Pad,
		jump:     "JMP_1",
		call:     "CALL64pcrel32",
	}
}

// x86Outcomes returns the outcomes of conditional jumps, selected by the carry, or by the count in rcx and the zero
// flag. (clc does not fuse with a jump, as comparisons do.)
func x86Outcomes(form string) []Outcome {
	const below, notBelow = 2, 3
	const many, one, none = "movl $0x7fffffff, %ecx", "movl $1, %ecx", "xorl %ecx, %ecx"
	const equal, unequal = "cmpq %r15, %r15", "testq %r15, %r15"
	switch form {
	case "JRCXZ", "JECXZ":
		return []Outcome{{once: []string{one}}, {Taken: true, once: []string{none}}}
	case "LOOP":
		return []Outcome{{each: []string{one}}, {Taken: true, once: []string{many}}}
	case "LOOPE":
		return []Outcome{{each: []string{one}, once: []string{equal}}, {Taken: true, once: []string{equal, many}}}
	case "LOOPNE":
		return []Outcome{{each: []string{one}, once: []string{unequal}}, {Taken: true, once: []string{unequal, many}}}
	}
	return []Outcome{{condition: below, once: []string{"clc"}}, {Taken: true, condition: notBelow, once: []string{"clc"}}}
}

// x86Pad fills a number of bytes with the fewest NOPs (AMD64 APM vol. 3, NOP: the recommended sequences).
func x86Pad(bytes int) (list []string) {
	nops := []string{"", "nop", "xchgw %ax, %ax", "nopl (%rax)", "nopl 8(%rax)", "nopl 8(%rax,%rax)", "nopw 8(%rax,%rax)", "nopl 0x12345678(%rax)", "nopl 0x12345678(%rax,%rax)"}
	for ; bytes > 0; bytes -= min(bytes, len(nops)-1) {
		list = append(list, nops[min(bytes, len(nops)-1)])
	}
	return list
}
