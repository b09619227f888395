package block

import (
	"context"
	"fmt"
	"math"
	"slices"

	"incore/internal/bench/host"
)

// The lengths of a body and of its runs.
const (
	BodyInsts    = 100    // instructions to which a block is repeated, roughly
	BodyBytes    = 6000   // upper limit of its bytes
	targetCycles = 3000   // length of the short run in cycles; the long one is three times that
	settleCycles = 300    // length in cycles of the run that determines roughly how long the block takes
	maxRunCycles = 400000 // upper limit of the long run, in cycles
)

// AgreeFraction is the largest relative difference of two measurements that agree; attempts is the largest number of
// measurements made for two that agree.
const (
	AgreeFraction = 0.01
	attempts      = 4
)

// Layout measures consecutive copies of the code, each taking roughly that many cycles, until two measurements
// agree. The error is a *host.Reason if the code cannot be measured.
func Layout(ctx context.Context, c *host.Code, copies int, rough float64, s Setup) (*Figure, error) {
	c.Rounds, c.LongRounds = 1, 0
	Runs(c, copies, rough, s.Unrolled)
	if !s.Unrolled {
		err := within(ctx, c, s.Pages, func(fraction float64) bool {
			before := c.Long.Trips
			long := max(4, int(fraction*float64(before)))
			c.Short.Trips, c.Long.Trips = max(2, long/3), long
			return long < before
		})
		if err != nil {
			return nil, err
		}
	}
	if c.Rounds > 1 {
		return apart(ctx, c, copies, rough, s)
	}
	f, err := agree(ctx, c, copies, s, anything)
	if f != nil {
		f.bound(copies)
	}
	return f, err
}

// anything accepts every result.
func anything(*host.Result) error { return nil }

// apart measures code that restarts in each round with several numbers of trips per round, from those of the short run to those of the long one, each
// in its own process. The figure is the median slope: the time of one additional execution. With one length per process, all rounds are predicted
// alike. With two lengths in one process, the longer rounds cost additional mispredictions, because they do not end where the shorter do: copying 32
// bytes took 1.06 to 1.12 cycles in this way on a Zen 4, and 1.00 to 1.04 in separate processes.
func apart(ctx context.Context, c *host.Code, copies int, rough float64, s Setup) (f *Figure, err error) {
	const lengths = 8
	fewest, most := c.Short.Trips, c.Long.Trips
	var of, cycles, crowded []float64 // executions per round, and cycles per round
	for k := range lengths {
		n := fewest + (most-fewest)*k/(lengths-1)
		if slices.Contains(of, float64(n*copies)) {
			continue
		}
		c.Rounds = max(leastRounds, int(targetCycles/(rough*float64(copies*n))))
		c.LongRounds = 3 * c.Rounds
		c.Short, c.Long = host.Run{Copies: copies, Trips: n}, host.Run{Copies: copies, Trips: n}
		if f, err = agree(ctx, c, copies, s, anything); err != nil {
			return nil, err
		}
		of, cycles, crowded = append(of, float64(n*copies)), append(cycles, f.Cycles*float64(n*copies)), append(crowded, f.Crowded)
	}
	c.LongRounds = 0
	noise := f.Uncertainty
	of, cycles, f.Crowded = leastContended(of, cycles, crowded)
	if f.lengths(of, cycles); !(f.Cycles > 0) {
		return nil, noMore()
	}
	f.Uncertainty = math.Max(f.Uncertainty, noise)
	f.bound(copies)
	if f.Uncertainty > vague*f.Cycles && f.Other.Of == 0 {
		return nil, host.Noisy(fmt.Sprintf("rounds of %d lengths say %.2f ± %.2f cycles", len(of), f.Cycles, f.Uncertainty))
	}
	return f, nil
}

// vague is the largest relative uncertainty of a figure; figures with a larger one are dropped.
const vague = 0.25

// noMore is the error for longer rounds that take no more time than shorter ones.
func noMore() error {
	return host.Noisy("more executions take no more time")
}

// leastRounds is the smallest number of rounds of a short run.
const leastRounds = 6

// slope returns the cycles per execution from two figures of rounds of different lengths, both of which include the overhead per round.
func slope(figures [2]*Figure, of [2]float64) (*Figure, error) {
	f, few, many := figures[1], of[0], of[1]
	f.Cycles = (f.Cycles*many - figures[0].Cycles*few) / (many - few)
	f.Uncertainty = (f.Uncertainty*many + figures[0].Uncertainty*few) / (many - few)
	if a, b := figures[0].Crowded, f.Crowded; a != b {
		f.Uncertainty += f.Cycles * math.Abs(a-b) * few / (many - few)
		f.Crowded = math.Max(a, b)
	}
	if f.Cycles <= 0 {
		return nil, noMore()
	}
	return f, nil
}

