package core

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/machine"
)

// The sheet is a number of loops of NOPs, drawn with a fixed seed. Parameters are fitted to every other one; the rest tells how well they predict.
const (
	sheetLoops = 240
	sheetNOPs  = 48  // in the longest loop
	sheetBytes = 128 // offsets of loops
	sheetSeed  = 20261129
	sureLoop   = 0.03 // largest relative uncertainty of a loop
)

// inPlace is a loop of the sheet.
type inPlace struct {
	body   []isa.Inst
	offset int
	cycles float64 // measured
	fresh  bool    // nothing is fitted to it
}

// sheet draws the loops: half of them with NOPs of all lengths, the others with those of one to three lengths, so that few and many lie in a line of code.
func (s *session) sheet() ([]inPlace, error) {
	rnd := rand.New(rand.NewPCG(sheetSeed, 1))
	var nops []isa.Inst
	shortest := math.MaxInt
	for _, text := range s.t.fillers {
		in, err := s.t.parse(text)
		if err != nil {
			return nil, err
		}
		code, err := s.t.ISA.Encode(nil, &in, 0)
		if err != nil {
			return nil, err
		}
		nops, shortest = append(nops, in), min(shortest, len(code))
	}
	loops := make([]inPlace, sheetLoops)
	for i := range loops {
		from := nops
		if i%4 >= 2 {
			from = nil
			for range 1 + rnd.IntN(3) {
				from = append(from, nops[rnd.IntN(len(nops))])
			}
		}
		for range 1 + rnd.IntN(sheetNOPs) {
			loops[i].body = append(loops[i].body, from[rnd.IntN(len(from))])
		}
		loops[i].offset = rnd.IntN(sheetBytes/shortest) * shortest
	}
	return loops, nil
}

// front is a description of how the front end delivers a loop, and its mean errors.
type front struct {
	facts         []machine.Fact
	fitted, fresh float64
	cycles        []float64 // loop to which something is fitted → predicted
	errors        []float64 // likewise, its error
}

// fetch finds how the front end delivers the code of loops: it measures loops of NOPs in place, and takes the description in the words of machine models that predicts
// them best. A description of more words must be better by a fifth.
func fetch() Probe {
	return Probe{Name: "fetch", Doc: "how the front end delivers loops: lines of code, entries of the µop cache, taken branches", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "fetch"}
		if s.m.Loop == nil || s.m.Base == nil {
			f.How = "loops cannot be placed here, or no model is to be completed"
			return []Finding{f}, nil
		}
		base, err := s.simulable()
		if err != nil {
			f.How = fmt.Sprintf("%s: %v", s.m.Base.Name, err)
			return []Finding{f}, nil
		}
		all, err := s.sheet()
		if err != nil {
			return nil, err
		}
		loops, c, err := s.loops(ctx, "fetch", all)
		if err != nil {
			return nil, err
		}
		if len(loops) < sheetLoops/4 {
			f.How = fmt.Sprintf("%d of %d loops have figures", len(loops), sheetLoops)
			return []Finding{f}, nil
		}
		own, best, err := (&fitting{s.t, base, loops}).search(ctx)
		if err == nil && base.Core().NopFusion {
			best, err = apart(ctx, s.t, base, loops, best)
		}
		if err != nil {
			return nil, err
		}
		return found(c, own, best, freshLoops(loops)), nil
	}}
}

// nopFusion is the option of NOPs that share slots.
const nopFusion = "nop-fusion"

// apart searches again on a core whose NOPs share no slots, as the loops consist of them, and returns what is clearly better.
func apart(ctx context.Context, t *Target, base *machine.Model, loops []inPlace, best front) (front, error) {
	off := machine.Fact{Name: nopFusion, Value: "false"}
	m, err := base.With(off)
	if err != nil {
		return best, err
	}
	_, x, err := (&fitting{t, m, loops}).search(ctx)
	if err != nil || !x.clearly(best) {
		return best, err
	}
	x.facts = append(x.facts, off)
	return x, nil
}

