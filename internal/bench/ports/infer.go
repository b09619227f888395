package ports

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Result is what was found of a form.
type Result struct {
	Form
	Cycles float64 // per instance alone
	Slots  float64 // of the dispatch width, as measured; NaN if unknown
	Uops   Map     // those that mixes can show
	// Hidden is the number of dispatch slots without such a µop: eliminated at rename, or with as many ports as the core is wide, so that
	// the dispatch width hides them in every mix.
	Hidden int
	// Busy is the cycles per instance alone where ports don't explain them (a divider, a latency): else 0.
	Busy       float64
	RMS, Worst float64 // relative residuals of the tests: root mean square without the worst tenth, and the largest
	Tests      int
	Explained  bool
	Rivals     []Map  // other answers that explain the tests about as well
	Reason     string // why nothing is known
	Shares     bool   // takes no port, and shares the dispatch slot of the instruction before it
	Held       bool   // keeps a port busy for as long as it takes; its dispatch slots are not known
	floor      float64
}

// Inference is a machine as far as mixes show it.
type Inference struct {
	Width    float64 // dispatch slots per cycle
	Early    bool    // the core chooses ports early: mixes take up to as long as with µops spread evenly
	Ports    int
	Forms    []Result
	Alike    []Set    // ports that nothing tells apart, where more than one
	Classes  []Class  // of blocking forms
	Dropped  []string // forms that looked like blocking ones but contradict the others
	Asked    int      // mixes measured
	Checks   []Check  // mixes that the inference did not see
	Unsolved int      // other assignments of the classes' ports that explain the tests about as well
}

// Class is a group of forms with one µop on the same ports.
type Class struct {
	Ports Set
	Forms []int // the first one blocks
	RMS   float64
}

// inference is the work in progress.
type inference struct {
	lab      *lab
	width    float64
	nop      int // takes a dispatch slot and no port
	zero     int // may do so; 0 = there is none
	forms    []Result
	classes  []class
	tests    []classTest
	blockers []blocker
	subsets  []Set
	usual    map[Set]bool // sets that classes have
	fillers  []int        // forms of one slot that together go as fast as the core dispatches
	macro    bool         // a dispatch slot may hold several µops
	early    bool         // the core chooses ports so early that mixes may take up to as long as with µops spread evenly
	out      Inference
	note     func(Progress)
}

// Progress tells how far an inference is.
type Progress struct {
	Stage       string
	Done, Total int // forms
	Mixes       int // measured
}

// Options of Infer.
type Options struct {
	Known  map[string]Measurement          // of earlier runs, by Key
	Note   func(Progress)                  // called now and then
	Record func(m Measurement, key string) // called with every new measurement
	Checks int                             // mixes to hold the result against
	Macro  bool                            // a dispatch slot may hold several µops, so that the slots don't tell their number
	Zero   int                             // a form that needs no port on cores that know it as a zero idiom; 0 = none
}

