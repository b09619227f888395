package engine

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Repetition is how straight code is repeated in a loop.
type Repetition uint8

// The repetitions.
const (
	Whole   Repetition = iota // as one body, of which all copies are alike: no measurement
	Bare                      // as copies apart from each other, in a loop that costs nothing
	Counted                   // as such copies, behind which the loop counts down in memory (isa.ISA.Counted) as it does in measurements
)

// Harness says how code was measured.
type Harness struct {
	Unrolled bool // laid out again and again, without a loop
	Net      bool // what the loop takes in which straight code was repeated is no part of the figure
	Pages    int  // physical pages behind all addresses; 0 = 1, as in BHive
}

// Measured is the layout in which a harness runs a kernel: a loop in place, straight code repeated in a loop to about 100 instructions. Registers start as
// multiples of the cache line's size.
func Measured(b *machine.Bound, h Harness) Layout {
	if h.Unrolled {
		return Layout{Unrolled: true, Aligned: true, Walks: true}
	}
	l := Looped(b)
	l.Aligned = true
	if l.Copies > 0 {
		l.OnePage, l.Repeated = h.Pages < 2, Counted
		if h.Net {
			l.Repeated = Bare
		}
	}
	return l
}

// repeat puts the simulation of straight code as it is repeated in place of that of the body alone. What the bounds say of the body stays: so does what
// the cache allows, as what a pointer from memory points to is one line in all copies. Models whose curves of what the front end delivers were
// measured on such loops have in them what closes these, and keep the figure of the body, but for the store of the counter.
func (e *Estimate) repeat(g *depgraph.Graph, l Layout) {
	if l.Repeated == Whole || e.Result == nil {
		return
	}
	if len(g.Bound.Model.Core().FetchDensity) > 0 {
		if l.Repeated == Counted && !l.FreePorts {
			e.Cycles = max(e.Cycles, counted(g.Bound, l.Copies))
		}
		return
	}
	loop, copies := repeated(g, l.Repeated)
	if loop == nil {
		return
	}
	whole := sim.Predict(loop, sim.Options{FreePorts: l.FreePorts, Aligned: l.Aligned})
	if whole.Result == nil {
		return
	}
	n := float64(copies)
	e.Cycles = max(max(whole.Result.Cycles, whole.Ports)/n, e.Cache)
	e.Limit = e.limit(whole.Result.Stalls[sim.FrontEnd] / n)
}

// counted bounds the cycles of a body by the ports that so many copies of it and the store of the counter behind them need. Of the subtraction and the jump, and of the load, which memory
// renaming serves, zen5-blocks show nothing (two operations of any of six ALUs take 0.333 cycles, for 51 copies of them and two more operations 0.34).
func counted(b *machine.Bound, copies int) float64 {
	k := &isa.Kernel{ISA: b.Kernel.ISA, Syntax: b.Kernel.Syntax, Loop: true}
	if copies == 0 || !count(k) {
		return 0
	}
	all := machine.Bound{Model: b.Model, Kernel: b.Kernel, Insts: slices.Clone(b.Insts)}
	for _, in := range b.Model.Bind(k).Insts {
		in.Uops = slices.DeleteFunc(slices.Clone(in.Uops), func(u machine.Uop) bool {
			return u.Kind != machine.UopStoreAddr && u.Kind != machine.UopStoreData && !u.Resource
		})
		for i := range in.Uops {
			in.Uops[i].Cycles /= float64(copies) // its share of each
		}
		all.Insts = append(all.Insts, in)
	}
	ports, _ := throughput.Quick(&all)
	return ports
}

// repeated is a loop of copies of straight code, and how many these are. It is nil where it is not known what closes such a loop.
func repeated(g *depgraph.Graph, how Repetition) (loop *depgraph.Graph, copies int) {
	k := g.Bound.Kernel
	n := len(k.Lines)
	if n == 0 || how == Counted && len(k.ISA.Counted) == 0 {
		return nil, 0
	}
	copies = max(1, loopInsts/n)
	varying := g.Period > 1 && copies%g.Period != 0 // from one pass to the next, which copy reads what which stored
	if g.Period > 1 {
		copies += (g.Period - copies%g.Period) % g.Period
	}
	all := &isa.Kernel{ISA: k.ISA, Syntax: k.Syntax, Loop: true, Lines: make([]isa.Line, 0, n*copies+len(k.ISA.Counted))}
	for range copies {
		all.Lines = append(all.Lines, k.Lines...)
	}
	for i := range all.Lines {
		all.Lines[i].Addr = 0 // the copies lie elsewhere
	}
	opt := depgraph.Options{NoFlags: g.NoFlags, EqualRegisters: g.Equal, Memory: copied(g, copies, varying)}
	if how == Counted {
		if !count(all) {
			return nil, 0
		}
		counter := int32(n * copies)
		opt.Memory = append(opt.Memory, depgraph.MemoryEdge{From: counter, To: counter, Dist: 1})
	}
	return depgraph.Build(g.Bound.Model.Bind(all), opt), copies
}

// copied are the dependences through memory of a kernel, in copies of it in one body, of which each has its turn in a pattern of dependences (depgraph.Graph.Period);
// varying: whether a copy's do not stay the same.
func copied(g *depgraph.Graph, copies int, varying bool) []depgraph.MemoryEdge {
	memory, n := g.MemoryEdges(), len(g.Bound.Insts)
	out := make([]depgraph.MemoryEdge, 0, len(memory)*copies+1)
	for c := range copies {
		for _, e := range memory {
			if e.When != 0 && e.When>>(c%g.Period)&1 == 0 {
				continue
			}
			from, dist := c-int(e.Dist), int32(0)
			for ; from < 0; dist++ {
				from += copies
			}
			e.From, e.To, e.Dist = e.From+int32(from*n), e.To+int32(c*n), dist
			e.When, e.Varying = 0, e.When != 0 && varying
			out = append(out, e)
		}
	}
	return out
}

// vary puts the simulation of so many iterations as it takes until the dependences through memory come again (depgraph.Graph.Period) in place of that of one.
func (e *Estimate) vary(g *depgraph.Graph, l Layout) {
	k, times := *g.Bound.Kernel, g.Period
	k.Lines = slices.Repeat(k.Lines, times)
	loop := depgraph.Build(g.Bound.Model.Bind(&k), depgraph.Options{NoFlags: g.NoFlags, EqualRegisters: g.Equal, Memory: copied(g, times, true), Times: times})
	opt := l.options()
	opt.Times = times
	p := sim.Predict(loop, opt)
	if p.Result == nil {
		return
	}
	n, r := float64(times), *p.Result
	r.Cycles, r.PortUse = r.Cycles/n, slices.Clone(r.PortUse)
	for i := range r.PortUse {
		r.PortUse[i] /= n
	}
	for i := range r.Stalls {
		r.Stalls[i] /= n
	}
	e.Result, e.Chain = &r, p.Chain/n
	e.Cycles = max(p.Cycles/n, e.Branch, e.Cache)
	e.Limit = e.limit(r.Stalls[sim.FrontEnd])
}

// count appends what counts a loop; false if it cannot be written.
func count(k *isa.Kernel) bool {
	for _, s := range k.ISA.Counted {
		insts, err := k.ISA.Parse(nil, s, k.ISA.Syntaxes[0])
		if err != nil || len(insts) != 1 {
			return false
		}
		if code, err := k.ISA.Encode(nil, &insts[0], 0); err == nil {
			insts[0].Size = uint8(len(code))
		}
		k.Lines = append(k.Lines, isa.Line{Inst: insts[0], Text: s})
	}
	return true
}
