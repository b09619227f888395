package ports

import (
	"context"
	"math"
	"slices"
	"sort"
)

// formTest is a measured mix of one instance of a form with blocking classes.
type formTest struct {
	count  int // number of instances of the form
	of, n  []int
	block  Set // the ports that are kept busy, 0 if none on purpose
	cycles float64
}

// blocked plans a mix in which all ports of a blocker are busy for longer than the form takes alone and than
// the form's dispatch slots take. ok is false if that needs too many instances.
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
		if f.classes[k].form == i { // two subjects of the same form would share registers
			m[0].N += t.n[j]
			continue
		}
		m = append(m, Count{f.classes[k].form, t.n[j]})
	}
	var err error
	t.cycles, err = f.lab.ask(ctx, m, max(2, len(m)))
	return t, err
}

// fitter searches for the µops of one form.
type fitter struct {
	f      *inference
	i      int // the form
	r      *Result
	tests  []formTest
	base   Map // µops of the instructions that run with the form
	slots  float64
	sets   []Set      // candidate port sets of a µop
	asked  []formTest // result of options, computed once
	failed []formTest // mixes that could not be measured
	bounds int        // number of mixes measured because the answers' bounds differ
}

// predict returns the time of a test if the form has the given µops.
func (x *fitter) predict(t *formTest, m Map) span {
	var l load
	for _, s := range m {
		l.add(s, float64(t.count))
	}
	for _, s := range x.base {
		l.add(s, float64(t.count))
	}
	slots, pace, waits := x.slots*float64(t.count), 0.0, false
	for j, k := range t.of {
		n := t.n[j]
		if x.f.classes[k].form == x.i { // additional instances of the form itself: see run
			n += t.count
		}
		pace = math.Max(pace, float64(n)*x.f.forms[x.f.classes[k].form].pace)
		l.add(x.f.classes[k].ports, float64(t.n[j]))
		slots += float64(t.n[j])
		waits = waits || x.f.waits(x.i, x.f.classes[k].form)
	}
	p := math.Max(l.cycles(), slots/x.f.width)
	if len(t.of) > 0 {
		p = math.Max(p, x.r.limit(len(t.of)+1)*float64(t.count))
		pace = math.Max(pace, x.r.pace*float64(t.count))
	}
	return x.f.predicted(p, pace, &l, waits)
}

// limit returns the least cycles per instance if the registers are divided among the given number of
// subjects.
func (r *Result) limit(parts int) float64 {
	if r.Tied && parts > 2 {
		return math.Max(r.Cycles, r.floor*float64(parts)/2)
	}
	return r.floor
}

