package sim_test

import (
	"math"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestBanks: the simulator itself comes to the cycles that loads of one bank take, as an Emerald Rapids does (incore measure,
// 2026-11-21): three load ports, two loads of a bank. Loads through different registers meet where both are multiples of a
// line.
func TestBanks(t *testing.T) {
	m, err := machine.Get("emeraldrapids")
	if err != nil {
		t.Fatal(err)
	}
	core, err := sim.Available(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text          string
		apart, placed float64 // pointers anywhere, and at the beginning of lines
	}{
		{"movq (%rax), %rbx", 0.5, 0.5},
		{"movq (%rax), %rbx; movq (%rax), %rdx; movq 64(%rax), %rdi", 1.5, 1.5},
		{"movq (%rax), %rbx; movq 8(%rax), %rdx; movq 16(%rax), %rdi", 1, 1},
		{"movq (%rax), %rbx; movq (%rcx), %rdx; movq (%rsi), %rdi", 1, 1.5},
		{"movl (%rax), %ebx; movl 4(%rax), %edx", 0.667, 0.667},
		{"movl (%rax), %ebx; movl 2(%rax), %edx", 1, 1},
		{"movq %fs:(%rax), %rbx; movq %fs:(%rax), %rdx; movq %fs:(%rax), %rdi", 1.5, 1.5},
	} {
		g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, c.text)), depgraph.Options{})
		for aligned, want := range map[bool]float64{false: c.apart, true: c.placed} {
			r, err := sim.Run(g, core, sim.Options{Copies: 24, Aligned: aligned})
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(r.Cycles-want) > 0.02*want {
				t.Errorf("%s, aligned %t: %.3f cycles, want %.3f", c.text, aligned, r.Cycles, want)
			}
		}
	}
}
