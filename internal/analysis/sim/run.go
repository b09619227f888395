package sim

import (
	"math"
	"slices"
	"sync"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/l1"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// Options of Run; zero values mean the defaults in brackets.
type Options struct {
	MinIterations int  // least number of simulated iterations [48, fewer if the steady state is proven]
	MaxCycles     int  // largest number of simulated cycles [40000]
	Unrolled      bool // iterations are laid out one after another: no taken branch between them
	Copies        int  // copies of the kernel between two taken branches [1]
	Exact         bool // continue to an exact steady state, even if the pace has settled
	FreePorts     bool // ports are never busy
	Aligned       bool // all pointers are multiples of the cache line's size (internal/analysis/l1)
	Start         int  // unrolled: offset of the code from the start of a page, in bytes
	// Memory returns the cost of the memory hierarchy without the core's own (nil: none), for a loop-carried chain of chain cycles: a lower bound of
	// the cycles, and cycles that add to them in any case.
	Memory func(b *machine.Bound, chain float64) (bound, more float64)
	// Times is the number of loop iterations in the kernel, each of which ends in the loop's branch; 0: 1. Cycles counts all of them.
	Times int
	Trace func(Event) // called for every µop that retires
	// Done, if not nil, ends the simulation with ErrStopped when it is closed.
	Done <-chan struct{}

	// Also is another layout of the same kernel whose bounds give AlsoCycles per iteration. Result.Also tells whether it takes exactly these cycles,
	// in the same steady state.
	Also       *frontend.Layout
	AlsoCycles float64

	front      *frontend.Feed // the front end, where the bounds have prepared it
	cache      *l1.Bound      // what the data cache lets through, where that is known already
	usage      *uops.Usage    // the port usage of the kernel, likewise
	bound      float64        // proven lower bound of the cycles per iteration; 0: none is known
	worse      float64        // the result is of use only below these cycles; 0: always
	owed       int            // slots that the first cycle of dispatch still owes: another start (again)
	everyCycle bool           // simulate every cycle, for tests: idle ones are not skipped
}

// Result is the steady state.
type Result struct {
	Cycles     float64             // per iteration
	Exact      bool                // the simulation reached an earlier state again, so everything repeats
	Pattern    bool                // no state recurred, but iterations have retired in a repeating pattern for a long time; else Cycles is an average (reorderBuffer.settled)
	Bound      bool                // iterations retired and were dispatched at the pace of a proven lower bound for long; Cycles is that bound
	Period     int                 // iterations after which the pattern of retirement repeats, 0 if it does not
	Iterations int                 // simulated
	Steady     int                 // the first iteration, from 0, in the steady state
	Total      int64               // cycles simulated
	Waits      bool                // the memory-dependence predictor makes some loads wait for the addresses of all older stores
	Also       bool                // the layout Options.Also takes the same cycles
	PortUse    []float64           // busy cycles per iteration, by port
	Stalls     [numReasons]float64 // cycles per iteration by the reason that ended dispatch, including Width; they add up to Cycles
}

// pipelines reuses the memory of simulations.
var pipelines = sync.Pool{New: func() any { return new(pipeline) }}

// tooLong returns an error if two iterations cannot even be dispatched in the simulated cycles, such as long microcoded code.
func tooLong(b *machine.Bound, core *Core, cycles int) error {
	slots := 0.0
	for i := range b.Insts {
		slots += b.Insts[i].Slots
	}
	if core.Width > 0 && 2*slots/float64(core.Width) > float64(cycles) {
		return errTooLong(cycles)
	}
	return nil
}

// sameCycles is the relative difference below which two figures are equal: the effect of a different order of summation.
const sameCycles = 1e-9

const (
	minCycles = 300   // simulated before a pattern or an average counts
	maxCycles = 40000 // simulated at most, unless Options.MaxCycles says otherwise
)

// Run simulates a kernel until it is in a steady state, or long enough for an average.
func Run(g *depgraph.Graph, core *Core, opt Options) (*Result, error) {
	c, err := compile(g, core, &opt)
	if err != nil {
		return nil, err
	}
	defer c.free()
	return c.run(opt)
}

// run simulates a program.
func (c *program) run(opt Options) (*Result, error) {
	if len(c.Uops) == 0 {
		return &Result{Exact: true}, nil
	}
	p := pipelines.Get().(*pipeline)
	defer pipelines.Put(p)
	p.reset(c.Core, c.Uops, c.Classes)
	p.trace, p.everyCycle, p.rename.debt = opt.Trace, opt.everyCycle, opt.owed
	front := c.front
	end := opt.ending(c.Core, front.Iteration())
	r, since, err := p.simulate(&front, &end)
	if err != nil {
		return nil, err
	}
	r.Waits = slices.ContainsFunc(p.memory.predictor, func(e predictorEntry) bool { return e.waits })
	if opt.Also != nil && math.Abs(r.Cycles-opt.AlsoCycles) <= sameCycles*opt.AlsoCycles && !p.memory.learnt { // (what shares an entry of the predictor depends on the layout)
		r.Also = p.supply.alsoBy(frontend.New(&c.Core.Core, c.once, c.Slots, *opt.Also), since)
	}
	return r, nil
}

// maxCycles returns the largest number of simulated cycles.
func (o *Options) maxCycles() int {
	if o.MaxCycles == 0 {
		return maxCycles
	}
	return o.MaxCycles
}

// compiled returns what the compilation of the kernel needs of the options.
func (o *Options) compiled() uops.Layout {
	return uops.Layout{Unrolled: o.Unrolled, Aligned: o.Aligned, Times: o.Times, Cache: o.cache, Usage: o.usage}
}

// layout returns the front end's layout.
func (o *Options) layout() frontend.Layout {
	return frontend.Layout{Unrolled: o.Unrolled, Copies: o.Copies, Start: o.Start}
}

// once returns one of the iterations that a kernel contains.
func (o *Options) once(b *machine.Bound) *machine.Bound {
	if o.Times < 2 {
		return b
	}
	n := len(b.Insts) / o.Times
	out, k := *b, *b.Kernel
	k.Lines = k.Lines[:n]
	out.Kernel, out.Insts = &k, b.Insts[:n]
	return &out
}
