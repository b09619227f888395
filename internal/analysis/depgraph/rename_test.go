package depgraph_test

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/uops"
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
		for _, e := range depgraph.Build(uops.Bind(m, k), depgraph.Options{}).Edges {
			if e.Renamed {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d edges renamed, want %d", c.text, got, c.want)
		}
	}
}

// TestRenamingTable holds the table that predicts pairs whose address registers change against what a Zen 5 does with
// copies of code in a loop (incore measure, 2026-11-30).
func TestRenamingTable(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text    string
		copies  int
		renamed bool
	}{
		{"leaq 16(%rdi),%rax; addq $1,(%rax)", 20, true},
		{"leaq 16(%rdi),%rax; addq $1,(%rax)", 21, false},
		{"leaq 16(%rdi),%rax; addq $1,(%rax); nop", 40, true},
		{"leaq 16(%rdi),%rax; addq $1,(%rax); nop", 42, false},
		{"leaq 16(%rdi),%rax; addq $1,(%rax); nopl 8(%rbx)", 20, true},
		{"leaq 16(%rdi),%rax; addq $1,(%rax); nopl 8(%rbx)", 22, false},
		{"leaq 1(%rbx),%rsi; addq $1,(%rdi,%rsi,8)", 36, true},
		{"leaq 1(%rbx),%rsi; addq $1,(%rdi,%rsi,8)", 60, false},
		{"leaq 16(%rdi),%rax; movq %rdx,(%rax); movq (%rax),%rdx", 36, true},
		{"leaq 16(%rdi),%rax; movq %rdx,(%rax); movq (%rax),%rdx", 60, false},
		{"leaq 64(%rbx),%rsi; addq $1,(%rdi)", 60, true},
		{"addq $1,(%rdi)", 150, true},
		{"pushq %rax; popq %rax", 150, true},
		{"movq %rax,(%rdi); movq (%rdi),%rax", 150, true},
		{"movq %rsp,%rbp; movq %rdx,-8(%rbp); movq %rsi,-16(%rbp); movq -8(%rbp),%rdx; movq -16(%rbp),%rsi", 60, true},
		{"addq $1,0x10000000", 1, false},
	} {
		var all []isa.Line
		for range c.copies {
			for _, s := range strings.Split(c.text, ";") {
				insts, err := x86.ISA().Parse(nil, strings.TrimSpace(s), "att")
				if err != nil || len(insts) != 1 {
					t.Fatalf("%s: %v", s, err)
				}
				code, err := x86.ISA().Encode(nil, &insts[0], 0)
				if err != nil {
					t.Fatalf("%s: %v", s, err)
				}
				insts[0].Size = uint8(len(code))
				all = append(all, isa.Line{Inst: insts[0], Text: s})
			}
		}
		one := len(all) / c.copies
		check := func(what string, lines []isa.Line, opt depgraph.Options) {
			renamed, not := 0, 0
			for _, e := range depgraph.Build(uops.Bind(m, &isa.Kernel{ISA: x86.ISA(), Loop: true, Lines: lines}), opt).Edges {
				switch {
				case e.Renamed:
					renamed++
				case e.Kind == depgraph.Memory:
					not++
				}
			}
			if renamed+not == 0 || c.renamed && not > 0 || !c.renamed && renamed > 0 {
				t.Errorf("%d times %s, %s: %d pairs are renamed, %d not", c.copies, c.text, what, renamed, not)
			}
		}
		check("one loop", all, depgraph.Options{})
		copies := c.copies
		if c.renamed {
			copies = max(1, copies-4) // the counter of the loop around them has an entry
		}
		check("copies of the kernel", all[:one], depgraph.Options{Copies: copies})
	}
}

// TestCrossing: on a Zen 5 (incore measure, 2026-11-30) a load takes 4.0 cycles more from a store of 64 bytes where it needs bytes of both halves, at any
// width and offset, unless it loads all of them.
func TestCrossing(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	forwarded := func(text string) float64 {
		k := &isa.Kernel{ISA: x86.ISA(), Loop: true}
		for _, s := range strings.Split(text, ";") {
			insts, err := x86.ISA().Parse(nil, strings.TrimSpace(s), "att")
			if err != nil || len(insts) != 1 {
				t.Fatalf("%s: %v", s, err)
			}
			k.Lines = append(k.Lines, isa.Line{Inst: insts[0], Text: s})
		}
		for _, e := range depgraph.Build(uops.Bind(m, k), depgraph.Options{}).Edges {
			if e.Kind == depgraph.Memory && e.From == 0 && e.To == 1 {
				return e.Latency
			}
		}
		t.Fatalf("%s: no edge", text)
		return 0
	}
	for load, bytes := range map[string]int{"vmovss %d(%%rbx), %%xmm0": 4, "vmovsd %d(%%rbx), %%xmm0": 8, "vmovups %d(%%rbx), %%xmm0": 16, "vmovups %d(%%rbx), %%ymm0": 32, "vmovups %d(%%rbx), %%zmm0": 64} {
		for at := 0; at+bytes <= 64; at += 2 {
			more := forwarded("vmovups %zmm0, (%rbx); "+fmt.Sprintf(load, at)) - forwarded("vmovups %zmm0, (%rbx); "+fmt.Sprintf(load, 0))
			want := 0.0
			if bytes < 64 && at < 32 && at+bytes > 32 {
				want = 4
			}
			if more != want {
				t.Errorf("a load of %d bytes at %d takes %g cycles more, want %g", bytes, at, more, want)
			}
		}
	}
}
