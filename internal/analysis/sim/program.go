package sim

import (
	"slices"
	"sync"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// This file is the program that a pipeline runs: a kernel, compiled once for a core and a layout. Several simulations may run it.

// program is a compiled kernel with its front end.
type program struct {
	uops.Program
	once  *machine.Bound // one of the iterations that the kernel contains
	front frontend.Feed  // at the start
	words []uint64       // memory (key)
	own   *Core          // the core of model, for one program after another
	model *machine.Model
}

// programs reuses the memory of programs.
var programs = sync.Pool{New: func() any { return new(program) }}

// compile makes the program of a kernel for a core; nil: that of its model. The program is valid until it is freed.
func compile(g *depgraph.Graph, core *Core, opt *Options) (*program, error) {
	c := programs.Get().(*program)
	if err := c.prepare(g, core, opt); err != nil {
		programs.Put(c)
		return nil, err
	}
	return c, nil
}

// prepare is compile, in the memory of an earlier program.
func (c *program) prepare(g *depgraph.Graph, core *Core, opt *Options) error {
	if m := g.Bound.Model; core == nil {
		if c.model != m {
			own, err := uops.Available(m)
			if err != nil {
				return err
			}
			c.own, c.model = own, m
		}
		core = c.own
	}
	if err := tooLong(g.Bound, core, opt.maxCycles()); err != nil {
		return err // before all its µops are made
	}
	core.FreePorts = opt.FreePorts
	c.Compile(g, core, opt.compiled())
	c.once = opt.once(g.Bound)
	c.Slots = c.Slots[:len(c.once.Insts)]
	c.front = c.fetched(opt)
	return nil
}

// free gives the program's memory to a later one.
func (c *program) free() {
	c.Core, c.once, c.front = nil, nil, frontend.Feed{}
	programs.Put(c)
}

// fetched returns the front end, which the bounds may have prepared already.
func (c *program) fetched(opt *Options) frontend.Feed {
	if opt.front != nil && slices.Equal(opt.front.Slots(), c.Slots) {
		return *opt.front
	}
	return frontend.New(&c.Core.Core, c.once, c.Slots, opt.layout())
}
