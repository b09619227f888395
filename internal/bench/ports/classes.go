package ports

import (
	"context"
	"math"
	"sort"
)

// class is a set of forms of one µop each that compete for the same ports; one of them stands for all
// in mixes and blocks the ports.
type class struct {
	form    int // the representative
	size    int // ports
	members []int
	ports   Set
	work    int     // cycles that an instance keeps a port busy: one of two ports for two cycles is as fast as one port
	misfit  float64 // mean squared misfit of the experiments with it, in units of the noise
	bad     float64 // fraction of them that the answer does not explain
}

// Noise of a measurement relative to what ports allow. A core may miss the bound, as it chooses ports
// before it knows what comes; it can't beat it. So the one side is narrow, the other wide.
const (
	below = 0.02
	above = 0.045
	worst = 16.0 // no single measurement counts more than so much if it is too slow,
	fast  = 48.0 // and so much if it is faster than ports allow
)

// misfit is how badly a measurement agrees with a prediction, squared, in units of the noise. Within its span, what is slower is worse by little.
func misfit(measured float64, predicted span) float64 {
	if predicted.least <= 0 {
		return worst
	}
	r := math.Log(measured / predicted.least)
	if r < 0 {
		return math.Min(r*r/(below*below), fast)
	}
	if wide := math.Log(predicted.most / predicted.least); wide > 0 {
		if r < wide {
			return math.Min(r*r/(above*above), within*r/wide)
		}
		r -= wide
		return math.Min(within+r*r/(above*above), worst)
	}
	return math.Min(r*r/(above*above), worst)
}

// within is the misfit of a measurement at the slow end of a prediction's span.
const within = 1.0

// predicted makes a span of a bound and the work that it is of.
func (f *inference) predicted(bound float64, l *load) span {
	s := span{bound, bound}
	if f.early {
		s.most = math.Max(bound, l.even())
	}
	return s
}

// singles measures every form alone.
func (f *inference) singles(ctx context.Context) error {
	for i := range f.forms {
		r := &f.forms[i]
		t, err := f.lab.ask(ctx, Mix{{i, 1}}, 1)
		if err == errNoFigure {
			r.Reason = "not measured alone"
			continue
		} else if err != nil {
			return err
		}
		r.Cycles, r.floor = t, t
		if !r.Tied {
			continue
		}
		if t, err = f.lab.ask(ctx, Mix{{i, 1}}, 2); err == nil {
			r.floor = math.Max(r.floor, t)
		} else if err != errNoFigure {
			return err
		}
	}
	return nil
}

// findIdle finds what takes a dispatch slot and no port: NOPs, unless they share the slot of the instruction before them (Zen 4). Then an instruction that zeroes a
// register takes with two NOPs as long as two of it. Were it only slower than NOPs, for want of ports, the three would take as long as it alone.
func (f *inference) findIdle(ctx context.Context) error {
	if f.zero == 0 {
		return nil
	}
	nop, zero := &f.forms[f.nop], &f.forms[f.zero]
	if nop.Reason == "" && zero.Reason == "" && zero.Cycles > 1.5*nop.Cycles {
		t, err := f.lab.ask(ctx, Mix{{f.zero, 1}, {f.nop, 2}}, 2)
		if err != nil && err != errNoFigure {
			return err
		}
		if err == nil && math.Abs(t/(2*zero.Cycles)-1) < 0.1 {
			for i := range f.forms { // NOPs of all lengths
				if r := &f.forms[i]; r.Reason == "" && 1.2*r.Cycles < zero.Cycles {
					r.Reason, r.Shares = "shares the dispatch slot of the instruction before it", true // until the end, so that nothing is asked of it
				}
			}
			f.nop = f.zero
			return nil
		}
	}
	zero.Reason = "stands for itself only where NOPs share slots"
	return nil
}

