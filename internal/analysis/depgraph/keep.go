package depgraph

// Keep returns the graph with those edges only that keep accepts; the kernel is the same.
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

// MemoryEdges lists the graph's dependences through memory, as Options.Memory takes them, with those that come and go (Options.Period); never nil.
func (g *Graph) MemoryEdges() []MemoryEdge {
	out := []MemoryEdge{}
	for i := range g.Edges {
		if e := &g.Edges[i]; e.Kind == Memory {
			out = append(out, MemoryEdge{From: e.From, To: e.To, Dist: e.Dist, Remapped: e.Remapped, Varying: e.Varying,
				FromMem: e.Out - int16(len(g.Bound.Insts[e.From].Effects.Writes)), ToMem: e.In - int16(len(g.Bound.Insts[e.To].Effects.Reads))})
		}
	}
	return append(out, g.Phases...)
}
