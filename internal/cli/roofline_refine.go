package cli

import (
	"fmt"
	"slices"

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

// refine adds the refined projections to a projection.
func (f *refineFlags) refine(r *roofline.Projection, source, target roofline.Side, perf float64) error {
	with, err := f.wanted()
	if err != nil {
		return err
	}
	q, err := f.question()
	if err == nil {
		looptime.Refine(r, source, target, looptime.Refinement{With: with, WhatIf: q, Perf: perf})
	}
	return err
}
