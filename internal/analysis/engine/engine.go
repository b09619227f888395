// Package engine predicts the cycles per iteration of a kernel by one of the engines, the greatest of the static bounds or
// the simulator, and says what limits it.
package engine

import (
	"fmt"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/machine"
)

// Choice is the engine that a user asks for.
type Choice string

// The choices. Auto, which the empty string stands for as well, is the simulator for the machines that it knows enough
// of, else the bounds.
const (
	Auto      Choice = "auto"
	Simulator Choice = "sim"
	Bounds    Choice = "bounds"
)

// Choices are the names that Parse takes.
var Choices = []string{string(Auto), string(Simulator), string(Bounds)}

// Parse reads the name of a choice.
func Parse(name string) (Choice, error) {
	switch c := Choice(name); c {
	case Auto, Simulator, Bounds:
		return c, nil
	}
	return Auto, fmt.Errorf("unknown engine %q; known are %s", name, strings.Join(Choices, ", "))
}

// Available returns nil if a choice can predict kernels on a machine, else why it cannot.
func (c Choice) Available(m *machine.Model) error {
	if c != Simulator {
		return nil
	}
	if _, err := sim.Available(m); err != nil {
		return fmt.Errorf("the simulator does not know %s: %w", m.Name, err)
	}
	return nil
}

// Simulates reports whether a choice means the simulator on a machine, and if not, why.
func (c Choice) Simulates(m *machine.Model) (bool, string) {
	if c == Bounds {
		return false, ""
	}
	if _, err := sim.Available(m); err != nil {
		return false, err.Error()
	}
	return true, ""
}

// What limits a kernel.
const (
	Ports      = "ports"
	Dispatch   = "dispatch"
	Latency    = "latency" // a loop-carried chain
	FrontEnd   = "front end"
	Branch     = "branch"     // taken branches
	Cache      = "cache"      // banks, lines and ports of the first-level data cache
	Scheduling = "scheduling" // no bound explains the simulator's figure: buffers are full, or ports are taken in the wrong order
	Unknown    = "unknown"    // nothing in the model bounds it
)

// Names of the engines, as results have them.
const (
	NameSimulator = "simulator"
	NameBounds    = "bounds"
)

// takenBranch is the fewest cycles that an iteration takes which ends in a taken branch.
const takenBranch = 1

// Limits are the least cycles per iteration that each limit allows when the others cost nothing; 0 where it
// does not limit, or is not known.
type Limits struct {
	Ports, Dispatch, Chain float64
	FrontEnd               float64 // 0 where the bounds are the engine: it is the simulator's to know
	Branch                 float64
	Cache                  float64 // 0 where the bounds are the engine, as FrontEnd, or the model states no such limit
}

// equal is the relative difference below which two limits count as equal.
const equal = 1e-9

// Greatest is the greatest of the limits. A chain wins a draw, then ports.
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

// Layout says how a kernel lies in memory.
type Layout struct {
	Unrolled  bool // iterations follow each other without a taken branch
	Copies    int  // of code without a branch of its own between two taken branches [1]
	FreePorts bool // ports cost nothing
	Aligned   bool // all pointers are multiples of the cache line's size
	Uniform   bool // the bounds spread µops over ports with fixed probabilities (throughput.Uniform)
	Start     int  // unrolled: bytes behind the start of a page at which the code begins
	// Memory bounds the cycles by what memory costs where the code runs, beside what it costs on the core; more comes to the cycles, whatever bounds them.
	// chain is what the loop-carried chain takes. nil: nothing.
	Memory func(b *machine.Bound, chain float64) (bound, more float64)
	Whole  *Whole // what repeats the kernel; nil: nothing
	// Done, if not nil, ends simulations when it is closed: the bounds then stand in for them.
	Done <-chan struct{}
}

// loopInsts is to how many instructions code without a branch of its own is repeated in a loop, as measurements do
// that want the loop's own cost out of the figure.
const loopInsts = 100

// Looped is the layout of a kernel as the body of a loop.
func Looped(b *machine.Bound) Layout {
	if b.Kernel.Loop || len(b.Insts) == 0 {
		return Layout{}
	}
	return Layout{Copies: (loopInsts + len(b.Insts) - 1) / len(b.Insts)}
}

// Estimate is what an engine says of a kernel in one layout.
type Estimate struct {
	Cycles float64 // per iteration
	Limit  string  // what it comes from: one of the limits above
	Engine string  // NameSimulator, NameBounds
	Why    string  // why the bounds stand in for the simulator; ""
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

// Both predicts two layouts of a kernel, which may take less than to predict each.
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

// estimate says what limits a prediction.
func estimate(g *depgraph.Graph, l Layout, p *sim.Prediction) Estimate {
	if p.Result == nil {
		e := static(g, l)
		e.Why = p.Why
		return e
	}
	e := Estimate{Engine: NameSimulator, Result: p.Result,
		Limits: Limits{Ports: p.Ports, Dispatch: p.Dispatch, Chain: p.Chain, FrontEnd: p.FrontEnd, Branch: branch(g, l), Cache: p.Cache}}
	e.Cycles = max(p.Cycles, e.Branch) // where the model says nothing of the front end, the simulator has no taken branches
	e.Limit = e.limit(p.Result.Stalls[sim.FrontEnd])
	if g.Period > 1 && (g.Bound.Kernel.Loop || l.Unrolled) {
		e.vary(g, l)
	}
	e.repeat(g, l)
	return e
}

// static is the engine of static bounds.
func static(g *depgraph.Graph, l Layout) Estimate {
	ports, dispatch := throughput.Quick(g.Bound)
	switch {
	case l.FreePorts:
		ports = 0
	case l.Uniform:
		ports = throughput.Analyze(g.Bound, throughput.Uniform).Cycles
	}
	return Static(g, l, Limits{Ports: ports, Dispatch: dispatch, Chain: latency.Carried(g)})
}

// Static is the estimate that limits found elsewhere make, with that of the branch.
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

// closeTo is how near the simulated cycles must be to a bound for it to be called the reason.
const closeTo = 1.05

// limit names what a simulated figure comes from: the bound that it reaches, else the front
// end if that held dispatch up (stalled, in cycles) for most of the time, else that the back end was too full.
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
