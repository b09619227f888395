package sim

import (
	"testing"

	"incore/internal/analysis/uops"
)

// TestRestKeys: rests that differ in anything have different keys, also where the numbers of what differs are the same.
func TestRestKeys(t *testing.T) {
	learns := func(class, vain int32, waits bool) Rest {
		return Rest{learnt: []learnt{{class, predictorEntry{waits: waits, vain: vain}}}}
	}
	rests := []Rest{{}, {emptied: true}, {stack: true}, {emptied: true, stack: true}, {loads: 1}, {unit: 1}, {loads: 2}, {unit: 2},
		learns(0, 1, false), learns(0, 2, false), learns(0, 0, true), learns(0, 1, true), learns(1, 0, true), learns(1, 1, true)}
	for port := range uops.MaxPorts {
		for n := int8(1); n < 4; n++ {
			r := Rest{}
			r.passed[port] = n
			rests = append(rests, r)
		}
	}
	for k := range rests[0].turns {
		for n := int8(1); n < 4; n++ {
			r := Rest{}
			r.turns[k] = n
			rests = append(rests, r)
		}
	}
	seen := map[uint64]int{}
	for i := range rests {
		key := rests[i].Key()
		if at, twice := seen[key]; twice {
			t.Errorf("%+v and %+v have one key", rests[at], rests[i])
		}
		seen[key] = i
	}
}
