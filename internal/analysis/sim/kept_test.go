package sim

import (
	"fmt"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/l1"
	"incore/internal/analysis/uops"
)

// Kept returns a function that makes the µops of code as it ran with what its calls before have left, and says how they differ from those made anew; "": not at all.
func Kept(core *Core) func(g *depgraph.Graph, numbers []int32) string {
	k := uops.NewTemplates()
	return func(g *depgraph.Graph, numbers []int32) string {
		got := k.Compile(g, core, numbers, false)
		want, _ := compiledFor(g, core, uops.Layout{Cache: new(l1.Bound), Once: true}) // of a run, the recorder knows the addresses
		if len(got) != len(want) {
			return fmt.Sprintf("%d µops instead of %d", len(got), len(want))
		}
		for i := range want {
			a, b := want[i], got[i]
			for _, d := range b.Deps {
				if d.Dist <= 0 {
					return fmt.Sprintf("µop %d, of %s, waits for a later one: %+v", i, g.Bound.Insts[a.Inst].Line.Text, d)
				}
			}
			of, is := *a.Op, *b.Op
			a.Op, b.Op, of.Class, is.Class = nil, nil, 0, 0 // of a run, by addresses
			of.LoadSlot, is.LoadSlot = false, false         // of a loop, by what its loads and slots are in all
			if x, y := fmt.Sprintf("%+v %+v", a, of), fmt.Sprintf("%+v %+v", b, is); x != y {
				return fmt.Sprintf("µop %d, of %s:\n%s\ninstead of\n%s", i, g.Bound.Insts[a.Inst].Line.Text, y, x)
			}
		}
		return ""
	}
}
