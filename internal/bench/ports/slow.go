package ports

import (
	"context"
	"math"
	"slices"
	"sort"
)

// Limits for slow: the least cycles of a form, and how much better than every other answer it must explain the mixes.
const (
	mostHeld = 50
	heldGain = badMisfit
)

// slow finds the port that a form keeps busy for its whole duration, if this is so long that its dispatch slots and a further µop are lost in the noise: a division with
// its own unit on one port. Together with instructions that fill a class's ports for that time it takes its own time if its port is another one, and up to twice as long if
// it is one of them.
func (f *inference) slow(ctx context.Context, i int) error {
	r := &f.forms[i]
	r.Reason = "too slow to tell its µops from the noise"
	if len(r.With) > 0 || r.Cycles > mostHeld {
		return nil
	}
	x := &fitter{f: f, i: i, r: r, slots: 1, sets: f.subsets}
	for k := range f.classes {
		n := min(maxBlockers, int(math.Round(r.Cycles*float64(f.classes[k].size))))
		if err := x.ask(ctx, formTest{count: 1, block: f.classes[k].ports, of: []int{k}, n: []int{n}}); err != nil {
			return err
		}
	}
	var list []answer
	for _, s := range append([]Set{0}, x.sets...) {
		a := answer{}
		if s != 0 {
			a.m = slices.Repeat(Map{s}, int(math.Round(r.Cycles*float64(s.Size()))))
		}
		for t := range x.tests {
			a.loss += misfit(x.tests[t].cycles, x.predict(&x.tests[t], a.m))
		}
		list = append(list, a)
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].loss < list[b].loss })
	if len(x.tests) < 2 || len(list) < 2 || len(list[0].m) == 0 || list[1].loss < list[0].loss+heldGain || list[0].loss > badMisfit*float64(len(x.tests))/2 {
		return nil
	}
	r.Uops, r.Tests, r.Explained, r.Held, r.Reason = list[0].m, len(x.tests), true, true, ""
	return nil
}
