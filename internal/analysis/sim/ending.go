package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"incore/internal/analysis/frontend"
)

// This file decides when a simulation ends and computes its result: a recurring state (steady.go), a repeating pattern of retirement, or an average
// over iterations at an even pace.

// ending holds the conditions under which a simulation ends.
type ending struct {
	least                    int     // iterations before a recurring state counts
	minIterations            int     // before a pattern or an average counts
	maxCycles, maxIterations int     // after these, the simulation ends with an average
	window                   int     // iterations that fit into the reorder buffer, and a few more
	bound                    float64 // proven lower bound of the cycles per iteration; 0: none is known
	worse                    float64 // the result is of use only below these cycles; 0: always
	exact                    bool    // no average, even if the pace has settled
	done                     <-chan struct{}
}

// ending returns the conditions for a core. iteration is the number of slots per iteration.
func (o *Options) ending(c *Core, iteration int) ending {
	e := ending{least: o.MinIterations, maxCycles: o.maxCycles(), bound: o.bound, worse: o.worse, exact: o.Exact, done: o.Done}
	e.window = c.ROB/max(1, iteration*max(1, o.Times)) + 2
	e.minIterations = max(o.MinIterations, maxPeriod+min(maxPeriod, 2*e.window))
	e.maxIterations = 3*max(e.minIterations, 2*e.window+maxPeriod) + 4*maxPeriod // three times what shows a pattern, because initial transients rarely last that long
	return e
}

// horizon returns the next cycle, from 1 on, in which the simulation may end or counts something.
func (e *ending) horizon(now cycle) cycle {
	switch {
	case now >= minCycles:
		return cycle(e.maxCycles)
	case now >= minCycles/2:
		return minCycles
	default:
		return minCycles / 2
	}
}

// maxPeriod limits the periods that are searched; patterns of real loops are short.
const maxPeriod = 24

// An average covers the last averagedParts of averageParts equal parts of the iterations; the other parts contain the initial transient.
const (
	averagedParts = 3
	averageParts  = 5
)

// settledError is the largest relative difference of paces that count as equal. On the 2401 blocks of zen5-blocks for Golden Cove, predictions differ
// by 0.04 to 0.06 % in the mean from those of 15,000 cycles; averages over two to three times the cycles differ as much.
const settledError = 0.002

// chanceError is the same for cores in which chance decides (uops.Core.Chance).
const chanceError = 0.01

// balancedError is the largest relative difference between the paces of dispatch and retirement that count as equal over a range in which both occur
// in bursts.
const balancedError = 0.05

// A simulation may end at the pace of a bound, or another start when the first one is quicker, after so many iterations, as a multiple of those in the
// reorder buffer. The pace is that of the later half, so that the first half may fill the buffers. If the window does not fill further, a simulation
// may end at the bound after levelWindows times the iterations that were in flight at most; not on cores that bind µops to ports at rename, which
// may find an unfavourable order of µops later.
const (
	boundWindows = 2.75
	levelWindows = 4
	worseWindows = 1.25
)

