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
	type place struct {
		inst    int32
		pointer bool // of a load or store, the address register that it updates
	}
	begin := place{inst: at}
	seen := map[place]bool{begin: true}
	for work := []place{begin}; len(work) > 0; {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if !p.pointer && moving[p.inst] && loads(a, int(p.inst)) {
			out = append(out, int(p.inst))
			continue // what its address depends on is one step further away
		}
		for _, e := range into[p.inst] {
			from := place{e.From, updates(a, &e)}
			if p.pointer && e.Kind != depgraph.Address || seen[from] {
				continue
			}
			seen[from] = true
			work = append(work, from)
		}
	}
	slices.Sort(out)
	return out
}

// updates reports whether a dependence is on an address register that a load or store has updated, which holds nothing that was loaded.
func updates(a *Analysis, e *depgraph.Edge) bool {
	writes := a.Bound.Insts[e.From].Effects.Writes
	return int(e.Out) < len(writes) && writes[e.Out].Role == isa.RoleUpdate
}

// loads reports whether an instruction loads from memory.
func loads(a *Analysis, i int) bool {
	return slices.ContainsFunc(a.Bound.Insts[i].Effects.Mem, func(m isa.MemRef) bool { return m.Load })
}
