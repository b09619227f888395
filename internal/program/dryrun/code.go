package dryrun

import (
	"fmt"
	"slices"

	"incore/internal/isa"
	"incore/internal/object"
)

// code is a function with its loops.
type code struct {
	fn     *object.Function
	graph  *object.Graph
	lines  [][]isa.Line // by block, as they are needed
	loops  []*object.Loop
	inner  []int         // block → its innermost loop, −1
	ahead  []int         // block → loops that can be reached from it
	back   []bool        // block → the function can return from it
	likely map[int][]int // loop → blocks of its likeliest path
}

func (m *machine) code(fn *object.Function) *code {
	if c := m.flows[fn]; c != nil {
		return c
	}
	g := fn.Graph()
	c := &code{fn: fn, graph: g, lines: make([][]isa.Line, len(g.Blocks)), loops: m.f.Loops(fn), inner: make([]int, len(g.Blocks)), likely: map[int][]int{}}
	for b := range c.inner {
		c.inner[b] = -1
	}
	for i, l := range c.loops {
		for _, b := range l.Blocks {
			if was := c.inner[b]; was < 0 || c.loops[was].Depth < l.Depth {
				c.inner[b] = i
			}
		}
	}
	m.flows[fn] = c
	c.reach()
	return c
}

// reach finds how many loops can be reached from each block, and whether the function's return can.
func (c *code) reach() {
	c.ahead, c.back = make([]int, len(c.graph.Blocks)), make([]bool, len(c.graph.Blocks))
	for _, l := range c.loops {
		c.before([]int{l.Header}, func(b int) { c.ahead[b]++ })
	}
	var ends []int
	for b := range c.graph.Blocks {
		switch flow := c.graph.Blocks[b].Flow; {
		case flow == isa.FlowReturn, flow == isa.FlowIndirect, (flow == isa.FlowJump || flow == isa.FlowCond) && len(c.graph.Blocks[b].Succ) == 0:
			ends = append(ends, b)
		}
	}
	c.before(ends, func(b int) { c.back[b] = true })
}

// before calls do for some blocks and all from which they can be reached.
func (c *code) before(work []int, do func(b int)) {
	seen := map[int]bool{}
	for _, b := range work {
		seen[b] = true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		do(b)
		for _, p := range c.graph.Blocks[b].Pred {
			if !seen[p] {
				seen[p] = true
				work = append(work, p)
			}
		}
	}
}

func (c *code) block(b int) []isa.Line {
	if c.lines[b] == nil {
		c.lines[b] = c.graph.Insts(b)
	}
	return c.lines[b]
}

// deepest is the largest depth of nested calls.
const deepest = 32

// call follows a function until it returns.
func (m *machine) call(fn *object.Function, depth int) {
	c := m.code(fn)
	if len(c.graph.Blocks) == 0 {
		m.partial.add("no code is known of %s", fn.Name)
		return
	}
	m.calls = append(m.calls, fn)
	defer func() { m.calls = m.calls[:len(m.calls)-1] }()
	w := &walk{machine: m, code: c, depth: depth, rounds: make([]rounds, len(c.loops))}
	for b := 0; b >= 0 && !m.stopped; {
		w.arrive(b)
		if m.stopped {
			return
		}
		b = w.block(b)
	}
}

// walk is one execution of a function.
type walk struct {
	*machine
	*code
	depth  int
	rounds []rounds // by loop
	last   int      // the previous block
}

// block computes a block and returns the next one, −1 if the function returns.
func (w *walk) block(b int) int {
	m := w.machine
	w.last = b
	lines := w.code.block(b)
	var x *inst
	for i := range lines {
		if lines[i].Err != nil {
			m.partial.add("bytes that are no instruction end the count (%s)", m.f.Name(lines[i].Addr))
			return -1
		}
		x = m.inst(&lines[i])
		m.execute(x)
		if x.flow.Kind == isa.FlowCall {
			w.follow(x)
		}
		if m.stopped {
			return -1
		}
	}
	if m.spent&^0xffff != (m.spent-uint64(len(lines)))&^0xffff && m.ctx.Err() != nil {
		m.stop("interrupted (%s)", w.graph.Blocks[b].Addr)
	}
	if m.spent > m.o.Budget {
		m.stop(fmt.Sprintf("%d instructions were computed, and no more are (%%s was reached)", m.o.Budget), w.graph.Blocks[b].Addr)
		return -1
	}
	return w.next(b, x)
}

func (m *machine) stop(why string, addr uint64) {
	m.partial.add(why, m.f.Name(addr))
	m.stopped = true
}

// follow computes a called function, if it is in the file.
func (w *walk) follow(x *inst) {
	m := w.machine
	target, name := m.target(x)
	switch {
	case target == nil:
		m.partial.add("calls are not followed that leave the file or whose target is not known (%s)", name)
	case w.depth >= deepest || slices.Contains(m.calls, target):
		m.partial.add("functions that call themselves are not followed (%s)", target.Name)
	default:
		keep := m.pointers()
		vtype := m.vtype
		m.call(target, w.depth+1)
		m.vtype = vtype
		for s, v := range keep {
			m.set(s, v, true)
		}
		return
	}
	keep := m.pointers()
	m.clobber()
	m.mem.forgetFar()
	for s, v := range keep {
		m.set(s, v, true)
	}
}

