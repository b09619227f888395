package latency

import "incore/internal/analysis/depgraph"

// Path is the critical path of one iteration.
type Path struct {
	// Cycles is the length of the longest chain of dependences within one iteration:
	// an upper bound of an iteration's time if only latency counts. Low and High
	// differ from it if latencies are not known.
	Cycles, Low, High float64
	Steps             []Step
}

// CriticalPath finds the longest path through one iteration, at the granularity of
// instructions (PMBS'19): it enters an instruction by any of its operands and leaves it by any
// of its results. If the result depends on the operand, crossing costs the latency between the two;
// if not (a stored value, the written-back base register), it costs the
// instruction's own latency, because an instruction is one vertex in this analysis.
// The first and the last instruction count with their own latencies.
func CriticalPath(g *depgraph.Graph) *Path {
	p := critical(newCosts(g, stated), true)
	p.Low, p.High = p.Cycles, p.Cycles
	if anyUnknown(g.Bound) {
		p.Low = critical(newCosts(g, lowest), false).Cycles
		p.High = critical(newCosts(g, highest), false).Cycles
	}
	return p
}

// arrival is the latest time of an output, and the edge by which the path to it enters the instruction.
type arrival struct {
	time float64
	edge int32
}

// critical runs over the kernel in program order, which is a topological order of the
// edges of distance 0.
func critical(c costs, steps bool) *Path {
	g := c.g
	off := outputs(nil, g.Bound)
	at := make([]arrival, off[len(off)-1])
	p := &Path{}
	last, lastEdge := -1, int32(-1)
	for i := range g.Bound.Insts {
		out := at[off[i]:off[i+1]]
		for o := range out {
			out[o] = arrival{c.start(i, o), -1}
		}
		if end := c.whole(i, -1); end > p.Cycles {
			p.Cycles, last, lastEdge = end, i, -1
		}
		edges, first := g.Into(i)
		for k := range edges {
			e := &edges[k]
			if e.Dist != 0 {
				continue
			}
			t := at[off[e.From]+int32(e.Out)].time + e.Latency
			if end := t + c.end(i, int(e.In)); end > p.Cycles {
				p.Cycles, last, lastEdge = end, i, int32(first+k)
			}
			for o := range out {
				if end := t + c.vertex(i, int(e.In), o); end > out[o].time {
					out[o] = arrival{end, int32(first + k)}
				}
			}
		}
	}
	if steps && last >= 0 {
		p.Steps = trace(c, at, off, last, lastEdge)
	}
	return p
}

// vertex is the cost of crossing an instruction, also if the output does not depend on the input.
func (c costs) vertex(i, in, out int) float64 {
	if cycles, ok := c.cross(i, in, out); ok {
		return cycles
	}
	return c.whole(i, in)
}

// start is the cost of beginning a path with an instruction and leaving by an output.
func (c costs) start(i, out int) float64 {
	in := &c.g.Bound.Insts[i]
	best, any := 0.0, false
	for k := range in.Inputs() {
		if cycles, ok := c.cross(i, k, out); ok {
			best, any = max(best, cycles), true
		}
	}
	if !any {
		return c.whole(i, -1)
	}
	return best
}

// end is the cost of ending a path with an instruction entered by an input: the greatest latency
// to a register that depends on the input, or for stores and instructions without
// a result the instruction's own latency.
func (c costs) end(i, in int) float64 {
	inst := &c.g.Bound.Insts[i]
	best, any := 0.0, false
	for o := range inst.Outputs() {
		if cycles, ok := c.cross(i, in, o); ok {
			if o >= len(inst.Effects.Writes) {
				cycles = max(cycles, c.whole(i, in))
			}
			best, any = max(best, cycles), true
		}
	}
	if !any {
		return c.whole(i, in)
	}
	return best
}

// trace follows the path back from its last instruction.
func trace(c costs, at []arrival, off []int32, last int, edge int32) []Step {
	g := c.g
	n := 1
	for e := edge; e >= 0; n++ {
		e = at[off[g.Edges[e].From]+int32(g.Edges[e].Out)].edge
	}
	steps := make([]Step, n)
	i, out := last, -1
	for n--; ; n-- {
		steps[n] = c.step(i, int(edge), out)
		if edge < 0 {
			return steps
		}
		e := &g.Edges[edge]
		i, out = int(e.From), int(e.Out)
		edge = at[off[i]+int32(out)].edge
	}
}

// step describes the crossing of instruction i on a critical path.
func (c costs) step(i, edge, out int) Step {
	s := Step{Inst: i, Edge: edge, Out: out}
	in := &c.g.Bound.Insts[i]
	var cycles float64
	switch {
	case edge < 0 && out < 0:
		cycles = c.whole(i, -1)
	case edge < 0:
		cycles = c.start(i, out)
	case out < 0:
		cycles = c.end(i, int(c.g.Edges[edge].In))
	default:
		cycles = c.vertex(i, int(c.g.Edges[edge].In), out)
	}
	s.Exec = cycles
	if edge >= 0 {
		c.enter(&s, edge, cycles)
	} else if in.Load > 0 {
		s.Load = min(in.Load, cycles)
		s.Exec = cycles - s.Load
	}
	return s
}
