package depgraph

// Copied returns the memory dependences of a loop body that consists of several copies of the kernel; copy c is phase c of the pattern of dependences
// (Graph.Period). With varying, dependences that only some phases have are marked MemoryEdge.Varying.
func (g *Graph) Copied(copies int, varying bool) []MemoryEdge {
	memory, n := g.MemoryEdges(), len(g.Bound.Insts)
	out := make([]MemoryEdge, 0, len(memory)*copies+1)
	for c := range copies {
		for _, e := range memory {
			if e.When != 0 && e.When>>(c%g.Period)&1 == 0 {
				continue
			}
			from, dist := c-int(e.Dist), int32(0)
			for ; from < 0; dist++ {
				from += copies
			}
			e.From, e.To, e.Dist = e.From+int32(from*n), e.To+int32(c*n), dist
			e.When, e.Varying = 0, e.When != 0 && varying
			out = append(out, e)
		}
	}
	return out
}
