package cli

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/analysis/whatif"
	"incore/internal/roofline"
	"incore/internal/roofline/looptime"
)

// refineFlags are the options that select the refinements of a projection.
type refineFlags struct {
	list   []string
	whatIf []string
}

// wanted returns the selected refinements in order.
func (f *refineFlags) wanted() ([]string, error) {
	switch {
	case slices.Equal(f.list, []string{"all"}):
		return roofline.Refinements, nil
	case slices.Equal(f.list, []string{"none"}):
		return nil, nil
	}
	if err := roofline.CheckRefinements(f.list); err != nil {
		return nil, fmt.Errorf("--refine: %w, all or none", err)
	}
	var out []string
	for _, s := range roofline.Refinements { // they build on each other in this order
		if slices.Contains(f.list, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// question returns the changes of the target's core as a what-if question, nil if there are none.
func (f *refineFlags) question() (*whatif.Question, error) {
	if len(f.whatIf) == 0 {
		return nil, nil
	}
	var list []whatif.Question
	for _, s := range f.whatIf {
		q, err := whatif.Parse(s)
		if err != nil {
			return nil, fmt.Errorf("--what-if: %w", err)
		}
		list = append(list, q)
	}
	q := whatif.Together(list)
	return &q, nil
}

// sided simulates the loops of a profile on a machine's core.
func sided(m *roofline.Machine, p *roofline.Profile, q *whatif.Question) (roofline.Side, []string, error) {
	s := roofline.Side{Machine: m, Profile: p}
	core, err := looptime.Resolve(m)
	if err != nil {
		return s, nil, err
	}
	s.Error, s.ErrorFrom = looptime.Error(core)
	var problems []string
	s.Times, problems, err = looptime.Of(p, looptime.Options{Core: core, WhatIf: q})
	return s, problems, err
}

// refine adds the refined projections to a projection.
func (f *refineFlags) refine(r *roofline.Projection, source, target roofline.Side, perf float64) error {
	from, to, a, b := source.Machine, target.Machine, source.Profile, target.Profile
	with, err := f.wanted()
	if err != nil {
		return err
	}
	q, err := f.question()
	if err != nil || len(with) == 0 {
		return err
	}
	if len(a.Loops) == 0 || len(b.Loops) == 0 {
		r.Unrefined = append(r.Unrefined, "a profile without loops, or by hand; incore roofline profile writes them")
		return nil
	}
	if most := max(a.Flops, b.Flops); (most-min(a.Flops, b.Flops))/most > 0.5 { // compilers may share or repeat operations, but not half of all
		r.Unrefined = append(r.Unrefined, "the profiles do not compute the same, so that the time of the one says nothing of the other")
		return nil
	}
	timedSource, said, err := sided(from, a, nil)
	if err == nil {
		r.Unrefined = append(r.Unrefined, said...)
		var timed roofline.Side
		if timed, said, err = sided(to, b, q); err == nil {
			r.Unrefined = append(r.Unrefined, said...)
			return refineBy(r, timedSource, timed, perf, with)
		}
	}
	r.Unrefined = append(r.Unrefined, "by the core's time: "+err.Error())
	var without []string
	for _, s := range with {
		if s != roofline.InCore && s != roofline.Latency {
			without = append(without, s)
		}
	}
	return refineBy(r, source, target, perf, without)
}

// refineBy adds a projection for each refinement together with the earlier ones.
func refineBy(r *roofline.Projection, source, target roofline.Side, perf float64, with []string) error {
	for i := range with {
		x, err := roofline.Refine(source, target, perf, with[:i+1:i+1])
		if err != nil {
			r.Unrefined = append(r.Unrefined, strings.Join(with[:i+1], ", ")+": "+err.Error())
			continue
		}
		r.Refined = append(r.Refined, x)
	}
	return nil
}
