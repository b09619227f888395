package engine

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// This file simulates a kernel as part of more code: a loop of several copies of it, or one full period of its memory dependences.

// Whole describes the code that runs a kernel, where a prediction must include that code.
type Whole struct {
	// Loop returns the loop that repeats the kernel, and how many copies of the kernel it contains; nil if the loop is not known. The simulation of
	// the loop replaces the kernel's.
	Loop func(g *depgraph.Graph) (loop *depgraph.Graph, copies int)
	// Least returns a lower bound of the kernel's cycles that follows from the rest of the loop.
	Least func(b *machine.Bound) float64
}

// repeat replaces the simulation of the body by that of the whole loop. The bounds of the body stay. The cache limit stays too, because a pointer
// loaded from memory points to the same line in all copies.
func (e *Estimate) repeat(g *depgraph.Graph, l Layout) {
	if l.Whole == nil || e.Result == nil {
		return
	}
	if l.Whole.Least != nil && !l.FreePorts {
		e.Cycles = max(e.Cycles, l.Whole.Least(g.Bound))
	}
	if l.Whole.Loop == nil {
		return
	}
	loop, copies := l.Whole.Loop(g)
	if loop == nil {
		return
	}
	whole := sim.Predict(loop, sim.Options{FreePorts: l.FreePorts, Aligned: l.Aligned, Done: l.Done})
	if whole.Result == nil {
		return
	}
	n := float64(copies)
	e.Cycles = max(max(whole.Result.Cycles, whole.Ports)/n, e.Cache)
	e.Limit = e.limit(whole.Result.Stalls[sim.FrontEnd] / n)
}

// vary replaces the simulation of one iteration by that of one full period of the memory dependences (depgraph.Graph.Period).
func (e *Estimate) vary(g *depgraph.Graph, l Layout) {
	k, times := *g.Bound.Kernel, g.Period
	k.Lines = slices.Repeat(k.Lines, times)
	loop := depgraph.Build(uops.Bind(g.Bound.Model, &k), depgraph.Options{NoFlags: g.NoFlags, EqualRegisters: g.Equal, Memory: g.Copied(times, true), Times: times})
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
