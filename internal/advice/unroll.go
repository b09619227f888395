package advice

// unrolling puts several iterations into one, against what each of them costs beside its work: the loop's own arithmetic, the taken branch, the
// slots that the front end leaves empty behind it.
func unrolling(s *search) {
	const longest = 64 // beyond, the loop's end is a small part of it
	if !s.k.Latch || len(s.k.Lines) > longest {
		return
	}
	for i := range s.chains.Chains { // a chain of the work itself stays as long
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
