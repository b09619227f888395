package asm_test

import (
	"strings"
	"testing"

	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// TestRepeated: a statement means the same however often it was read before, in its own syntax; jumps and what is not known are read each time.
func TestRepeated(t *testing.T) {
	const body = "addq $1, %rax\nxyzzy %rax\naddq $1, %rax\ncmpq %rbx, %rax\njne .L1\n"
	text := ".L1:\n" + strings.Repeat(body, 40) + ".intel_syntax noprefix\nmov rax, rbx\nmov rax, rbx\naddq $1, %rax\n"
	p, err := asm.Parse(&source.File{Name: "repeated.s", Text: text}, asm.Options{ISA: x86.ISA(), Syntax: "att", ISAs: []*isa.ISA{x86.ISA()}})
	if err != nil {
		t.Fatal(err)
	}
	if p.Unresolved != 41 || len(p.Errors) != 41 || p.Errors[40].Pos.Line != 205 {
		t.Errorf("%d statements are not known, %v; want one in each of 40 repetitions, and the last line, which is in the other syntax", p.Unresolved, p.Errors)
	}
	found, _, err := p.Kernels(asm.Select{})
	if err != nil || len(found) == 0 || found[0].Depth != 1 {
		t.Errorf("kernels %v, %v: want the loop", found, err)
	}
}