// findWidth measures the dispatch width: how many NOPs go in a cycle. Where other forms go as fast, NOPs may need ports, too; then
// NOPs beside one of them may go faster, and both fill dispatch slots.
func (f *inference) findWidth(ctx context.Context) error {
	if f.forms[f.nop].Reason != "" {
		return errNoFigure
	}
	f.width, f.fillers = 1/f.forms[f.nop].Cycles, []int{f.nop}
	tried := 0
	for i := range f.forms {
		r := &f.forms[i]
		if i == f.nop || r.Reason != "" || r.Tied || len(r.With) > 0 || 1/r.Cycles < 0.45*f.width || tried == maxFillers {
			continue
		}
		tried++
		t, err := f.lab.ask(ctx, Mix{{i, 1}, {f.nop, 1}}, 2)
		if err == nil && 2/t > 1.08*f.width {
			f.width, f.fillers = 2/t, []int{f.nop, i}
		} else if err != nil && err != errNoFigure {
			return err
		}
	}
	// a width is a whole number; the front end may reach a little less
	if w := math.Round(f.width); w >= 1 && math.Abs(f.width-w) < 0.12*w {
		f.width = w
	}
	return nil
}

// maxFillers is how many forms are tried beside NOPs.
const maxFillers = 40

// findSlots measures forms' dispatch slots by what they take of the width beside fillers.
func (f *inference) findSlots(ctx context.Context) error {
	for i := range f.forms {
		r := &f.forms[i]
		n := int(math.Ceil(f.width*math.Max(2, 1.4*r.floor)/float64(len(f.fillers)))) * len(f.fillers)
		if n > maxBlockers || i == f.nop || r.Reason != "" {
			continue
		}
		m := Mix{{i, 1}}
		for _, k := range f.fillers {
			if k == i {
				m[0].N += n / len(f.fillers)
			} else {
				m = append(m, Count{k, n / len(f.fillers)})
			}
		}
		t, err := f.lab.ask(ctx, m, max(2, len(m)))
		if err == nil {
			r.Slots = t*f.width - float64(n)
		} else if err != errNoFigure {
			return err
		}
	}
	return nil
}

// maxBlockers is the most blocking instances that a mix has: beyond it, one µop more is lost in the noise.
const maxBlockers = 48

// candidates are the forms that may block: one slot, as fast as a whole number of ports below the dispatch width allows.
// Forms of low rank come first.
func (f *inference) candidates() []class {
	var out []class
	for i := range f.forms {
		r := &f.forms[i]
		if r.Reason != "" || r.Long || len(r.With) > 0 || i == f.nop || !(math.Abs(r.Slots-1) < 0.4) {
			continue
		}
		// what waits for itself, with the registers that a mix leaves it, cannot keep all its ports busy
		k := math.Round(1 / r.Cycles)
		if k < 1 || k > f.width-1 || math.Abs(1/r.Cycles-k) > 0.08*k || r.floor > 1.08*r.Cycles {
			continue
		}
		out = append(out, class{form: i, size: int(k)})
	}
	sort.SliceStable(out, func(a, b int) bool { return f.forms[out[a].form].Rank < f.forms[out[b].form].Rank })
	return out
}

// cluster groups candidates: two that are equally fast are alike if they are in each other's way wherever they run.
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
			// one port more between them would make 2k/(k+1) of 2
			if k := float64(c.size); t > 1+k/(k+1) {
				home = j
				break
			}
		}
		if home < 0 {
			c.members = []int{c.form}
			f.classes = append(f.classes, c)
		} else {
			f.classes[home].members = append(f.classes[home].members, c.form)
		}
	}
	sort.SliceStable(f.classes, func(a, b int) bool { return f.classes[a].size < f.classes[b].size })
	return nil
}

// classTest is a measured mix of classes.
type classTest struct {
	of     []int // classes
	n      []int
	cycles float64
}

// predict is the time of a class test under an assignment of ports.
func (f *inference) predict(c *classTest, a *assignment) span {
	var l load
	slots := 0.0
	for i, k := range c.of {
		l.add(a.ports[k], float64(c.n[i]*a.work[k]))
		slots += float64(c.n[i])
	}
	return f.predicted(math.Max(l.cycles(), slots/f.width), &l)
}

// pairs measures every pair of classes at the ratio at which both would keep all their ports busy.
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

