package ports

import (
	"math"
)

// Noise of a measurement relative to the bound by ports. A core may be slower than the bound, because it
// chooses ports before it knows later instructions, but never faster. So the tolerance is wide for slow
// results and narrow for fast ones.
const (
	below = 0.02
	above = 0.045
	worst = 16.0 // largest misfit of a single measurement that is too slow,
	fast  = 48.0 // and of one that is faster than ports allow
)

// misfit returns the squared deviation of a measurement from a prediction, in units of the noise. Inside the prediction's span, slower results
// count little.
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

// predicted makes a span from a bound and its load. If instances wait for flags, they are ready later than others, and ports are assigned to the ready instances without
// regard to them: these spread evenly (Neoverse V1 simulated: an fcmp and two fcsel take 2 cycles instead of 1.5). A form that depends on itself may run at its pace with
// few registers.
func (f *inference) predicted(bound, pace float64, l *load, waits bool) span {
	s := span{bound, math.Max(bound, pace)}
	if f.early || waits {
		s.most = math.Max(s.most, l.even())
	}
	return s
}

// waits reports whether one of two forms reads flags that the other writes.
func (f *inference) waits(a, b int) bool {
	x, y := &f.forms[a], &f.forms[b]
	return x.ReadsFlags && y.WritesFlags || y.ReadsFlags && x.WritesFlags
}
