package bench

import (
	"context"
	"fmt"
	"math"
	"slices"

	"incore/internal/bench/host"
)

// Regs says what the general-purpose registers hold when a block starts.
type Regs uint8

// The register settings.
const (
	// Distinct: every register points to a page of its own, at different offsets within the page, so
	// that accesses through different registers never alias, not even modulo 4 KiB.
	Distinct Regs = iota
	// Same: all registers hold one value, as in the BHive corpus (Chen et al., IISWC 2019), so
	// that accesses through different registers at equal displacements are to the same bytes.
	Same
)

// The initial values: those of the corpora that incore's accuracy is judged by.
const (
	fillWord      = 0x2324000 // every word of the data page, so that a loaded pointer points to data
	distinctStep  = 0x20000 + 256
	sameValue     = 0x2324000
	segmentBase   = 0x2824000 // of fs; gs is a step further
	bodyInsts     = 100       // a block is repeated to about so many instructions
	bodyBytes     = 6000      // but at most so many bytes
	targetCycles  = 3000      // length of the short run; the long one is three times that
	settleCycles  = 300       // length of the run that finds out how long the block takes
	maxRunCycles  = 400000
	attempts      = 4 // measurements until two agree
	agreeFraction = 0.01
)

// unstablePrefix starts the reason of measurements that were too noisy.
const unstablePrefix = "unstable"

// Setup is the state a block is measured in; the zero value is the default.
type Setup struct {
	Regs     Regs
	Values   map[int]uint64 // initial values of single registers, by hardware number, over Regs
	Denormal bool           // keep denormals (default: flush to zero, denormals are zero)
	Refill   bool           // fill memory anew before every run (default: runs find what those before left)
	Unrolled bool           // lay iterations out without a loop branch between them
	Windows  int            // time windows per measurement; 0 = default
	CPUs     []int          // where it may run; none: anywhere
	// Pages is the number of physical pages behind the addresses; 0 = 1. Of more, code that walks through memory
	// touches no more addresses: it starts anew so often.
	Pages int
}

// Figure is a measured number of cycles.
type Figure struct {
	Cycles      float64 // per execution of the block
	Uncertainty float64 // cycles; half the width of the interval that holds half of the windows, or half the difference of two passes
	GHz         float64
	Pages       []uint64 // pages that the block touched, in order of first touch
	Copies      int      // how often the block was laid out in the loop body
	Physical    int      // physical pages behind them
	Unrolled    bool     // without a loop around the copies
	Rounds      int      // how often the code started anew with its initial registers in a run
}

// Block measures machine code that falls through at its end, n instructions
// long. The error is a *host.Reason when the code cannot be measured.
func Block(ctx context.Context, code []byte, n int, s Setup) (*Figure, error) {
	for i := range s.Values {
		if i < 0 || i >= 32 {
			return nil, fmt.Errorf("no general-purpose register number %d", i)
		}
	}
	if t, err := Native(); err == nil {
		if carries, counter := t.carriesFlags(code); carries && !counter { // any loop would end chains through the flags
			s.Unrolled = true
		}
	}
	c := newCode(code, s)
	copies := max(1, min(bodyInsts/max(1, n), bodyBytes/max(1, len(code))))
	rough, err := settle(ctx, c, copies)
	if err != nil {
		return nil, err
	}
	f, err := layout(ctx, c, copies, rough, s)
	if f != nil {
		f.Physical, f.Unrolled = max(1, s.Pages), s.Unrolled
	}
	if err != nil || s.Unrolled || 2*copies*len(code) > bodyBytes {
		return f, err
	}
	// How well a loop body happens to lie in the fetch windows of the front end is no property of
	// the block: of two lengths of the body the faster counts.
	g, err := layout(ctx, c, 2*copies, rough, s)
	if err == nil && g.Cycles < f.Cycles {
		g.Physical = f.Physical
		g.Cycles -= loopShare(f, g)
		return g, nil
	}
	return f, nil
}

// loopShare is what the driver's loop costs each copy of the longer of two bodies, one twice as long as the other: what
// a pass takes besides its copies is shared by twice as many. If they differ by more than the loop can cost, that is
// for another reason, and the share is not known: 0.
func loopShare(short, long *Figure) float64 {
	const most = 1.1 // cycles of a pass: the count and the jump take two slots, and end a window of fetch
	share := short.Cycles - long.Cycles
	if share*float64(2*short.Copies) > most {
		return 0
	}
	return share
}

