package ports

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
)

// resolve assigns ports to the classes. A core may choose ports before it knows later instructions, and spread each class's instances evenly over the ports (Zen 4, with a
// queue for each ALU: an imul with two rorx takes 1.83 cycles where ports would allow 1.5). So resolve also tries spans instead of bounds; they count if they explain more.
// But mixes also miss their bounds if a class's representative has a second µop: if bounds explain as much without the class that they explain worst, another form must
// represent it.
func (f *inference) resolve(ctx context.Context) error {
	for {
		bounds, err := f.assigned(ctx, false, nil)
		if err != nil {
			return err
		}
		spans, err := f.assigned(ctx, true, nil)
		if err != nil {
			return err
		}
		if !spans.explainsMore(bounds) {
			*f = *bounds
			break
		}
		odd, err := f.misfitting(ctx, bounds, spans)
		if err != nil {
			return err
		}
		if odd == nil {
			*f = *spans
			break
		}
		f.unfit[odd.form] = true
		f.out.Dropped = append(f.out.Dropped, f.forms[odd.form].Name)
		if err := f.classify(ctx); err != nil {
			return err
		}
	}
	f.classes = slices.DeleteFunc(f.classes, func(c class) bool { return c.work > 1 })
	f.subsets = f.closure()
	if f.early {
		all := slices.Clone(f.classes)
		f.classes = slices.DeleteFunc(f.classes, func(c class) bool { return f.bothSides(&c, all) })
	}
	f.findBlockers()
	f.usual = map[Set]bool{}
	for _, c := range f.classes {
		f.usual[c.ports] = true
	}
	f.out.Early = f.early
	return nil
}

// misfitting returns the class without which bounds explain as much as spans do; nil if there is none. It tries the classes whose tests bounds
// explain worst.
func (f *inference) misfitting(ctx context.Context, bounds, spans *inference) (*class, error) {
	odd := slices.Clone(bounds.classes)
	but := map[int]float64{} // the bounds' loss on the tests of all classes except one
	for k, c := range odd {
		but[c.form] = bounds.unexplained(slices.Delete(slices.Clone(odd), k, k+1))
	}
	slices.SortStableFunc(odd, func(a, b class) int { return cmp.Compare(but[a.form], but[b.form]) })
	for i := range odd[:min(len(odd), maxMisfitting)] {
		without, err := f.assigned(ctx, false, &odd[i])
		if err != nil {
			return nil, err
		}
		if !spans.explainsMore(without) {
			return &odd[i], nil
		}
	}
	return nil, nil
}

// maxMisfitting is the number of classes that are tried.
const maxMisfitting = 3

// bothSides reports whether a class moves data from one register file to another, and a class that does not runs on the same ports. On a core that chooses ports early,
// the latter spreads over its ports regardless of the former, and less evenly than with classes of its kind (Zen 4's vmovd from a vector, which uses the result bus of
// one ALU).
func (f *inference) bothSides(c *class, all []class) bool {
	return f.forms[c.form].Crosses && slices.ContainsFunc(all, func(d class) bool { return !f.forms[d.form].Crosses && d.ports&c.ports != 0 })
}

// earlyGain is how much better spans must explain the classes: one test that misses its bound completely.
const earlyGain = worst

// assigned returns a copy of the inference whose classes, except one, have their ports assigned, by bounds or
// by spans.
func (f *inference) assigned(ctx context.Context, early bool, but *class) (*inference, error) {
	g := *f
	g.early, g.classes, g.tests, g.out.Dropped = early, slices.Clone(f.classes), slices.Clone(f.tests), slices.Clone(f.out.Dropped)
	if but != nil {
		g.remove(slices.IndexFunc(g.classes, func(c class) bool { return c.form == but.form }))
	}
	return &g, g.assign(ctx)
}

// explainsMore reports whether spans, by which the classes of f have their ports, explain more than bounds do. Tests of a blocker that was dropped because of a second µop
// are not counted: a core that chooses ports early shows it in more than one class.
func (f *inference) explainsMore(bounds *inference) bool {
	more := len(f.classes) - len(bounds.classes)
	return more >= 2 || more >= 0 && bounds.unexplained(f.classes) >= f.unexplained(bounds.classes)+earlyGain
}

// unexplained returns the loss of the classes' ports on the tests of classes that are also in others.
func (f *inference) unexplained(others []class) (loss float64) {
	a := f.current()
	kept := map[int]bool{}
	for _, c := range others {
		kept[c.form] = true
	}
	for i := range f.tests {
		t := &f.tests[i]
		if !slices.ContainsFunc(t.of, func(k int) bool { return !kept[f.classes[k].form] }) {
			loss += misfit(t.cycles, f.predict(t, &a))
		}
	}
	return loss
}

// assign searches for assignments, measures mixes on which the best ones disagree, and drops classes that
// contradict the others.
func (f *inference) assign(ctx context.Context) error {
	for round := 0; ; round++ {
		answers, err := f.solve(ctx)
		if err != nil {
			return err
		}
		close := answers[:sort.Search(len(answers), func(i int) bool { return answers[i].loss > answers[0].loss+closeLoss })]
		if round < maxResolve {
			asked, err := f.discriminate(ctx, close)
			if err != nil {
				return err
			}
			if asked {
				continue
			}
		}
		f.adopt(&answers[0])
		f.out.Unsolved = len(close) - 1
		if !f.drop() {
			break
		}
	}
	return nil
}

// maxResolve limits the rounds of assign that measure mixes.
var maxResolve = 40 // a variable for tests

