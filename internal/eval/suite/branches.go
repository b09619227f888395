package suite

import (
	"incore/internal/branches"
	"incore/internal/isa"
)

// warmRuns is how often the kernel ran before its branches count: measurements run it again and again.
const warmRuns = 4

// warm is how often the kernel ran before: a program's region ran once.
func (r *run) warm() int {
	if r.visits != nil {
		return 0
	}
	return warmRuns
}

// mispredictions is how many conditional branches of a run a predictor that has seen the run before does not foresee.
func (r *run) mispredictions() (missed, all uint64) {
	t := &branches.Predictor{}
	seq := r.trace.Blocks()
	warm := r.warm()
	for pass := range warm + 1 {
		for i := range len(seq) - 1 {
			b := &r.trace.Image.Blocks[seq[i]]
			g := &b.Graph.Blocks[b.Index]
			if g.Flow != isa.FlowCond {
				continue
			}
			next := &r.trace.Image.Blocks[seq[i+1]]
			taken := next.Addr() != g.End
			if !t.Conditional(g.End, taken) && pass == warm {
				missed++
			}
			if pass == warm {
				all++
			}
		}
	}
	return missed, all
}
