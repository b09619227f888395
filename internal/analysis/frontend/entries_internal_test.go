package frontend

import (
	"math/rand"
	"testing"

	"incore/internal/machine"
)

// TestGroupCycles: a list of fetches takes the sum of their cycles, however many a fetch takes, while dispatch takes
// all slots.
func TestGroupCycles(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 200 {
		groups := make([]group, 1+rng.Intn(6))
		for i := range groups {
			groups[i] = group{slots: 1 + rng.Intn(8), cycles: 1 + rng.Intn(5), entries: 2}
		}
		f := Feed{code: &code{c: &machine.Core{}, size: 64, width: 8, loop: true, groups: groups}}
		const repeats = 20
		wraps, took, want := 0, 0, repeats*total(groups)
		for ; wraps < repeats && took <= 2*want; took++ {
			before := f.group
			f.fetchEntries()
			f.have = 0
			if f.group == 0 && before == len(groups)-1 && f.since == 0 {
				wraps++
			}
		}
		if wraps < repeats || took != want {
			t.Errorf("%+v: %d iterations in %d cycles, want %d in %d", groups, wraps, took, repeats, want)
		}
	}
}