// fit determines the µops of form i.
func (f *inference) fit(ctx context.Context, i int) error {
	r := &f.forms[i]
	if r.Reason != "" {
		return nil
	}
	x := &fitter{f: f, i: i, r: r, slots: r.Slots, sets: f.subsets}
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
	if m, ok, err := x.alike(ctx); err != nil || ok {
		if ok {
			x.conclude([]answer{{m, x.loss(m, math.Inf(1))}})
		}
		return err
	}
	for k := range f.blockers {
		if !f.blockers[k].first {
			continue
		}
		if t, ok := f.blocked(r, &f.blockers[k]); ok && !has(x.tests, &t) && !has(x.failed, &t) {
			if err := x.ask(ctx, t); err != nil {
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
		if err := x.ask(ctx, t); err != nil {
			return err
		}
		answers = x.search(append([]Map{x.seed()}, maps(answers)...)...)
	}
	answers, err := x.verify(ctx, answers)
	if err != nil {
		return err
	}
	if answers, err = x.challenge(ctx, answers); err != nil {
		return err
	}
	if len(x.tests) < 2 {
		r.Reason = "no mix with blocking instructions could be measured"
		return nil
	}
	x.conclude(answers)
	return nil
}

// verify measures the form at its own pace together with classes that compete with it according to the best answer, and with
// classes that do not. Blocking mixes alone can mislead: a form may change the capability of other ports (512-bit operations
// close a vector port).
func (x *fitter) verify(ctx context.Context, answers []answer) ([]answer, error) {
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
		if *kind == verifyEach || c.form == x.i {
			continue
		}
		t, ok := x.paced(k, 1)
		if has(x.tests, &t) || has(x.failed, &t) || !ok {
			continue
		}
		*kind++
		if err := x.ask(ctx, t); err != nil {
			return answers, err
		}
	}
	return x.search(append([]Map{x.seed()}, maps(answers)...)...), nil
}

// challenge tests an answer that uses port sets of no class, which is unlikely because a core's units serve many instructions. It compares the best answer without these
// sets in the mixes that it allows to run fastest by comparison. On a core that chooses ports early a single mix may miss its bound by far (Zen 4: two mask operations
// alternating with two multiplications, which use other ports, take 1.3 cycles, two pairs 1.04, three and two 1.5), and an answer that explains only this mix must not win
// by it.
func (x *fitter) challenge(ctx context.Context, answers []answer) ([]answer, error) {
	for range maxChallenges {
		plain, ok := x.plain(answers)
		if !ok {
			break
		}
		t, ok := x.mostApart([]answer{answers[0], plain}, func(p, q span) float64 { return p.least / q.least })
		if !ok {
			break
		}
		if err := x.ask(ctx, t); err != nil {
			return answers, err
		}
		answers = x.search(append([]Map{x.seed(), plain.m}, maps(answers)...)...)
	}
	return answers, nil
}

// maxChallenges is the largest number of mixes in which an answer with unusual sets is compared with another.
const maxChallenges = 3

// plain returns the best answer whose sets all belong to classes; false if the best answer of all is one.
func (x *fitter) plain(answers []answer) (answer, bool) {
	unusual := func(s Set) bool { return !x.f.usual[s] }
	if !slices.ContainsFunc(answers[0].m, unusual) {
		return answer{}, false
	}
	y := *x
	y.sets = slices.DeleteFunc(slices.Clone(x.sets), unusual)
	seeds := []Map{nil}
	for _, m := range maps(answers) {
		seeds = append(seeds, slices.DeleteFunc(m.Sorted(), unusual))
	}
	return y.search(seeds...)[0], true
}

// hangsOn reports whether one answer is better than another only because of a single test.
func (x *fitter) hangsOn(a, b answer) bool {
	return slices.ContainsFunc(x.tests, func(t formTest) bool {
		return b.loss-misfit(t.cycles, x.predict(&t, b.m)) <= a.loss-misfit(t.cycles, x.predict(&t, a.m))+rivalLoss
	})
}

// paced plans a mix of the form and a class, each at its own pace; pace multiplies the form's instances. ok is false if that needs
// too many instances.
func (x *fitter) paced(k int, pace float64) (t formTest, ok bool) {
	count := max(1, min(6, int(math.Round(1/x.r.limit(2)))))
	if x.r.Tied { // at its full pace, with the registers that it has left, anything in its way shows
		count = max(1, count/2)
	}
	n := max(1, int(math.Round(float64(x.f.classes[k].size*count)*x.r.limit(2))))
	return formTest{count: int(math.Ceil(float64(count) * pace)), of: []int{k}, n: []int{n}}, n <= maxBlockers
}

// verifyEach is the number of competing, and of independent, classes with which verify mixes a form.
const verifyEach = 2

// ask measures a test of the form and stores it; a test without a figure is not repeated.
func (x *fitter) ask(ctx context.Context, t formTest) error {
	t, err := x.f.run(ctx, x.i, t)
	if err == errNoFigure {
		x.failed = append(x.failed, t)
		return nil
	}
	if err == nil {
		x.tests = append(x.tests, t)
	}
	return err
}

// maxRounds limits the additional mixes that are measured to decide between answers.
const maxRounds = 24

// telling returns the mix with the largest difference between the predictions of the best answer and of the first rival that any mix can
// distinguish from it; ok is false if there is none. On a core that chooses ports early, the spans that answers allow may overlap in
// every mix: then it returns a mix whose bounds differ most, because a measurement below one answer's bound refutes that answer.
func (x *fitter) telling(answers []answer) (best formTest, ok bool) {
	apart := func(p, q span) float64 { return math.Max(p.least/q.most, q.least/p.most) }
	if best, ok = x.mostApart(answers, apart); ok || !x.f.early || x.bounds == maxBounds {
		return best, ok
	}
	x.bounds++
	return x.mostApart(answers, func(p, q span) float64 { return math.Max(p.least/q.least, q.least/p.least) })
}

// maxBounds is the largest number of mixes per form that are measured because bounds differ.
const maxBounds = 6

// mostApart returns the mix that separates the best answer and the first rival most, by some measure.
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

// options lists the possible mixes with the form: with every blocker, and with one or two classes at their
// own pace.
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
		for _, pace := range []float64{1, 1.5} { // a form with few ports keeps them busy itself; on a core that chooses ports early, a single instance may wait for any port
			if t, ok := x.paced(a, pace); ok {
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

// has reports whether a list contains a test.
func has(tests []formTest, t *formTest) bool {
	return slices.ContainsFunc(tests, func(u formTest) bool {
		return u.count == t.count && slices.Equal(u.of, t.of) && slices.Equal(u.n, t.n)
	})
}

// Limits for an explained form: root mean square and maximum of the relative residuals of all tests except the
// worst tenth (of six or more tests, at least one).
const (
	explainedRMS   = 0.06
	explainedWorst = 0.16
)

// conclude stores the answer and the evidence against it.
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
	if p, ok := x.plain(answers); ok && len(r.Rivals) == 0 && x.hangsOn(answers[0], p) {
		r.Rivals = append(r.Rivals, p.m)
	}
}

// rivalLoss is the largest additional loss of a rival that is reported with the best answer.
const rivalLoss = 2.5
