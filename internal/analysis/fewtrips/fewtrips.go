// Package fewtrips predicts loops that are entered again and again, for a few iterations each.
//
// The steady state of a loop is not what a loop of twelve iterations takes. Where the branch predictor knows the number of iterations, as it does of a constant one up to
// some length, the core runs on into the next entry: chains begin anew with each entry, so that those of several entries overlap, and a loop that a chain limits is faster
// than its steady state. Where the number varies, the last branch is mispredicted: what lies behind it is fetched only when the branch has been executed, and the
// pipeline fills again. Both are simulated as executed code (sim.Streamer): entries of the loop one after another, whose registers do not depend on the entries before,
// with nothing between them.
// Dependences through memory that only some iterations have are left out.
package fewtrips

import (
	"errors"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Times are cycles from one entry of a loop to the next.
type Times struct {
	Predicted float64 // the branch predictor knows the last iteration
	Missed    float64 // it does not; 0 if the loop ends in no conditional branch
}

// The simulated instructions. At least one entry fills the core, and then at least leastEntries are measured.
const (
	longest      = 4000 // of an entry; what more iterations take follows from shorter entries
	ahead        = 3000 // of the entries that fill the core
	measured     = 6000 // of the measured entries
	leastEntries = 6
)

// ErrNoIterations is the error for less than one iteration.
var ErrNoIterations = errors.New("a loop has at least one iteration")

// Predict returns the times of entries of some iterations each. penalty is the number of cycles from the execution of a mispredicted branch to the dispatch of what
// follows it. If done is not nil, closing it ends the simulation with sim.ErrStopped.
func Predict(g *depgraph.Graph, iterations, penalty int, done <-chan struct{}) (t Times, err error) {
	n := len(g.Bound.Insts)
	if iterations < 1 || n == 0 {
		return t, ErrNoIterations
	}
	l := lay(g)
	s, err := sim.NewStreamer(g.Bound.Model, penalty, sim.Free{FrontEnd: l.sizeless})
	if err != nil {
		return t, err
	}
	s.Done = done
	most := max(2, longest/n)
	few := min(iterations, most)
	if t, err = l.times(s, few); err != nil || few == iterations {
		return t, err
	}
	half, err := l.times(s, few/2)
	if err != nil {
		return t, err
	}
	more := float64(iterations-few) / float64(few-few/2)
	t.Predicted += more * (t.Predicted - half.Predicted)
	if t.Missed > 0 {
		t.Missed += more * (t.Missed - half.Missed)
	}
	return t, nil
}

// loop is a loop body, laid out in memory.
type loop struct {
	*depgraph.Graph
	insts    []machine.Inst
	sizeless bool // the sizes of some instructions are not known
	latch    int  // the conditional branch that ends it; -1: there is none
	runs     depgraph.Runs
}

// lay gives the instructions addresses, if they have none.
func lay(g *depgraph.Graph) *loop {
	b := g.Bound
	l := &loop{Graph: g, insts: slices.Clone(b.Insts), latch: -1}
	lines := make([]isa.Line, len(l.insts))
	moved := uint64(frontend.Start(b))
	addr := 1<<20 + moved
	for i := range l.insts {
		lines[i] = *l.insts[i].Line
		if !b.Kernel.Placed() {
			lines[i].Addr = addr
		} else {
			lines[i].Addr += moved
		}
		addr += uint64(lines[i].Inst.Size)
		l.sizeless = l.sizeless || lines[i].Inst.Size == 0
		l.insts[i].Line = &lines[i]
	}
	if last := len(l.insts) - 1; b.Kernel.ISA.Flow(&lines[last].Inst).Kind == isa.FlowCond {
		l.latch = last
	}
	return l
}

// times simulates entries of some iterations.
func (l *loop) times(s *sim.Streamer, iterations int) (t Times, err error) {
	n := len(l.insts) * iterations
	before, count := 1+ahead/n, max(leastEntries, measured/n)
	entries := before + count + 1 // one more keeps the core busy
	region := sim.Region{From: before * n, To: (before + count) * n, Groups: 1}
	b := &machine.Bound{Kernel: &isa.Kernel{ISA: l.Bound.Kernel.ISA, Loop: true, Lines: make([]isa.Line, 1)}, Model: l.Bound.Model}
	wrong := make([]bool, 0, entries*n)
	for range entries {
		for k := range iterations {
			b.Insts = append(b.Insts, l.insts...)
			for i := range l.insts {
				region.Numbers = append(region.Numbers, int32(i))
				wrong = append(wrong, i == l.latch && k == iterations-1)
			}
		}
	}
	region.Graph = l.runs.Entries(b, region.Numbers, l.memory(entries, iterations), n)
	cycles := func() (float64, error) {
		a, err := s.Run(&region)
		if err != nil {
			return 0, err
		}
		return a.Cycles / float64(count), nil
	}
	if t.Predicted, err = cycles(); err != nil || l.latch < 0 {
		return t, err
	}
	region.Wrong = wrong
	t.Missed, err = cycles()
	return t, err
}

// memory lists the dependences through memory of all iterations, within their entries, in the order of the loads.
func (l *loop) memory(entries, iterations int) (out []depgraph.Executed) {
	n := int32(len(l.insts))
	var edges []depgraph.Edge
	for i := range l.Edges {
		if l.Edges[i].Kind == depgraph.Memory {
			edges = append(edges, l.Edges[i]) // sorted by To
		}
	}
	for e := range int32(entries) {
		for k := range int32(iterations) {
			at := (e*int32(iterations) + k) * n
			for i := range edges {
				x := &edges[i]
				if x.Dist > k {
					continue
				}
				d := depgraph.Executed{From: at - x.Dist*n + x.From, To: at + x.To, Offset: x.Offset, Short: x.Short, Several: x.Remapped,
					FromMem: x.Out - int16(len(l.insts[x.From].Effects.Writes)), ToMem: x.In - int16(len(l.insts[x.To].Effects.Reads)),
					Stores: x.Dist, Loads: x.Dist}
				if x.From >= x.To {
					d.Stores--
				}
				if x.To <= x.From {
					d.Loads--
				}
				d.Stores, d.Loads = max(0, d.Stores), max(0, d.Loads)
				out = append(out, d)
			}
		}
	}
	return out
}
