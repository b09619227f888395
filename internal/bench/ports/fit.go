package ports

import (
	"context"
	"math"
	"slices"
	"sort"
)

// blocker keeps a set of ports busy: one class, or two.
type blocker struct {
	ports   Set
	classes []int
	first   bool // contains no smaller one, or is in no larger one: with these every form is mixed
}

// findBlockers lists the sets of ports that can be kept busy: those of classes, and unions of two that touch each other
// or lie in one that does.
func (f *inference) findBlockers() {
	f.blockers = nil
	have := map[Set]bool{}
	for k, c := range f.classes {
		if !have[c.ports] {
			have[c.ports] = true
			f.blockers = append(f.blockers, blocker{ports: c.ports, classes: []int{k}})
		}
	}
	single := f.blockers
	part := components(f.sets())
	for i, a := range single {
		for _, b := range single[i+1:] {
			u := a.ports | b.ports
			if have[u] || float64(u.Size()) > f.width-1 || part(a.ports) != part(b.ports) {
				continue
			}
			have[u] = true
			f.blockers = append(f.blockers, blocker{ports: u, classes: []int{a.classes[0], b.classes[0]}})
		}
	}
	sort.SliceStable(f.blockers, func(i, j int) bool { return f.blockers[i].ports.Size() < f.blockers[j].ports.Size() })
	for i := range f.blockers {
		b := &f.blockers[i]
		larger := func(c blocker) bool { return c.ports != b.ports && b.ports&^c.ports == 0 }
		smaller := func(c blocker) bool { return c.ports != b.ports && c.ports&^b.ports == 0 }
		b.first = len(b.classes) == 1 && !slices.ContainsFunc(f.blockers, smaller) || !slices.ContainsFunc(f.blockers, larger)
	}
}

// sets are the port sets of the classes.
func (f *inference) sets() []Set {
	var out []Set
	for _, c := range f.classes {
		out = append(out, c.ports)
	}
	return out
}

// components tells which part of the machine a set lies in: the ports that chains of overlapping sets connect.
func components(sets []Set) func(Set) Set {
	var parts []Set
	for _, s := range sets {
		rest := parts[:0]
		for _, p := range parts {
			if p&s != 0 {
				s |= p
			} else {
				rest = append(rest, p)
			}
		}
		parts = append(rest, s)
	}
	return func(s Set) Set {
		for _, p := range parts {
			if p&s != 0 {
				return p
			}
		}
		return s
	}
}

// formTest is a measured mix of one instance of a form with blocking classes.
type formTest struct {
	count  int // instances of the form
	of, n  []int
	block  Set // the ports that are kept busy, 0 if none on purpose
	cycles float64
}

// blocked plans a mix in which all ports of a blocker are busy for longer than the form takes for itself and
// than its slots take of the dispatch width. ok is false if that takes too many instances.
func (f *inference) blocked(r *Result, b *blocker) (t formTest, ok bool) {
	q := float64(b.ports.Size())
	slots := 1.0
	if r.Slots > 1 {
		slots = math.Round(r.Slots)
	}
	length := math.Max(math.Max(1.3*r.limit(len(b.classes)+1), slots), slots/(f.width-q)) // cycles
	weight := 0
	for _, k := range b.classes {
		weight += f.classes[k].size
	}
	t = formTest{count: 1, block: b.ports}
	total := 0
	for _, k := range b.classes {
		n := int(math.Ceil(q*length*float64(f.classes[k].size)/float64(weight) - 1e-6))
		t.of, t.n = append(t.of, k), append(t.n, n)
		total += n
	}
	return t, total <= maxBlockers
}

// run measures a test of a form.
func (f *inference) run(ctx context.Context, i int, t formTest) (formTest, error) {
	m := Mix{{i, t.count}}
	for j, k := range t.of {
		if f.classes[k].form == i { // the same form twice would share registers
			m[0].N += t.n[j]
			continue
		}
		m = append(m, Count{f.classes[k].form, t.n[j]})
	}
	var err error
	t.cycles, err = f.lab.ask(ctx, m, max(2, len(m)))
	return t, err
}

// fitter seeks the µops of one form.
type fitter struct {
	f      *inference
	r      *Result
	tests  []formTest
	base   Map // µops of what comes along with the form
	slots  float64
	sets   []Set      // that a µop may have
	asked  []formTest // options, once made
	failed []formTest // mixes that have no figure
	bounds int        // mixes asked because answers' bounds differ
}

