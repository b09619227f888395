package advice

import (
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
)

// alignLoop moves a loop whose address is known to the next boundaries of code lines.
func alignLoop(s *search) {
	if !s.k.Placed() {
		return
	}
	addr := s.k.Lines[0].Addr
	for _, to := range []uint64{16, 32, 64} {
		if addr%to == 0 {
			continue
		}
		d := s.draft()
		d.shift = to - addr%to
		if s.try(d, Advice{Kind: AlignLoop, Count: int(to)}) {
			return
		}
	}
}

// alignData compares the prediction, which assumes well aligned arrays, with the cycles at the worst alignment.
func alignData(s *search) {
	const line = 64
	worst := sim.Unlucky(s.g)
	if s.now.Engine != engine.NameSimulator || worst <= s.now.Cycles*(1+Threshold) {
		return
	}
	d := s.draft()
	s.keep(d, Advice{Kind: AlignData, Count: line, Before: worst, Conditional: true}, s.now, s.now.Cycles)
}
