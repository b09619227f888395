package memdep

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/machine"
)

// Find returns the dependences of loads on stores that Analyze calls certain, for depgraph. It executes the kernel only if that can find more than
// its address expressions do (depgraph.Addresses), which are about ten times faster; else r is nil.
//
// Where the integer semantics do not follow an address, but the expressions show that it equals another one (two accesses through a pointer from a
// vector register), the expressions' dependence counts.
func Find(b *machine.Bound, o Options) (edges []depgraph.MemoryEdge, r *Result) {
	edges, r = find(b, o)
	if o.Path {
		var places []depgraph.Place
		if edges, places = atExits(b, o, edges); len(places) > 0 {
			if r == nil {
				r = &Result{}
			}
			r.Places = places
		}
	}
	return edges, r
}

func find(b *machine.Bound, o Options) (edges []depgraph.MemoryEdge, r *Result) {
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
	if o.Equal { // expressions miss stores that change a pointer in memory
		return r.Memory(), r
	}
	return r.union(same), r
}

// phased returns the dependences of a periodic pattern: those of every iteration, and the others with the iterations in which they hold.
func (r *Result) phased() []depgraph.MemoryEdge {
	out := slices.DeleteFunc(r.Memory(), func(e depgraph.MemoryEdge) bool {
		return slices.ContainsFunc(r.Phases, func(p depgraph.MemoryEdge) bool { return p.Joins(&e) })
	})
	return append(out, r.Phases...)
}

// within keeps the dependences over less than n iterations, as Analyze sees when it executes n of them.
func within(edges []depgraph.MemoryEdge, n int) []depgraph.MemoryEdge {
	out := edges[:0]
	for _, e := range edges {
		if int(e.Dist) < n {
			out = append(out, e)
		}
	}
	return out
}

// union returns the certain dependences, and those of same into loads without a certain one.
func (r *Result) union(same []depgraph.MemoryEdge) []depgraph.MemoryEdge {
	return add(r.Memory(), within(same, max(r.horizon, 1)))
}

// add adds the dependences of more into loads that have none.
func add(out, more []depgraph.MemoryEdge) []depgraph.MemoryEdge {
	n := len(out)
	for _, e := range more {
		if !slices.ContainsFunc(out[:n], func(f depgraph.MemoryEdge) bool { return f.To == e.To && f.ToMem == e.ToMem }) {
			out = append(out, e)
		}
	}
	if len(out) > n {
		slices.SortStableFunc(out, func(a, b depgraph.MemoryEdge) int { return int(a.To - b.To) })
	}
	return out
}
