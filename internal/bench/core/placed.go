package core

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file has what the probes that place loops in memory share: they measure the loops of a sheet, and take the description, in the words of machine models, that
// predicts them best. A description of more words must be better by a fifth.

// placed is such a probe.
type placed struct {
	name          string
	loops         string // what the sheet consists of
	number, least int    // of loops, and how many of them must have figures
	draw          func(s *session) ([]inPlace, error)
	able          func(s *session, base *machine.Model) (why string, err error) // why it can not be tried with a base; "" if it can
	fit           func(ctx context.Context, f *fitting) (own, best front, err error)
	none          string  // what there is to say if the base's own description is taken
	worst         float64 // mean error of fresh loops above which nothing is found; 0: any
	unfit         string  // what there is to say then
}

// probe makes the probe.
func (p placed) probe(doc string) Probe {
	return Probe{Name: p.name, Doc: doc, run: func(ctx context.Context, s *session) ([]Finding, error) {
		no := func(why string) ([]Finding, error) { return []Finding{{Name: p.name, How: why}}, nil }
		if s.m.Loop == nil || s.m.Base == nil {
			return no("loops cannot be placed here, or no model is to be completed")
		}
		base, err := s.simulable()
		if err != nil {
			return no(fmt.Sprintf("%s: %v", s.m.Base.Name, err))
		}
		if why, err := p.able(s, base); err != nil || why != "" {
			out, _ := no(why)
			return out, err
		}
		all, err := p.draw(s)
		if err != nil {
			return nil, err
		}
		loops, c, err := s.loops(ctx, p.name, all)
		if err != nil {
			return nil, err
		}
		if len(loops) < p.least {
			return no(fmt.Sprintf("%d of %d loops have figures", len(loops), p.number))
		}
		own, best, err := p.fit(ctx, &fitting{s, base, loops})
		if err != nil {
			return nil, err
		}
		how := fmt.Sprintf("%d %s in place that were not fitted: mean error %.1f %%, of the base %.1f %%", freshLoops(loops), p.loops, 100*best.fresh, 100*own.fresh)
		return p.found(c, best, how), nil
	}}
}

// found makes the findings of a fit.
func (p *placed) found(c Curve, best front, how string) (out []Finding) {
	summary := Finding{Name: p.name, Value: fmt.Sprintf("%.1f %% mean error", 100*best.fresh), Number: 100 * best.fresh, How: how, Curves: []Curve{c}}
	switch {
	case p.worst > 0 && best.fresh > p.worst:
		summary.Value, summary.How = "", how+"; "+p.unfit
		return []Finding{summary}
	case len(best.facts) == 0:
		summary.How += "; " + p.none
	}
	out = append(out, summary)
	for _, fact := range best.facts {
		f := Finding{Name: fact.Name, Value: cmp.Or(fact.Value, "0"), How: how, Fact: true}
		if o := machine.OptionNamed(f.Name); o != nil {
			f.Feature = o.Feature
		}
		if strings.HasPrefix(f.Name, partName) {
			f.How = fmt.Sprintf("which ports: %s; %d entries a port are assumed", how, portEntries)
		}
		out = append(out, f)
	}
	return out
}

// inPlace is a loop of the sheet.
type inPlace struct {
	body   []isa.Inst
	offset int
	cycles float64 // measured
	fresh  bool    // nothing is fitted to it
}

// front is a description of a part of a core, and its mean errors.
type front struct {
	facts         []machine.Fact
	fitted, fresh float64
	cycles        []float64 // loop to which something is fitted → predicted
	errors        []float64 // likewise, its error
}

const (
	sureLoop = 0.03 // largest relative uncertainty of a loop

	betterFit = 0.8 // of the error of a shorter description
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
	*session
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

// value returns the value of a model's parameter, "" if it has none.
func value(m *machine.Model, name string) string {
	for _, f := range m.Facts {
		if f.Name == name {
			return strings.TrimSpace(f.Value)
		}
	}
	return ""
}