// newCode is machine code in the state that a setup asks for.
func newCode(code []byte, s Setup) *host.Code {
	c := &host.Code{Bytes: code, Fill: fillWord, Denormals: s.Denormal}
	c.Regs = s.Registers()
	c.Seg = [2]uint64{segmentBase, segmentBase + distinctStep}
	c.Keep, c.DataPages, c.CPUs = !s.Refill, s.Pages, s.CPUs
	if t, err := Native(); err == nil {
		t.adapt(c)
		carries, counter := t.carriesFlags(code)
		c.KeepFlags = carries && counter
	}
	return c
}

// Registers are the values of the general-purpose registers, by hardware number, that a block starts with.
func (s *Setup) Registers() (r [32]uint64) {
	for i := range r {
		r[i] = sameValue
		if s.Regs == Distinct {
			r[i] += uint64(i) * distinctStep
		}
	}
	for i, v := range s.Values {
		r[i] = v
	}
	return r
}

// Word is what every word of memory holds when code starts, 0 if that does not last: where one page stands behind all
// addresses, what is stored by one is read by others. Of several pages, code that comes to more starts anew before it
// does; a loop in place does so always.
func (s *Setup) Word(inPlace bool) uint64 {
	if inPlace || s.Pages > 1 {
		return fillWord
	}
	return 0
}

// layout measures copies of the code in a row, until two measurements agree.
func layout(ctx context.Context, c *host.Code, copies int, rough float64, s Setup) (*Figure, error) {
	c.Rounds, c.LongRounds = 1, 0
	plan(c, copies, rough, s.Unrolled)
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
		return apart(ctx, c, copies, rough, s, [2]int{c.Short.Trips, c.Long.Trips})
	}
	return agree(ctx, c, copies, s, anything)
}

// anything is a check of results that have nothing to be checked.
func anything(*host.Result) error { return nil }

// apart measures code that starts anew in each round with several numbers of trips a round, between the two given, each
// in a process of its own: the figure is the median slope, what an execution more takes. Rounds of one length in one
// process are all predicted alike. In one process the longer ones cost mispredictions more, as they do not end where
// the shorter do: copying 32 bytes took 1.06 to 1.12 cycles so on a Zen 4, and 1.00 to 1.04 in two.
func apart(ctx context.Context, c *host.Code, copies int, rough float64, s Setup, trips [2]int) (f *Figure, err error) {
	const lengths = 8
	var of, cycles []float64 // executions in a round, and what it takes
	for k := range lengths {
		n := trips[0] + (trips[1]-trips[0])*k/(lengths-1)
		if slices.Contains(of, float64(n*copies)) {
			continue
		}
		c.Rounds = max(leastRounds, int(targetCycles/(rough*float64(copies*n))))
		c.LongRounds = 3 * c.Rounds
		c.Short, c.Long = host.Run{Copies: copies, Trips: n}, host.Run{Copies: copies, Trips: n}
		if f, err = agree(ctx, c, copies, s, anything); err != nil {
			return nil, err
		}
		of, cycles = append(of, float64(n*copies)), append(cycles, f.Cycles*float64(n*copies))
	}
	c.LongRounds = 0
	noise := f.Uncertainty
	if f.Cycles, f.Uncertainty = slopes(of, cycles); !(f.Cycles > 0) {
		return nil, noMore()
	}
	f.Uncertainty = math.Max(f.Uncertainty, noise)
	return f, nil
}

// noMore is the error of rounds that take no longer where they are longer.
func noMore() error {
	return &host.Reason{Kind: "unstable", Msg: unstablePrefix + ": more executions take no more time"}
}

// leastRounds is the number of rounds of a short run, at least.
const leastRounds = 6

// slope is what an execution takes where figures are of rounds with so many executions each, of which every round takes a share besides.
func slope(figures [2]*Figure, of [2]float64) (*Figure, error) {
	f, few, many := figures[1], of[0], of[1]
	f.Cycles = (f.Cycles*many - figures[0].Cycles*few) / (many - few)
	f.Uncertainty = (f.Uncertainty*many + figures[0].Uncertainty*few) / (many - few)
	if f.Cycles <= 0 {
		return nil, noMore()
	}
	return f, nil
}

