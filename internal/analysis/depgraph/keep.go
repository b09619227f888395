package depgraph

// Keep returns the graph of the same kernel with only the edges that keep accepts.
func (g *Graph) Keep(keep func(*Edge) bool) *Graph {
	kept := *g
	out := &kept
	out.first, out.Edges = make([]int32, len(g.first)), make([]Edge, 0, len(g.Edges))
	for i := range g.Bound.Insts {
		out.first[i] = int32(len(out.Edges))
		edges, _ := g.Into(i)
		for k := range edges {
			if keep(&edges[k]) {
				out.Edges = append(out.Edges, edges[k])
			}
		}
	}
	out.first[len(g.first)-1] = int32(len(out.Edges))
	return out
}

// MemoryEdge returns an edge of kind Memory in the form of Options.Memory.
func (g *Graph) MemoryEdge(e *Edge) MemoryEdge {
	from, to := &g.Bound.Insts[e.From].Effects, &g.Bound.Insts[e.To].Effects
	return MemoryEdge{From: e.From, To: e.To, FromMem: e.Out - int16(len(from.Writes)), ToMem: e.In - int16(len(to.Reads)), Dist: e.Dist,
		Remapped: e.Remapped, Varying: e.Varying, Placed: e.Placed, Offset: e.Offset}
}

// MemoryEdges returns the graph's memory dependences in the form of Options.Memory, with those that only some iterations have (Options.Period); never
// nil.
func (g *Graph) MemoryEdges() []MemoryEdge {
	out := []MemoryEdge{}
	for i := range g.Edges {
		if e := &g.Edges[i]; e.Kind == Memory {
			out = append(out, g.MemoryEdge(e))
		}
	}
	return append(out, g.Phases...)
}
