package sim

import (
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestTrust: a load whose store's address comes too late every time waits for ever, one that waits for other stores in vain only until the entry
// of the predictor trusts it again.
func TestTrust(t *testing.T) {
	const alu, load, store = 1, 2, 4
	late := []uop{
		{Op: &op{Ports: load, Kind: uops.KindLoad, Done: 1}},
		{Op: &op{Kind: uops.KindValue, Load: 1}, Deps: []dep{{Uop: 0, Lat: 5}, {Uop: 3, Delta: 1, Lat: 5}}},
		{Op: &op{Ports: alu, Done: 1}},
		{Op: &op{Ports: store, Kind: uops.KindStoreAddr, Done: 1}, Deps: []dep{{Uop: 2, Lat: 8}}},
	}
	vain := []uop{
		{Op: &op{Ports: store, Kind: uops.KindStoreAddr, Done: 1}},
		{Op: &op{Ports: load, Kind: uops.KindLoad, Done: 1}},
		{Op: &op{Kind: uops.KindValue, Load: 1}, Deps: []dep{{Uop: 1, Lat: 5}, {Uop: 0, Lat: 5}}},
		{Op: &op{Ports: alu, Done: 1}},
		{Op: &op{Ports: store << 1, Kind: uops.KindStoreAddr, Done: 1}, Deps: []dep{{Uop: 3, Lat: 8}}},
	}
	for _, c := range []struct {
		name  string
		body  []uop
		trust int
		waits bool // in the end
	}{
		{"the store's address is late", late, 15, true},
		{"another store's is", vain, 15, false},
		{"another store's is, and nothing is forgotten", vain, 0, true},
	} {
		body := append([]uop{}, c.body...)
		for i := range body {
			o := *body[i].Op
			body[i].Op, o.Idle = &o, o.Ports == 0
			body[i].Inst, body[i].Slots, body[i].Sched, body[i].Occ = int32(i), 1, -1, 1
			if body[i].Class = -1; body[i].Kind == uops.KindLoad {
				body[i].Class = 0
			}
		}
		uops.Connect(body)
		p := new(pipeline)
		p.reset(&Core{Core: machine.Core{Scheduling: machine.Scheduling{PortChoice: machine.PortChoice{AtRename: true}, IssueDelay: 2}, LoadStore: machine.LoadStore{Disambiguation: machine.Disambiguation{Trust: c.trust}}}, Width: 4, RetireWidth: 4, ROB: 60, Ports: 4}, body, 1)
		p.memory.predictor = []predictorEntry{{waits: true}}
		for range 500 {
			p.step(4)
		}
		if len(p.rob.retired) < 40 || p.memory.predictor[0].waits != c.waits {
			t.Errorf("%s: after %d iterations loads wait: %v", c.name, len(p.rob.retired), p.memory.predictor[0].waits)
		}
	}
}