// test measures a mix of classes and keeps it.
func (f *inference) test(ctx context.Context, of, n []int) error {
	m := Mix{}
	for i, k := range of {
		m = append(m, Count{f.classes[k].form, n[i]})
	}
	t, err := f.lab.ask(ctx, m, len(m))
	if err == errNoFigure {
		return nil
	} else if err != nil {
		return err
	}
	f.tests = append(f.tests, classTest{of, n, t})
	return nil
}

// assignment is a partial answer: ports of the first classes.
type assignment struct {
	ports []Set
	work  []int
	used  int // ports so far
	loss  float64
}

// beamWidth is how many partial answers are kept.
const beamWidth = 120

// portGain is what one more port gains an answer: that forms compete for a port is claimed only where a measurement shows it.
const portGain = 0.5

// pruned is how far a partial answer may be behind the best of its length.
const pruned = 60.0

// workCost is what it costs an answer that a class keeps its ports busy for two cycles.
const workCost = 4.0

// solve finds the port sets of all classes that explain the tests best, class by class from the smallest on. A class takes its ports
// from the cells of the Venn diagram of those before it; ports of one cell are alike, so that only their number matters.
func (f *inference) solve() []assignment {
	byLast := make([][]*classTest, len(f.classes)) // tests by the last of their classes
	for i := range f.tests {
		t := &f.tests[i]
		last := 0
		for _, k := range t.of {
			last = max(last, k)
		}
		byLast[last] = append(byLast[last], t)
	}
	beam := []assignment{{}}
	for k := range f.classes {
		var next []assignment
		best := math.Inf(1)
		for i := range beam {
			a := &beam[i]
			parts := cells(a.ports, a.used)
			for work := 1; work <= 2; work++ {
				size := f.classes[k].size * work
				if work > 1 && float64(size) > f.width-1 {
					break
				}
				for _, s := range choices(parts, a.used, size) {
					b := a.with(s, work)
					for j := 0; j < len(byLast[k]) && b.loss <= best+pruned; j++ {
						b.loss += misfit(byLast[k][j].cycles, f.predict(byLast[k][j], &b))
					}
					if best = math.Min(best, b.loss); b.loss <= best+pruned {
						next = append(next, b)
					}
				}
			}
		}
		sort.SliceStable(next, func(i, j int) bool { return next[i].loss < next[j].loss })
		beam = next[:min(len(next), beamWidth)]
	}
	return beam
}

// with is an answer with one more class.
func (a *assignment) with(s Set, work int) assignment {
	b := assignment{ports: make([]Set, len(a.ports)+1), work: make([]int, len(a.work)+1), used: a.used, loss: a.loss + workCost*float64(work-1)}
	copy(b.ports, a.ports)
	copy(b.work, a.work)
	b.ports[len(a.ports)], b.work[len(a.work)] = s, work
	for s>>b.used != 0 {
		b.used++
		b.loss -= portGain
	}
	return b
}

// cells divides ports into those that the same sets contain.
func cells(sets []Set, used int) []Set {
	var out []Set
	index := map[string]int{}
	for p := range used {
		sign := make([]byte, len(sets))
		for i, s := range sets {
			sign[i] = byte(s >> p & 1)
		}
		at, ok := index[string(sign)]
		if !ok {
			at = len(out)
			index[string(sign)] = at
			out = append(out, 0)
		}
		out[at] |= 1 << p
	}
	return out
}

// maxPorts is the most ports that a machine may have.
const maxPorts = 24

// choices lists the sets of a size up to exchange of alike ports: so many from each cell, the rest new.
func choices(cells []Set, used, size int) []Set {
	out := []Set{0}
	for _, c := range cells {
		var more []Set
		for _, s := range out {
			for part, left := Set(0), c; ; {
				if s.Size()+part.Size() <= size {
					more = append(more, s|part)
				}
				if left == 0 {
					break
				}
				part |= left & -left
				left &= left - 1
			}
		}
		out = more
	}
	full := out[:0]
	for _, s := range out {
		if fresh := size - s.Size(); used+fresh <= maxPorts {
			full = append(full, s|(1<<fresh-1)<<used)
		}
	}
	return full
}