// discriminate measures the triples of classes on which the answers disagree most; false if there are none.
func (f *inference) discriminate(ctx context.Context, answers []assignment) (bool, error) {
	type option struct {
		of     []int
		spread float64
	}
	var list []option
	for a := range f.classes {
		for b := a + 1; b < len(f.classes); b++ {
			for c := b + 1; c < len(f.classes); c++ {
				of := []int{a, b, c}
				if s := f.spread(of, answers); s > 0.1 && !f.tested(of) {
					list = append(list, option{of, s})
				}
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].spread > list[j].spread })
	for _, o := range list[:min(len(list), 6)] {
		n := make([]int, len(o.of))
		for i, k := range o.of {
			n[i] = f.classes[k].size
		}
		if err := f.test(ctx, o.of, n); err != nil {
			return false, err
		}
	}
	return len(list) > 0, nil
}

// spread returns the range of the answers' predictions of a mix, as a logarithm.
func (f *inference) spread(of []int, answers []assignment) float64 {
	t := classTest{of: of}
	for _, k := range of {
		t.n = append(t.n, f.classes[k].size)
	}
	lo, hi := math.Inf(1), 0.0
	for i := range answers {
		p := f.predict(&t, &answers[i]).least
		lo, hi = math.Min(lo, p), math.Max(hi, p)
	}
	return math.Log(hi / lo)
}

func (f *inference) tested(of []int) bool {
	for _, t := range f.tests {
		if len(t.of) == len(of) && t.of[0] == of[0] && t.of[1] == of[1] && t.of[2] == of[2] {
			return true
		}
	}
	return false
}

// adopt sets the classes' ports to an answer.
func (f *inference) adopt(a *assignment) {
	f.out.Ports = a.used
	for k := range f.classes {
		c := &f.classes[k]
		c.ports, c.work, c.misfit, c.bad = a.ports[k], a.work[k], 0, 0
		n, meets := 0, 0
		for i := range f.tests {
			t := &f.tests[i]
			if !slices.Contains(t.of, k) {
				continue
			}
			p := f.predict(t, a)
			e := misfit(t.cycles, p)
			c.misfit += e
			n++
			if math.Max(p.least, t.cycles) < inTheWay {
				continue // tests with classes on other ports say nothing about this class
			}
			if meets++; e > badMisfit {
				c.bad++
			}
		}
		c.misfit /= math.Max(1, float64(n))
		c.bad /= math.Max(1, float64(meets))
	}
}

// A class contradicts the others if, among its tests with competing classes, too many miss their prediction by three times the
// noise.
const (
	badMisfit   = 9.0
	dropBadness = 0.3
	inTheWay    = 1.1 // cycles from which on two classes, each of one cycle alone, compete for ports
)

// drop removes the class with the worst fit if it contradicts the others; its forms are explained later like
// others.
func (f *inference) drop() bool {
	at := -1
	for k := range f.classes {
		if c := &f.classes[k]; c.bad >= dropBadness && (at < 0 || c.bad > f.classes[at].bad) {
			at = k
		}
	}
	if at < 0 || len(f.classes) <= 2 {
		return false
	}
	at = f.toBlame(at)
	for _, i := range f.classes[at].members {
		f.out.Dropped = append(f.out.Dropped, f.forms[i].Name)
	}
	f.remove(at)
	return true
}

// toBlame returns the class to drop for the failing tests of one: if a failing test has a class that keeps its ports busy for longer, and so cannot block anyway,
// it is that class.
func (f *inference) toBlame(at int) int {
	a := f.current()
	for i := range f.tests {
		t := &f.tests[i]
		if !slices.Contains(t.of, at) || misfit(t.cycles, f.predict(t, &a)) <= badMisfit {
			continue
		}
		for _, k := range t.of {
			if f.classes[k].work > f.classes[at].work {
				return k
			}
		}
	}
	return at
}

// current returns the ports of the classes.
func (f *inference) current() (a assignment) {
	for _, c := range f.classes {
		a.ports, a.work = append(a.ports, c.ports), append(a.work, c.work)
	}
	return a
}

// remove deletes a class and its tests.
func (f *inference) remove(at int) {
	f.classes = append(f.classes[:at:at], f.classes[at+1:]...)
	kept := f.tests[:0:0]
	for _, t := range f.tests {
		of, hit := append([]int(nil), t.of...), false
		for i, k := range of {
			hit = hit || k == at
			if k > at {
				of[i]--
			}
		}
		if !hit {
			kept = append(kept, classTest{of, t.n, t.waits, t.cycles})
		}
	}
	f.tests = kept
}

// closure lists the candidate port sets of a µop: those of the classes, and their intersections, unions and differences, if
// they have fewer ports than the core is wide; in small connected components, all subsets.
func (f *inference) closure() []Set {
	have := map[Set]bool{}
	var out []Set
	add := func(s Set) {
		if s != 0 && !have[s] && float64(s.Size()) <= f.width-1 && len(out) < maxSubsets {
			have[s] = true
			out = append(out, s)
		}
	}
	for _, c := range f.classes {
		add(c.ports)
	}
	part := components(f.sets())
	for _, c := range f.classes {
		if p := part(c.ports); p.Size() <= 6 {
			for s := p; s != 0; s = (s - 1) & p {
				add(s)
			}
		}
	}
	for i := 0; i < len(out) && len(out) < maxSubsets; i++ {
		for j := range i {
			if part(out[i]) == part(out[j]) {
				add(out[i] & out[j])
				add(out[i] | out[j])
				add(out[i] &^ out[j])
				add(out[j] &^ out[i])
			}
		}
	}
	return out
}

// maxSubsets limits the port sets that are tried for a µop.
const maxSubsets = 160
