package uops

import (
	"slices"

	"incore/internal/analysis/depgraph"
)

// This file keeps the µops of instructions that execute repeatedly in executed code, and their memory.

// Templates compiles executed code: it keeps what the executions of an instruction have in common.
type Templates struct {
	code     []code           // by number of the instruction in the program
	classes  map[uint64]int32 // entries of the memory-dependence predictor, by address
	insts    []parts
	contexts []context
	body     []Uop
	ops      opSlab // of templates
	own      opSlab // of µops that differ from their templates
	deps     []Dep  // of all µops, in pieces
	used     int    // of deps
	usage    Usage
}

// NewTemplates returns templates without memory of a program.
func NewTemplates() Templates { return Templates{classes: map[uint64]int32{}} }

// code is the data kept for an instruction of the program.
type code struct {
	templates []*template
	known     bool // the following fields are set
	reads     bool // it reads the stack pointer itself, as an operand (lowering.stack)
	moves     bool // it moves the stack pointer, as push and pop do
	apart     bool // it accesses flags, or writes the second byte of a register (lowering.merges)
}

// at returns the data kept for an instruction.
func (k *Templates) at(l *lowering, i int) *code {
	c := &k.code[l.numbers[i]]
	if !c.known {
		in := &l.g.Bound.Insts[i]
		c.known = true
		c.reads, c.moves = l.usesStack(in)
		c.apart = l.touchesApart(in)
	}
	return c
}

// class returns a load's entry of the predictor of dependences on older stores, by its address.
func (k *Templates) class(addr, entries uint64) int32 {
	at := addr % entries
	c, ok := k.classes[at]
	if !ok {
		c = int32(len(k.classes))
		k.classes[at] = c
	}
	return c
}

// template holds an instruction's µops as if it were the first one, and their positions. Their waits are for each other.
type template struct {
	context
	uops  []Uop
	parts parts
	links [][]link // input → known results of edges to it
}

// link is the lowered form of an edge between the registers of two instructions.
type link struct {
	from    *template
	out     int16
	latency float64 // of the edge
	waits   []linkWait
}

// linkWait is a wait of one of the consumer's µops for a µop of the producer, or of the consumer; both are counted from the instruction's first µop.
type linkWait struct {
	u, on Index
	own   bool
	lat   Cycle
}

// noted records the waits of an edge while it is lowered.
type noted struct {
	from, to *parts
	waits    []linkWait
}

func (n *noted) note(u, on Index, lat Cycle) {
	w := linkWait{u: u - n.to.first, on: on - n.from.first, lat: lat}
	if w.own = on >= n.to.first; w.own {
		w.on = on - n.to.first
	}
	n.waits = append(n.waits, w)
}

// linked lowers a register edge like an earlier one between the same instructions, unless it is one of the few that depend on others.
func (l *lowering) linked(e *depgraph.Edge) bool {
	if e.Kind == depgraph.Memory || e.Kind == depgraph.Address && e.Latency < 0 || l.synced && l.stackPointer(e.Reg) {
		return false
	}
	from, to := &l.insts[e.From], &l.insts[e.To]
	k := to.template.link(e, from.template)
	if k == nil {
		n, stored := noted{from: from, to: to}, len(l.stored)
		l.noted = &n
		l.wire(e)
		l.noted = nil
		if len(l.stored) == stored {
			to.template.links[e.In] = append(to.template.links[e.In], link{from.template, e.Out, e.Latency, n.waits})
		}
		return true
	}
	for _, w := range k.waits {
		on := w.on + from.first
		if w.own {
			on = w.on + to.first
		}
		u := &l.body[w.u+to.first]
		u.Deps = append(u.Deps, Dep{Uop: on, Lat: w.lat})
	}
	return true
}

// link returns the lowered form of an earlier edge to the instruction, nil if it is new.
func (t *template) link(e *depgraph.Edge, from *template) *link {
	known := t.links[e.In]
	for i := range known {
		if k := &known[i]; k.from == from && k.out == e.Out && k.latency == e.Latency {
			return k
		}
	}
	return nil
}

// forget releases the memory. The µops of the last simulation are no longer used.
func (k *Templates) forget() { k.used, k.own = 0, k.own[:0] }

// piece returns space for n dependences; more are allocated elsewhere.
func (k *Templates) piece(n int) []Dep {
	if k.used+n > len(k.deps) {
		k.deps, k.used = make([]Dep, max(2*len(k.deps), 1<<14, n)), 0
	}
	at := k.used
	k.used += n
	return k.deps[at : at : at+n]
}

