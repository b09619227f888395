package block

import (
	"cmp"
	"math"
	"slices"
)

// This file deals with short loops on cores whose other thread leaves them less room than they need (host.Result.Crowded).

// roomiest are the runs, x executions each that took y cycles, in which the core was equally crowded: the least crowded of which there are enough for a
// slope, else the most that were alike; and how crowded it was in them.
func roomiest(x, y, crowded []float64) (xs, ys []float64, worst float64) {
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

// sorted is a sorted copy.
func sorted(v []float64) []float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v
}

// bound sets the least that code may take on a core that is not crowded: so many copies of it are in a loop. The uncertainty reaches to it.
func (f *Figure) bound(copies int) {
	if f.Crowded <= 1 || f.Cycles*float64(copies) >= crowdedLoop {
		return
	}
	f.Least = f.Cycles / (1 + sensitivity*(f.Crowded-1))
	f.Uncertainty = math.Max(f.Uncertainty, f.Cycles-f.Least)
}

// crowdedLoop is how many cycles a loop may take at most for its rate to hang on the room that the core has for iterations. Sensitivity is by how much
// more than the probe's the time of such loops grows, at most: y[i] += a*x[i] took 1.65, 1.91, 2.23, 2.9 cycles on a Zen 3 in windows where the probe
// took 1.14, 1.29, 1.44, 1.68.
const (
	crowdedLoop = 5
	sensitivity = 1.5
)

// Loops of fewer cycles are measured so often.
const (
	briefLoop = 3
	repeats   = 3
)

// together is the figure of several measurements of one loop, whose processes may have had different states of the core: the middle of those that had most
// room. The uncertainty reaches to all that any of these may be, and to the least that any may be.
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
