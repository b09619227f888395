package sim

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/l1"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
)

// This file combines the simulator's figure with the bounds.

// Prediction is a kernel's cycles per iteration with their origin.
type Prediction struct {
	Cycles float64
	Engine string // "simulator" or "bounds"
	// Why is the reason why the bounds replace the simulator; "" if it ran.
	Why string
	// The bounds: ports, dispatch width, front end, loop-carried chain.
	Ports, Dispatch, FrontEnd, Chain float64
	More                             float64 // part of Cycles that Options.Memory adds to any bound
	Cache                            float64 // limit of the banks, lines and ports of the data cache, if the model states such limits
	Result                           *Result // nil if the simulator did not run
}

// averageError is the relative error of an average over iterations without a period: a bound within this distance is used instead.
const averageError = 0.02

// Predict simulates a kernel, or takes the greatest bound if the model lacks data for the simulator. The simulator's figure is never below a proven
// bound.
func Predict(g *depgraph.Graph, opt Options) Prediction {
	p := bounds(g, &opt)
	p.simulate(g, opt)
	return p
}

// simulate replaces the figure of the bounds by the simulator's, or sets the reason why there is none.
func (p *Prediction) simulate(g *depgraph.Graph, opt Options) {
	opt.bound = p.Cycles - p.More
	c, err := compile(g, nil, &opt)
	if err == nil {
		defer c.free()
		var r *Result
		if r, err = c.result(g.Bound.Model, opt); err == nil {
			p.simulated(r)
			return
		}
	}
	p.Why = err.Error()
}

// again returns the quickest of some simulations that start with other alignments of the slots to the cycles of dispatch, if one is much slower than
// the bounds. A core that binds µops to ports at rename, or whose results conflict on a bus, may repeat an unfavourable order of µops which another
// start does not lead to.
func (c *program) again(r *Result, opt Options) *Result {
	if opt.Trace != nil || r.Cycles <= opt.bound*unfavourable || !c.Core.PortChoice.AtRename {
		return r
	}
	for opt.owed = 1; opt.owed < c.Core.Width && !r.Bound; opt.owed++ {
		opt.worse = r.Cycles * (1 - averageError)
		if other, err := c.run(opt); err == nil && other.Cycles < r.Cycles*(1-averageError) {
			r = other
		}
	}
	return r
}

// unfavourable is the ratio to the bounds from which other starts are tried.
const unfavourable = 1.1

// Both predicts two layouts of a kernel. It uses the simulation of the first one for the second too, if that takes exactly the cycles of the second's
// bounds, and the second's front end gives dispatch the same slots.
func Both(g *depgraph.Graph, first, second Options) (p, q Prediction) {
	also := second.layout()
	p = bounds(g, &first)
	second.usage = first.usage
	if second.alignment() == first.alignment() {
		second.cache = first.cache
	}
	q = bounds(g, &second)
	first.Also, first.AlsoCycles = &also, q.Cycles
	if p.simulate(g, first); p.Result == nil || !p.Result.Also {
		q.simulate(g, second)
	} else {
		q.simulated(p.Result)
	}
	return p, q
}

// simulated makes the simulator's result the prediction.
func (p *Prediction) simulated(r *Result) {
	p.Result, p.Engine = r, "simulator"
	bound := p.Cycles - p.More
	switch {
	case r.Exact:
		p.Cycles = max(r.Cycles, p.Ports, p.Cache) + p.More
	case r.Cycles < bound: // a transient pattern or average: a chain that was ahead is catching up
	case r.Pattern || r.Cycles-bound > averageError*bound:
		p.Cycles = r.Cycles + p.More
	}
}

// bounds returns the prediction of the bounds. It stores the parts of them that the simulation needs, too, in the options.
func bounds(g *depgraph.Graph, opt *Options) Prediction {
	b := g.Bound
	p := Prediction{Engine: "bounds", Chain: latency.Carried(g)}
	if opt.usage == nil {
		opt.usage = uops.UsageOf(b)
	}
	p.Ports, p.Dispatch = throughput.Ports(opt.usage), throughput.Dispatch(opt.usage)
	if opt.FreePorts {
		p.Ports = 0
	}
	if f := frontend.Of(opt.once(b), opt.layout()); f != nil {
		p.FrontEnd, opt.front = f.Bound()*float64(max(1, opt.Times)), f
	}
	if !opt.FreePorts {
		if opt.cache == nil {
			opt.limits(g)
		}
		p.Cache = opt.cache.Max()
		if opt.Memory != nil {
			bound, more := opt.Memory(b, p.Chain)
			p.Cache, p.More = max(p.Cache, bound), more
		}
	}
	p.Cycles = max(p.Ports, p.Dispatch, p.FrontEnd, p.Chain, p.Cache) + p.More
	return p
}

// limits computes the limits of the data cache.
func (o *Options) limits(g *depgraph.Graph) {
	cache := l1.Analyze(g.Bound, o.alignment(), g.Places)
	o.cache = &cache
}

// alignment returns the alignment of pointers given by the options.
func (o *Options) alignment() l1.Alignment {
	if o.Aligned {
		return l1.Aligned
	}
	return l1.Lucky
}

// Unlucky returns the least cycles per iteration under the limits of the data cache if every pointer has the offset in its line with the most
// accesses that cross lines; predictions assume the offset with the fewest (internal/analysis/l1).
func Unlucky(g *depgraph.Graph) float64 {
	return l1.Analyze(g.Bound, l1.Unlucky, g.Places).Max()
}
