package sim

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/uops"
)

// compiledFor returns the µops of a kernel, and the number of entries of the memory-dependence predictor.
func compiledFor(g *depgraph.Graph, core *Core, lay uops.Layout) (body []uop, classes int) {
	var c uops.Program
	c.Compile(g, core, lay)
	return c.Uops, c.Classes
}

// slotsFor returns the slots of a kernel's instructions.
func slotsFor(g *depgraph.Graph, body []uop) []int32 {
	slots := make([]int32, len(g.Bound.Insts))
	uops.SlotsOf(slots, body)
	return slots
}
