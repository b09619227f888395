package engine

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/machine"
)

// This file simulates a kernel as a part of something larger: a loop of several copies of it, or as many iterations as it takes until its dependences through memory
// come again.

// Whole is what runs a kernel, of which the kernel's cycles are a part.
type Whole struct {
	// Loop makes the loop that repeats the kernel so many times, nil if that is not known. Its simulation stands for the kernel's.
	Loop func(g *depgraph.Graph) (loop *depgraph.Graph, copies int)
	// Least bounds the kernel's cycles by what the loop needs besides.
	Least func(b *machine.Bound) float64
}

// repeat puts the simulation of the whole in place of that of the body alone. What the bounds say of the body stays: so does what
// the cache allows, as what a pointer from memory points to is one line in all copies.
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

// vary puts the simulation of so many iterations as it takes until the dependences through memory come again (depgraph.Graph.Period) in place of that of one.
func (e *Estimate) vary(g *depgraph.Graph, l Layout) {
	k, times := *g.Bound.Kernel, g.Period
	k.Lines = slices.Repeat(k.Lines, times)
	loop := depgraph.Build(g.Bound.Model.Bind(&k), depgraph.Options{NoFlags: g.NoFlags, EqualRegisters: g.Equal, Memory: g.Copied(times, true), Times: times})
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
