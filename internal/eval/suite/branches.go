package suite

import (
	"incore/internal/branches"
	"incore/internal/isa"
)

// warmRuns is the number of runs of the kernel before its branches count, since measurements repeat the kernel.
const warmRuns = 4

// warm is how often the kernel ran before: a program's region ran once.
func (r *run) warm() int {
	if r.visits != nil {
		return 0
	}
	return warmRuns
}

// mispredictions returns the number of mispredicted conditional branches of a run, by a predictor trained on earlier runs.
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
