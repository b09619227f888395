package sim

import (
	"math/rand"
	"slices"
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestIssueApart checks on random bodies that issue by groups of ports that share nothing is issue in the order of
// age: port by port if no µop needs a unit of a resource, too.
func TestIssueApart(t *testing.T) {
	const loads, addresses, resources = 0b001100, 0b100000, 0b11000000
	rng := rand.New(rand.NewSource(1))
	for n := range 500 {
		body, units := make([]uop, 1+rng.Intn(12)), n%2 > 0
		for i := range body {
			u := &body[i]
			*u = uop{Inst: int32(i), Op: &op{Ports: portSet(1 + rng.Intn(63)), Occ: cycle(1 + rng.Intn(2)), Sched: -1, Slots: 1, Done: cycle(1 + rng.Intn(4)), Class: -1}}
			switch rng.Intn(4) {
			case 0:
				u.Kind, u.Ports, u.Class = uops.KindLoad, loads, 0
				u.Back = u.Done
			case 1:
				u.Kind, u.Ports = uops.KindStoreAddr, addresses
			}
			if units && u.Kind == uops.KindExec && rng.Intn(2) == 0 {
				u.Extra = append(u.Extra, struct {
					Units  portSet
					Cycles cycle
					Half   bool
					Read   bool
					Cuts   uint64
				}{Units: resources &^ portSet(64*rng.Intn(3)), Cycles: cycle(1 + rng.Intn(5)), Half: rng.Intn(3) == 0})
			}
			for n := rng.Intn(3); n > 0; n-- {
				d := dep{Uop: uopIndex(rng.Intn(len(body))), Lat: cycle(1 + rng.Intn(4))}
				if d.Uop >= uopIndex(i) {
					d.Delta = 1
				}
				u.Deps = append(u.Deps, d)
			}
		}
		uops.Connect(body)
		core := &Core{Core: machine.Core{Scheduling: machine.Scheduling{PortChoice: machine.PortChoice{AtRename: true}, IssueDelay: 2}}, Width: 4, RetireWidth: 4, ROB: 60, Ports: 8}
		run := func(apart bool) []cycle {
			p := new(pipeline)
			p.reset(core, body, 1)
			if !units && (len(p.ready.groups) > 0 || p.ready.alone == 0) {
				t.Fatal("these ports depend on each other")
			}
			if !apart {
				p.ready.alone, p.ready.groups = 0, []uint64{1<<len(p.ready.lists) - 1}
			}
			p.memory.predictor = []predictorEntry{{waits: n%2 == 0}}
			for range 500 {
				p.step(6)
			}
			return p.rob.retired
		}
		if a, b := run(true), run(false); !slices.Equal(a, b) {
			t.Fatalf("%+v: iterations retire in cycles %v, in order of age %v", body, a[:min(20, len(a))], b[:min(20, len(b))])
		}
	}
}
