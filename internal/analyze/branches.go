package analyze

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/report"
)

// dataBranches lists the conditional branches whose outcome depends on values that the loop loads from changing addresses: how often they
// are mispredicted depends on the data. Branches that only count iterations, and those on values at fixed addresses, are not among them.
func dataBranches(a *Analysis) (out []report.DataBranch) {
	k := a.Bound.Kernel
	into := make([][]depgraph.Edge, len(k.Lines))
	moving := make([]bool, len(k.Lines)) // instructions whose addresses the loop computes
	for _, e := range a.Graph.Edges {
		into[e.To] = append(into[e.To], e)
		moving[e.To] = moving[e.To] || e.Kind == depgraph.Address
	}
	for i := range k.Lines {
		if k.ISA.Flow(&k.Lines[i].Inst).Kind != isa.FlowCond {
			continue
		}
		if loads := loadsBehind(a, into, moving, int32(i)); len(loads) > 0 {
			out = append(out, report.DataBranch{Instruction: i, Loads: loads})
		}
	}
	return out
}

// loadsBehind lists, in order, the loads from changing addresses that reach an instruction through dependences.
func loadsBehind(a *Analysis, into [][]depgraph.Edge, moving []bool, at int32) (out []int) {
	seen := make([]bool, len(into))
	seen[at] = true
	for work := []int32{at}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if moving[i] && loads(a, int(i)) {
			continue // what its address depends on is one step further away
		}
		for _, e := range into[i] {
			if !seen[e.From] {
				seen[e.From] = true
				work = append(work, e.From)
			}
		}
	}
	for i := range seen {
		if seen[i] && moving[i] && loads(a, i) {
			out = append(out, i)
		}
	}
	return out
}

// loads reports whether an instruction loads from memory.
func loads(a *Analysis, i int) bool {
	return slices.ContainsFunc(a.Bound.Insts[i].Effects.Mem, func(m isa.MemRef) bool { return m.Load })
}