// spare is the usual largest number of a µop's dependences on other instructions.
const spare = 3

// again appends the µops of an instruction that was lowered before, and reports whether there was one.
func (l *lowering) again(i int) bool {
	t := l.kept.at(l, i).template(l.contexts[i])
	if t == nil {
		return false
	}
	first := Index(len(l.body))
	l.body = append(l.body, t.uops...)
	for k := range t.uops {
		u := &l.body[int(first)+k]
		u.Inst = int32(i)
		u.Deps = l.kept.piece(len(u.Deps) + spare)
		for _, d := range t.uops[k].Deps {
			d.Uop += first
			u.Deps = append(u.Deps, d)
		}
	}
	p := &l.insts[i]
	*p = t.parts
	p.index, p.in, p.template = int32(i), &l.g.Bound.Insts[i], t
	p.move(first)
	return true
}

// keep makes a template of the instruction lowered last.
func (l *lowering) keep(p *parts) {
	t := &template{context: p.context, uops: append([]Uop(nil), l.body[p.first:]...), parts: *p}
	t.links = make([][]link, p.in.Inputs())
	t.parts.move(-p.first)
	p.template = t
	for i := range t.uops {
		u := &t.uops[i]
		if n := l.core.Disambiguation.Entries; n > 0 && u.Kind == KindLoad {
			u.Class = l.kept.class(p.in.Line.Addr, uint64(n))
		}
		u.Deps = append([]Dep(nil), u.Deps...)
		for k := range u.Deps {
			u.Deps[k].Uop -= p.first
		}
	}
	c := l.kept.at(l, int(p.index))
	c.templates = append(c.templates, t)
}

// template returns an instruction's template in a context, nil if it is new.
func (c *code) template(at context) *template {
	for _, t := range c.templates {
		if t.context == at {
			return t
		}
	}
	return nil
}

// move shifts the positions of an instruction's µops.
func (p *parts) move(by Index) {
	p.first, p.end, p.own = p.first+by, p.end+by, p.own+int(by)
	for _, u := range [...]*Index{&p.sync, &p.high, &p.flags, &p.load, &p.value, &p.execFirst, &p.exec, &p.result, &p.sta, &p.std, &p.update, &p.answered} {
		if *u != absent {
			*u += by
		}
	}
}

// start gives a lowering the memory of the last one.
func (k *Templates) start(l *lowering) {
	k.forget()
	if n := int(slices.Max(l.numbers)) + 1; n > len(k.code) {
		k.code = append(k.code, make([]code, n-len(k.code))...)
	}
	n := len(l.g.Bound.Insts)
	k.insts, k.contexts = slices.Grow(k.insts[:0], n), slices.Grow(k.contexts[:0], n)
	l.insts, l.contexts, l.body = k.insts[:n], k.contexts[:n], k.body[:0]
	clear(l.contexts)
}

// own gives a µop an operation that it does not share with others.
func (l *lowering) own(u Index) *Op {
	if x := &l.body[u]; l.kept != nil {
		x.Op = l.kept.own.add(*x.Op)
	}
	return l.body[u].Op
}

// Own gives a µop an operation that it does not share with others.
func (k *Templates) Own(u *Uop) *Op {
	u.Op = k.own.add(*u.Op)
	return u.Op
}

// Compile makes the µops of executed code; the addresses of loads give their predictor entries. numbers identifies
// executions of the same instruction. moved: push or pop has moved the stack pointer before (Moves). The µops are
// valid until the next call.
func (k *Templates) Compile(g *depgraph.Graph, core *Core, numbers []int32, moved bool) []Uop {
	if len(numbers) == 0 {
		return nil
	}
	l := &lowering{g: g, core: core, kept: k, ops: k.ops, numbers: numbers, once: true, moved: moved}
	k.start(l)
	k.usage.list(g.Bound)
	core.weigh(&k.usage)
	l.lower(Layout{})
	k.body, k.ops = l.body, l.ops
	return l.body
}

// Moves reports whether push or pop has moved the stack pointer since some instruction read it, after instructions
// that have been compiled.
func (k *Templates) Moves(numbers []int32, moved bool) bool {
	for i := len(numbers) - 1; i >= 0; i-- {
		if c := &k.code[numbers[i]]; c.moves || c.reads {
			return c.moves
		}
	}
	return moved
}

// Classes returns the number of entries of the memory-dependence predictor that the loads use.
func (k *Templates) Classes() int { return len(k.classes) }
