package advice

import (
	"slices"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/uops"
	"incore/internal/machine/accuracy"
)

// unrolling puts several iterations into one, which saves the overhead of each iteration: the loop's own arithmetic and the taken branch. The saving must show in
// the bounds of ports, dispatch and taken branches, and not only in the simulated front end: measured on a Zen 5, loops whose bounds stayed gained nothing or became
// slower. It is proposed for cores whose simulation was compared with measured loops.
func unrolling(s *search) {
	const longest = 64 // in longer loops the overhead is a small part
	if !s.k.Latch || len(s.k.Lines) > longest || !comparedLoops(s.g.Bound.Model.Name) {
		return
	}
	for i := range s.chains.Chains { // unrolling does not shorten a chain of the work itself
		if c := &s.chains.Chains[i]; c.Cycles >= s.now.Cycles*(1-Threshold/2) && !s.onlySteps(c) {
			return
		}
	}
	before := max(bound(s.g.Bound), s.branch())
	var drafts []*draft
	for _, n := range []int{2, 4, 8} {
		d, ok := s.unrolled(n)
		if !ok || len(d.lines) > maxUnrolled || len(d.lines) >= n*len(s.k.Lines) {
			break
		}
		after := max(bound(uops.Bind(s.g.Bound.Model, d.kernel())), s.branch()) / d.times
		if after < before*(1-pays) {
			drafts = append(drafts, d)
		}
	}
	s.best(drafts, func(d *draft) Advice {
		return Advice{Kind: Unroll, Count: d.count, Assumes: []string{Multiple}}
	})
	s.found = slices.DeleteFunc(s.found, func(a Advice) bool { // fetching many lines of code is what models know least of
		return a.Kind == Unroll && a.Limit == engine.FrontEnd
	})
}

// pays is the share of the bounds that unrolling has to save.
const pays = 0.1

// branch returns the cycles that a taken branch takes.
func (s *search) branch() float64 {
	if s.now.Engine != engine.NameSimulator {
		return 0
	}
	return s.now.Branch
}

// comparedLoops reports whether predictions for a core were compared with measured loops.
func comparedLoops(model string) bool {
	for _, r := range accuracy.Of(model, "sim") {
		if strings.Contains(r.Corpus, "loops") {
			return true
		}
	}
	return false
}
