package sim_test

import (
	"fmt"
	"math"
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

// TestReadsOfThree: n multiply-adds of chains of their own and s stores of vectors share two reads a cycle, a multiply-add one and a store two, where no result comes by
// bypass: tiles of matrix products that are written back. The cycles are measured on a Zen 3, within 20 %.
func TestReadsOfThree(t *testing.T) {
	for _, c := range []struct {
		n, s int
		want float64
	}{{4, 2, 4}, {4, 4, 4.28}, {6, 2, 4}, {6, 4, 4.97}, {6, 6, 8.91}, {8, 8, 11.96}, {10, 4, 8.69}, {12, 0, 5.98}, {12, 4, 9.83}, {12, 6, 11.82}, {12, 8, 13.95}} {
		var code []string
		for k := range c.n {
			code = append(code, fmt.Sprintf("vfmadd231pd %%ymm13, %%ymm14, %%ymm%d", k))
		}
		for k := range c.s {
			code = append(code, fmt.Sprintf("vmovupd %%ymm12, %d(%%rsi)", 32*k))
		}
		p := sim.Predict(graph(t, "zen3", strings.Join(code, "; ")), sim.Options{Copies: 6})
		if math.Abs(p.Cycles-c.want) > 0.2*c.want {
			t.Errorf("%d multiply-adds and %d stores: %.2f cycles, measured %.2f", c.n, c.s, p.Cycles, c.want)
		}
	}
}
