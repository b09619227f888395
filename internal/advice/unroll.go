package advice

// unrolling puts several iterations into one, which saves the overhead of each iteration: the loop's own arithmetic, the taken branch, and the
// slots that the front end leaves empty after the branch.
func unrolling(s *search) {
	const longest = 64 // in longer loops the overhead is a small part
	if !s.k.Latch || len(s.k.Lines) > longest {
		return
	}
	for i := range s.chains.Chains { // unrolling does not shorten a chain of the work itself
		if c := &s.chains.Chains[i]; c.Cycles >= s.now.Cycles*(1-Threshold/2) && !s.onlySteps(c) {
			return
		}
	}
	var drafts []*draft
	for _, n := range []int{2, 4, 8} {
		d, ok := s.unrolled(n)
		if !ok || len(d.lines) > maxUnrolled || len(d.lines) >= n*len(s.k.Lines) {
			break
		}
		drafts = append(drafts, d)
	}
	s.best(drafts, func(d *draft) Advice {
		return Advice{Kind: Unroll, Count: d.count, Assumes: []string{Multiple}}
	})
}
