package ports

import (
	"context"
	"math"
	"slices"
	"sort"
)

// This file shortens the search for forms that behave as others that are explained already, which most do: a core has few kinds of units. Of a form
// with the throughput and the dispatch slots of explained forms, their answers are the candidates. A few mixes decide: for each port set of the
// candidate the smallest blocker around it, which slows the form down if the candidate is right, of several µops the classes inside it, the mixes in
// which the candidates differ most, and one with ports that the candidate does not use. Where a dispatch slot may hold several µops, slots and
// throughput say too little, and all mixes are measured.

// nearCycles is the relative difference up to which two throughputs are equal.
const nearCycles = 0.025

// candidates returns the answers of explained forms with the same throughput and slots, the commonest first.
func (x *fitter) candidates() (out []Map) {
	count := map[string]int{}
	for i := range x.f.forms {
		o := &x.f.forms[i]
		if !o.Explained || len(o.Rivals) > 0 || o.Hidden > 0 || o.Busy > 0 || len(o.Uops) == 0 || o.Tests < 3 || i == x.i || o.Tied != x.r.Tied || len(o.With) > 0 ||
			math.Round(o.Slots) != x.slots || math.Abs(o.Cycles-x.r.Cycles) > nearCycles*x.r.Cycles {
			continue
		}
		key := mapKey(o.Uops)
		if count[key]++; count[key] == 1 {
			out = append(out, o.Uops)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return count[mapKey(out[i])] > count[mapKey(out[j])] })
	return out[:min(len(out), maxCandidates)]
}

// maxCandidates is the largest number of candidates that are compared.
const maxCandidates = 6

// alike measures the mixes that decide between the candidates, and returns the one that they confirm; false if none does.
func (x *fitter) alike(ctx context.Context) (Map, bool, error) {
	if len(x.base) > 0 || x.f.macro {
		return nil, false, nil
	}
	all := x.candidates()
	for len(all) > 0 {
		t, ok := x.deciding(all[0])
		if !ok {
			if t, ok = x.between(all); !ok {
				break
			}
		}
		if err := x.ask(ctx, t); err != nil {
			return nil, false, err
		}
		all = slices.DeleteFunc(all, x.refuted)
		sort.SliceStable(all, func(i, j int) bool { return x.loss(all[i], math.Inf(1)) < x.loss(all[j], math.Inf(1)) })
	}
	if len(all) == 0 || len(x.tests) < 3 {
		return nil, false, nil
	}
	return all[0], true, nil
}

// deciding returns the next mix that a candidate asks for; ok is false if all were measured.
func (x *fitter) deciding(m Map) (formTest, bool) {
	own, apart := Set(0), -1
	for _, s := range m {
		own |= s
	}
	var of []int // blockers, which are sorted by size
	for _, s := range m {
		of = append(of, slices.IndexFunc(x.f.blockers, func(b blocker) bool { return s&^b.ports == 0 }))
	}
	for i, b := range x.f.blockers {
		if b.ports&own == 0 {
			apart = i
		}
		inner := func(s Set) bool { return b.ports != s && b.ports&^s == 0 }
		if len(m) > 1 && len(b.classes) == 1 && slices.ContainsFunc(m, inner) { // of a single µop the throughput tells how many ports it has
			of = append(of, i)
		}
	}
	for _, i := range append(of, apart) {
		if i < 0 {
			continue
		}
		if t, ok := x.f.blocked(x.r, &x.f.blockers[i]); ok && !has(x.tests, &t) && !has(x.failed, &t) {
			return t, true
		}
	}
	return formTest{}, false
}

// refuted reports whether a measurement does not fit an answer.
func (x *fitter) refuted(m Map) bool {
	return slices.ContainsFunc(x.tests, func(t formTest) bool {
		return misfit(t.cycles, x.predict(&t, m)) > refuting
	})
}

// refuting is the misfit of one test from which an answer is refuted.
const refuting = 1.0

// between returns the mix that separates the best candidate most from another; ok is false if there is none.
func (x *fitter) between(all []Map) (formTest, bool) {
	var answers []answer
	for _, m := range all {
		answers = append(answers, answer{m, x.loss(m, math.Inf(1))})
	}
	return x.mostApart(answers, func(p, q span) float64 { return math.Max(p.least/q.most, q.least/p.most) })
}
