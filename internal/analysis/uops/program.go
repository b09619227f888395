// Package uops compiles code for a core: what each instruction becomes there, and what each µop waits for. The simulator, its timeline and traces run the
// same programs.
package uops

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/l1"
)

// A compilation lowers one instruction after another to µops (lower.go), in the context of the code around it: stack pointers to synchronise (stack.go), registers to
// merge (merge.go), entries that µops share (entries.go). Then it turns the dependences between instructions into waits of µops for µops (edges.go,
// memory.go). Executed code is made of templates, one for each instruction of the program and context (templates.go).
//
// Each input of an instruction goes to the µop that needs it: address registers and forwarded memory to the load (or store-address) µop, all others
// to the execution µops, or to the store-data µop if there are none. Results come from the last execution µop, else from the load. A result that
// depends on address registers alone (an updated base) comes from an extra µop without a port: its port is among the instruction's µops, but the
// result does not wait for the memory access.

// Program is a kernel compiled for a core: the µops of one iteration.
type Program struct {
	Core    *Core
	Uops    []Uop
	Classes int     // entries of the memory-dependence predictor that the loads share
	Slots   []int32 // of each instruction, as the sum over its µops
	memory  memory
}

// memory is what one compilation passes on to the next.
type memory struct {
	insts    []parts
	contexts []context
	ops      opSlab
	deps     []Dep
	table    []int32
}

// Compile makes the program of a kernel. It reuses the memory of the last one, whose µops are then no longer valid.
func (p *Program) Compile(g *depgraph.Graph, core *Core, lay Layout) {
	n, m := len(g.Bound.Insts), &p.memory
	m.insts, m.contexts = slices.Grow(m.insts[:0], n)[:n], slices.Grow(m.contexts[:0], n)[:n]
	clear(m.contexts)
	l := &lowering{g: g, core: core, insts: m.insts, contexts: m.contexts, body: p.Uops[:0], ops: m.ops[:0], deps: m.deps[:0], table: m.table, once: lay.Once}
	core.weigh(lay.usage(g))
	l.lower(lay)
	p.Core, p.Uops, p.Classes = core, l.body, l.classes(lay.Unrolled, n/max(1, lay.Times))
	m.ops, m.deps, m.table = l.ops, l.deps, l.table
	p.Slots = slices.Grow(p.Slots[:0], n)[:n]
	SlotsOf(p.Slots, p.Uops)
}

// SlotsOf stores the slots of each instruction, as the sum over its µops.
func SlotsOf(slots []int32, body []Uop) {
	clear(slots)
	for i := range body {
		slots[body[i].Inst] += int32(body[i].Slots)
	}
}

// usualDeps is the number of a µop's dependences for which there is room.
const usualDeps = 4

// room returns memory for the usual number of a µop's dependences.
func (l *lowering) room() []Dep {
	at := len(l.deps)
	if at+usualDeps > cap(l.deps) {
		l.deps, at = make([]Dep, 0, max(64, 2*cap(l.deps))), 0
	}
	l.deps = l.deps[:at+usualDeps]
	return l.deps[at : at : at+usualDeps]
}

// Layout says how a kernel is laid out, and where its data lie.
type Layout struct {
	Unrolled bool      // iterations follow each other without a taken branch
	Aligned  bool      // all pointers are multiples of the cache line's size
	Times    int       // loop iterations in the kernel; 0: 1
	Cache    *l1.Bound // the accesses that cross lines; nil: found when they are needed
	Usage    *Usage    // the port usage of the kernel; nil: found when it is needed
	Once     bool      // the kernel is executed code, which is dispatched once
}

// usage returns the port usage of a kernel.
func (l *Layout) usage(g *depgraph.Graph) *Usage {
	if l.Usage == nil {
		l.Usage = UsageOf(g.Bound)
	}
	return l.Usage
}

// cache returns the accesses of a kernel that cross lines.
func (l *Layout) cache(g *depgraph.Graph) *l1.Bound {
	if l.Cache == nil {
		align := l1.Lucky
		if l.Aligned {
			align = l1.Aligned
		}
		b := l1.Analyze(g.Bound, align, g.Places)
		l.Cache = &b
	}
	return l.Cache
}