// within shortens runs that touch more pages than there are physical ones behind them, and has them start anew so often
// that they take as long. Where several addresses share a page, a core whose cache predicts its way by a hash of the
// virtual address (AMD's: M. Lipp et al., Take A Way, ASIA CCS 2020) misses it at each change between them, and loads
// read what stores to other arrays have just written. shorten takes the fraction that the runs may have, and reports
// whether they became shorter.
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

// agree measures until two measurements agree; check judges each.
func agree(ctx context.Context, c *host.Code, copies int, s Setup, check func(*host.Result) error) (*Figure, error) {
	opt := host.Options{Windows: s.Windows}
	var last *host.Result
	for range attempts {
		r, err := host.Measure(ctx, c, opt)
		if err == nil {
			err = check(r)
		}
		if unstable(err) {
			continue
		} else if err != nil {
			return nil, err
		}
		if last != nil && alike(r, last) {
			return figure(c, r, last, copies), nil
		}
		if last == nil || r.Cycles < last.Cycles {
			last = r // what disturbs a whole measurement (the sibling thread) only makes it slower
		}
	}
	if last == nil {
		return nil, &host.Reason{Kind: "unstable", Msg: unstablePrefix + ": no measurement found enough undisturbed time windows"}
	}
	f := figure(c, last, last, copies)
	f.Uncertainty = math.Max(f.Uncertainty, agreeFraction*f.Cycles)
	return f, nil
}

// alike reports whether two measurements agree.
func alike(a, b *host.Result) bool {
	return math.Abs(a.Cycles-b.Cycles) <= agreeFraction*math.Max(a.Cycles, b.Cycles)+0.002
}

// unstable reports whether an error is noise's, which may be another time's less.
func unstable(err error) bool {
	why, ok := err.(*host.Reason)
	return ok && why.Kind == "unstable"
}

// unsteady reports whether an error is that the code takes now this time, now that.
func unsteady(err error) bool {
	why, ok := err.(*host.Reason)
	return ok && why.Kind == "unsteady"
}

func figure(c *host.Code, a, b *host.Result, copies int) *Figure {
	return &Figure{Cycles: math.Min(a.Cycles, b.Cycles), Uncertainty: math.Max(math.Min(a.Uncertainty, b.Uncertainty), math.Abs(a.Cycles-b.Cycles)/2),
		GHz: a.GHz, Pages: a.Pages, Copies: copies, Rounds: max(1, c.Rounds)}
}

// settle finds out roughly how many cycles the block takes, and whether it can run at all.
func settle(ctx context.Context, c *host.Code, copies int) (cycles float64, err error) {
	trips := max(1, settleCycles/(copies*4))
	c.Short, c.Long = host.Run{Copies: copies, Trips: trips + 1}, host.Run{Copies: copies, Trips: 3*trips + 2}
	for range attempts {
		var r *host.Result
		if r, err = host.Measure(ctx, c, host.Options{Windows: 12}); err == nil {
			return math.Max(r.Cycles, 0.05), nil
		}
		if !unstable(err) {
			return 0, err
		}
	}
	return 0, prefixed(err)
}

// prefixed puts unstablePrefix before what noise is to blame for.
func prefixed(err error) error {
	if !unstable(err) {
		return err
	}
	return &host.Reason{Kind: "unstable", Msg: unstablePrefix + ": " + err.Error()}
}

// plan sets the two runs whose difference is measured.
func plan(c *host.Code, copies int, rough float64, unrolled bool) {
	if unrolled {
		// twice as many copies, no loop branch; at least so long that the windows resolve a hundredth
		k := max(copies, int(targetCycles/4/rough))
		k = min(k, max(copies, 4*bodyBytes/len(c.Bytes)))
		c.Short, c.Long = host.Run{Copies: k, Trips: 1}, host.Run{Copies: 3 * k, Trips: 1}
		return
	}
	trips := int(targetCycles/(rough*float64(copies))) + 2
	if float64(trips*copies)*rough > maxRunCycles {
		trips = 2
	}
	c.Short, c.Long = host.Run{Copies: copies, Trips: trips}, host.Run{Copies: copies, Trips: 3 * trips}
}