// found makes the findings of a fit.
func found(c Curve, own, best front, fresh int) (out []Finding) {
	how := fmt.Sprintf("%d loops of NOPs in place that were not fitted: mean error %.1f %%, of the base %.1f %%", fresh, 100*best.fresh, 100*own.fresh)
	summary := Finding{Name: "fetch", Value: fmt.Sprintf("%.1f %% mean error", 100*best.fresh), Number: 100 * best.fresh, How: how, Curves: []Curve{c}}
	switch {
	case best.fresh > badFit:
		summary.Value, summary.How = "", how+"; no description of the front end fits"
		return []Finding{summary}
	case len(best.facts) == 0:
		summary.How += "; the base's own parameters are as good as others"
	}
	out = append(out, summary)
	for _, fact := range best.facts {
		out = append(out, Finding{Name: fact.Name, Value: cmp.Or(fact.Value, "0"), How: how, Fact: true, Feature: fact.Name == nopFusion})
	}
	return out
}

const (
	badFit    = 0.10 // mean error of fresh loops above which nothing is found
	betterFit = 0.8  // of the error of a shorter description
	closeFit  = 0.003

	fewestOther = 4 // loops that must be predicted otherwise
)

// clearly reports whether a longer description fits so much better than a shorter one that it is to be taken: by the loops that it predicts otherwise,
// since a part of a core may show in few of them.
func (x front) clearly(short front) bool {
	var long, other, n float64
	for i := range x.errors {
		if i < len(short.errors) && math.Abs(x.cycles[i]-short.cycles[i]) > closeFit*short.cycles[i] {
			long, other, n = long+x.errors[i], other+short.errors[i], n+1
		}
	}
	return n >= fewestOther && long < betterFit*other && x.fitted < short.fitted-closeFit
}

// simulable returns the base model with the measured dispatch width, and with a reorder buffer if it has none.
func (s *session) simulable() (*machine.Model, error) {
	m := s.m.Base
	var facts []machine.Fact
	if w := strconv.Itoa(int(math.Round(s.width))); s.width > 0 && value(m, "dispatch-width") != w {
		facts = append(facts, machine.Fact{Name: "dispatch-width", Value: w})
	}
	if value(m, robName) == "" {
		size := "256"
		if s.rob != nil && s.rob.Value != "" {
			size = s.rob.Value
		}
		facts = append(facts, machine.Fact{Name: robName, Value: size})
	}
	m, err := m.With(facts...)
	if err != nil {
		return nil, err
	}
	_, err = sim.Available(m)
	return m, err
}

// loops measures the loops of a probe's sheet. It returns those that have a sure figure.
func (s *session) loops(ctx context.Context, probe string, all []inPlace) (out []inPlace, c Curve, err error) {
	c = Curve{Name: probe, X: "loop of the sheet"}
	for i := range all {
		l := &all[i]
		v, d, err := persistent(ctx, func() (float64, float64, error) { return s.m.Loop(ctx, l.body, l.offset) })
		if err == errNoFigure {
			continue
		} else if err != nil {
			return nil, c, err
		} else if d > sureLoop*v {
			continue
		}
		l.cycles, l.fresh = v, i%2 != 0
		out, c.Points = append(out, *l), append(c.Points, Point{i, v, d})
	}
	return out, c, nil
}

// freshLoops counts the loops to which nothing is fitted.
func freshLoops(loops []inPlace) (n int) {
	for i := range loops {
		if loops[i].fresh {
			n++
		}
	}
	return n
}

// fitting compares descriptions with measured loops.
type fitting struct {
	t     *Target
	base  *machine.Model
	loops []inPlace
}