// pointers returns the stack pointers, which a call does not change.
func (m *machine) pointers() map[isa.Slot]uint64 {
	out := map[isa.Slot]uint64{}
	for r := range m.f.ISA.Regs.Len() {
		if reg := isa.Reg(r); m.f.ISA.StackPointer != nil && m.f.ISA.StackPointer(reg) {
			if v, ok := m.get(m.slot(reg), 0); ok {
				out[m.slot(reg)] = v
			}
		}
	}
	return out
}

// clobber forgets the registers and memory that a call may change.
func (m *machine) clobber() {
	for _, r := range m.sem.Clobbered {
		m.set(m.slot(r), 0, false)
		if _, _, width := m.sem.Part(r); width == 64 {
			m.unknown(m.slot(r)) // the returned value may be a pointer
		}
	}
	for _, s := range m.sem.Flags {
		m.set(s, 0, false)
	}
}

// target returns the function that a call or a jump leads to; if it is not in the file, nil with its name.
func (m *machine) target(x *inst) (fn *object.Function, name string) {
	switch t := &x.flow.Target; t.Kind {
	case isa.OpImm:
		addr := uint64(t.Imm)
		name = m.f.Name(addr)
		if fn = m.f.At(addr); fn == nil || fn.Addr != addr || len(name) > 4 && name[len(name)-4:] == "@plt" {
			fn = nil
		}
	case isa.OpExpr:
		if t.Expr != nil {
			name = t.Expr.Sym
			for _, f := range m.f.Functions() {
				if f.Symbol == name {
					fn = f
				}
			}
		}
	}
	if name == "" {
		name = m.f.Name(x.site.Addr)
	}
	return fn, name
}

// next returns the successor of a block.
func (w *walk) next(b int, x *inst) int {
	m, succ := w.machine, w.graph.Blocks[b].Succ
	switch x.flow.Kind {
	case isa.FlowReturn:
		return -1
	case isa.FlowTrap:
		m.partial.add("a path ends in a trap (%s)", m.f.Name(x.site.Addr))
		return -1
	case isa.FlowJump:
		if len(succ) == 0 { // a tail call
			w.follow(x)
			return -1
		}
	case isa.FlowIndirect:
		if len(succ) != 1 {
			m.partial.add("jumps whose target is not known end the count (%s)", m.f.Name(x.site.Addr))
			return -1
		}
	case isa.FlowCond:
		return w.choose(b, x)
	case isa.FlowCall:
		if len(succ) == 0 {
			m.stop("a call that does not return ends the count (%s)", x.site.Addr)
		}
	}
	if len(succ) == 0 {
		return -1
	}
	return succ[0]
}

// choose returns the successor after a conditional branch.
func (w *walk) choose(b int, x *inst) int {
	m, succ := w.machine, w.graph.Blocks[b].Succ
	to := -1
	if x.flow.Target.Kind == isa.OpImm {
		to = slices.IndexFunc(succ, func(n int) bool { return w.graph.Blocks[n].Addr == uint64(x.flow.Target.Imm) })
	}
	taken, ok := m.branch(x)
	w.condition(b)
	switch {
	case len(succ) == 0:
		return -1
	case len(succ) == 1 && to < 0: // if taken, it leaves the function
		if ok && taken {
			w.follow(x)
			return -1
		}
		return succ[0]
	case len(succ) == 1:
		return succ[0]
	case ok && to >= 0:
		if taken {
			return succ[to]
		}
		return succ[1-to]
	}
	return w.guess(b, x)
}

// guess returns the assumed successor if a condition is not known.
func (w *walk) guess(b int, x *inst) int {
	m, succ := w.machine, w.graph.Blocks[b].Succ
	place := m.f.Name(x.site.Addr)
	if w.back[succ[0]] != w.back[succ[1]] {
		m.assumed.add("nothing fails: the way is taken that does not end the program (%s)", place)
		if w.back[succ[0]] {
			return succ[0]
		}
		return succ[1]
	}
	for i := w.inner[b]; i >= 0; i = w.loops[i].Parent {
		in := [2]bool{w.in(i, succ[0]), w.in(i, succ[1])}
		if in[0] == in[1] {
			if in[0] {
				break
			}
			continue
		}
		stay, leave := succ[0], succ[1]
		if in[1] {
			stay, leave = leave, stay
		}
		return w.round(i, stay, leave)
	}
	m.partial.add("where a branch depends on what is not known, one way is counted, that which looks likelier (%s)", place)
	if i := w.inner[b]; i >= 0 {
		if w.likely[i] == nil {
			w.likely[i] = w.loops[i].Paths()[0].Blocks
		}
		for k, s := range succ[:2] {
			if slices.Contains(w.likely[i], s) && !slices.Contains(w.likely[i], succ[1-k]) {
				return s
			}
		}
	}
	if w.ahead[succ[1]] > w.ahead[succ[0]] {
		return succ[1]
	}
	return succ[0]
}

func (w *walk) in(loop, b int) bool {
	_, ok := slices.BinarySearch(w.loops[loop].Blocks, b)
	return ok
}

// round decides whether a loop with an unknown condition executes another iteration.
func (w *walk) round(i, stay, leave int) int {
	l, r := w.loops[i], &w.rounds[i]
	if r.told == 0 {
		r.told = 1
		if w.o.Trips != nil {
			if n, ok := w.o.Trips(l); ok {
				r.told = max(1, n)
				r.asked = true
			}
		}
		if !r.asked {
			w.partial.add("how often loops go round is not known of %s: one iteration is counted (--trips)", l.Name())
		}
	}
	if r.n < r.told {
		return stay
	}
	return leave
}
