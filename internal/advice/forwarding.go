package advice

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
)

// forwarding predicts the loop with successful store-to-load forwarding, for a load whose forwarding fails because its bytes come from several stores or only
// partly from a store. The load then waits for the data of one store, and not for the commit of all. The changed code is not known, only its dependences.
func forwarding(s *search) {
	core, err := sim.Available(s.g.Bound.Model)
	if err != nil {
		return
	}
	latest := map[[2]int]*depgraph.Edge{} // by load and its operand: the store that forwards its data
	var stores, loads []int
	for i := range s.g.Edges {
		e := &s.g.Edges[i]
		if e.Kind != depgraph.Memory || core.Blocked(s.g, e) == 0 {
			continue
		}
		load := [2]int{int(e.To), int(e.In)}
		if o := latest[load]; o == nil || e.Dist < o.Dist || e.Dist == o.Dist && e.From > o.From {
			latest[load] = e
		}
		stores = append(stores, int(e.From))
	}
	if len(latest) == 0 {
		return
	}
	for load := range latest {
		loads = append(loads, load[0])
	}
	stores, loads = distinct(stores), distinct(loads)
	a := Advice{Kind: Forwarding, Insts: slices.Concat(stores, loads), Count: len(stores)}
	d := s.draft()
	same := func(x, y *depgraph.Edge) bool { return x.From == y.From && x.Dist == y.Dist && x.Out == y.Out }
	d.keep = func(e *depgraph.Edge) bool {
		one := latest[[2]int{int(e.To), int(e.In)}]
		return e.Kind != depgraph.Memory || one == nil || same(e, one)
	}
	d.mend = func(e *depgraph.Edge) {
		if e.Kind == depgraph.Memory && latest[[2]int{int(e.To), int(e.In)}] != nil {
			e.Short, e.Remapped = false, false
		}
	}
	if s.try(d, a) {
		s.found[len(s.found)-1].Lines = nil
	}
}

// distinct sorts instructions and drops repetitions.
func distinct(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}
