package l1

import (
	"math"
	"testing"
)

// TestWalk holds code that comes to new pages against what BHive's profiler found, in which nothing begins anew.
func TestWalk(t *testing.T) {
	pops := "; popq %rbx; popq %rbp; popq %r12; popq %r13"
	for _, c := range []struct {
		model, text string
		want        float64
	}{
		{"skylake", "addq $328, %rsp" + pops + "; popq %r14; popq %r15", 3.78},
		{"skylake", "addq $552, %rsp" + pops + "; popq %r14; popq %r15", 4.28},
		{"skylake", "addq $2216, %rsp" + pops + "; popq %r14; popq %r15", 5.96}, // all loads twice
		{"skylake", "addq $2072, %rsp" + pops, 4},
		{"skylake", "addq $24, %rsp" + pops, 0},                                                              // no line is left out
		{"haswell", "pushq %r12; pushq %rbp; pushq %rbx; subq $232, %rsp", 3 + 8*256./4096},                  // stores
		{"haswell", "addq $328, %rsp" + pops + "; popq %r14; popq %r15", 3.80},                               //
		{"ivybridge", "addq $536, %rsp" + pops + "; popq %r14; popq %r15", 4.17},                             //
		{"skylake", "movq %rax, (%rdi); addq $1024, %rdi; movq (%rsi), %rbx; addq $4096, %rsi", 1 + 1 + 0.5}, // each pointer for itself
		{"skylake", "movq %rax, (%rdi); movq (%rsi), %rbx", 0},                                               // nothing moves
		{"skylake", "movzbl 16(%r12), %ecx; movslq (%rax,%rcx,4), %rcx; addq %rcx, %rax", 14.97},
		{"haswell", "movl 304(%rsp), %edx; movslq (%rax,%rdx,4), %rdx; addq %rdx, %rax", 13.98},
		{"skylake", "movslq (%rax,%rcx,4), %rcx; addq %rax, %rcx", 0},                     // the pointer stays
		{"skylake", "movslq (%rbx,%rcx,4), %rcx; addq %rcx, %rax", 0},                     // no pointer
		{"skylake", "movq 8(%rsi), %rax; movslq (%rax,%rcx,4), %rcx; addq %rcx, %rax", 0}, // begins anew
		{"skylake", "movslq (%rax,%rcx,4), %rcx; xorq %rcx, %rax", 0},
		{"zen4", "addq $328, %rsp" + pops, 0},                                                                         // not known
		{"skylake", "movq (%rdi), %rdi; movq 8(%rdi), %rax", 0},                                                       // where to is not known
		{"skylake", "addq $8000, %rdi; movq (%rdi), %rax; movq 8(%rdi), %rbx; movq 16(%rdi), %rcx", 1.5 * 2},          // one page an iteration
		{"skylake", "subq $100, %rdi; movq (%rdi), %rax; movq 8(%rdi), %rbx; movq 16(%rdi), %rcx", 1.5 + 9*100./4096}, // downwards
	} {
		if got := Walk(bind(t, c.model, c.text), 6); math.Abs(got-c.want) > 0.02*c.want {
			t.Errorf("%s %s: %.3f, want %.3f", c.model, c.text, got, c.want)
		}
	}
}