// simulate runs the pipeline until the simulation ends. since is the first cycle of the state that the result describes.
func (p *pipeline) simulate(front *frontend.Feed, end *ending) (r *Result, since cycle, err error) {
	var warm, early counts // when the reorder buffer had filled, and after a few iterations, if it has not
	level, bound, worse := 2*levelWindows, int(boundWindows*float64(end.window)), int(worseWindows*float64(end.window))+4
	for check := end.minIterations; int(p.now) < end.maxCycles && len(p.rob.retired) < end.maxIterations; {
		if p.now%stopEvery == 0 && closed(end.done) {
			return nil, 0, ErrStopped
		}
		before := len(p.rob.retired)
		p.run(front, end.horizon(p.now))
		n := len(p.rob.retired)
		if n > before && n >= end.least && p.detect.steady(front) {
			return p.repeated(p.detect.found), p.detect.found.now, nil
		}
		if warm.retired == 0 && (n >= end.window || p.now >= minCycles/2) {
			warm = p.counts()
		}
		if early.retired == 0 && n >= levelWindows {
			early = p.counts()
		}
		ends := false
		if n >= bound {
			bound, ends = n+max(4, n/4), p.rob.reached(end.bound)
		}
		if n >= level && !p.core.PortChoice.AtRename {
			level, ends = n+max(2, n/4), ends || p.rob.level() && p.rob.reached(end.bound)
		}
		if ends && !end.exact {
			if warm.retired == 0 {
				warm = early
			}
			r := p.result(&warm, 0, end.bound)
			r.Bound = true
			return r, p.rob.retired[n/2], nil
		}
		if n >= worse && end.worse > 0 {
			if worse = n + max(4, n/4); p.rob.pace(n/2, n) >= end.worse {
				return nil, 0, errWorse
			}
		}
		if n >= check && p.now >= minCycles {
			check = n + max(4, n/8)
			if period := p.rob.period(end.window); period > 0 && !p.core.Chance {
				r := p.result(&warm, period, float64(p.rob.retired[n-1]-p.rob.retired[n-1-period])/float64(period))
				r.Pattern = true
				return r, p.rob.retired[n/2], nil
			}
			if !end.exact && p.rob.settled(p.core.Chance) {
				break
			}
		}
	}
	n := len(p.rob.retired)
	switch {
	case n < 2 && p.head > 0:
		return nil, 0, errTooLong(end.maxCycles)
	case n < 2:
		return nil, 0, errors.New("the simulated core made no progress")
	}
	r = p.result(&warm, 0, p.rob.pace(min(n-averagedParts*n/averageParts, n-2), n))
	r.Period = p.rob.period(n / 2) // observed so far, not proven
	return r, p.rob.retired[n/2], nil
}

// ErrStopped is the error of a simulation ended by Options.Done or Streamer.Done.
var ErrStopped = errors.New("the simulation was stopped")

// errWorse is the error of a simulation whose result is not below Options.worse.
var errWorse = errors.New("another simulation is quicker")

// stopEvery is the number of cycles between two checks of Done.
const stopEvery = 256

// closed reports whether a channel is closed; one that is nil never is.
func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

func errTooLong(cycles int) error {
	return fmt.Errorf("two iterations take more than the %d cycles that are simulated", cycles)
}

// repeated returns the result when a marked state has recurred.
func (p *pipeline) repeated(m *mark) *Result {
	iterations := p.rob.retired[m.retired:]
	r := p.result(&m.counts, rhythm(iterations, p.now-m.now), float64(p.now-m.now)/float64(len(iterations)))
	r.Exact, r.Steady = true, m.begun
	return r
}

// rhythm returns the period of retirement between two equal states, in iterations; the use of ports may have a longer period.
func rhythm(retired []cycle, cycles cycle) int {
	n := len(retired)
	for p := 1; p < n; p++ {
		d := cycles / cycle(n/p)
		ok := n%p == 0 && d*cycle(n/p) == cycles
		for k := p; ok && k < n; k++ {
			ok = retired[k]-retired[k-p] == d
		}
		if ok {
			return p
		}
	}
	return n
}

// result returns the result for a number of cycles per iteration and the counts since some cycle.
func (p *pipeline) result(since *counts, period int, cycles float64) *Result {
	n := len(p.rob.retired)
	r := &Result{Cycles: cycles, Iterations: n, Steady: n - 1, Total: int64(p.now), Period: period, PortUse: make([]float64, p.core.Ports)}
	for i := range r.PortUse {
		r.PortUse[i] = float64(p.exec.use[i]-since.use[i]) / float64(max(1, n-since.retired))
	}
	total := int64(0)
	for i, c := range p.rename.stalls {
		total += c - since.stalls[i]
	}
	for i, c := range p.rename.stalls {
		r.Stalls[i] = float64(c-since.stalls[i]) / float64(max(1, total)) * cycles
	}
	return r
}

// leastRepeats is the number of repetitions that make a pattern of retirement.
const leastRepeats = 4

