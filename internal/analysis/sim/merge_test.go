package sim_test

import (
	"math"
	"testing"

	"incore/internal/analysis/sim"
)

// TestMerges: what is renamed apart is merged where it is read together, in one slot for flags and in a cycle of dispatch for second bytes.
func TestMerges(t *testing.T) {
	for _, c := range []struct {
		arch, text string
		want       float64
	}{
		{"haswell", "movl %ecx, %eax; movb $1, %ah; movl %eax, %edx; nop; nop", 3},              // two slots, the merge, three slots
		{"haswell", "movl %ecx, %eax; movb $1, %ah; movb %ah, %dl; nop; nop; nop; nop; nop", 2}, // ah alone is read
		{"haswell", "movb $1, %ah; movl %ecx, %eax; movl %eax, %edx; nop; nop", 1.25},           // eax is written whole
		{"haswell", "movb $1, %ah; movl %eax, %edx; nop; nop; nop", 3},                          // one slot, the merge, four slots
		{"haswell", "movl %ecx, %eax; movb $1, %ah; movq 8(%rax), %rdx; movq (%rax), %rsi; nop", 3},
		{"haswell", "movb (%rdi), %ah", 0.5},              // waits for nothing (uops.info: 0 cycles from ah to ah)
		{"haswell", "imulq %rcx, %rax; movb %bl, %ah", 4}, // the product, and the merge before the next
		{"skylake", "addb $1, %ah; addb $1, %al", 1},      // two chains
		{"icl", "addb $1, %ah; addb $1, %al", 2},
		{"icl", "movl %ecx, %eax; movb $1, %ah; movl %eax, %edx; nop; nop", 1},
		{"haswell", "addq %rdi, %rsi; decq %rcx; cmovbeq %rdx, %r8; nop; nop", 2},    // 1, 1, 3, the merge, 1 and 1 slots
		{"haswell", "addq %rdi, %rsi; decq %rcx; cmoveq %rdx, %r8; nop; nop", 1.5},   // reads the zero flag alone
		{"haswell", "decq %rcx; subq %rdi, %rsi; cmovbeq %rdx, %r8; nop; nop", 1.75}, // one instruction wrote both
		{"skylake", "addq %rdi, %rsi; decq %rcx; cmovbeq %rdx, %r8; nop; nop", 1.5},
	} {
		p := sim.Predict(graph(t, c.arch, c.text), sim.Options{Copies: 20})
		if math.Abs(p.Cycles-c.want) > 0.03*c.want {
			t.Errorf("%s: %s: %.3f cycles, want %.2f", c.arch, c.text, p.Cycles, c.want)
		}
	}
}
