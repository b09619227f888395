package sim

import (
	"testing"

	"incore/internal/machine"
)

// TestTrust: a load whose store's address comes too late every time waits for ever, one that waits for other stores in vain only until the entry
// of the predictor trusts it again.
func TestTrust(t *testing.T) {
	const alu, load, store = 1, 2, 4
	late := []uop{
		{op: &op{ports: load, kind: kindLoad, done: 1}},
		{op: &op{kind: kindValue, load: 1}, deps: []dep{{uop: 0, lat: 5}, {uop: 3, delta: 1, lat: 5}}},
		{op: &op{ports: alu, done: 1}},
		{op: &op{ports: store, kind: kindStoreAddr, done: 1}, deps: []dep{{uop: 2, lat: 8}}},
	}
	vain := []uop{
		{op: &op{ports: store, kind: kindStoreAddr, done: 1}},
		{op: &op{ports: load, kind: kindLoad, done: 1}},
		{op: &op{kind: kindValue, load: 1}, deps: []dep{{uop: 1, lat: 5}, {uop: 0, lat: 5}}},
		{op: &op{ports: alu, done: 1}},
		{op: &op{ports: store << 1, kind: kindStoreAddr, done: 1}, deps: []dep{{uop: 3, lat: 8}}},
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
			o := *body[i].op
			body[i].op, o.idle = &o, o.ports == 0
			body[i].inst, body[i].slots, body[i].sched, body[i].occ = int32(i), 1, -1, 1
			if body[i].class = -1; body[i].kind == kindLoad {
				body[i].class = 0
			}
		}
		connect(body)
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
