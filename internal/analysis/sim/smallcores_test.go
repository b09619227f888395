package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/sim"
)

// eight repeats an operation with eight registers: %d is the destination's number.
func eight(operation string) string {
	var out []string
	for k := range 8 {
		out = append(out, fmt.Sprintf(operation, k))
	}
	return strings.Join(out, "; ")
}

// TestSmallAndOldCores holds cores that no program was measured on to what InstLatx64 measured of single instructions: chains, and operations that don't depend on each
// other.
func TestSmallAndOldCores(t *testing.T) {
	const (
		transfers = "movd %eax, %xmm0; movd %xmm0, %eax"
		loads     = "mov (%rsi), %rax; mov 8(%rsi), %rbx; mov 16(%rsi), %rcx; mov 24(%rsi), %rdx"
		stores    = "mov %rax, (%rdi); mov %rax, 8(%rdi); mov %rax, 16(%rdi); mov %rax, 24(%rdi)"
		adds      = "add %r8, %rax; add %r8, %rbx; add %r8, %rcx; add %r8, %rdx"
		shifts    = "shl $3, %rax; shl $3, %rbx; shl $3, %rcx; shl $3, %rdx"
		chase     = "mov (%rax), %rax"
		modified  = "add %rax, (%rdi)"
	)
	for _, c := range []struct {
		arch, text string
		want       float64
	}{
		{"tremont", transfers, 10}, {"tremont", loads, 2}, {"tremont", stores, 4}, {"tremont", adds, 4.0 / 3}, {"tremont", shifts, 4}, {"tremont", chase, 3},
		{"tremont", modified, 6}, {"tremont", eight("addps %%xmm15, %%xmm%d"), 8}, {"tremont", eight("paddd %%xmm15, %%xmm%d"), 4}, {"tremont", "mulps %xmm1, %xmm0", 4},
		{"tremont", eight("divps %%xmm15, %%xmm%d"), 80}, {"tremont", eight("divsd %%xmm15, %%xmm%d"), 64}, {"tremont", "cvtdq2ps %xmm0, %xmm0", 4},
		{"tremont", "subl %eax, %eax", 1}, {"tremont", "psubd %xmm0, %xmm0", 1}, {"tremont", "pcmpeqd %xmm0, %xmm0", 1}, {"tremont", "fxch %st(1)", 1},
		{"goldmont", transfers, 8}, {"goldmont", loads, 4}, {"goldmont", "mulps %xmm1, %xmm0", 4}, {"goldmont", "addpd %xmm1, %xmm0", 3}, {"goldmont", modified, 5},
		{"goldmont", eight("divpd %%xmm15, %%xmm%d"), 8 * 65}, {"goldmont", adds, 4.0 / 3}, {"goldmont", "mov (%rsi), %rax; mov %rbx, (%rdi)", 1},
		{"silvermont", transfers, 7}, {"silvermont", "mulpd %xmm1, %xmm0", 7}, {"silvermont", "psubd %xmm0, %xmm0", 1},
		{"bonnell", "adc %rbx, %rax", 2}, {"bonnell", modified, 1},
		{"gracemont", "vdivps %ymm1, %ymm0, %ymm0", 20}, {"crestmont", "vdivpd %ymm1, %ymm0, %ymm0", 32}, // uops.info: chains of two halves wait for the divider
		{"gracemont", "imul $3, (%rsi), %rax; nop; nop; nop; nop", 1}, // five slots: what loads and multiplies takes one
		{"tremont", "mulss (%rsi), %xmm0; mulss (%rsi), %xmm1; mulss (%rsi), %xmm2; mulss (%rsi), %xmm3; add %r8, %rax; add %r8, %rbx; add %r8, %rcx; add %r8, %rdx; " + stores, 4}, // twelve
		{"bdver2", adds, 2}, {"bdver2", loads, 2}, {"bdver2", stores, 4}, {"bdver2", chase, 4}, {"bdver2", modified, 8}, {"bdver2", transfers, 18},
		{"bdver2", "mov %rax, %rbx; mov %rcx, %rdx; mov %rsi, %rdi; mov %r8, %r9", 1}, {"bdver2", eight("maxpd %%xmm15, %%xmm%d"), 4},
		{"btver1", eight("paddd %%xmm15, %%xmm%d"), 8}, {"btver1", "pshufb %xmm1, %xmm0", 3},
		{"nehalem", loads, 4}, {"nehalem", chase, 4}, {"nehalem", transfers, 4}, {"nehalem", "divsd %xmm1, %xmm0", 22}, {"nehalem", "mulpd %xmm1, %xmm0", 5},
		{"knl", "addpd %xmm1, %xmm0", 6}, {"knl", "paddd %xmm1, %xmm0", 2}, {"knl", transfers, 9}, {"knl", loads, 2}, {"knl", stores, 4},
	} {
		if p := sim.Predict(graph(t, c.arch, c.text), sim.Options{}); math.Abs(p.Cycles-c.want) > 0.03*c.want {
			t.Errorf("%s: %s: %.2f cycles, want %.2f", c.arch, c.text, p.Cycles, c.want)
		}
	}
}
