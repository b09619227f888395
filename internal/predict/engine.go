// Package predict predicts whole corpora: it reads a block of code a line, as machine code or
// assembly, and writes a row of cycles for each, in the order of the input, on all cores.
package predict

import (
	"fmt"
	"math"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/memdep"
	"incore/internal/harness"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Figure is what an engine says of a block.
type Figure struct {
	Loop     float64 // cycles per iteration as a loop body, or repeated in a loop
	Unrolled float64 // laid out without a branch
	Bound    string  // what limits the figure asked for: package engine lists it
	Engine   string  // "bounds", "simulator"
}

// Conditions are what blocks are assumed to run under.
type Conditions struct {
	Unrolled  bool // the figure asked for is that of the block laid out unrolled, not as a loop
	EqualRegs bool // all registers hold one value, so that different bases are one address
	Aligned   bool // registers hold multiples of the cache line's size, which equal ones do as far as it matters
	NoFlags   bool // leave out dependences through condition flags
	NoMemdep  bool // leave out dependences through memory
	Seed      uint64
	Alias     []memdep.Alias // what is known of registers at the block's start
	// Measured says that a measurement ran the block: registers are aligned, and straight code was repeated in a loop of the harness, of which Net and
	// Pages tell (harness.Harness).
	Measured, Net bool
	Pages         int
	// Profiler says that BHive's profiler measured the block: what it reads beside the block's cycles is part of the figure (reading).
	Profiler bool
	// Start is what registers and every word of memory hold when a block begins, over so many pages, nil where that is not known; the word is 0 if it isn't.
	Start func(k *isa.Kernel, pages int) (registers []memdep.Alias, word uint64)
}

// The names of how blocks were laid out to be measured, and of what registers held.
var (
	Notions   = []string{"loop", "net", "unrolled", "bhive"}
	Registers = []string{"distinct", "same", "measured"}
)

// Measure sets the conditions of a measurement: one of Notions, one of Registers, and the number of physical pages behind all addresses.
func (c *Conditions) Measure(notion, registers string, pages int) error {
	switch notion {
	case "loop", "net", "unrolled", "bhive":
		c.Profiler = notion == "bhive"
		c.Unrolled, c.Net = c.Profiler || notion == "unrolled", notion == "net"
	default:
		return fmt.Errorf("notion %s: loop, net, unrolled or bhive is needed", notion)
	}
	switch registers {
	case "distinct", "same", "measured":
		c.EqualRegs = registers == "same"
	default:
		return fmt.Errorf("regs %s: distinct, same or measured is needed", registers)
	}
	if pages < 1 {
		return fmt.Errorf("pages %d: a number above 0 is needed", pages)
	}
	c.Measured, c.Pages = true, pages
	return nil
}

// Predictor predicts blocks on one machine.
type Predictor struct {
	Model  *machine.Model
	Engine engine.Choice
	Conditions
}

// Predict predicts a kernel in both layouts.
func (p *Predictor) Predict(k *isa.Kernel) (f Figure, b *machine.Bound) {
	loop := p.graph(k)
	straight := p.straight(loop)
	looped, laid := p.looped(loop.Bound), p.laid(loop.Bound)
	c := p.Engine
	var l, u engine.Estimate
	switch {
	case straight != loop:
		l, u = c.Estimate(loop, looped), c.Estimate(straight, laid)
	case p.Unrolled: // the figure asked for comes first
		u, l = c.Both(loop, laid, looped)
	default:
		l, u = c.Both(loop, looped, laid)
	}
	p.read(straight.Bound.Kernel, &u)
	f = Figure{Loop: l.Cycles, Unrolled: u.Cycles, Engine: l.Engine, Bound: l.Limit}
	if p.Unrolled {
		f.Engine, f.Bound = u.Engine, u.Limit
	}
	return f, loop.Bound
}

// Estimate predicts a kernel in the layout asked for alone.
func (p *Predictor) Estimate(k *isa.Kernel) (*depgraph.Graph, engine.Estimate) {
	g := p.graph(k)
	if p.Unrolled {
		s := p.straight(g)
		e := p.Engine.Estimate(s, p.laid(g.Bound))
		p.read(s.Bound.Kernel, &e)
		return g, e
	}
	return g, p.Engine.Estimate(g, p.looped(g.Bound))
}

// looped is the layout of a kernel in a loop: its own, or that of the harness.
func (p *Predictor) looped(b *machine.Bound) engine.Layout {
	if p.Measured && !p.Unrolled {
		return harness.Harness{Net: p.Net, Pages: p.Pages}.Layout(b)
	}
	l := engine.Looped(b)
	l.Aligned = p.aligned()
	return l
}

// laid is the layout of a kernel without branches: as it is, or as the harness has it.
func (p *Predictor) laid(b *machine.Bound) engine.Layout {
	if p.Measured && p.Unrolled {
		return harness.Harness{Unrolled: true}.Layout(b)
	}
	return engine.Layout{Unrolled: true, Aligned: p.aligned()}
}

// straight is the graph of a kernel without the branch that closes it; of one without, the same.
func (p *Predictor) straight(g *depgraph.Graph) *depgraph.Graph {
	s := g.Bound.Kernel.Straight()
	if s == g.Bound.Kernel {
		return g
	}
	return p.graph(s)
}

// graph finds the dependences of a kernel.
func (p *Predictor) graph(k *isa.Kernel) *depgraph.Graph {
	b := p.Model.Bind(k)
	opt := depgraph.Options{NoFlags: p.NoFlags, NoMemory: p.NoMemdep, EqualRegisters: p.EqualRegs}
	if !p.NoMemdep {
		o := memdep.Options{Seed: p.Seed, Alias: p.Alias, Equal: p.EqualRegs}
		if p.Start != nil {
			var registers []memdep.Alias
			registers, o.Word = p.Start(k, p.Pages)
			o.Alias = append(registers, o.Alias...)
		}
		var found *memdep.Result
		if opt.Memory, found = memdep.Find(b, o); found != nil {
			opt.Period, opt.Places = found.Period, found.Places
		}
	}
	return depgraph.Build(b, opt)
}

// aligned reports whether the places of accesses in a line of the cache follow from their displacements.
func (c *Conditions) aligned() bool { return c.Aligned || c.EqualRegs || c.Measured }

// Cycles is the figure asked for.
func (c *Conditions) Cycles(f *Figure) float64 {
	if c.Unrolled {
		return f.Unrolled
	}
	return f.Loop
}

// Round takes the noise off a figure: a thousandth of a cycle.
func Round(v float64) float64 { return math.Round(v*1000) / 1000 }
