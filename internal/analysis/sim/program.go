package sim

import (
	"slices"
	"sync"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/machine"
)

// This file is the program that a pipeline runs: a kernel, compiled once for a core and a layout. Several simulations may run it.

// program is a compiled kernel.
type program struct {
	core    *Core
	body    []uop           // of one iteration
	classes int             // entries of the memory-dependence predictor that the loads share
	once    *machine.Bound  // one of the iterations that the kernel contains
	slots   []int32         // of each instruction of once
	front   frontend.Feed   // the front end at the start
	longest int             // most simulated cycles
	memory  loweringMemory  // of body
	graph   *depgraph.Graph // the kernel
}

// programs reuses the memory of programs.
var programs = sync.Pool{New: func() any { return new(program) }}

// compile makes the program of a kernel. It is valid until it is freed.
func compile(g *depgraph.Graph, core *Core, opt *Options) (*program, error) {
	if err := tooLong(g.Bound, core, opt.maxCycles()); err != nil {
		return nil, err // before all its µops are made
	}
	c := programs.Get().(*program)
	core.FreePorts = opt.FreePorts
	core.weigh(g.Bound)
	*c = program{core: core, graph: g, longest: opt.maxCycles(), slots: c.slots, memory: c.memory}
	c.body, c.classes = c.memory.lower(g, core, opt)
	c.once = opt.once(g.Bound)
	c.slots = slotsOf(c.slots, g.Bound, c.body)[:len(c.once.Insts)]
	if len(c.body) > 0 {
		c.front = c.fetched(opt)
	}
	return c, nil
}

// free gives the program's memory to a later one.
func (c *program) free() {
	c.core, c.graph, c.once, c.body, c.front = nil, nil, nil, nil, frontend.Feed{}
	programs.Put(c)
}

// fetched returns the front end, which the bounds may have prepared already.
func (c *program) fetched(opt *Options) frontend.Feed {
	if opt.front != nil && slices.Equal(opt.front.Slots(), c.slots) {
		return *opt.front
	}
	return frontend.New(&c.core.Core, c.once, c.slots, opt.layout())
}

// loweringMemory is memory that one lowering passes on to the next.
type loweringMemory struct {
	insts    []parts
	contexts []context
	body     []uop
	ops      opSlab
	deps     []dep
	table    []int32
}

// usualDeps is the number of a µop's dependences for which there is room.
const usualDeps = 4

// lower turns a kernel into µops that are valid until the next call.
func (m *loweringMemory) lower(g *depgraph.Graph, core *Core, opt *Options) (body []uop, classes int) {
	n := len(g.Bound.Insts)
	m.insts, m.contexts = slices.Grow(m.insts[:0], n)[:n], slices.Grow(m.contexts[:0], n)[:n]
	clear(m.contexts)
	l := &lowering{g: g, core: core, insts: m.insts, contexts: m.contexts, body: m.body[:0], ops: m.ops[:0], deps: m.deps[:0], table: m.table}
	l.lower(opt)
	classes = l.classes(opt.Unrolled, n/max(1, opt.Times))
	m.body, m.ops, m.deps, m.table = l.body, l.ops, l.deps, l.table
	return l.body, classes
}

// room returns memory for the usual number of a µop's dependences.
func (l *lowering) room() []dep {
	at := len(l.deps)
	if at+usualDeps > cap(l.deps) {
		l.deps, at = make([]dep, 0, max(64, 2*cap(l.deps))), 0
	}
	l.deps = l.deps[:at+usualDeps]
	return l.deps[at : at : at+usualDeps]
}
