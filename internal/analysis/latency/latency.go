// Package latency computes the latency bounds of a kernel from its dependence
// graph: the critical path of one iteration (PMBS'19, section II-C) and the
// loop-carried chains. The slowest chain has the maximum cycle ratio
// Σ latency / Σ iteration distance.
package latency

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Step is one instruction on a path or chain.
type Step struct {
	Inst int
	// Edge is the edge by which the path enters the instruction, as an index into the
	// graph's Edges; -1 at the beginning of a path.
	Edge int
	// Out is the output by which the path leaves it, as machine.Inst numbers them; -1 at the end of a path.
	Out int
	// Contributions of the step in cycles: Forward is the latency of the memory edge into it, Load the load part of the instruction, Exec the rest.
	Forward, Load, Exec float64
}

// Cycles returns the total contribution of the step.
func (s *Step) Cycles() float64 { return s.Forward + s.Load + s.Exec }

// Bracket returns an interval of a kernel's cycles per iteration, from its throughput bounds (ports, dispatch), its slowest loop-carried chain and
// its critical path: a core with sufficient out-of-order resources reaches low, and a core without overlap of iterations does not exceed high.
func Bracket(throughput, loopCarried, criticalPath float64) (low, high float64) {
	low = max(throughput, loopCarried)
	return low, max(low, criticalPath)
}

// doubt selects one end of the intervals of unknown figures.
type doubt uint8

const (
	stated doubt = iota // the figures of the model
	lowest
	highest
)

// costs returns latencies; for unknown latencies it returns one end of their interval.
type costs struct {
	g *depgraph.Graph
	doubt
	late map[stored]float64 // stored outputs that loads get → cycles from the store's address to the output, at least
}

// stored is a stored output of an instruction.
type stored struct {
	inst int32
	out  int16
}

// newCosts returns the costs of a graph. Where a load gets a store's data later from the store's address than from its data (machine.Forwarding.Address), what is
// more than forwarding counts as the store's.
func newCosts(g *depgraph.Graph, d doubt) costs {
	c := costs{g: g, doubt: d}
	if g.Bound.Model.Core().Forwarding.Address <= 0 {
		return c
	}
	for k := range g.Edges {
		e := &g.Edges[k]
		if e.Kind != depgraph.Memory || e.Renamed || e.Short || e.Inside || e.Remapped {
			continue
		}
		at := stored{e.From, e.Out}
		if late, least := g.FromAddress(e)-e.Latency, c.late[at]; least == 0 || late < least {
			if c.late == nil {
				c.late = map[stored]float64{}
			}
			c.late[at] = late
		}
	}
	return c
}

// of replaces the latency of an instruction without data by the end of its interval.
func (c costs) of(in *machine.Inst, cycles float64) float64 {
	if c.doubt == stated || in.Flags&machine.Unknown == 0 {
		return cycles
	}
	if c.doubt == lowest {
		return min(cycles, in.LowLatency)
	}
	return max(cycles, in.HighLatency)
}

// enter splits the cost of entering instruction i by an edge and crossing it in cycles
// (without the edge's own) into a step's parts.
func (c costs) enter(s *Step, edge int, cycles float64) {
	e := &c.g.Edges[edge]
	if e.Kind == depgraph.Memory {
		s.Forward = e.Latency
	} else {
		cycles += e.Latency
	}
	s.Load, s.Exec = c.g.LoadPart(int(e.To), int(e.In), cycles)
}

// cross is the latency from an input to an output that depends on it.
func (c costs) cross(i, in, out int) (float64, bool) {
	inst := &c.g.Bound.Insts[i]
	cycles, ok := inst.Pair(in, out)
	if !ok {
		return 0, false
	}
	if c.late != nil && out >= len(inst.Effects.Writes) && isAddress(inst, in) {
		cycles = max(cycles, c.late[stored{int32(i), int16(out)}])
	}
	return c.of(inst, cycles), true
}

// whole returns an instruction's own latency from an input (-1: without an input): the vertex weight of rules 1 and 3. Inputs other than addresses do not
// include the load part.
func (c costs) whole(i, input int) float64 {
	in := &c.g.Bound.Insts[i]
	if in.Flags&machine.FusedSecond != 0 {
		return 0 // fused with the previous instruction
	}
	cycles := c.of(in, in.Latency)
	if input >= 0 && !isAddress(in, input) {
		cycles = max(0, cycles-in.Load)
	}
	return cycles
}

func isAddress(in *machine.Inst, input int) bool {
	return input < len(in.Effects.Reads) && in.Effects.Reads[input].Role == isa.RoleAddr
}

// anyUnknown reports whether some latency is an interval.
func anyUnknown(b *machine.Bound) bool {
	for i := range b.Insts {
		if b.Insts[i].Flags&machine.Unknown != 0 {
			return true
		}
	}
	return false
}

// outputs numbers all outputs of a kernel: off[i] is the number of the first output of instruction i, the last element is the count. It reuses off's memory.
func outputs(off []int32, b *machine.Bound) []int32 {
	off = resize(off, len(b.Insts)+1)
	off[0] = 0
	for i := range b.Insts {
		off[i+1] = off[i] + int32(b.Insts[i].Outputs())
	}
	return off
}
