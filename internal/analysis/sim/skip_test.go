package sim_test

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/base/long"
	"incore/internal/machine"
)

// TestSkippedCycles: a simulation that skips the cycles in which nothing happens comes to the same cycles, whatever options a core has: those of
// every model on some cores, one at a time.
func TestSkippedCycles(t *testing.T) {
	type fact struct{ name, value string }
	facts := []fact{{"load-entries", "8 hold=12"}, {"load-entries", "4 hold=2"}}
	seen := map[fact]bool{}
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Facts {
			if k := (fact{f.Name, f.Value}); machine.OptionNamed(f.Name) != nil && !seen[k] {
				seen[k], facts = true, append(facts, k)
			}
		}
	}
	kernels := []string{"movq (%rsi), %rax; movq (%rdi), %rbx; movq 8(%rsi), %rcx; movq 8(%rdi), %rdx; movq (%rbp), %rbp", "divq %rcx; movq (%rax), %rax; movq 8(%rax), %rbx"}
	rng := rand.New(rand.NewSource(1))
	for range 3 {
		parts := make([]string, 2+rng.Intn(8))
		for i := range parts {
			parts[i] = pool[rng.Intn(len(pool))]
		}
		kernels = append(kernels, strings.Join(parts, "; "))
	}
	runs, skipped := 0, 0
	for _, arch := range []string{"skylake", "zen2", "gracemont", "haswell"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range long.Spread(facts, len(facts)/2) {
			d, err := m.With(machine.Fact{Name: f.name, Value: f.value})
			if err != nil { // ports that this core has not
				continue
			}
			for _, text := range kernels {
				core, err := sim.Available(d)
				if err != nil {
					t.Fatal(err)
				}
				g := depgraph.Build(uops.Bind(d, kernelOf(t, "x86-64", text)), depgraph.Options{})
				opt := sim.Options{MaxCycles: 3000}
				skips, err := sim.Run(g, core, opt)
				steps, err2 := sim.Run(g, core, sim.EveryCycle(opt))
				if err != nil || err2 != nil {
					if (err == nil) != (err2 == nil) {
						t.Errorf("%s with %v: %s: %v, %v", arch, f, text, err, err2)
					}
					continue
				}
				if runs++; math.Abs(skips.Cycles-steps.Cycles) > 1e-9 {
					t.Errorf("%s with %v: %s: %.3f cycles, every cycle simulated %.3f", arch, f, text, skips.Cycles, steps.Cycles)
				}
				if skips.Cycles > 2 {
					skipped++
				}
			}
		}
	}
	if t.Logf("%d simulations", runs); runs < 500 || skipped < 200 {
		t.Errorf("%d simulations, %d of several cycles", runs, skipped)
	}
}
