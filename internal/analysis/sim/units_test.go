package sim_test

import (
	"math/rand"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// unitCores are cores of every kind of rename, scheduler and load/store unit.
var unitCores = []string{"skylake", "haswell", "emeraldrapids", "core2", "zen2", "zen3", "zen4", "zen5", "gracemont", "neoverse-n1", "neoverse-v2", "cortex-a55", "apple-m1", "a64fx", "sifive-7", "xuantie-c910"}

// eachKernel calls f with random kernels on a core, which names what it tries.
func eachKernel(t *testing.T, seed int64, cores []string, kernels int, f func(g *depgraph.Graph, core func(...machine.Fact) *sim.Core, opt sim.Options, name string)) {
	t.Helper()
	rng := rand.New(rand.NewSource(seed))
	for _, arch := range cores {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		for n := range kernels {
			text := random(rng, pools[m.ISA])
			g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, text)), depgraph.Options{})
			core := func(facts ...machine.Fact) *sim.Core {
				other, err := m.With(facts...)
				if err != nil {
					t.Fatal(err)
				}
				c, err := sim.Available(other)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			f(g, core, sim.Options{Unrolled: n%3 == 0, Copies: 1 + n%4, Aligned: n%2 == 0}, arch+": "+text)
		}
	}
}

// TestUnits holds each unit to what it promises (History): program order where there is one, no more than its width in a cycle, no more than its entries, and counters that
// are what the µops in flight hold.
func TestUnits(t *testing.T) {
	retired := 0
	eachKernel(t, 11, unitCores, 12, func(g *depgraph.Graph, core func(...machine.Fact) *sim.Core, opt sim.Options, name string) {
		h := sim.Record(g, core(), opt, 160)
		retired += h.Retired()
		for unit, check := range map[string]func() error{"rename": h.Rename, "scheduler": h.Scheduler, "wake-up": h.WakeUp, "load/store unit": h.LoadStore, "reorder buffer": h.ReorderBuffer} {
			if err := check(); err != nil {
				t.Errorf("%s, unrolled %t, %d copies: %s: %v", name, opt.Unrolled, opt.Copies, unit, err)
			}
		}
	})
	if retired < 20000 {
		t.Errorf("only %d µops retired", retired)
	}
}

// TestSnapshots holds what units call the same state to what comes of it: once a state has come again, every µop is dispatched, issues and retires as it did then.
func TestSnapshots(t *testing.T) {
	found, all := 0, 0
	eachKernel(t, 12, unitCores, 16, func(g *depgraph.Graph, core func(...machine.Fact) *sim.Core, opt sim.Options, name string) {
		again, err := sim.Repeats(g, core(), opt, 600)
		if err != nil {
			t.Errorf("%s, unrolled %t, %d copies: %v", name, opt.Unrolled, opt.Copies, err)
		}
		if all++; again {
			found++
		}
	})
	if found < all/2 {
		t.Errorf("a state came again of %d of %d kernels", found, all)
	}
}

// TestMoreIsNotSlower: where ports are never busy, more entries and a wider retirement make no µop retire later. (With ports a µop that comes earlier may take one from a
// µop that others wait for.)
func TestMoreIsNotSlower(t *testing.T) {
	more := map[string][]machine.Fact{
		"reorder buffer": {{Name: "rob", Value: "40"}, {Name: "rob", Value: "56"}},
		"load queue":     {{Name: "load-queue", Value: "6"}, {Name: "load-queue", Value: "12"}},
		"store queue":    {{Name: "store-queue", Value: "4"}, {Name: "store-queue", Value: "8"}},
		"retirement":     {{Name: "retire-width", Value: "2"}, {Name: "retire-width", Value: "3"}},
	}
	faster := map[string]int{}
	eachKernel(t, 13, []string{"skylake", "haswell", "zen2", "neoverse-n1", "xuantie-c910"}, 12, func(g *depgraph.Graph, core func(...machine.Fact) *sim.Core, opt sim.Options, name string) {
		opt.FreePorts = true
		for what, facts := range more {
			less, than := sim.Record(g, core(facts[0]), opt, 200), sim.Record(g, core(facts[1]), opt, 200)
			if err := than.Later(less); err != nil {
				t.Errorf("%s: more of the %s: %v", name, what, err)
			}
			if than.Retired() > less.Retired() {
				faster[what]++
			}
		}
	})
	for what := range more {
		if faster[what] < 5 {
			t.Errorf("%s: more of it makes %d kernels faster", what, faster[what])
		}
	}
}

// TestSnapshotsNotice: what the future depends on is part of the state, of each unit.
func TestSnapshotsNotice(t *testing.T) {
	all := map[string]bool{}
	eachKernel(t, 14, []string{"skylake", "zen4", "zen5", "zen2"}, 12, func(g *depgraph.Graph, core func(...machine.Fact) *sim.Core, opt sim.Options, name string) {
		unnoticed, tried := sim.Unnoticed(g, core(), opt, 150)
		for _, what := range unnoticed {
			t.Errorf("%s: not noticed: %s", name, what)
		}
		for what := range tried {
			all[what] = true
		}
	})
	if len(all) < 23 {
		t.Errorf("%d changes were tried: %v", len(all), all)
	}
}

// TestUnitFields: a field of a unit is part of the state that is compared, or is listed with the reason why not.
func TestUnitFields(t *testing.T) {
	noticed := map[string]bool{}
	eachKernel(t, 14, []string{"skylake", "zen3", "zen4", "zen5", "rocket"}, 12, func(g *depgraph.Graph, core func(...machine.Fact) *sim.Core, opt sim.Options, name string) {
		not, yes := sim.UnnoticedFields(g, core(), opt, 150)
		for _, field := range not {
			t.Errorf("%s: a change of %s is not noticed: compare it in recurs, or say in follows why that is not needed", name, field)
		}
		for _, field := range yes {
			noticed[field] = true
		}
	})
	if len(noticed) < 5 {
		t.Errorf("only %d fields are noticed: %v", len(noticed), noticed)
	}
}
