package sim

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/l1"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
	"incore/internal/machine"
)

// Options of Run; zero values mean the defaults in brackets.
type Options struct {
	MinCycles     int  // simulate at least so many cycles [300, fewer where the steady state is proven]
	MinIterations int  // and so many iterations [48, likewise]
	MaxCycles     int  // stop here [40000]
	Unrolled      bool // iterations are laid out one after another: no taken branch between them
	Copies        int  // copies of the kernel between two taken branches [1]
	Exact         bool // look for the steady state itself, although the pace has settled
	FreePorts     bool // ports are never busy
	Aligned       bool // all pointers are multiples of the cache line's size (internal/analysis/l1)
	OnePage       bool // one page of memory stands behind all addresses, as in measurements
	Walks         bool // pointers that move never come back (l1.Walk)
	// Times is how many iterations of a loop the kernel stands for, each of which ends in the loop's branch; 0: 1. Cycles are of all of them.
	Times int
	Trace func(Event) // called for every µop that retires

	// Also is another layout of the same kernel. Result.Also says whether its steady state is the same.
	Also *frontend.Layout
}

// Result is the steady state.
type Result struct {
	Cycles     float64             // per iteration
	Exact      bool                // the machine was in a state that it was in before: all repeats from there on
	Pattern    bool                // no state came again, but iterations have long retired in a pattern, which may still be a beginning; else Cycles is an average (engine.settled)
	Period     int                 // iterations after which they retire so again, 0 if they did not
	Iterations int                 // simulated
	Steady     int                 // the first iteration, from 0, that is simulated in the steady state
	Total      int64               // cycles simulated
	Also       bool                // so does the layout Options.Also
	PortUse    []float64           // busy cycles per iteration, by port
	Stalls     [numReasons]float64 // cycles per iteration that dispatch ended for each reason, Width among them: they add up to Cycles
}

// engines keeps the memory of simulations for the next.
var engines = sync.Pool{New: func() any { return new(engine) }}

// tooLong returns an error if two iterations cannot even be dispatched in the cycles that are simulated, as of long code that is microcode.
func tooLong(b *machine.Bound, core *Core, opt *Options) error {
	slots := 0.0
	for i := range b.Insts {
		slots += b.Insts[i].Slots
	}
	if core.Width > 0 && 2*slots/float64(core.Width) > float64(opt.MaxCycles) {
		return errTooLong(opt)
	}
	return nil
}

func errTooLong(opt *Options) error {
	return fmt.Errorf("two iterations take more than the %d cycles that are simulated", opt.MaxCycles)
}

// Run simulates a kernel.
func Run(g *depgraph.Graph, core *Core, opt Options) (*Result, error) {
	leastCycles, leastIterations := opt.MinCycles, opt.MinIterations
	if opt.MinCycles == 0 {
		opt.MinCycles = 300
	}
	if opt.MaxCycles == 0 {
		opt.MaxCycles = 40000
	}
	if err := tooLong(g.Bound, core, &opt); err != nil {
		return nil, err // before all its µops are made
	}
	core.FreePorts = opt.FreePorts
	core.weigh(g.Bound)
	body, classes := lower(g, core, &opt)
	if len(body) == 0 {
		return &Result{Exact: true}, nil
	}
	e := engines.Get().(*engine)
	defer engines.Put(e)
	e.reset(core, body)
	e.predictor = append(e.predictor[:0], make([]predictorEntry, classes)...)
	e.trace = opt.Trace
	once := opt.once(g.Bound)
	slots := slotsOf(g.Bound, body)[:len(once.Insts)]
	f := frontend.New(&core.Core, once, slots, frontend.Layout{Unrolled: opt.Unrolled, Copies: opt.Copies})
	also := func(since int32) bool {
		return opt.Also != nil && e.alsoFed(frontend.New(&core.Core, once, slots, *opt.Also), since)
	}
	inFlight := core.ROB/max(1, f.Iteration()*max(1, opt.Times)) + 2 // kernels
	opt.MinIterations = max(opt.MinIterations, maxPeriod+min(maxPeriod, 2*inFlight))
	most := 3*max(opt.MinIterations, 2*inFlight+maxPeriod) + 4*maxPeriod // what has not settled by then is averaged
	for check := opt.MinIterations; int(e.cycle) < opt.MaxCycles && len(e.retired) < most; {
		f.Fill()
		before, offered, debt := len(e.retired), f.Have(), e.debt
		taken := e.step(offered)
		f.Take(taken)
		e.feed(offered, taken, debt)
		n := len(e.retired)
		if n > before && n >= leastIterations && int(e.cycle) >= leastCycles && e.steady(&f) {
			r := e.repeated()
			r.Also = also(e.mark.cycle)
			return r, nil
		}
		if e.warm.retired == 0 && (n >= inFlight || int(e.cycle) >= opt.MinCycles/2) {
			e.warm = e.counts()
		}
		if n >= check && int(e.cycle) >= opt.MinCycles {
			check = n + max(4, n/8)
			if p := e.period(inFlight); p > 0 {
				r := e.result(&e.warm, p, float64(e.retired[n-1]-e.retired[n-1-p])/float64(p))
				r.Pattern = true
				r.Also = also(e.retired[n/2])
				return r, nil
			}
			if !opt.Exact && e.settled() {
				break
			}
		}
	}
	n := len(e.retired)
	switch {
	case n < 2 && e.head > 0:
		return nil, errTooLong(&opt)
	case n < 2:
		return nil, errors.New("the simulated core made no progress")
	}
	r := e.result(&e.warm, 0, e.pace(min(n-3*n/5, n-2), n))
	r.Period = e.period(n / 2) // as it was so far, which proves nothing
	r.Also = also(e.retired[n/2])
	return r, nil
}

