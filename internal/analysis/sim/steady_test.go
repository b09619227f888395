package sim_test

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestSteady checks on random kernels that what is called the steady state goes on: simulated many times as long, a kernel takes the
// same number of cycles per iteration. What merely retired in a pattern (Result.Pattern) may change, where ports are bound at rename by
// what waits, but seldom and little.
func TestSteady(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	exact, all, patterns, off := 0, 0, 0, 0
	for _, arch := range []string{"skylake", "haswell", "emeraldrapids", "zen5", "zen2", "neoverse-n1", "sifive-7", "rocket"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 60 {
			parts := make([]string, 1+rng.Intn(10))
			for i := range parts {
				parts[i] = pools[m.ISA][rng.Intn(len(pools[m.ISA]))]
			}
			text := strings.Join(parts, ";")
			g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, text)), depgraph.Options{})
			run := func(o sim.Options) *sim.Result {
				core, err := sim.Available(m)
				if err != nil {
					t.Fatal(err)
				}
				o.Unrolled, o.Copies = n%3 == 0, 1+n%5
				r, err := sim.Run(g, core, o)
				if err != nil {
					t.Fatalf("%s: %s: %v", arch, text, err)
				}
				return r
			}
			r := run(sim.Options{})
			all++
			switch {
			case r.Exact:
				exact++
			case r.Pattern:
				patterns++
			default:
				continue
			}
			if long := run(sim.Options{MinIterations: 4*r.Iterations + 500, MaxCycles: 1 << 20}); math.Abs(long.Cycles-r.Cycles) > 2e-4*r.Cycles {
				t.Logf("%s: %s: %.4f cycles in %d, period %d; %.4f in %d, period %d", arch, text, r.Cycles, r.Total, r.Period, long.Cycles, long.Total, long.Period)
				if off++; r.Exact {
					t.Errorf("that was no steady state")
				} else if math.Abs(long.Cycles-r.Cycles) > 0.1*r.Cycles {
					t.Errorf("that is more than 10 %%")
				}
			}
		}
	}
	if 10*off > patterns {
		t.Errorf("%d of %d patterns go on otherwise", off, patterns)
	}
	if t.Logf("%d of %d kernels have a steady state, %d a pattern", exact, all, patterns); exact < all/2 {
		t.Errorf("only %d of %d kernels have a steady state", exact, all)
	}
}

// TestBoth checks that predicting two layouts of a kernel at a time gives what predicting each does.
func TestBoth(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	shared := 0
	for _, arch := range []string{"skylake", "emeraldrapids", "zen5", "zen2"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			parts := make([]string, 1+rng.Intn(10))
			for i := range parts {
				parts[i] = pool[rng.Intn(len(pool))]
			}
			text := strings.Join(parts, ";")
			g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, text)), depgraph.Options{})
			loop, straight := sim.Options{Copies: 10}, sim.Options{Unrolled: true}
			a, b := sim.Both(g, loop, straight)
			c, d := sim.Predict(g, loop), sim.Predict(g, straight)
			if a.Cycles != c.Cycles || math.Abs(b.Cycles-d.Cycles) > 0.02*d.Cycles || b.FrontEnd != d.FrontEnd {
				t.Errorf("%s: %s: %.3f and %.3f cycles; each alone %.3f and %.3f", arch, text, a.Cycles, b.Cycles, c.Cycles, d.Cycles)
			}
			if a.Result == b.Result {
				shared++
			}
		}
	}
	if t.Logf("%d of 240 kernels were simulated once", shared); shared < 24 {
		t.Errorf("%d of 240 kernels were simulated once", shared)
	}
}

// TestBoundReached checks on random kernels that a simulation which ends at the pace of a bound would have kept it. Cores that bind µops to ports at
// rename, or to halves by chance, may lose the pace later.
func TestBoundReached(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for arch, mayLeave := range map[string]int{"skylake": 3, "zen4": 3, "zen5": 1, "neoverse-n1": 1, "rocket": 0} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		ended, left := 0, 0
		for n := range 150 {
			parts := make([]string, 1+rng.Intn(10))
			for i := range parts {
				parts[i] = pools[m.ISA][rng.Intn(len(pools[m.ISA]))]
			}
			text := strings.Join(parts, ";")
			g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, text)), depgraph.Options{})
			p := sim.Predict(g, sim.Options{Unrolled: n%3 == 0, Copies: 1 + n%5})
			if !p.Result.Bound {
				continue
			}
			ended++
			long := sim.Predict(g, sim.Options{Unrolled: n%3 == 0, Copies: 1 + n%5, MinIterations: 1000, Exact: true})
			if math.Abs(long.Cycles-p.Cycles) > 0.005*p.Cycles {
				left++
				t.Logf("%s: %s: %.4f cycles by the bound, %.4f in %d", arch, text, p.Cycles, long.Cycles, long.Result.Total)
			}
		}
		if t.Logf("%s: %d of 150 end at a bound, %d leave it later", arch, ended, left); left > mayLeave {
			t.Errorf("%s: %d leave it", arch, left)
		}
	}
}