// Infer finds port maps of forms. nop is the form, by index, that takes a dispatch slot and no port. Where two NOPs share a slot, opt.Zero does it in its place.
func Infer(ctx context.Context, forms []Form, nop int, oracle Oracle, opt Options) (*Inference, error) {
	if nop < 0 || nop >= len(forms) {
		return nil, fmt.Errorf("no form %d that needs no port", nop)
	}
	f := &inference{nop: nop, forms: make([]Result, len(forms)), note: opt.Note}
	for i := range forms {
		f.forms[i].Form = forms[i]
		f.forms[i].Slots = math.NaN()
	}
	f.lab = &lab{forms: forms, oracle: oracle, seen: map[string]*Measurement{}}
	for key, m := range opt.Known {
		f.lab.seen[key] = &m
	}
	f.lab.record = opt.Record
	f.zero, f.macro = opt.Zero, opt.Macro
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{{"single forms", f.singles}, {"slots of NOPs", f.findIdle}, {"dispatch width", f.findWidth}, {"dispatch slots", f.findSlots}, {"classes", f.cluster}, {"pairs of classes", f.pairs}, {"ports of classes", f.resolve}, {"forms", f.fitAll},
		{"check", func(ctx context.Context) error { return f.check(ctx, opt.Checks) }}} {
		f.lab.note = func(int) { f.stage(step.name, 0, len(forms)) }
		f.stage(step.name, 0, len(forms))
		if err := step.do(ctx); err != nil {
			if errors.Is(err, errNoFigure) {
				err = errors.New("what needs no port could not be measured")
			}
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	f.finish()
	return &f.out, nil
}

func (f *inference) stage(name string, done, total int) {
	if f.note != nil {
		f.note(Progress{name, done, total, f.lab.asked})
	}
}

// resolve assigns ports to the classes. A core may choose ports before it knows what comes, each class's instances evenly over the ports (Zen 4, with a queue for each
// ALU: an imul with two rorx takes 1.83 cycles where ports would allow 1.5). So all is tried again with spans instead of bounds; they count if they explain more.
func (f *inference) resolve(ctx context.Context) error {
	classes, tests := slices.Clone(f.classes), slices.Clone(f.tests)
	if err := f.assign(ctx); err != nil {
		return err
	}
	bounds := *f
	f.early, f.classes, f.tests, f.out.Dropped = true, classes, tests, nil
	if err := f.assign(ctx); err != nil {
		return err
	}
	// A blocker with a second µop makes its own tests miss their bounds, too: they are not counted if it was dropped for that. A core that chooses early has more to show than one class.
	more := len(f.classes) - len(bounds.classes)
	if more < 0 || more < 2 && bounds.unexplained(f.classes) < f.unexplained(bounds.classes)+earlyGain {
		f.early, f.classes, f.tests, f.out = false, bounds.classes, bounds.tests, bounds.out
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

// bothSides reports whether a class brings something from one register file to another, and others that don't run on its ports: where these spread themselves early, they
// do so whatever it takes, and more unevenly than beside each other (Zen 4's vmovd from a vector, which takes the way of one ALU's results).
func (f *inference) bothSides(c *class, all []class) bool {
	return f.forms[c.form].Crosses && slices.ContainsFunc(all, func(d class) bool { return !f.forms[d.form].Crosses && d.ports&c.ports != 0 })
}

// earlyGain is how much better spans must explain the classes: one test that misses its bound altogether.
const earlyGain = worst

// unexplained is how badly the classes' ports explain the tests of those that are among others, too.
func (f *inference) unexplained(others []class) (loss float64) {
	a := assignment{}
	kept := map[int]bool{}
	for _, c := range others {
		kept[c.form] = true
	}
	for _, c := range f.classes {
		a.ports, a.work = append(a.ports, c.ports), append(a.work, c.work)
	}
	for i := range f.tests {
		t := &f.tests[i]
		if !slices.ContainsFunc(t.of, func(k int) bool { return !kept[f.classes[k].form] }) {
			loss += misfit(t.cycles, f.predict(t, &a))
		}
	}
	return loss
}

// assign solves, asks what the best answers disagree on, and drops classes that contradict the others.
func (f *inference) assign(ctx context.Context) error {
	for range maxResolve {
		answers := f.solve()
		close := answers[:sort.Search(len(answers), func(i int) bool { return answers[i].loss > answers[0].loss+closeLoss })]
		asked, err := f.discriminate(ctx, close)
		if err != nil {
			return err
		}
		if asked {
			continue
		}
		f.adopt(&answers[0])
		f.out.Unsolved = len(close) - 1
		if !f.drop() {
			break
		}
	}
	return nil
}

// maxResolve bounds the rounds of resolve.
const maxResolve = 40

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

// spread is how far the answers' predictions of a mix lie apart, as a logarithm.
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

// adopt takes an answer over.
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
				continue // what is out of its way says nothing of a class
			}
			if meets++; e > badMisfit {
				c.bad++
			}
		}
		c.misfit /= math.Max(1, float64(n))
		c.bad /= math.Max(1, float64(meets))
	}
}

// A class contradicts the others if of its tests with what is in its way so many miss their prediction by three times the noise.
const (
	badMisfit   = 9.0
	dropBadness = 0.3
	inTheWay    = 1.1 // cycles from which on classes that take one each for themselves wait for each other
)

// drop takes out the class that fits worst, if it contradicts the others; its forms stay to be explained.
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
	for _, i := range f.classes[at].members {
		f.out.Dropped = append(f.out.Dropped, f.forms[i].Name)
	}
	f.remove(at)
	return true
}

// remove takes a class out, and the tests with it.
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
			kept = append(kept, classTest{of, t.n, t.cycles})
		}
	}
	f.tests = kept
}

// closure lists the sets that a µop may have: those of the classes, with their intersections, unions and differences, as far as
// they have fewer ports than the core is wide; where few ports hang together, all their subsets.
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

// maxSubsets bounds the port sets that are tried for a µop.
const maxSubsets = 160

// fitAll explains every form, those that come along with others first.
func (f *inference) fitAll(ctx context.Context) error {
	order := make([]int, len(f.forms))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return len(f.forms[order[a]].With) < len(f.forms[order[b]].With) })
	for done, i := range order {
		f.lab.note = func(int) { f.stage("forms", done, len(order)) }
		if i == f.nop {
			f.forms[i].Explained, f.forms[i].Hidden, f.forms[i].Slots = true, 1, 1
			continue
		}
		if err := f.fit(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// finish fills in the result.
func (f *inference) finish() {
	o := &f.out
	o.Width, o.Forms, o.Asked = f.width, f.forms, f.lab.asked
	for _, c := range f.classes {
		o.Classes = append(o.Classes, Class{c.ports, c.members, math.Sqrt(c.misfit)})
	}
	var sets []Set
	for i := range o.Forms {
		if r := &o.Forms[i]; r.Shares {
			r.Explained, r.Reason = true, ""
		}
		if o.Forms[i].Explained {
			sets = append(sets, o.Forms[i].Uops...)
		}
	}
	for _, c := range cells(sets, o.Ports) {
		if c.Size() > 1 {
			o.Alike = append(o.Alike, c)
		}
	}
}
