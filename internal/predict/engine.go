// Package predict predicts whole corpora: it reads a block of code a line, as machine code or
// assembly, and writes a row of cycles for each, in the order of the input, on all cores.
package predict

import (
	"math"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/memdep"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Figure is what an engine says of a block.
type Figure struct {
	Loop     float64 // cycles per iteration as a loop body
	Unrolled float64 // laid out without a branch
	Bound    string  // what limits the figure asked for: package engine lists it
	Engine   string  // "bounds", "simulator"
}

// figure predicts a block. The graph of straight is that of the block without the branch that
// closes it, the same as loop where there is none.
func (p *Predictor) figure(loop, straight *depgraph.Graph) Figure {
	c := p.Engine
	var l, u engine.Estimate
	looped, laid := engine.Looped(loop.Bound), engine.Layout{Unrolled: true, Aligned: p.aligned()}
	looped.Aligned = p.aligned()
	switch {
	case straight != loop:
		l, u = c.Estimate(loop, looped), c.Estimate(straight, laid)
	case p.Unrolled: // the figure asked for comes first
		u, l = c.Both(loop, laid, looped)
	default:
		l, u = c.Both(loop, looped, laid)
	}
	f := Figure{Loop: l.Cycles, Unrolled: u.Cycles, Engine: l.Engine, Bound: l.Limit}
	if p.Unrolled {
		f.Engine, f.Bound = u.Engine, u.Limit
	}
	return f
}

// Conditions are what blocks are assumed to be measured under.
type Conditions struct {
	Unrolled  bool // cycles is the figure of the block laid out unrolled, not as a loop
	EqualRegs bool // all registers hold one value, so that different bases are one address
	Aligned   bool // registers hold multiples of the cache line's size, which equal ones do as far as it matters
	NoFlags   bool // leave out dependences through condition flags
	NoMemdep  bool // leave out dependences through memory
	Seed      uint64
	Alias     []memdep.Alias // what is known of registers at the block's start
}

// Predictor predicts blocks on one machine.
type Predictor struct {
	Model  *machine.Model
	Engine engine.Choice
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
	return p.figure(loop, straight), unknown
}

// graph finds the dependences of a kernel.
func (p *Predictor) graph(k *isa.Kernel) *depgraph.Graph {
	b := p.Model.Bind(k)
	opt := depgraph.Options{NoFlags: p.NoFlags, NoMemory: p.NoMemdep, EqualRegisters: p.EqualRegs}
	if !p.NoMemdep {
		opt.Memory, _ = memdep.Find(b, memdep.Options{Seed: p.Seed, Alias: p.Alias, Equal: p.EqualRegs})
	}
	return depgraph.Build(b, opt)
}

// aligned reports whether the places of accesses in a line of the cache follow from their displacements.
func (c *Conditions) aligned() bool { return c.Aligned || c.EqualRegs }

// Cycles is the figure of the notion asked for.
func (c *Conditions) Cycles(f *Figure) float64 {
	if c.Unrolled {
		return f.Unrolled
	}
	return f.Loop
}

// round takes the noise off a figure: a thousandth of a cycle.
func round(v float64) float64 { return math.Round(v*1000) / 1000 }