// once is one of the iterations that a kernel stands for.
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

// slotsOf adds up the slots of each instruction's µops.
func slotsOf(b *machine.Bound, body []uop) []int32 {
	slots := make([]int32, len(b.Insts))
	for i := range body {
		slots[body[i].inst] += int32(body[i].slots)
	}
	return slots
}

// maxPeriod bounds the periods that are looked for; patterns of real loops are short.
const maxPeriod = 24

// period finds the smallest p such that the last span iterations (at least 5p) retired in a pattern of period p, and were dispatched as
// fast; 0 if none. The span must cover what the reorder buffer holds: retirement comes in bursts until that has settled.
func (e *engine) period(span int) int {
	n := len(e.retired)
	for p := 1; p <= maxPeriod; p++ {
		last := max(4*p, span)
		if last+p >= n-2 {
			break
		}
		d := e.retired[n-1] - e.retired[n-1-p]
		if d == 0 { // several iterations may retire in one cycle
			continue
		}
		ok := true
		for k := 1; ok && k <= last; k++ {
			ok = e.retired[n-1-k]-e.retired[n-1-k-p] == d
		}
		if ok && e.pace(n-1-last-p, n)*float64(p) <= float64(d)*(1+settledError) {
			return p
		}
	}
	return 0
}

// repeated is the result where the marked state has come again.
func (e *engine) repeated() *Result {
	m := e.mark
	p := len(e.retired) - m.retired
	r := e.result(&m.counts, rhythm(e.retired[m.retired:], e.cycle-m.cycle), float64(e.cycle-m.cycle)/float64(p))
	r.Exact, r.Steady = true, m.begun
	return r
}

// rhythm is the period in which iterations retire, of those between two equal states so many cycles apart; ports may take turns for longer.
func rhythm(retired []int32, cycles int32) int {
	n := len(retired)
	for p := 1; p < n; p++ {
		d := cycles / int32(n/p)
		ok := n%p == 0 && d*int32(n/p) == cycles
		for k := p; ok && k < n; k++ {
			ok = retired[k]-retired[k-p] == d
		}
		if ok {
			return p
		}
	}
	return n
}

// result makes a result of a number of cycles per iteration and of what was counted since some cycle.
func (e *engine) result(since *counts, period int, cycles float64) *Result {
	n := len(e.retired)
	r := &Result{Cycles: cycles, Iterations: n, Steady: n - 1, Total: int64(e.cycle), Period: period, PortUse: make([]float64, e.core.Ports)}
	for i := range r.PortUse {
		r.PortUse[i] = float64(e.portUse[i]-since.portUse[i]) / float64(max(1, n-since.retired))
	}
	total := int64(0)
	for i, c := range e.stalls {
		total += c - since.stalls[i]
	}
	for i, c := range e.stalls {
		r.Stalls[i] = float64(c-since.stalls[i]) / float64(max(1, total)) * cycles
	}
	return r
}

// settled reports whether an average would change no more: the last fifths of the iterations run at the same pace.
func (e *engine) settled() bool {
	n := len(e.retired)
	least, most := math.Inf(1), 0.0
	for k := range 3 {
		p := e.pace(n-(k+1)*n/5, n-k*n/5)
		least, most = min(least, p), max(most, p)
	}
	return most-least <= settledError*least && e.balanced(n-3*n/5, n)
}

// balanced reports whether as many of a range of iterations were dispatched as retired: a full window does not drain, and one that fills is full.
func (e *engine) balanced(from, to int) bool {
	retired, dispatched := e.slope(from, to, 0), e.slope(from, to, 1/float64(e.n))
	return math.Abs(retired-dispatched) <= balancedError*retired
}

// balancedError is how much the paces of dispatch and retirement differ relatively that count as the same over a range in which both come in bursts.
const balancedError = 0.05

// settledError is how much paces differ relatively that count as the same. On the 2401 blocks of zen5-blocks for Golden Cove predictions
// differ by 0.04 to 0.06 % in the mean from those of 15,000 cycles, as do those of averages over two to three times the cycles.
const settledError = 0.002

