package ports

import (
	"context"
	"math"
	"math/rand/v2"
)

// Check is a mix that the inference did not use, with its measured and its predicted time.
type Check struct {
	Key                 string
	Measured, Predicted float64
}

// Predict returns the time of a mix from the inferred maps: the maximum of port pressure, dispatch width, and
// the time of each form alone.
func (f *Inference) Predict(m Mix) float64 {
	var l load
	slots, alone := 0.0, 0.0
	for _, c := range m {
		n := float64(c.N)
		for _, s := range f.Forms[c.Form].Uops {
			l.add(s, n)
		}
		slots += n * math.Round(f.Forms[c.Form].Slots)
		alone = math.Max(alone, n*f.Forms[c.Form].floor)
	}
	return math.Max(math.Max(l.cycles(), slots/f.Width), alone)
}

// check measures random mixes of three explained forms (as PMEvo does for its evaluation).
func (f *inference) check(ctx context.Context, n int) error {
	var able []int
	for i := range f.forms {
		if r := &f.forms[i]; r.Explained && len(r.Rivals) == 0 && len(r.With) == 0 && !r.Tied && i != f.nop {
			able = append(able, i)
		}
	}
	if len(able) < 3 {
		return nil
	}
	f.out.Forms, f.out.Width = f.forms, f.width
	rnd := rand.New(rand.NewPCG(7, 11))
	for range n {
		m := Mix{}
		for _, k := range rnd.Perm(len(able)) {
			// wide and legacy vectors side by side cost state transitions, which do not depend on ports
			if len(m) < 3 && (len(m) == 0 || f.forms[able[k]].Rank < 2) {
				m = append(m, Count{able[k], 1 + rnd.IntN(4)})
			}
		}
		t, err := f.lab.ask(ctx, m, 3)
		if err == errNoFigure {
			continue
		} else if err != nil {
			return err
		}
		f.out.Checks = append(f.out.Checks, Check{Key(f.lab.forms, m, 3), t, f.out.Predict(m)})
	}
	return nil
}
