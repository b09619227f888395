package looptime

import (
	"math"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/fewtrips"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/sim"
	"incore/internal/analyze"
	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/roofline"
)

// mostTrips is the number of iterations per entry up to which entries are simulated: longer loops are near their steady state.
const mostTrips = 100

// restart shortens the time of a loop that is entered again and again for a few iterations: where its slowest chains begin anew with each entry, those of
// several entries overlap (package fewtrips). The share of the last branches that are mispredicted is not known; the time on the source contains them.
func restart(p *roofline.Profile, f *object.File, l *roofline.LoopWork, a *analyze.Analysis, t *roofline.CoreTime) {
	trips, outside := entries(p, f, l)
	if trips < 1 || trips > mostTrips || !begins(a, outside) {
		return
	}
	penalty, _ := sim.Penalty(a.Bound.Model)
	x, err := fewtrips.Predict(a.Graph, int(math.Round(trips)), penalty, nil)
	if err != nil {
		return
	}
	cycles := x.Predicted / math.Round(trips)
	if !(cycles < t.Cycles) {
		return
	}
	t.Cycles = cycles
	for i := range t.Chains {
		c := &t.Chains[i]
		if share := cycles / c.Cycles; share < 1 {
			c.Cycles, c.Loads = cycles, c.Loads*share
		}
	}
}

// entries returns the iterations of an innermost loop per iteration of the loop around it, and the instructions of that loop outside of it; 0 if there
// is none, or the profile does not have it.
func entries(p *roofline.Profile, f *object.File, l *roofline.LoopWork) (trips float64, outside []isa.Line) {
	fn := f.At(l.Addr)
	if fn == nil {
		return 0, nil
	}
	loops := f.Loops(fn)
	in := slices.IndexFunc(loops, func(x *object.Loop) bool { return x.Addr() == l.Addr && x.Innermost })
	if in < 0 || loops[in].Parent < 0 {
		return 0, nil
	}
	around := loops[loops[in].Parent]
	at := slices.IndexFunc(p.Loops, func(w roofline.LoopWork) bool { return w.Module == l.Module && w.Addr == around.Addr() && w.Loop != "" })
	if at < 0 || !(p.Loops[at].Iterations > 0) {
		return 0, nil
	}
	g := fn.Graph()
	for _, b := range around.Blocks {
		if !slices.Contains(loops[in].Blocks, b) {
			outside = append(outside, fn.BlockKernel(g, b).Lines...)
		}
	}
	return l.Iterations / p.Loops[at].Iterations, outside
}

// begins reports whether the chains that limit a loop begin anew with each entry: some instruction outside sets a register of each, without reading it.
func begins(a *analyze.Analysis, outside []isa.Line) bool {
	fresh := written(a.Bound.Kernel.ISA, outside)
	for i := range a.Loop.Chains {
		c := &a.Loop.Chains[i]
		if c.Cycles > a.Loop.Chains[0].Cycles/2 && !breaks(a.Graph, c, a.Bound.Kernel.ISA, fresh) {
			return false
		}
	}
	return len(a.Loop.Chains) > 0
}

// breaks reports whether one of the registers that carry a chain into the next iteration is among those that are set anew.
func breaks(g *depgraph.Graph, c *latency.Chain, set *isa.ISA, fresh []isa.Reg) bool {
	return slices.ContainsFunc(c.Steps, func(s latency.Step) bool {
		e := &g.Edges[s.Edge]
		return e.Kind == depgraph.Register && e.Dist > 0 && slices.ContainsFunc(fresh, func(r isa.Reg) bool { return set.Regs.Overlap(r, e.Reg) })
	})
}

// written returns the registers that some instructions set without reading them.
func written(set *isa.ISA, lines []isa.Line) (out []isa.Reg) {
	var e isa.Effects
	for i := range lines {
		set.Effects(&lines[i].Inst, &e)
		for _, w := range e.Writes {
			if w.Reg != isa.NoReg && !slices.ContainsFunc(e.Reads, func(r isa.Access) bool { return r.Reg != isa.NoReg && set.Regs.Overlap(r.Reg, w.Reg) }) {
				out = append(out, w.Reg)
			}
		}
	}
	return out
}
