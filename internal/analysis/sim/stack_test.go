package sim_test

import (
	"testing"

	"incore/internal/analysis/sim"
)

// TestStackOffsets: what instructions beside a push or a pop take that name the stack pointer, measured on a Zen 5 (incore measure, 2026-11-29). A move, the
// base of an address and address arithmetic with a displacement add what push has moved it by; others wait for a synchronizing µop.
func TestStackOffsets(t *testing.T) {
	for _, c := range []struct {
		code   string
		cycles float64
	}{
		{"pushq %rbx; movq %rsp, %rdi", 0.51}, {"pushq %rbx; movl %esp, %edi", 0.51}, {"pushq %rbx; leaq 8(%rsp), %rdi", 0.51},
		{"pushq %rbx; movq 16(%rsp), %rax", 0.50}, {"pushq %rbp; movq %rsp, %rbp; popq %rbp", 0.50},
		{"pushq %rbx; leaq -8(%rsp), %rsp", 1.00}, {"pushq %rbx; movq %rsp, (%rdi)", 1.00}, {"pushq %rbx; addq 16(%rsp), %rcx", 1.00},
		{"pushq %rbx; cmpq %rsp, %rbx", 1.00}, {"pushq %rbx; addq %rsp, %rcx", 1.00}, {"pushq %rbx; leaq (%rsp,%rcx), %rdi", 1.00},
		{"pushq %rbx; leaq (%rsp,%rcx,4), %rdi", 1.00}, {"pushq %rbx; movzwl %sp, %edi", 0.99}, {"pushq %rbx; testq %rsp, %rsp", 0.99},
		{"pushq %rbx; subq $8, %rsp", 1.99}, {"pushq %rbx; andq $-8, %rsp", 1.99}, {"popq %rbx; addq $8, %rsp", 1.99},
		{"pushq %rbp; movq %rsp, %rbp; pushq %rbx; subq $8, %rsp", 2.01}, {"pushq %rbx; movq %rsp, %rdi; subq $8, %rsp; movq %rsp, %rsi", 2.00},
		{"leave; movq %rsp, %rbp", 2.00}, {"pushq %rbp; movq %rsp, %rbp; leave", 2.00},
		{"movq %rsp, %rdi; movq %rsp, %rsi; movq %rsp, %r8; movq %rsp, %r9; movq %rsp, %r10; movq %rsp, %r11; movq %rsp, %rax", 1.18}, // not at rename
	} {
		if got := sim.Predict(graph(t, "zen5", c.code), sim.Options{Copies: 20}).Cycles; got < c.cycles*0.94 || got > c.cycles*1.06 {
			t.Errorf("%s: %.2f cycles, measured %.2f", c.code, got, c.cycles)
		}
	}
}
