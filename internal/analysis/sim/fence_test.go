package sim_test

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/sim"
)

// TestFences: a fence is renamed when all before it have retired, and nothing after it before it has, so that it ends what two chains overlap.
func TestFences(t *testing.T) {
	chains := func(n int) string {
		return strings.Repeat("imull %eax, %eax; ", n) + "lfence; " + strings.Repeat("imull %edx, %edx; ", n) + "decl %ecx; jne 0"
	}
	for _, c := range []struct {
		arch, text string
		want       float64
		within     float64
	}{
		// Stack Overflow 51986046: measured on a core with 60 entries of scheduler, which fills from 60 multiplications on
		{"haswell", chains(10), 42.05, .04},
		{"haswell", chains(20), 75.1, .04},
		{"haswell", chains(50), 172, .04},
		{"haswell", chains(80), 339.8, .08},
		{"haswell", chains(100), 460.8, .08},
		// alone: uops.info
		{"skylake", "lfence; lfence; lfence; lfence", 16, .1},
		{"icelake-client", "lfence; lfence; lfence; lfence", 20.8, .1},
		{"alderlake-p", "lfence; lfence; lfence; lfence", 48, .1},
		{"zen5", "lfence; lfence", 22.1, .03}, // incore measure
		{"zen5", "imulq %rbx, %rax; lfence", 14, .05},
		// incore measure on a Zen 3
		{"zen3", "lfence", 10.07, .05},
		{"zen3", "imulq %rbx, %rax; lfence", 13.09, .05},
		{"zen3", "imulq %rbx, %rax; imulq %rbx, %rax; lfence", 16.04, .05},
		{"zen3", "imulq %rbx, %rax; imulq %rbx, %rcx; lfence; imulq %rbx, %rax; imulq %rbx, %rcx; lfence", 28.1, .05},
		{"zen3", strings.Repeat("imulq %rbx, %rax; ", 8) + "lfence", 34.05, .05},
		{"zen3", "movq (%rdi), %rax; imulq %rbx, %rax; lfence", 17, .05},
	} {
		r := sim.Predict(graph(t, c.arch, c.text), sim.Options{Copies: 1})
		if math.Abs(r.Cycles-c.want) > c.within*c.want {
			t.Errorf("%s: '%.60s': %.2f cycles, want %.2f", c.arch, c.text, r.Cycles, c.want)
		}
		if len(c.text) > 40 && r.Result.Stalls[sim.Fenced] < r.Cycles/4 {
			t.Errorf("%s: '%.60s': %.2f of %.2f cycles at the fence", c.arch, c.text, r.Result.Stalls[sim.Fenced], r.Cycles)
		}
	}
}