// period returns the smallest p such that the last span iterations (at least 5p) retired in a pattern of period p and were dispatched at the same
// rate; 0 if there is none. The span must exceed the reorder buffer: retirement occurs in bursts until the buffer's contents have settled.
func (r *reorderBuffer) period(span int) int {
	n := len(r.retired)
	for p := 1; p <= maxPeriod; p++ {
		last := max(leastRepeats*p, span)
		if last+p >= n-2 {
			break
		}
		d := r.retired[n-1] - r.retired[n-1-p]
		if d == 0 { // several iterations may retire in one cycle
			continue
		}
		ok := true
		for k := 1; ok && k <= last; k++ {
			ok = r.retired[n-1-k]-r.retired[n-1-k-p] == d
		}
		if ok && r.pace(n-1-last-p, n)*float64(p) <= float64(d)*(1+settledError) {
			return p
		}
	}
	return 0
}

// settled reports whether an average has converged: the last fifths of the iterations have the same pace; where chance decides, nearly the same.
func (r *reorderBuffer) settled(chance bool) bool {
	n, same := len(r.retired), settledError
	if chance {
		same = chanceError
	}
	least, most := math.Inf(1), 0.0
	for k := range averagedParts {
		p := r.pace(n-(k+1)*n/averageParts, n-k*n/averageParts)
		if least, most = min(least, p), max(most, p); !(most-least <= same*least) {
			return false
		}
	}
	return r.balanced(n-averagedParts*n/averageParts, n)
}

// reached reports whether the later half of the iterations retired at the pace of a lower bound, and was dispatched at the same pace.
func (r *reorderBuffer) reached(bound float64) bool {
	n := len(r.retired)
	retired, dispatched := r.paces(n/2, n)
	return same(retired, dispatched) && r.slowest(n/2, n, retired, dispatched) <= bound*(1+settledError)
}

// level reports whether there have been several times as many iterations as were in flight at most, and the last quarter of them had no more in flight
// than the quarter before.
func (r *reorderBuffer) level() bool {
	n := len(r.retired)
	return n >= levelWindows*int(slices.Max(r.ahead)/r.n+2) && slices.Max(r.ahead[3*n/4:]) <= slices.Max(r.ahead[n/2:3*n/4])
}

// balanced reports whether dispatch and retirement have the same pace over a range of iterations: then the window
// neither fills nor drains.
func (r *reorderBuffer) balanced(from, to int) bool { return same(r.paces(from, to)) }

// same reports whether two paces count as equal over a range in which both occur in bursts.
func same(retired, dispatched float64) bool {
	return math.Abs(retired-dispatched) <= balancedError*retired
}

// pace returns the cycles per iteration of a range of iterations.
func (r *reorderBuffer) pace(from, to int) float64 {
	retired, dispatched := r.paces(from, to)
	return r.slowest(from, to, retired, dispatched)
}

// slowest returns the pace that lasts. While the window drains, iterations retire faster than they are dispatched;
// while it fills, they are dispatched faster than they retire; and while the store queue fills, they retire faster
// than their stores leave.
func (r *reorderBuffer) slowest(from, to int, retired, dispatched float64) float64 {
	pace := retired
	slower := func(other float64) {
		if other > (1+settledError)*pace {
			pace = other
		}
	}
	slower(dispatched)
	if r.behind[to-1] > 0 {
		var left line
		for i := from; i < to; i++ {
			left.add(float64(i-from), float64(r.retired[i]-r.retired[from]+r.behind[i]))
		}
		slower(left.slope(to - from))
	}
	return pace
}

// paces returns the cycles per iteration at which a range of iterations retired, and at which iterations were
// dispatched meanwhile.
func (r *reorderBuffer) paces(from, to int) (retired, dispatched float64) {
	var a, b line
	each := 1 / float64(r.n)
	for i := from; i < to; i++ {
		x, y := float64(i-from), float64(r.retired[i]-r.retired[from])
		a.add(x, y)
		b.add(x+float64(r.ahead[i])*each, y)
	}
	return a.slope(to - from), b.slope(to - from)
}

// line is a fit by least squares of cycles, y, to the number of iterations by then, x, so that bursts of retirement at
// its ends have little weight.
type line struct{ sx, sy, sxx, sxy float64 }

func (l *line) add(x, y float64) {
	l.sx, l.sy, l.sxx, l.sxy = l.sx+x, l.sy+y, l.sxx+x*x, l.sxy+x*y
}

// slope returns the cycles per iteration of a number of points.
func (l *line) slope(points int) float64 {
	n := float64(points)
	return (n*l.sxy - l.sx*l.sy) / (n*l.sxx - l.sx*l.sx)
}
