package block

import (
	"cmp"
	"math"
	"slices"
)

// This file handles short loops on cores whose sibling thread occupies queue entries that they need (host.Result.Crowded).

// leastContended selects the runs with the least SMT contention (x executions, y cycles in total) if they suffice for a
// slope, otherwise the largest group of similar ones. It also returns how crowded the core was in them.
func leastContended(x, y, crowded []float64) (xs, ys []float64, worst float64) {
	const like, enough, few = 1.03, 5, 3
	best := 0
	for _, least := range sorted(crowded) {
		var ax, ay []float64
		most := 1.0
		for i, c := range crowded {
			if c >= least && c <= like*least {
				ax, ay, most = append(ax, x[i]), append(ay, y[i]), math.Max(most, c)
			}
		}
		if len(ax) > best && 3*(slices.Max(ax)-slices.Min(ax)) >= slices.Max(x)-slices.Min(x) {
			best, xs, ys, worst = len(ax), ax, ay, most
		}
		if best >= enough {
			break
		}
	}
	if best < few {
		return x, y, slices.Max(crowded)
	}
	return xs, ys, worst
}

// sorted returns a sorted copy.
func sorted(v []float64) []float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v
}

// bound sets the lower bound of the figure for a core that is not crowded, for a loop of a number of copies. The uncertainty includes the
// bound.
func (f *Figure) bound(copies int) {
	if f.Crowded <= 1 || f.Cycles*float64(copies) >= crowdedLoop {
		return
	}
	f.Least = f.Cycles / (1 + sensitivity*(f.Crowded-1))
	f.Uncertainty = math.Max(f.Uncertainty, f.Cycles-f.Least)
}

// crowdedLoop is the largest number of cycles per iteration at which a crowded core slows a loop down. Sensitivity is the largest ratio of such a
// loop's slowdown to the probe's: y[i] += a*x[i] took 1.65, 1.91, 2.23, 2.9 cycles on a Zen 3 in windows in which the probe took 1.14, 1.29, 1.44,
// 1.68.
const (
	crowdedLoop = 5
	sensitivity = 1.5
)

// Loops of fewer than briefLoop cycles are measured repeats times.
const (
	briefLoop = 3
	repeats   = 3
)

// together combines several measurements of one loop, whose processes may have found different states of the core: the median of the least crowded ones.
// The uncertainty includes all of these figures and their lower bounds.
func together(all []*Figure) *Figure {
	const like, apart = 1.03, 0.1
	roomiest := slices.MinFunc(all, func(a, b *Figure) int { return cmp.Compare(a.Crowded, b.Crowded) }).Crowded
	var best []*Figure
	low := math.Inf(1)
	for _, f := range all {
		if low = min(low, f.Cycles-f.Uncertainty); f.Crowded <= like*roomiest {
			best = append(best, f)
		}
	}
	slices.SortFunc(best, func(a, b *Figure) int { return cmp.Compare(a.Cycles, b.Cycles) })
	f := *best[(len(best)-1)/2]
	high := 0.0
	for _, b := range best {
		high = max(high, b.Cycles+b.Uncertainty)
	}
	least := math.Inf(1)
	for _, x := range all {
		if least = min(least, x.Cycles); x.Least > 0 {
			least = min(least, x.Least)
		}
	}
	f.Uncertainty = max(f.Uncertainty, f.Cycles-low, high-f.Cycles)
	if f.Cycles-least > apart*f.Cycles {
		f.Least = least
	}
	return &f
}
