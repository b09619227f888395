package analyze

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/report"
)

// dataBranches lists the conditional branches whose outcome depends on values that the loop loads from changing addresses, so that their
// misprediction rate depends on the data. It leaves out branches that only count iterations and branches on values at fixed addresses.
func dataBranches(a *Analysis) (out []report.DataBranch) {
	k := a.Bound.Kernel
	into := make([][]depgraph.Edge, len(k.Lines))
	moving := make([]bool, len(k.Lines)) // instructions whose addresses the loop computes
	for _, e := range a.Graph.Edges {
		into[e.To] = append(into[e.To], e)
		moving[e.To] = moving[e.To] || e.Kind == depgraph.Address
	}
	b := behind{a: a, into: into, moving: moving, seen: make([]bool, 2*len(into))}
	for i := range k.Lines {
		if k.ISA.Flow(&k.Lines[i].Inst).Kind != isa.FlowCond {
			continue
		}
		if loads := b.loads(int32(i)); len(loads) > 0 {
			out = append(out, report.DataBranch{Instruction: i, Loads: loads})
		}
	}
	return out
}

// behind walks from an instruction back along its dependences.
type behind struct {
	a      *Analysis
	into   [][]depgraph.Edge
	moving []bool
	// seen and found are the state of a walk. Index i < len(into) is the result of instruction i, index len(into)+i the address register that it updates.
	seen  []bool
	found []int32
}

// loads lists, in order, the loads from changing addresses that reach an instruction through dependences.
func (b *behind) loads(at int32) (out []int) {
	n := int32(len(b.into))
	b.seen[at], b.found = true, append(b.found[:0], at)
	for next := 0; next < len(b.found); next++ {
		i, pointer := b.found[next]%n, b.found[next] >= n
		if !pointer && b.moving[i] && loads(b.a, int(i)) {
			out = append(out, int(i))
			continue // the walk does not go on to the operands of its address
		}
		for k := range b.into[i] {
			e := &b.into[i][k]
			if pointer && e.Kind != depgraph.Address {
				continue
			}
			from := e.From
			if updates(b.a, e) {
				from += n
			}
			if !b.seen[from] {
				b.seen[from], b.found = true, append(b.found, from)
			}
		}
	}
	for _, i := range b.found {
		b.seen[i] = false
	}
	slices.Sort(out)
	return out
}

// updates reports whether a dependence is on an address register that a load or store updates; this register does not hold a loaded value.
func updates(a *Analysis, e *depgraph.Edge) bool {
	writes := a.Bound.Insts[e.From].Effects.Writes
	return int(e.Out) < len(writes) && writes[e.Out].Role == isa.RoleUpdate
}

// loads reports whether an instruction loads from memory.
func loads(a *Analysis, i int) bool {
	return slices.ContainsFunc(a.Bound.Insts[i].Effects.Mem, func(m isa.MemRef) bool { return m.Load })
}
