package sim_test

import (
	"strings"
	"testing"

	"incore/internal/analysis/sim"
)

// TestResultWays: what vector units send to registers and to flags goes by the ways of an ALU's results, of which there is one for each. Four operations of integers
// that write by the same way take a cycle each from that ALU, others little: on a Zen 3 vmovd and four lea take 1.99 cycles, ucomiss and four cmp 1.99, either and four
// additions 2.00; vmovd and four cmp 1.40, ucomiss and four lea 1.36. On a Zen 4 1.98, 1.95; 1.30 and 1.59.
func TestResultWays(t *testing.T) {
	toRegisters := []string{"vmovd %xmm0, %esi", "vmovq %xmm0, %rsi", "vpextrd $1, %xmm0, %esi", "vpmovmskb %xmm0, %esi", "vmovmskps %xmm0, %esi", "vcvttsd2si %xmm0, %rsi",
		"vcvttss2si %xmm0, %esi", "cvttss2si %xmm0, %esi", "movd %xmm0, %esi"}
	toFlags := []string{"ucomiss %xmm0, %xmm1", "vucomisd %xmm0, %xmm1", "comisd %xmm0, %xmm1", "vptest %xmm0, %xmm1", "ptest %xmm0, %xmm1", "vtestps %xmm0, %xmm1"}
	four := func(operation string) (out []string) {
		for _, r := range []string{"%rax", "%rbx", "%rcx", "%rdx"} {
			out = append(out, strings.ReplaceAll(operation, "R", r))
		}
		return out
	}
	for _, arch := range []string{"zen3", "zen4"} {
		check := func(first, operation string, least, most float64) {
			text := strings.Join(append(four(operation), first), "; ")
			p := sim.Predict(graph(t, arch, text), sim.Options{Unrolled: true})
			if p.Result == nil || p.Cycles < least || p.Cycles > most {
				t.Errorf("%s: %s: %.2f cycles, want %.2f to %.2f", arch, text, p.Cycles, least, most)
			}
		}
		for _, s := range toRegisters {
			check(s, "leaq 8(%rdi), R", 1.75, 2.25)
			check(s, "addq $1, R", 1.75, 2.25)
			check(s, "cmpq $1, R", 1, 1.5)
		}
		for _, s := range toFlags {
			check(s, "cmpq $1, R", 1.65, 2.25)
			check(s, "addq $1, R", 1.75, 2.25)
			check(s, "leaq 8(%rdi), R", 1, 1.6)
		}
	}
}
