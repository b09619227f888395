package ports

import (
	"context"
	"math"
	"sort"
)

// class is a group of one-µop forms that compete for the same ports; one representative is used in mixes and
// blocks the ports.
type class struct {
	form    int // the representative
	size    int // ports
	members []int
	ports   Set
	work    int     // cycles for which an instance keeps a port busy: one of two ports for two cycles has the same throughput as one port
	misfit  float64 // mean squared misfit of the experiments with it, in units of the noise
	bad     float64 // fraction of its tests that the answer does not explain
}

// candidates are the forms that can block ports: they take one dispatch slot, need a port, and their throughput is a
// whole number of ports below the dispatch width. Forms of low rank come first.
func (f *inference) candidates() []class {
	var out []class
	for i := range f.forms {
		r := &f.forms[i]
		if r.Reason != "" || r.Long || r.Renamed || f.unfit[i] || len(r.With) > 0 || i == f.nop || !(math.Abs(r.Slots-1) < 0.4) {
			continue
		}
		// a form that depends on itself cannot keep all its ports busy with the registers that a mix leaves
		// it
		k := math.Round(1 / r.Cycles)
		if k < 1 || k > f.width-1 || math.Abs(1/r.Cycles-k) > 0.08*k || r.floor > 1.08*r.Cycles {
			continue
		}
		out = append(out, class{form: i, size: int(k)})
	}
	sort.SliceStable(out, func(a, b int) bool { return f.forms[out[a].form].Rank < f.forms[out[b].form].Rank })
	return out
}

// classify determines the classes, and measures every pair of them.
func (f *inference) classify(ctx context.Context) error {
	f.classes, f.tests = nil, nil
	if err := f.cluster(ctx); err != nil {
		return err
	}
	return f.pairs(ctx)
}

// cluster groups candidates: two forms with equal throughput are in one class if a mix of them takes as long as the
// sum.
func (f *inference) cluster(ctx context.Context) error {
	for _, c := range f.candidates() {
		home := -1
		for j := range f.classes {
			d := &f.classes[j]
			if d.size != c.size {
				continue
			}
			t, err := f.lab.ask(ctx, Mix{{c.form, c.size}, {d.form, d.size}}, 2)
			if err == errNoFigure {
				continue
			} else if err != nil {
				return err
			}
			// with one more port for the two, the mix would take 2k/(k+1) instead of 2
			if k := float64(c.size); t > 1+k/(k+1) {
				home = j
				break
			}
		}
		if home < 0 {
			if err := f.findPace(ctx, c.form); err != nil {
				return err
			}
			c.members = []int{c.form}
			f.classes = append(f.classes, c)
		} else {
			f.classes[home].members = append(f.classes[home].members, c.form)
		}
	}
	sort.SliceStable(f.classes, func(a, b int) bool { return f.classes[a].size < f.classes[b].size })
	return nil
}

// findPace measures a form that depends on itself with the registers that mixes of three classes leave it: it may be that slow in mixes, and such a slowdown
// does not show shared ports (Zen 3 simulated: two pmuludq and four mov, on other ports, take 1.2 cycles instead of 1.0).
func (f *inference) findPace(ctx context.Context, form int) error {
	r := &f.forms[form]
	if !r.Tied {
		return nil
	}
	t, err := f.lab.ask(ctx, Mix{{form, 1}}, 3)
	if err == nil {
		r.pace = t
	} else if err == errNoFigure {
		err = nil
	}
	return err
}

// classTest is a measured mix of classes.
type classTest struct {
	of     []int // classes
	n      []int
	waits  bool // instances of one class wait for flags of another
	cycles float64
}

// predict returns the time of a class test under an assignment of ports.
func (f *inference) predict(c *classTest, a *assignment) span {
	var l load
	slots, pace := 0.0, 0.0
	for i, k := range c.of {
		pace = math.Max(pace, float64(c.n[i])*f.forms[f.classes[k].form].pace)
		l.add(a.ports[k], float64(c.n[i]*a.work[k]))
		slots += float64(c.n[i])
	}
	return f.predicted(math.Max(l.cycles(), slots/f.width), pace, &l, c.waits)
}

// pairs measures every pair of classes in the ratio in which both would keep all their ports busy.
func (f *inference) pairs(ctx context.Context) error {
	for a := range f.classes {
		for b := a + 1; b < len(f.classes); b++ {
			if err := f.test(ctx, []int{a, b}, []int{f.classes[a].size, f.classes[b].size}); err != nil {
				return err
			}
		}
	}
	return nil
}

// test measures a mix of classes and stores it.
func (f *inference) test(ctx context.Context, of, n []int) error {
	m, waits := Mix{}, false
	for i, k := range of {
		m = append(m, Count{f.classes[k].form, n[i]})
		for _, c := range m[:i] {
			waits = waits || f.waits(f.classes[k].form, c.Form)
		}
	}
	t, err := f.lab.ask(ctx, m, len(m))
	if err == errNoFigure {
		return nil
	} else if err != nil {
		return err
	}
	f.tests = append(f.tests, classTest{of, n, waits, t})
	return nil
}