// try returns the errors of a description.
func (f *fitting) try(facts []machine.Fact) (x front, err error) {
	m, err := f.base.With(facts...)
	if err != nil {
		return x, err
	}
	run, err := loopPlayed(f.t, m)
	if err != nil {
		return x, err
	}
	x.facts = facts
	var sum, n [2]float64
	for i := range f.loops {
		l := &f.loops[i]
		v, err := run(l.body, l.offset)
		if err != nil {
			return x, err
		}
		e, half := math.Abs(v-l.cycles)/l.cycles, 0
		if l.fresh {
			half = 1
		} else {
			x.cycles, x.errors = append(x.cycles, v), append(x.errors, e)
		}
		sum[half] += e
		n[half]++
	}
	x.fitted, x.fresh = sum[0]/max(n[0], 1), sum[1]/max(n[1], 1)
	return x, nil
}

// best returns the best of several descriptions.
func (f *fitting) best(ctx context.Context, all [][]machine.Fact) (best front, err error) {
	best.fitted = math.Inf(1)
	for _, facts := range all {
		if err := ctx.Err(); err != nil {
			return best, err
		}
		x, err := f.try(facts)
		if err != nil {
			return best, err
		}
		if x.fitted < best.fitted-1e-9 {
			best = x
		}
	}
	return best, nil
}

// search returns the base's own errors and the description to take: of growing ones the last that is clearly better than those before.
func (f *fitting) search(ctx context.Context) (own, best front, err error) {
	if own, err = f.try(nil); err != nil {
		return own, own, err
	}
	best = own
	for _, kind := range f.kinds() {
		x, err := f.best(ctx, kind)
		if err != nil {
			return own, best, err
		}
		var widths [][]machine.Fact
		for _, w := range []int{0, 4, 5, 6, 7, 8, 9, 10, 12, 16} {
			widths = append(widths, with(x.facts, "fetch-width", w))
		}
		if y, err := f.best(ctx, widths); err != nil {
			return own, best, err
		} else if y.clearly(x) {
			x = y
		}
		if x.clearly(best) {
			best = x
		}
	}
	best.facts = slices.DeleteFunc(slices.Clone(best.facts), func(x machine.Fact) bool { return x.Value == value(f.base, x.Name) })
	return own, best, nil
}

// value returns the value of a model's parameter, "" if it has none.
func value(m *machine.Model, name string) string {
	for _, f := range m.Facts {
		if f.Name == name {
			return strings.TrimSpace(f.Value)
		}
	}
	return ""
}

// with adds a parameter to a description, or takes it away if it is zero.
func with(facts []machine.Fact, name string, n int) []machine.Fact {
	out := slices.DeleteFunc(slices.Clone(facts), func(x machine.Fact) bool { return x.Name == name })
	if n == 0 {
		return append(out, machine.Fact{Name: name})
	}
	return append(out, machine.Fact{Name: name, Value: strconv.Itoa(n)})
}

// kinds lists the descriptions, from short ones to long ones: a loop takes the cycles of its slots; a cycle for each line of code; entries of a µop cache. What a taken
// branch costs at least is seen directly: it is the time of the shortest loops.
func (f *fitting) kinds() (out [][][]machine.Fact) {
	least := math.Inf(1)
	for i := range f.loops {
		least = min(least, f.loops[i].cycles)
	}
	plain := []machine.Fact{{Name: "fetch-line"}, {Name: "fetch-entries"}}
	switch taken := int(math.Round(least)); {
	case taken > 1:
		plain = with(plain, "taken-branch", taken)
	case f.base.Core().TakenBranch > 1:
		plain = with(plain, "taken-branch", 0)
	}
	var lines, entries [][]machine.Fact
	for _, line := range []int{16, 32, 64, 128} {
		lines = append(lines, with(plain, "fetch-line", line))
		for slots := 3; slots <= 16; slots++ {
			for n := 1; n <= 4; n++ {
				text := fmt.Sprintf("%d line=%d entries=%d", slots, line, n)
				entries = append(entries, append(slices.DeleteFunc(slices.Clone(plain), func(x machine.Fact) bool { return x.Name == "fetch-entries" }), machine.Fact{Name: "fetch-entries", Value: text}))
			}
		}
	}
	return [][][]machine.Fact{{plain}, lines, entries}
}