// within shortens runs that touch more pages than there are physical ones, and increases their number of rounds so that
// they take as long. Where several addresses share a page, a core whose cache predicts its way by a hash of the virtual
// address (AMD's: M. Lipp et al., Take A Way, ASIA CCS 2020) misses at each change between the addresses, and loads
// read data that stores to other arrays have just written. shorten takes the largest allowed fraction of the runs'
// length, and reports whether the runs became shorter.
func within(ctx context.Context, c *host.Code, pages int, shorten func(fraction float64) bool) error {
	if pages < 2 {
		return nil
	}
	const most = 64 // rounds
	total := c.Long.Trips
	for {
		touched, err := host.Touched(ctx, c)
		if err != nil {
			return err
		}
		if len(touched) <= pages || !shorten(float64(pages)/float64(len(touched))) {
			break
		}
	}
	c.Rounds = min((total+c.Long.Trips-1)/c.Long.Trips, most)
	return nil
}

// agree measures until two measurements agree; check validates each.
func agree(ctx context.Context, c *host.Code, copies int, s Setup, check func(*host.Result) error) (*Figure, error) {
	opt := host.Options{Windows: s.Windows}
	var last *host.Result
	for range attempts {
		r, err := host.Measure(ctx, c, opt)
		if err == nil {
			err = check(r)
		}
		if host.Unstable(err) {
			continue
		} else if err != nil {
			return nil, err
		}
		if last != nil && Alike(r, last) {
			return NewFigure(c, r, last, copies), nil
		}
		if last == nil || r.Cycles < last.Cycles {
			last = r // disturbances of a whole measurement (the sibling thread) only make it slower
		}
	}
	if last == nil {
		return nil, host.Noisy("no measurement found enough undisturbed time windows")
	}
	f := NewFigure(c, last, last, copies)
	f.Uncertainty = math.Max(f.Uncertainty, AgreeFraction*f.Cycles)
	return f, nil
}

// Alike reports whether two measurements agree.
func Alike(a, b *host.Result) bool {
	return math.Abs(a.Cycles-b.Cycles) <= AgreeFraction*math.Max(a.Cycles, b.Cycles)+0.002
}

// NewFigure combines two measurements (possibly the same one twice) of a number of copies into a figure.
func NewFigure(c *host.Code, a, b *host.Result, copies int) *Figure {
	return &Figure{Cycles: math.Min(a.Cycles, b.Cycles), Uncertainty: math.Max(math.Min(a.Uncertainty, b.Uncertainty), math.Abs(a.Cycles-b.Cycles)/2),
		GHz: a.GHz, Pages: a.Pages, Copies: copies, Rounds: max(1, c.Rounds), Crowded: math.Max(a.Crowded, b.Crowded)}
}

// Settle determines roughly how many cycles each copy takes, and whether the code can run at all. The error is a
// *host.Reason if it cannot.
func Settle(ctx context.Context, c *host.Code, copies int) (cycles float64, err error) {
	trips := max(1, settleCycles/(copies*4))
	c.Short, c.Long = host.Run{Copies: copies, Trips: trips + 1}, host.Run{Copies: copies, Trips: 3*trips + 2}
	for range attempts {
		var r *host.Result
		if r, err = host.Measure(ctx, c, host.Options{Windows: 12}); err == nil {
			return math.Max(r.Cycles, 0.05), nil
		}
		if !host.Unstable(err) {
			return 0, err
		}
	}
	return 0, host.Noise(err)
}

// Runs sets the short and the long run for copies that take roughly that many cycles each.
func Runs(c *host.Code, copies int, rough float64, unrolled bool) {
	if unrolled {
		// Without a loop branch, the runs consist of enough copies that the windows resolve a hundredth.
		k := max(copies, int(targetCycles/4/rough))
		k = min(k, max(copies, 4*BodyBytes/len(c.Bytes)))
		c.Short, c.Long = host.Run{Copies: k, Trips: 1}, host.Run{Copies: 3 * k, Trips: 1}
		return
	}
	trips := int(targetCycles/(rough*float64(copies))) + 2
	if float64(trips*copies)*rough > maxRunCycles {
		trips = 2
	}
	c.Short, c.Long = host.Run{Copies: copies, Trips: trips}, host.Run{Copies: copies, Trips: 3 * trips}
}
