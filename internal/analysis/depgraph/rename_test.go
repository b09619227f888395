package depgraph

import (
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// TestRenamedBases holds what memory renaming finds by the registers of addresses against what a Zen 4 does (incore measure, 2026-11-22).
func TestRenamedBases(t *testing.T) {
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	moved := "mov %rax,(%rdi); mov %rdi,%rsi; mov (%rsi),%rax"
	for _, c := range []struct {
		text string
		want int // edges through memory that are renamed
	}{
		{"incq (%rdi)", 1},
		{"incl 8(%rdi,%rcx,4)", 1},
		{"incb (%rdi)", 0},
		{"incq 37896192", 0},
		{"mov %rax,(%rdi); mov (%rdi),%ebx", 1},
		{"mov %rax,8(%rdi); mov 8(%rdi),%ebx", 1},
		{"mov %rax,8(%rdi); mov 12(%rdi),%ebx", 0},
		{"mov %rax,(%rdi); add (%rdi),%rbx", 0},
		{"mov %rax,(,%rcx,8); add (,%rcx,8),%rbx", 0},
		{"mov %rax,(%rdi,%rcx,8); add (%rdi,%rcx,8),%rbx", 1},
		{"mov %rax,8(%rdi,%rcx,8); mov 12(%rdi,%rcx,8),%ebx", 0}, // it is the register that is passed on
		{"add -8(%rdi,%rcx,8),%rax; mov %rax,(%rdi,%rcx,8); inc %rcx", 1},
		{"mov %eax,(%rdi); movslq (%rdi),%rbx", 0},
		{"mov %eax,(%rdi,%rcx,8); movslq (%rdi,%rcx,8),%rbx", 1},
		{"mov %al,(%rdi,%rcx); add (%rdi,%rcx),%al", 0},
		{"incl (,%rcx,4)", 1},
		{"mov %rax,37896192; mov 37896192,%rbx", 0},
		{"mov %rax,x(%rip); mov x(%rip),%rbx", 1},
		{"mov %rax,x(%rip); add x(%rip),%rbx", 0},
		{"incq x(%rip)", 0},
		{"mov %rax,(%rdi); cmovne (%rdi),%rax", 1},
		{"push %rax; pop %rax", 1},
		{"movsd %xmm0,(%rdi); mov (%rdi),%rax", 0},
		{moved, 1},
		{strings.Repeat(moved+"; ", 23) + "nop", 23},
		{strings.Repeat(moved+"; ", 30) + "nop", 0},
		{strings.Repeat("mov %rax,(%rdi); mov (%rdi),%rax; ", 30) + "nop", 30},
	} {
		k := &isa.Kernel{ISA: x86.ISA(), Loop: true}
		for _, s := range strings.Split(c.text, ";") {
			insts, err := x86.ISA().Parse(nil, strings.TrimSpace(s), "att")
			if err != nil || len(insts) != 1 {
				t.Fatalf("%s: %v", s, err)
			}
			k.Lines = append(k.Lines, isa.Line{Inst: insts[0], Text: s})
		}
		got := 0
		for _, e := range Build(m.Bind(k), Options{}).Edges {
			if e.Renamed {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d edges renamed, want %d", c.text, got, c.want)
		}
	}
}