// predict is the time of a test if the form has these µops.
func (x *fitter) predict(t *formTest, m Map) span {
	var l load
	for _, s := range m {
		l.add(s, float64(t.count))
	}
	for _, s := range x.base {
		l.add(s, float64(t.count))
	}
	slots := x.slots * float64(t.count)
	for j, k := range t.of {
		l.add(x.f.classes[k].ports, float64(t.n[j]))
		slots += float64(t.n[j])
	}
	p := math.Max(l.cycles(), slots/x.f.width)
	if len(t.of) > 0 {
		p = math.Max(p, x.r.limit(len(t.of)+1)*float64(t.count))
	}
	return x.f.predicted(p, &l)
}

// limit is the cycles that an instance takes at least where the registers are divided among so many subjects.
func (r *Result) limit(parts int) float64 {
	if r.Tied && parts > 2 {
		return math.Max(r.Cycles, r.floor*float64(parts)/2)
	}
	return r.floor
}

// What answers cost beside their misfit: µops; sets of ports that no class has, as units of a core serve many
// instructions; µops that the dispatch slots leave no room for: a µop may keep its
// port busy for longer, which looks like more of the same, but hardly brings one of another kind along.
const (
	uopCost     = 1.5
	oddCost     = 1.0
	extraCost   = 3.0
	foreignCost = 4.0
)

// loss is how badly µops explain the tests.
func (x *fitter) loss(m Map) float64 {
	sum := uopCost * float64(len(m))
	for _, s := range m {
		if !x.f.usual[s] {
			sum += oddCost
		}
	}
	if extra := float64(len(m)+len(x.base)) - x.slots; extra > 0.5 {
		more, foreign := extraCost, foreignCost
		if x.f.macro {
			more, foreign = 0, rivalLoss
		}
		sum += more * math.Round(extra)
		kinds := 0
		for i, s := range m {
			if !slices.Contains(m[:i], s) {
				kinds++
			}
		}
		sum += foreign * math.Max(0, float64(kinds+len(x.base))-math.Max(1, x.slots))
	}
	for i := range x.tests {
		t := &x.tests[i]
		p := x.predict(t, m)
		e := misfit(t.cycles, p)
		if len(t.of) == 0 && t.cycles > p.most {
			e = math.Min(e, worst/2) // alone, something else than ports may limit it
		}
		sum += e
	}
	return sum
}

// inside estimates how many µops have no port outside the ports that a test blocks.
func (x *fitter) inside(t *formTest) float64 {
	n := 0
	for _, k := range t.n {
		n += k
	}
	v := float64(t.block.Size())*t.cycles - float64(n)
	for _, s := range x.base {
		if s&^t.block == 0 {
			v--
		}
	}
	return v
}

// seed reads the µops off the blocking tests, from the smallest set of ports on: what is inside it and not inside a
// smaller one that it contains runs on just these ports (uops.info, section 5.1).
func (x *fitter) seed() Map {
	var m Map
	for i := range x.tests {
		t := &x.tests[i]
		if t.block == 0 {
			continue
		}
		v := x.inside(t)
		for _, s := range m {
			if s&^t.block == 0 {
				v--
			}
		}
		for ; v > 0.6 && len(m) < maxUops; v-- {
			m = append(m, t.block)
		}
	}
	return m
}

// maxUops bounds the µops of a form: beyond, a form is called microcode.
const maxUops = 8

// answer is µops with their loss.
type answer struct {
	m    Map
	loss float64
}

// search improves answers by exchanging, adding and removing single µops, and returns all that it saw that are about as good as the best.
func (x *fitter) search(seeds ...Map) []answer {
	seen := map[string]answer{}
	visit := func(m Map) answer {
		m = m.Sorted()
		key := mapKey(m)
		a, ok := seen[key]
		if !ok {
			a = answer{m, x.loss(m)}
			seen[key] = a
		}
		return a
	}
	for _, s := range seeds {
		for at := visit(s); ; {
			best := at
			try := func(m Map) {
				if a := visit(m); a.loss < best.loss-1e-9 {
					best = a
				}
			}
			for i := range at.m {
				without := append(append(Map(nil), at.m[:i]...), at.m[i+1:]...)
				try(without)
				for _, s := range x.sets {
					try(append(without[:len(without):len(without)], s))
					try(at.m.exchanged(at.m[i], s)) // what keeps a port busy for several cycles is one
				}
			}
			if len(at.m) < maxUops {
				for _, s := range x.sets {
					try(append(at.m[:len(at.m):len(at.m)], s))
				}
			}
			if best.loss >= at.loss-1e-9 {
				break
			}
			at = best
		}
	}
	var out []answer
	for _, a := range seen {
		out = append(out, a)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].loss != out[j].loss {
			return out[i].loss < out[j].loss
		}
		return mapKey(out[i].m) < mapKey(out[j].m)
	})
	n := sort.Search(len(out), func(i int) bool { return out[i].loss > out[0].loss+closeLoss })
	return out[:min(n, 24)]
}

