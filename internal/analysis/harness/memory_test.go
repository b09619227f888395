package harness

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

func bind(t *testing.T, model, text string) *machine.Bound {
	t.Helper()
	m, err := machine.Get(model)
	if err != nil {
		t.Fatal(err)
	}
	k := &isa.Kernel{ISA: x86.ISA()}
	for _, s := range strings.Split(text, ";") {
		insts, err := x86.ISA().Parse(nil, strings.TrimSpace(s), "att")
		if err != nil || len(insts) != 1 {
			t.Fatalf("%s: %v", s, err)
		}
		k.Lines = append(k.Lines, isa.Line{Inst: insts[0], Text: s})
	}
	return uops.Bind(m, k)
}

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
		if got := walk(bind(t, c.model, c.text), 6); math.Abs(got-c.want) > 0.02*c.want {
			t.Errorf("%s %s: %.3f, want %.3f", c.model, c.text, got, c.want)
		}
	}
}

// TestAliases holds what a moving stack pointer costs where one page stands behind all addresses against a Zen 4 (incore measure, 2026-11-22).
func TestAliases(t *testing.T) {
	repeat := func(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+"; ", n), "; ") }
	for _, c := range []struct {
		text     string
		measured float64
	}{
		{repeat("pop %rax", 8), 5.2},
		{repeat("push %rax", 8), 4.59},
		{repeat("push %rax", 6) + "; sub $24,%rsp", 3.61},
		{repeat("push %rax", 5) + "; sub $48,%rsp", 3.14},
		{repeat("push %rax", 8) + "; lea 64(%rsp),%rsp", 4.03},
		{"pop %rax; mov (%rsi),%rbx", 1.05},
		{repeat("pop %rax", 4) + "; lea -32(%rsp),%rsp", 1.33},
	} {
		if got, more := aliases(bind(t, "zen4", c.text)); more != 0 || math.Abs(got-c.measured) > 0.08*c.measured {
			t.Errorf("%s: %.2f, measured %.2f", c.text, got, c.measured)
		}
	}
	if got, more := aliases(bind(t, "skylake", "pop %rax")); got != 0 || more != 0 {
		t.Errorf("a core of which nothing is known: %g, %g", got, more)
	}
	// On a Zen 5 (zen5-blocks); stack-sync takes 2 cycles where the stack pointer is added to or subtracted from.
	for _, c := range []struct {
		text            string
		least, measured float64
	}{
		{repeat("pop %rax", 3), 0, 1.18},
		{"add $24,%rsp; " + repeat("pop %rax", 6), 2, 2.98},
		{"push %rbp; mov %rdi,%rbp; push %rbx; sub $8,%rsp; mov (%rdi),%rbx; test %rbx,%rbx", 2, 2.19},
		{repeat("push %rax", 4) + "; sub $40,%rsp; mov %rdi,%r13; mov (%rsi),%r12; test %r12,%r12", 2, 2.59},
		{"push %rbp; mov %fs:16,%r11; push %rbx; sub $8,%rsp; test %rax,%rax", 2, 2.00},
		{repeat("push %rax", 5) + "; mov 168(%rdi),%rax", 2.5, 2.55},
	} {
		if got, more := aliases(bind(t, "zen5", c.text)); math.Abs(max(got, c.least)+more-c.measured) > 0.06*c.measured {
			t.Errorf("%s: %.2f and %.2f, measured %.2f", c.text, got, more, c.measured)
		}
	}
}
