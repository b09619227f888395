package depgraph

// Keep returns the graph with those edges only that keep accepts; the kernel is the same.
func (g *Graph) Keep(keep func(*Edge) bool) *Graph {
	out := &Graph{Bound: g.Bound, ForwardAssumed: g.ForwardAssumed, first: make([]int32, len(g.first)), Edges: make([]Edge, 0, len(g.Edges))}
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