// closeLoss is how much worse an answer may be and still count as possible.
const closeLoss = 5.0

func mapKey(m Map) string {
	b := make([]byte, 0, 4*len(m))
	for _, s := range m {
		b = append(b, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
	}
	return string(b)
}

// fit finds the µops of form i.
func (f *inference) fit(ctx context.Context, i int) error {
	r := &f.forms[i]
	if r.Reason != "" {
		return nil
	}
	x := &fitter{f: f, r: r, slots: r.Slots, sets: f.subsets}
	if math.IsNaN(x.slots) {
		return f.slow(ctx, i)
	}
	x.slots = math.Max(0, math.Round(x.slots))
	for _, w := range r.With {
		if !f.forms[w].Explained {
			r.Reason = "runs with " + f.forms[w].Name + ", which is not explained"
			return nil
		}
		x.base = append(x.base, f.forms[w].Uops...)
	}
	x.tests = append(x.tests, formTest{count: 1, cycles: r.Cycles})
	for k := range f.blockers {
		if !f.blockers[k].first {
			continue
		}
		if t, ok := f.blocked(r, &f.blockers[k]); ok {
			if err := x.ask(ctx, i, t); err != nil {
				return err
			}
		}
	}
	answers := x.search(nil, x.seed())
	for range maxRounds {
		t, ok := x.telling(answers)
		if !ok {
			break
		}
		if err := x.ask(ctx, i, t); err != nil {
			return err
		}
		answers = x.search(append([]Map{x.seed()}, maps(answers)...)...)
	}
	answers, err := x.verify(ctx, i, answers)
	if err != nil {
		return err
	}
	if len(x.tests) < 2 {
		r.Reason = "no mix with blocking instructions could be measured"
		return nil
	}
	x.conclude(answers)
	return nil
}

// verify runs the form at its own pace beside classes that the best answer says are in its way, and that are not: what blocking
// mixes say of a form that changes what other ports can do (512-bit operations close a vector port) does not hold there.
func (x *fitter) verify(ctx context.Context, i int, answers []answer) ([]answer, error) {
	own := Set(0)
	for _, s := range append(answers[0].m, x.base...) {
		own |= s
	}
	apart, inside := 0, 0
	for k := range x.f.classes {
		c := &x.f.classes[k]
		kind := &apart
		if c.ports&own != 0 {
			kind = &inside
		}
		if *kind == verifyEach || c.form == i {
			continue
		}
		t, ok := x.paced(k)
		if has(x.tests, &t) || has(x.failed, &t) || !ok {
			continue
		}
		*kind++
		if err := x.ask(ctx, i, t); err != nil {
			return answers, err
		}
	}
	return x.search(append([]Map{x.seed()}, maps(answers)...)...), nil
}

// paced plans the form at its own pace beside a class at its; ok is false if that takes too many instances.
func (x *fitter) paced(k int) (t formTest, ok bool) {
	count := max(1, min(6, int(math.Round(1/x.r.limit(2)))))
	if x.r.Tied { // at its full pace, with the registers that it has left, anything in its way shows
		count = max(1, count/2)
	}
	n := max(1, int(math.Round(float64(x.f.classes[k].size*count)*x.r.limit(2))))
	return formTest{count: count, of: []int{k}, n: []int{n}}, n <= maxBlockers
}

// verifyEach is how many classes of either kind verify mixes a form with.
const verifyEach = 2

// ask measures a test of form i and keeps it; one without a figure is not asked again.
func (x *fitter) ask(ctx context.Context, i int, t formTest) error {
	t, err := x.f.run(ctx, i, t)
	if err == errNoFigure {
		x.failed = append(x.failed, t)
		return nil
	}
	if err == nil {
		x.tests = append(x.tests, t)
	}
	return err
}

// maxRounds bounds the further mixes that are measured to decide between answers.
const maxRounds = 24

func maps(a []answer) (out []Map) {
	for i := range a[:min(len(a), 4)] {
		out = append(out, a[i].m)
	}
	return out
}

// telling is the mix for which the best answer and the nearest rival that any mix separates predict times that differ most; ok is
// false if none would show. Where a core chooses ports early, the times that answers allow may overlap in every mix: then those are asked
// whose bounds differ most, as a core that is quicker than one of them allows rules that out.
func (x *fitter) telling(answers []answer) (best formTest, ok bool) {
	apart := func(p, q span) float64 { return math.Max(p.least/q.most, q.least/p.most) }
	if best, ok = x.mostApart(answers, apart); ok || !x.f.early || x.bounds == maxBounds {
		return best, ok
	}
	x.bounds++
	return x.mostApart(answers, func(p, q span) float64 { return math.Max(p.least/q.least, q.least/p.least) })
}

// maxBounds is how many mixes are asked of a form because bounds differ.
const maxBounds = 6

// mostApart is the mix that separates the best answer and the nearest rival most, by some measure.
func (x *fitter) mostApart(answers []answer, measure func(p, q span) float64) (best formTest, ok bool) {
	options := x.options()
	for _, rival := range answers[1:] {
		most := 0.1
		for i := range options {
			t := &options[i]
			d := math.Log(measure(x.predict(t, answers[0].m), x.predict(t, rival.m)))
			if d > most && !has(x.tests, t) && !has(x.failed, t) {
				most, best, ok = d, *t, true
			}
		}
		if ok {
			return best, true
		}
	}
	return best, false
}

// options are the mixes that may be asked about the form: with every blocker, and with one or two classes at
// their own pace.
func (x *fitter) options() []formTest {
	if x.asked != nil {
		return x.asked
	}
	f := x.f
	for k := range f.blockers {
		if t, ok := f.blocked(x.r, &f.blockers[k]); ok {
			x.asked = append(x.asked, t)
		}
	}
	for a := range f.classes {
		if f.early { // single instances between blockers may wait for any of their ports
			if t, ok := x.paced(a); ok {
				x.asked = append(x.asked, t)
			}
		}
		for b := a; b < len(f.classes); b++ {
			for _, k := range []int{1, 2} {
				t := formTest{count: 1, of: []int{a}, n: []int{k * f.classes[a].size}}
				if b > a {
					t.of, t.n = append(t.of, b), append(t.n, k*f.classes[b].size)
				}
				x.asked = append(x.asked, t)
			}
		}
	}
	return x.asked
}

// has reports whether a test is among those.
func has(tests []formTest, t *formTest) bool {
	return slices.ContainsFunc(tests, func(u formTest) bool {
		return u.count == t.count && slices.Equal(u.of, t.of) && slices.Equal(u.n, t.n)
	})
}

// Limits of what counts as explained: the relative residuals of all tests but the worst tenth (of six or more, at
// least one), root mean square and largest.
const (
	explainedRMS   = 0.06
	explainedWorst = 0.16
)

// conclude writes the answer down, with what speaks against it.
func (x *fitter) conclude(answers []answer) {
	r, m := x.r, answers[0].m
	r.Uops, r.Tests = m, len(x.tests)
	var off []float64
	for i := range x.tests {
		t := &x.tests[i]
		p := x.predict(t, m)
		d := t.cycles/math.Max(p.least, math.Min(p.most, t.cycles)) - 1
		if len(t.of) > 0 {
			off = append(off, math.Abs(d))
		} else if d > 0.08 {
			r.Busy = t.cycles
		}
	}
	sort.Float64s(off)
	r.Worst = off[len(off)-1]
	if len(off) >= 6 {
		off = off[:len(off)-max(1, len(off)/10)]
	}
	sum := 0.0
	for _, d := range off {
		sum += d * d
	}
	r.RMS = math.Sqrt(sum / float64(len(off)))
	r.Explained = r.RMS <= explainedRMS && off[len(off)-1] <= explainedWorst
	if h := x.slots - float64(len(m)+len(x.base)); h > 0 {
		r.Hidden = int(h)
	}
	for _, a := range answers[1:] {
		if a.loss <= answers[0].loss+rivalLoss {
			r.Rivals = append(r.Rivals, a.m)
		}
	}
}

// rivalLoss is how much worse an answer may be and still be reported beside the best.
const rivalLoss = 2.5
