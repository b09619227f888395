package memdep

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/machine"
)

// Find returns the dependences of loads on stores that Analyze calls certain, for depgraph. It executes the
// kernel only where that can tell more than its address expressions do (depgraph.Addresses), which
// is some ten times quicker; r is nil where it did not.
//
// Where the integer semantics do not follow an address that the expressions show to be another one's, as of two accesses by a
// pointer from a vector register, it is the expressions' dependence that counts.
func Find(b *machine.Bound, o Options) (edges []depgraph.MemoryEdge, r *Result) {
	same, complete := depgraph.Addresses(b, o.Equal)
	if b.Kernel.ISA.Semantics == nil {
		return same, nil
	}
	if complete && !o.Equal && o.Word == 0 && len(o.Alias) == 0 && (o.NoEntry || len(b.Kernel.Entry) == 0) {
		if len(same) == 0 {
			return []depgraph.MemoryEdge{}, nil
		}
		return within(same, iterations(b, &o)), nil
	}
	if r = Analyze(b, o); r.Period > 1 {
		return r.phased(), r
	}
	if o.Equal { // expressions do not see that a store changes a pointer in memory
		return r.Memory(), r
	}
	return r.union(same), r
}

// phased are the dependences in a pattern: those that hold in each iteration of it, and the others with those in which they do.
func (r *Result) phased() []depgraph.MemoryEdge {
	out := slices.DeleteFunc(r.Memory(), func(e depgraph.MemoryEdge) bool {
		return slices.ContainsFunc(r.Phases, func(p depgraph.MemoryEdge) bool { p.When, p.Remapped = 0, e.Remapped; return p == e })
	})
	return append(out, r.Phases...)
}

// within keeps the dependences of less than n iterations, those that Analyze sees in executing n of them.
func within(edges []depgraph.MemoryEdge, n int) []depgraph.MemoryEdge {
	out := edges[:0]
	for _, e := range edges {
		if int(e.Dist) < n {
			out = append(out, e)
		}
	}
	return out
}

// union returns the certain dependences and those of same into loads that have none.
func (r *Result) union(same []depgraph.MemoryEdge) []depgraph.MemoryEdge {
	out := r.Memory()
	n := len(out)
	for _, e := range within(same, max(r.horizon, 1)) {
		has := false
		for _, f := range out[:n] {
			has = has || f.To == e.To && f.ToMem == e.ToMem
		}
		if !has {
			out = append(out, e)
		}
	}
	if len(out) > n {
		slices.SortStableFunc(out, func(a, b depgraph.MemoryEdge) int { return int(a.To - b.To) })
	}
	return out
}
