package sim_test

import (
	"math"
	"testing"

	"incore/internal/analysis/sim"
	"incore/internal/machine"
)

// TestLots: where lots make no difference, a state recurs before they repeat; where they do, the steady state has as
// many lots as repeat.
func TestLots(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text   string
		differ bool
	}{
		{"incq %rax", false},
		{"incq %rax; incq %rbx; incq %rcx", false},                                                // as many as a partition has ports
		{"incq %rax; incq %rbx; movq (%rcx), %rdx", false},                                        // and others elsewhere
		{"incq %rax; incq %rbx; incq %rcx; incq %rdx", true},                                      // all four may draw the same partition
		{"incq %rax; incq %rbx; shlq $1, %rcx; shlq $1, %rdx; shlq $1, %rsi; incq %rdi", true},    // three of them have one partition only
		{"leaq 1(%rax), %rax; imulq %rbx, %rbx; leaq 2(%rcx), %rcx; movq (%r8), %rdx", true},      // results meet on a bus
		{"incq %rax; leaq 1(%rax), %rbx; leaq 2(%rax), %rcx; leaq 3(%rax), %rdx; incq %r8", true}, // requests in vain
	} {
		g := graph(t, "zen5", c.text)
		run := func(o sim.Options) *sim.Result {
			core, err := sim.Available(m)
			if err != nil {
				t.Fatal(err)
			}
			r, err := sim.Run(g, core, o)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := run(sim.Options{Exact: true})
		if early := r.Iterations < 64; !r.Exact || early == c.differ {
			t.Errorf("%s: %d iterations, exact %t", c.text, r.Iterations, r.Exact)
		}
		if long := run(sim.Options{MinIterations: 2000}); math.Abs(long.Cycles-r.Cycles) > 2e-4 {
			t.Errorf("%s: %.4f cycles, in the long run %.4f", c.text, r.Cycles, long.Cycles)
		}
	}
}