// pace is the cycles per iteration of a range of iterations. While a full window of µops drains, iterations retire faster than they are
// dispatched; while it fills, they are dispatched faster than they retire. What lasts is the slower of the two.
func (e *engine) pace(from, to int) float64 {
	retired, dispatched := e.slope(from, to, 0), e.slope(from, to, 1/float64(e.n))
	if dispatched > (1+settledError)*retired {
		return dispatched
	}
	return retired
}

// slope is the cycles per iteration of a range of iterations, by least squares: bursts of retirement at its ends weigh little. Of
// each the cycle is known, and how many iterations had retired by then, or with ahead = 1/µops per iteration had been dispatched.
func (e *engine) slope(from, to int, ahead float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := from; i < to; i++ {
		x, y := float64(i-from)+float64(e.ahead[i])*ahead, float64(e.retired[i]-e.retired[from])
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	n := float64(to - from)
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// Prediction is a kernel's cycles per iteration and what they come from.
type Prediction struct {
	Cycles float64
	Engine string // "simulator" or "bounds"
	// Why says why the bounds stand in for the simulator; "" where it ran.
	Why string
	// The bounds: ports, dispatch width, front end, loop-carried chain.
	Ports, Dispatch, FrontEnd, Chain float64
	Aliases                          float64 // of Cycles: what comes to them where one page stands behind all addresses
	Cache                            float64 // by banks, lines and ports of the data cache, where the model states such limits
	Result                           *Result // nil if the simulator did not run
}

// averageError is the relative error of an average over iterations without a period: a bound so near is the value.
const averageError = 0.02

// Predict simulates a kernel, or takes the maximum of the bounds where the model does not
// have what the simulator needs. The simulator's figure is never below a proven bound.
func Predict(g *depgraph.Graph, opt Options) Prediction {
	p := bounds(g, opt)
	core, err := Available(g.Bound.Model)
	if err == nil {
		var r *Result
		if r, err = Run(g, core, opt); err == nil {
			p.simulated(r)
			return p
		}
	}
	p.Why = err.Error()
	return p
}

// Both predicts two layouts of a kernel. The simulation of the first stands for the second as well where it takes what the second's
// bounds say, too, and the second's front end gives dispatch the same slots.
func Both(g *depgraph.Graph, first, second Options) (p, q Prediction) {
	first.Also = &frontend.Layout{Unrolled: second.Unrolled, Copies: second.Copies}
	q = bounds(g, second)
	if p = Predict(g, first); p.Result == nil || !p.Result.Also || math.Abs(p.Result.Cycles-q.Cycles) > 1e-9*q.Cycles {
		return p, Predict(g, second)
	}
	q.simulated(p.Result)
	return p, q
}

// simulated makes the simulator's result the prediction.
func (p *Prediction) simulated(r *Result) {
	p.Result, p.Engine = r, "simulator"
	if bound := p.Cycles - p.Aliases; r.Exact || r.Pattern || math.Abs(r.Cycles-bound) > averageError*bound {
		p.Cycles = max(r.Cycles, p.Ports, p.Cache) + p.Aliases // an average may lie a little below
	}
}

// bounds is the prediction that the bounds make.
func bounds(g *depgraph.Graph, opt Options) Prediction {
	b := g.Bound
	p := Prediction{Engine: "bounds", Chain: latency.Carried(g)}
	p.Ports, p.Dispatch = throughput.Quick(b)
	if opt.FreePorts {
		p.Ports = 0
	}
	if fe, err := frontend.Bound(opt.once(b), frontend.Layout{Unrolled: opt.Unrolled, Copies: opt.Copies}); err == nil {
		p.FrontEnd = fe * float64(max(1, opt.Times))
	}
	if !opt.FreePorts {
		p.Cache = l1.Analyze(b, opt.alignment(), g.Places).Max()
		if opt.OnePage {
			bound, more := l1.Aliases(b)
			p.Cache, p.Aliases = max(p.Cache, bound), more
		}
		if opt.Walks {
			p.Cache = max(p.Cache, l1.Walk(b, p.Chain))
		}
	}
	p.Cycles = max(p.Ports, p.Dispatch, p.FrontEnd, p.Chain, p.Cache) + p.Aliases
	return p
}

// alignment is what the options say of pointers.
func (o *Options) alignment() l1.Alignment {
	if o.Aligned {
		return l1.Aligned
	}
	return l1.Lucky
}

// Unlucky is the least number of cycles per iteration by the limits of the data cache if every pointer points to where in a line the most of the accesses through
// it cross lines; predictions take it to point to where the fewest do (internal/analysis/l1).
func Unlucky(g *depgraph.Graph) float64 {
	return l1.Analyze(g.Bound, l1.Unlucky, g.Places).Max()
}
