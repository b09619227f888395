// Package engine predicts the cycles per iteration of a kernel and names its limit. It has two engines: the static bounds, of which the greatest
// counts, and the simulator.
package engine

import (
	"fmt"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// Choice is the engine that a user asks for.
type Choice string

// The choices. Auto, also meant by the empty string, is the simulator where the machine's model has enough data for it, else the bounds.
const (
	Auto      Choice = "auto"
	Simulator Choice = "sim"
	Bounds    Choice = "bounds"
)

// Choices are the names that Parse accepts.
var Choices = []string{string(Auto), string(Simulator), string(Bounds)}

// Parse reads the name of a choice; the simulator also has its name in results.
func Parse(name string) (Choice, error) {
	switch c := Choice(name); c {
	case NameSimulator:
		return Simulator, nil
	case Auto, Simulator, Bounds:
		return c, nil
	}
	return Auto, fmt.Errorf("unknown engine %q; known are %s", name, strings.Join(Choices, ", "))
}

// Available returns nil if a choice can predict kernels on a machine, else the reason why not.
func (c Choice) Available(m *machine.Model) error {
	if c != Simulator {
		return nil
	}
	if _, err := sim.Available(m); err != nil {
		return fmt.Errorf("the simulator does not know %s: %w", m.Name, err)
	}
	return nil
}

// Simulates reports whether a choice stands for the simulator on a machine; if not, and the user did not ask for the bounds, the string is the
// reason.
func (c Choice) Simulates(m *machine.Model) (bool, string) {
	if c == Bounds {
		return false, ""
	}
	if _, err := sim.Available(m); err != nil {
		return false, err.Error()
	}
	return true, ""
}

// The limits of a kernel.
const (
	Ports      = "ports"
	Dispatch   = "dispatch"
	Latency    = "latency" // a loop-carried chain
	FrontEnd   = "front end"
	Branch     = "branch"     // taken branches
	Cache      = "cache"      // banks, lines and ports of the first-level data cache
	Scheduling = "scheduling" // the simulated cycles exceed every bound: buffers are full, or µops take ports in an unfavourable order
	Unknown    = "unknown"    // no limit known to the model
)

// Names of the engines in results.
const (
	NameSimulator = "simulator"
	NameBounds    = "bounds"
)

// takenBranch is the least number of cycles of an iteration that ends in a taken branch.
const takenBranch = 1

// Limits are the least cycles per iteration under each limit alone; 0 where there is no limit, or the limit is unknown.
type Limits struct {
	Ports, Dispatch, Chain float64
	FrontEnd               float64 // 0 from the bounds: only the simulator computes it
	Branch                 float64
	Cache                  float64 // 0 from the bounds, and where the model states no such limit
}

// equal is the relative difference below which two limits count as equal.
const equal = 1e-9

// Greatest returns the greatest limit and its name. Of equal limits a chain is preferred, then ports.
func (l *Limits) Greatest() (cycles float64, what string) {
	cycles, what = l.Ports, Ports
	if l.Cache > cycles+equal {
		cycles, what = l.Cache, Cache
	}
	if l.Dispatch > cycles+equal {
		cycles, what = l.Dispatch, Dispatch
	}
	if l.Chain > 0 && l.Chain >= cycles-equal {
		cycles, what = l.Chain, Latency
	}
	if l.Branch > cycles+equal {
		cycles, what = l.Branch, Branch
	}
	if l.FrontEnd > cycles*closeTo {
		cycles, what = l.FrontEnd, FrontEnd
	}
	if cycles == 0 {
		what = Unknown
	}
	return cycles, what
}

// Layout describes how the code of a kernel lies in memory and runs.
type Layout struct {
	Unrolled  bool // iterations follow each other without a taken branch
	Copies    int  // copies of the kernel between two taken branches, for code without a branch of its own [1]
	FreePorts bool // ports cost nothing
	Aligned   bool // all pointers are multiples of the cache line's size
	Uniform   bool // the bounds spread µops over ports with fixed probabilities (throughput.Uniform)
	Start     int  // unrolled: offset of the code from the start of a page, in bytes
	// Memory returns the cost of the memory hierarchy: a lower bound of the cycles, and more cycles that add to the cycles in any case. The core's
	// own cost is not included. chain is the length of the loop-carried chain in cycles. nil: no cost.
	Memory func(b *machine.Bound, chain float64) (bound, more float64)
	Whole  *Whole // the loop that repeats the kernel; nil: none
	// Done, if not nil, ends simulations when it is closed; the bounds then replace them.
	Done <-chan struct{}
}

// loopInsts is the number of instructions to which code without a branch of its own is repeated in a loop, as in measurements that keep the loop
// overhead small.
const loopInsts = 100

// Looped returns the layout of a kernel that runs as the body of a loop.
func Looped(b *machine.Bound) Layout {
	if b.Kernel.Loop || len(b.Insts) == 0 {
		return Layout{}
	}
	return Layout{Copies: (loopInsts + len(b.Insts) - 1) / len(b.Insts)}
}

// Estimate is an engine's prediction for a kernel in one layout.
type Estimate struct {
	Cycles float64 // per iteration
	Limit  string  // one of the limits above
	Engine string  // NameSimulator, NameBounds
	Why    string  // reason why the bounds replace the simulator; ""
	Limits
	Result *sim.Result // nil: not simulated
}

// Estimate predicts a kernel.
func (c Choice) Estimate(g *depgraph.Graph, l Layout) Estimate {
	if c == Bounds {
		return static(g, l)
	}
	p := sim.Predict(g, l.options())
	return estimate(g, l, &p)
}

// Both predicts two layouts of a kernel, which may take less time than two calls of Estimate.
func (c Choice) Both(g *depgraph.Graph, first, second Layout) (a, b Estimate) {
	if c == Bounds {
		a = static(g, first)
		if first.FreePorts != second.FreePorts || first.Uniform != second.Uniform {
			return a, static(g, second)
		}
		return a, Static(g, second, a.Limits) // which the layout changes in nothing but the branch
	}
	p, q := sim.Both(g, first.options(), second.options())
	return estimate(g, first, &p), estimate(g, second, &q)
}

func (l *Layout) options() sim.Options {
	return sim.Options{Unrolled: l.Unrolled, Copies: l.Copies, FreePorts: l.FreePorts, Aligned: l.Aligned, Start: l.Start, Memory: l.Memory, Done: l.Done}
}

// estimate makes an Estimate of a simulator's prediction.
func estimate(g *depgraph.Graph, l Layout, p *sim.Prediction) Estimate {
	if p.Result == nil {
		e := static(g, l)
		e.Why = p.Why
		return e
	}
	e := Estimate{Engine: NameSimulator, Result: p.Result,
		Limits: Limits{Ports: p.Ports, Dispatch: p.Dispatch, Chain: p.Chain, FrontEnd: p.FrontEnd, Branch: branch(g, l), Cache: p.Cache}}
	e.Cycles = max(p.Cycles, e.Branch) // if the model has no front end, the simulator has no taken branches
	e.Limit = e.limit(p.Result.Stalls[sim.FrontEnd])
	if g.Period > 1 && (g.Bound.Kernel.Loop || l.Unrolled) {
		e.vary(g, l)
	}
	e.repeat(g, l)
	return e
}

// static is the engine of the static bounds.
func static(g *depgraph.Graph, l Layout) Estimate {
	u := uops.UsageOf(g.Bound)
	ports := throughput.Ports(u)
	switch {
	case l.FreePorts:
		ports = 0
	case l.Uniform:
		ports = throughput.Analyze(g.Bound, throughput.Uniform).Cycles
	}
	return Static(g, l, Limits{Ports: ports, Dispatch: throughput.Dispatch(u), Chain: latency.Carried(g)})
}

// Static returns the Estimate of limits computed elsewhere, after adding the limit of the taken branch.
func Static(g *depgraph.Graph, l Layout, limits Limits) Estimate {
	limits.Branch = branch(g, l)
	e := Estimate{Engine: NameBounds, Limits: limits}
	e.Cycles, e.Limit = e.Greatest()
	return e
}

func branch(g *depgraph.Graph, l Layout) float64 {
	if g.Bound.Kernel.Loop && !l.Unrolled {
		return takenBranch
	}
	return 0
}

// closeTo is the largest ratio of the simulated cycles to a bound at which the bound counts as the limit.
const closeTo = 1.05

// limit names the limit of a simulated figure: the bound that it reaches; else the front end, if dispatch waited for it in most cycles (stalled);
// else the scheduling in the back end.
func (e *Estimate) limit(stalled float64) string {
	cycles, what := e.Greatest()
	switch {
	case e.Cycles <= cycles*closeTo:
		return what
	case stalled >= e.Cycles/2:
		return FrontEnd
	}
	return Scheduling
}
