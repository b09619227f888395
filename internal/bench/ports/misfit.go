package ports

import (
	"math"
)

// Noise of a measurement relative to what ports allow. A core may miss the bound, as it chooses ports
// before it knows what comes; it can't beat it. So the one side is narrow, the other wide.
const (
	below = 0.02
	above = 0.045
	worst = 16.0 // no single measurement counts more than so much if it is too slow,
	fast  = 48.0 // and so much if it is faster than ports allow
)

// misfit is how badly a measurement agrees with a prediction, squared, in units of the noise. Within its span, what is slower is worse by little.
func misfit(measured float64, predicted span) float64 {
	if predicted.least <= 0 {
		return worst
	}
	r := math.Log(measured / predicted.least)
	if r < 0 {
		return math.Min(r*r/(below*below), fast)
	}
	if wide := math.Log(predicted.most / predicted.least); wide > 0 {
		if r < wide {
			return math.Min(r*r/(above*above), within*r/wide)
		}
		r -= wide
		return math.Min(within+r*r/(above*above), worst)
	}
	return math.Min(r*r/(above*above), worst)
}

// within is the misfit of a measurement at the slow end of a prediction's span.
const within = 1.0

// predicted makes a span of a bound and the work that it is of. If instances wait for flags, ports are taken before they come: by what is ready, which is
// spread as if nothing else came (Neoverse V1 simulated: an fcmp and two fcsel take 2 cycles in place of 1.5). What waits for itself may take its pace with few registers.
func (f *inference) predicted(bound, pace float64, l *load, waits bool) span {
	s := span{bound, math.Max(bound, pace)}
	if f.early || waits {
		s.most = math.Max(s.most, l.even())
	}
	return s
}

// waits reports whether one of two forms reads flags that the other one writes.
func (f *inference) waits(a, b int) bool {
	x, y := &f.forms[a], &f.forms[b]
	return x.ReadsFlags && y.WritesFlags || y.ReadsFlags && x.WritesFlags
}
