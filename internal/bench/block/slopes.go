package block

import (
	"math"
	"slices"

	"incore/internal/base/stats"
)

// lengths sets the figure of runs with several lengths of a round, x executions of y cycles in total, each in its own process. The figure is the
// median slope. If the processes were in two states, the figure is that of the majority, and its uncertainty includes the other: the scheduler of
// Zen 4's vector units settles in one of two states for the duration of a process (clang's Horner loop, 28 multiply-adds of 512 bits, which two
// ports execute in 28 cycles: 27.9 in 3 of 30 processes, 33.3 in the others).
func (f *Figure) lengths(x, y []float64) {
	at, main := consensus(x, y)
	f.Cycles, f.Uncertainty = slopes(x, y)
	f.Other = other(x, y, at, main)
	if f.Other.Of == 0 {
		return
	}
	var mx, my []float64
	for _, i := range main {
		mx, my = append(mx, x[i]), append(my, y[i])
	}
	if c, u := slopes(mx, my); c > 0 {
		f.Cycles = c
		f.Uncertainty = math.Max(u, math.Abs(f.Other.Cycles-c))
	}
}

// Criteria for a state: at least two runs that agree within onLine (relative) and differ from the others by more than apartStates.
// Additional time in a single length is a misprediction.
const (
	onLine      = 0.015
	apartStates = 0.04
	leastSeen   = 2
)

// consensus finds the line through two distant points on which the most points lie. It returns its value at 0 and the indices of these
// points. (M. A. Fischler, R. C. Bolles, Random Sample Consensus, 1981, but with all pairs.)
func consensus(x, y []float64) (at float64, on []int) {
	for i := range x {
		for j := range i {
			if 3*math.Abs(x[i]-x[j]) < slices.Max(x)-slices.Min(x) || x[i] == x[j] {
				continue
			}
			slope := (y[i] - y[j]) / (x[i] - x[j])
			zero := y[i] - slope*x[i]
			if slope <= 0 || zero < -onLine*y[i] { // a round takes at least the time of its executions
				continue
			}
			var list []int
			for k := range x {
				if math.Abs(zero+slope*x[k]-y[k]) <= onLine*y[k] {
					list = append(list, k)
				}
			}
			if len(list) > len(on) {
				at, on = zero, list
			}
		}
	}
	return at, on
}

// other returns the state of the points off the line, if they have one.
func other(x, y []float64, at float64, on []int) State {
	if 2*len(on) < len(x) {
		return State{}
	}
	rate := func(i int) float64 { return (y[i] - at) / x[i] }
	var main, off, more []float64
	for _, i := range on {
		main = append(main, rate(i))
	}
	usual := stats.Median(main)
	for i := range x {
		if !slices.Contains(on, i) {
			off, more = append(off, rate(i)), append(more, y[i]-at-usual*x[i])
		}
	}
	if len(off) < leastSeen || spread(more) <= spread(minus(off, usual)) { // a constant additional time is a misprediction
		return State{}
	}
	middle := stats.Median(off)
	seen := 0
	for _, r := range off {
		if math.Abs(r-middle) <= 2*onLine*middle {
			seen++
		}
	}
	if seen < leastSeen || 2*seen < len(off) || math.Abs(middle-usual) <= apartStates*middle {
		return State{}
	}
	return State{Cycles: middle, Seen: seen, Of: len(x)}
}

// minus subtracts a number from each value.
func minus(v []float64, by float64) []float64 {
	out := slices.Clone(v)
	for i := range out {
		out[i] -= by
	}
	return out
}

// spread returns the range of the values relative to the largest.
func spread(v []float64) float64 {
	lo, hi := slices.Min(v), slices.Max(v)
	return (hi - lo) / math.Max(math.Abs(lo), math.Abs(hi))
}

// slopes returns the median slope between points whose distance is at least a third of the whole range (NaN if there
// are none), and half the width of its 95 % confidence interval (M. Hollander, D. A. Wolfe, Nonparametric Statistical
// Methods, 1973, by the variance of Kendall's S).
func slopes(x, y []float64) (slope, uncertainty float64) {
	var list []float64
	for i := range x {
		for j := range i {
			if d := math.Abs(x[i] - x[j]); d > 0 && 3*d >= slices.Max(x)-slices.Min(x) {
				list = append(list, (y[i]-y[j])/(x[i]-x[j]))
			}
		}
	}
	if len(list) == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(len(x))
	pairs := n * (n - 1) / 2
	off := 1.96 * math.Sqrt(pairs*(2*n+5)/9) / (2 * pairs)
	return stats.Median(list), (stats.Quantile(list, math.Min(1, 0.5+off)) - stats.Quantile(list, math.Max(0, 0.5-off))) / 2
}
