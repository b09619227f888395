// Package predict predicts whole corpora, in parallel on all cores: it reads one block of code per line, as machine code or
// assembly, and writes a row of cycles for each block, in the order of the input.
package predict

import (
	"fmt"
	"math"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/harness"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/uops"
	"incore/internal/analysis/whatif"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/object"
)

// Figure is the prediction of an engine for a block. A layout that was not asked for is NaN.
type Figure struct {
	Loop     float64 // cycles per iteration as a loop body, or repeated in a loop
	Unrolled float64 // cycles per iteration unrolled without end, without a branch
	Bound    string  // the bound of the requested figure, one of package engine
	Engine   string  // "bounds", "simulator"
	AtLeast  bool    // the cycles are a lower bound (depgraph.Graph.AtLeast)
}

// Conditions are the assumed conditions of a block's execution.
type Conditions struct {
	Unrolled  bool // the requested figure is that of the unrolled block, not of the loop
	EqualRegs bool // all registers hold the same value, so that different base registers are the same address
	Aligned   bool // registers hold multiples of the cache line's size; EqualRegs has the same effect
	NoFlags   bool // leave out dependences through condition flags
	NoMemdep  bool // leave out dependences through memory
	Path      bool // the code is a path that was executed (memdep.Options.Path)
	Seed      uint64
	Alias     []memdep.Alias // relations of registers at the block's start
	// Measured states that a measurement ran the block: registers are aligned, and a loop of the harness repeated straight code. Net and
	// Pages describe that loop (harness.Harness).
	Measured, Net bool
	Pages         int
	// Profiler states that BHive's profiler measured the block: the figure includes the profiler's systematic error (see read).
	Profiler bool
	// Start returns the values of the registers and of every word of memory at the block's start, given the number of pages; word is 0 if it is not known. nil: no
	// values are known.
	Start func(k *isa.Kernel, pages int) (registers []memdep.Alias, word uint64)
}

// Notions are the names of the layouts of measured blocks, Registers the names of the values in their registers.
var (
	Notions   = []string{"loop", "net", "unrolled", "bhive"}
	Registers = []string{"distinct", "same", "measured", "suited"}
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
	if !slices.Contains(Registers, registers) {
		return fmt.Errorf("regs %s: distinct, same, measured or suited is needed", registers)
	}
	c.EqualRegs = registers == "same"
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
	Both bool // predict the layout that is not requested, too
}

// Predict predicts a kernel in the requested layout, or in both.
func (p *Predictor) Predict(k *isa.Kernel) (f Figure, b *machine.Bound) {
	if p.Both {
		return p.both(k)
	}
	g, e := p.Estimate(k)
	e = p.Lowest(g, e)
	f = Figure{Loop: e.Cycles, Unrolled: math.NaN(), Engine: e.Engine, Bound: e.Limit, AtLeast: g.AtLeast()}
	if p.Unrolled {
		f.Loop, f.Unrolled = math.NaN(), e.Cycles
	}
	return f, g.Bound
}

// both predicts a kernel as a loop and unrolled.
func (p *Predictor) both(k *isa.Kernel) (f Figure, b *machine.Bound) {
	loop := p.graph(k)
	straight := p.straight(loop)
	looped, laid := p.looped(loop.Bound), p.laid(loop.Bound)
	c := p.Engine
	var l, u engine.Estimate
	switch {
	case straight != loop:
		l, u = c.Estimate(loop, looped), c.Estimate(straight, laid)
	case p.Unrolled: // the requested figure is predicted first
		u, l = c.Both(loop, laid, looped)
	default:
		l, u = c.Both(loop, looped, laid)
	}
	l, u = p.lowest(loop, looped, l), p.lowest(straight, laid, u)
	p.read(straight.Bound.Kernel, &u)
	f = Figure{Loop: l.Cycles, Unrolled: u.Cycles, Engine: l.Engine, Bound: l.Limit, AtLeast: loop.AtLeast()}
	if p.Unrolled {
		f.Engine, f.Bound = u.Engine, u.Limit
	}
	return f, loop.Bound
}

// Estimate predicts a kernel in the requested layout only.
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

// Lowest makes an estimate that is a lower bound, as some cost has no upper bound, that with the unknown costs at
// their lower ends: they stand in with more. The graph is Estimate's.
func (p *Predictor) Lowest(g *depgraph.Graph, e engine.Estimate) engine.Estimate {
	if p.Unrolled {
		return p.lowest(p.straight(g), p.laid(g.Bound), e)
	}
	return p.lowest(g, p.looped(g.Bound), e)
}

// lowest is Lowest in a layout.
func (p *Predictor) lowest(g *depgraph.Graph, l engine.Layout, e engine.Estimate) engine.Estimate {
	if g.Bound.Unknown() == 0 || !g.AtLeast() {
		return e
	}
	base := whatif.Base{Graph: g, NoFlags: p.NoFlags, Engine: p.Engine, Layout: l, Now: &e}
	if low, _ := base.Interval(0); low.Cycles < e.Cycles {
		return low
	}
	return e
}

// looped returns the layout of a kernel in a loop: its own loop, or that of the harness.
func (p *Predictor) looped(b *machine.Bound) engine.Layout {
	if p.Measured && !p.Unrolled {
		return harness.Harness{Net: p.Net, Pages: p.Pages}.Layout(b)
	}
	l := engine.Looped(b)
	l.Aligned = p.aligned()
	return l
}

// laid returns the layout of a kernel without branches: unrolled without end, or as the harness lays it out.
func (p *Predictor) laid(b *machine.Bound) engine.Layout {
	if p.Measured && p.Unrolled {
		return harness.Harness{Unrolled: true}.Layout(b)
	}
	return engine.Layout{Unrolled: true, Aligned: p.aligned()}
}

// straight returns the graph of a kernel without its closing branch; for a kernel without one it is the same graph.
func (p *Predictor) straight(g *depgraph.Graph) *depgraph.Graph {
	s := g.Bound.Kernel.Straight()
	if s == g.Bound.Kernel {
		return g
	}
	return p.graph(s)
}

// graph finds the dependences of a kernel.
func (p *Predictor) graph(k *isa.Kernel) *depgraph.Graph {
	if p.Net && k.Loop && !k.Placed() { // 'incore measure' lays out loops of a corpus as those at offset 0
		at := *k
		at.Align, k = object.PlacedBase, &at
	}
	b := uops.Bind(p.Model, k)
	opt := depgraph.Options{NoFlags: p.NoFlags, NoMemory: p.NoMemdep, EqualRegisters: p.EqualRegs}
	if !p.NoMemdep {
		o := memdep.Options{Seed: p.Seed, Alias: p.Alias, Equal: p.EqualRegs, Path: p.Path}
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
	if p.Measured && !p.Unrolled && !k.Loop {
		opt.Copies = engine.Looped(b).Copies
	}
	return depgraph.Build(b, opt)
}

// aligned reports whether the displacement of an access determines its offset in a cache line.
func (c *Conditions) aligned() bool { return c.Aligned || c.EqualRegs || c.Measured }

// Cycles returns the requested figure.
func (c *Conditions) Cycles(f *Figure) float64 {
	if c.Unrolled {
		return f.Unrolled
	}
	return f.Loop
}

// Round rounds a figure to a thousandth of a cycle, which removes rounding noise.
func Round(v float64) float64 { return math.Round(v*1000) / 1000 }
