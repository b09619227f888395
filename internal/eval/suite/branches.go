package suite

import (
	"incore/internal/isa"
	"incore/internal/program/branches"
)

// A measurement runs a kernel hundreds of times before the runs that count, so that a predictor has learned what can be learned of its branches. Training ends when
// it gains nothing more, or after as many runs or branches as measurements have.
const (
	trainRuns     = 400
	trainBranches = 6 << 20
	trainPatience = 6   // runs without a new least number of mispredictions
	trainGain     = .99 // of the least number of mispredictions, from which on a number is a new least one
)

// train repeats a run, which returns its branches and the mispredicted ones, until the predictor has learned it.
func train(run func() (missed, all uint64)) {
	least, waited, seen := ^uint64(0), 0, uint64(0)
	for pass := 0; pass < trainRuns && seen < trainBranches && waited < trainPatience; pass++ {
		missed, all := run()
		seen += all
		if waited++; float64(missed) < trainGain*float64(least) {
			least, waited = missed, 0
		}
		if missed == 0 {
			return
		}
	}
}

// mispredictions returns the number of mispredicted conditional branches of a run, by a predictor trained on earlier runs; a program's region ran once.
func (r *run) mispredictions() (missed, all uint64) {
	t := &branches.Predictor{}
	seq := r.trace.Blocks()
	once := func() (missed, all uint64) {
		for i := range len(seq) - 1 {
			b := &r.trace.Image.Blocks[seq[i]]
			g := &b.Graph.Blocks[b.Index]
			if g.Flow != isa.FlowCond {
				continue
			}
			next := &r.trace.Image.Blocks[seq[i+1]]
			if all++; !t.Conditional(g.End, next.Addr() != g.End) {
				missed++
			}
		}
		return missed, all
	}
	if r.visits == nil {
		train(once)
	}
	return once()
}
