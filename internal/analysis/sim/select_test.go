package sim

import (
	"math/rand"
	"slices"
	"testing"

	"incore/internal/machine"
)

// TestIssueApart checks on random bodies that issue port by port is issue in the order of age, where ports share nothing.
func TestIssueApart(t *testing.T) {
	const loads, addresses = 0b001100, 0b100000
	rng := rand.New(rand.NewSource(1))
	for n := range 500 {
		body := make([]uop, 1+rng.Intn(12))
		for i := range body {
			u := &body[i]
			*u = uop{inst: int32(i), op: &op{ports: portSet(1 + rng.Intn(63)), occ: cycle(1 + rng.Intn(2)), sched: -1, slots: 1, done: cycle(1 + rng.Intn(4)), class: -1}}
			switch rng.Intn(4) {
			case 0:
				u.kind, u.ports, u.class = kindLoad, loads, 0
				u.back = u.done
			case 1:
				u.kind, u.ports = kindStoreAddr, addresses
			}
			for n := rng.Intn(3); n > 0; n-- {
				d := dep{uop: uopIndex(rng.Intn(len(body))), lat: cycle(1 + rng.Intn(4))}
				if d.uop >= uopIndex(i) {
					d.delta = 1
				}
				u.deps = append(u.deps, d)
			}
		}
		connect(body)
		core := &Core{Core: machine.Core{Scheduling: machine.Scheduling{PortChoice: machine.PortChoice{AtRename: true}, IssueDelay: 2}}, Width: 4, RetireWidth: 4, ROB: 60, Ports: 6}
		run := func(apart bool) []cycle {
			p := new(pipeline)
			p.reset(core, body, 1)
			if len(p.ready.groups) > 0 || p.ready.alone == 0 {
				t.Fatal("these ports depend on each other")
			}
			if !apart {
				p.ready.alone, p.ready.groups = 0, []uint64{p.ready.alone}
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
