// Package predict predicts whole corpora: it reads a block of code a line, as machine code or
// assembly, and writes a row of cycles for each, in the order of the input, on all cores.
package predict

import (
	"math"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Figure is what an engine says of a block.
type Figure struct {
	Loop     float64 // cycles per iteration as a loop body
	Unrolled float64 // laid out without a branch
	Bound    string  // what limits the figure asked for: "ports", "dispatch", "latency", "front end", "branch", "unknown"
	Engine   string  // "bounds", "simulator"
}

// Engine predicts blocks. The graph of straight is that of the block without the branch that
// closes it, the same as loop where there is none.
type Engine func(loop, straight *depgraph.Graph, unrolled bool) Figure

// Engines are the engines by name; auto takes the simulator for the machines that it knows enough of.
var Engines = map[string]Engine{"auto": simulate, "bounds": bounds}

// takenBranch is the fewest cycles that an iteration takes which ends in a taken branch.
const takenBranch = 1

// bound is the greatest of the static bounds.
func bound(g *depgraph.Graph) (cycles float64, what string) {
	ports, dispatch := throughput.Quick(g.Bound)
	return greatest(ports, dispatch, latency.Carried(g))
}

// greatest names the limit; a chain wins a draw, as in the report of analyze.
func greatest(ports, dispatch, chain float64) (cycles float64, what string) {
	const equal = 1e-9
	cycles, what = ports, "ports"
	if dispatch > cycles+equal {
		cycles, what = dispatch, "dispatch"
	}
	if chain > 0 && chain >= cycles-equal {
		cycles, what = chain, "latency"
	}
	if cycles == 0 {
		what = "unknown"
	}
	return cycles, what
}

// bounds is the engine of static bounds.
func bounds(loop, straight *depgraph.Graph, unrolled bool) (f Figure) {
	f.Engine = "bounds"
	var inLoop, laidOut string
	f.Loop, inLoop = bound(loop)
	f.Unrolled, laidOut = f.Loop, inLoop
	if straight != loop {
		f.Unrolled, laidOut = bound(straight)
	}
	if loop.Bound.Kernel.Loop && f.Loop < takenBranch {
		f.Loop, inLoop = takenBranch, "branch"
	}
	if f.Bound = inLoop; unrolled {
		f.Bound = laidOut
	}
	return f
}

// loopInsts is to how many instructions code without a branch of its own is repeated in a loop, as measurements do
// that want the loop's own cost out of the figure.
const loopInsts = 100

// simulate is the simulator, or the bounds where it does not know the core.
func simulate(loop, straight *depgraph.Graph, unrolled bool) Figure {
	if _, err := sim.Available(loop.Bound.Model); err != nil {
		return bounds(loop, straight, unrolled)
	}
	var opt sim.Options
	if !loop.Bound.Kernel.Loop {
		opt.Copies = max(1, loopInsts/len(loop.Bound.Insts))
	}
	l, u := sim.Predict(loop, opt), sim.Predict(straight, sim.Options{Unrolled: true})
	f := Figure{Loop: l.Cycles, Unrolled: u.Cycles, Engine: l.Engine, Bound: limit(&l, loop.Bound.Kernel.Loop)}
	if unrolled {
		f.Engine, f.Bound = u.Engine, limit(&u, false)
	}
	return f
}

// closeTo is how near the simulated cycles must be to a bound for it to be called the reason.
const closeTo = 1.05

// limit names what a simulated figure comes from: the bound that it reaches, else the front
// end if that held dispatch up for a good part of the time, else that the back end was too full.
func limit(p *sim.Prediction, loop bool) string {
	cycles, what := greatest(p.Ports, p.Dispatch, p.Chain)
	switch {
	case p.Cycles <= cycles*closeTo:
		return what
	case loop && p.Cycles <= takenBranch*closeTo:
		return "branch"
	case p.FrontEnd >= 0.25*p.Cycles:
		return "front end"
	}
	return "scheduling"
}

// Conditions are what blocks are assumed to be measured under.
type Conditions struct {
	Unrolled  bool // cycles is the figure of the block laid out unrolled, not as a loop
	EqualRegs bool // all registers hold one value, so that different bases are one address
	NoFlags   bool // leave out dependences through condition flags
	NoMemdep  bool // leave out dependences through memory
	Seed      uint64
	Alias     []memdep.Alias // what is known of registers at the block's start
}

// Predictor predicts blocks on one machine.
type Predictor struct {
	Model  *machine.Model
	Engine Engine
	Conditions
}

// Predict predicts a kernel; unknown counts the instructions without cost data.
func (p *Predictor) Predict(k *isa.Kernel) (f Figure, unknown int) {
	loop := p.graph(k)
	straight := loop
	if k.Loop && len(k.Lines) > 1 {
		s := *k
		s.Lines, s.Loop = k.Lines[:len(k.Lines)-1], false
		straight = p.graph(&s)
	}
	for i := range loop.Bound.Insts {
		if loop.Bound.Insts[i].Flags&machine.Unknown != 0 {
			unknown++
		}
	}
	f = p.Engine(loop, straight, p.Unrolled)
	return f, unknown
}

// graph finds the dependences of a kernel.
func (p *Predictor) graph(k *isa.Kernel) *depgraph.Graph {
	b := p.Model.Bind(k)
	opt := depgraph.Options{NoFlags: p.NoFlags, NoMemory: p.NoMemdep}
	if !p.NoMemdep {
		opt.Memory, _ = memdep.Find(b, memdep.Options{Seed: p.Seed, Alias: p.Alias, Equal: p.EqualRegs})
	}
	return depgraph.Build(b, opt)
}

// Cycles is the figure of the notion asked for.
func (c *Conditions) Cycles(f *Figure) float64 {
	if c.Unrolled {
		return f.Unrolled
	}
	return f.Loop
}

// round takes the noise off a figure: a thousandth of a cycle.
func round(v float64) float64 { return math.Round(v*1000) / 1000 }
