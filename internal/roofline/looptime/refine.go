package looptime

import (
	"strings"

	"incore/internal/analysis/whatif"
	"incore/internal/roofline"
)

// Refinement says how a projection is refined.
type Refinement struct {
	With   []string         // of roofline.Refinements, in their order
	WhatIf *whatif.Question // changes of the target's core; nil: none
	Perf   float64          // of the program on the source, GFLOP/s
}

// Refine adds the refined projections to a projection, and the reasons for those that cannot be made.
func Refine(r *roofline.Projection, source, target roofline.Side, x Refinement) {
	if len(x.With) == 0 {
		return
	}
	a, b := source.Profile, target.Profile
	if len(a.Loops) == 0 || len(b.Loops) == 0 {
		r.Unrefined = append(r.Unrefined, "a profile without loops, or by hand; incore roofline profile writes them")
		return
	}
	if most := max(a.Flops, b.Flops); (most-min(a.Flops, b.Flops))/most > 0.5 { // compilers may share or repeat operations, but not half of all
		r.Unrefined = append(r.Unrefined, "the profiles do not compute the same, so that the time of the one says nothing of the other")
		return
	}
	timedSource, said, err := sided(source.Machine, a, nil)
	if err == nil {
		r.Unrefined = append(r.Unrefined, said...)
		var timed roofline.Side
		if timed, said, err = sided(target.Machine, b, x.WhatIf); err == nil {
			r.Unrefined = append(r.Unrefined, said...)
			x.by(r, timedSource, timed, x.With)
			return
		}
	}
	r.Unrefined = append(r.Unrefined, "by the core's time: "+err.Error())
	var without []string
	for _, s := range x.With {
		if s != roofline.InCore && s != roofline.Latency {
			without = append(without, s)
		}
	}
	x.by(r, source, target, without)
}

// by adds a projection for each refinement together with the earlier ones.
func (x *Refinement) by(r *roofline.Projection, source, target roofline.Side, with []string) {
	for i := range with {
		one, err := roofline.Refine(source, target, x.Perf, with[:i+1:i+1])
		if err != nil {
			r.Unrefined = append(r.Unrefined, strings.Join(with[:i+1], ", ")+": "+err.Error())
			continue
		}
		r.Refined = append(r.Refined, one)
	}
}

// sided simulates the loops of a profile on a machine's core.
func sided(m *roofline.Machine, p *roofline.Profile, q *whatif.Question) (roofline.Side, []string, error) {
	s := roofline.Side{Machine: m, Profile: p}
	core, err := Resolve(m)
	if err != nil {
		return s, nil, err
	}
	s.Error, s.ErrorFrom = Error(core)
	var problems []string
	s.Times, problems, err = Of(p, Options{Core: core, WhatIf: q})
	return s, problems, err
}
