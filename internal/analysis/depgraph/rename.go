package depgraph

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file is what passes from stores to loads: whether memory renaming serves a load (eligible), and else the table of forwarding (cycles).
//
// Cores find the store by the address of both whatever registers it is made of; or (`registers` of "renaming") know it by these: stores through
// the stack pointer, and those of the same base and index, none of which was written since; or (`stack`) those through the stack pointer alone. Others are
// predicted from a small table of pairs of a store and a load (its `entries`), which a loop with more of them finds useless, as each entry is replaced before
// it is used again. With `registers`, absolute addresses are not predicted, and those by the program counter not by what loads and stores.

// passing is a value that a store passes on to a load, and what matters of the two. The graph of a loop knows it from the addresses as they are written
// (looped), that of a run from what they were (ran).
type passing struct {
	from, to    *machine.Inst
	store, load *isa.MemRef
	latest      bool  // the last execution of the store wrote it
	begins      bool  // the load begins where the store did, as far as is known
	whole       bool  // the store wrote all bytes of the load, as far as is known, each time
	found       bool  // memory renaming knows the pair
	own         bool  // load and store are one instruction
	iterations  int32 // of the loop between the two
}

// pass adds an edge by which a value passes.
func (b *builder) pass(e Edge, p passing) {
	if e.Renamed = b.Renames && b.eligible(&p); e.Renamed {
		e.Latency = -passedOn(p.from, int(e.Out)) // it is the stored register itself
	} else {
		e.Latency = b.cycles(&p)
	}
	b.Edges = append(b.Edges, e)
}

// eligible reports whether memory renaming serves a load, of a core that renames memory: the condition of `renaming`.
func (b *builder) eligible(p *passing) bool {
	how := &b.Bound.Model.Core().Renaming
	switch {
	case !p.begins || !p.whole || p.load.Bits > p.store.Bits: // it is the register that is passed on
		return false
	case !p.found || !b.integer(p.to):
		return false
	case !p.latest && !how.Distant && p.store.Op >= 0 && p.load.Op >= 0: // (push and pop have no operand in memory)
		return false
	case p.from.Flags&machine.StoreInMemory != 0 || p.to.Flags&machine.LoadInMemory != 0:
		return false
	}
	size := p.load.Bits >= 32
	switch {
	case how.Wide:
	case how.Bytes:
		size = size || p.load.Bits == 8
	default:
		size = size || p.load.Bits == p.store.Bits && p.load.Store
	}
	return size && (!how.Moves || moves(p)) && (!how.Simple || simple(p))
}

// moves is the part `moves` of the condition: no load that shares its slot with an operation that writes registers, unless the address has base and index.
func moves(p *passing) bool {
	return p.to.Slots >= 2 || !p.to.Executes() || p.to.StoresMemory() || p.load.Base != isa.NoReg && p.load.Index != isa.NoReg
}

// simple is the part `simple`: no index, and no operation on memory with a register operand.
func simple(p *passing) bool {
	if p.store.Index != isa.NoReg || p.load.Index != isa.NoReg {
		return false
	}
	return !p.to.StoresMemory() || !slices.ContainsFunc(p.to.Effects.Reads, func(r isa.Access) bool { return r.Op >= 0 && r.Role != isa.RoleAddr })
}

// looped is the passing of an edge of a loop.
func (b *builder) looped(m *MemoryEdge) passing {
	from, to := &b.Bound.Insts[m.From], &b.Bound.Insts[m.To]
	dist, again := b.apart(m)
	n := b.iteration()
	p := passing{from: from, to: to, store: &nowhere, load: &nowhere, latest: dist == 0 || dist == 1 && again, whole: !m.Varying,
		own: b.Bound.Kernel.Loop && m.From%n == m.To%n, iterations: dist} // copies of straight code are other instructions
	if !b.hasOperands(m) {
		return p
	}
	p.store, p.load = &from.Effects.Mem[m.FromMem], &to.Effects.Mem[m.ToMem]
	if b.Bound.Model.Core().Renaming.Renames() {
		at, known := b.offset(m)
		p.begins, p.found = !known || at == 0, b.finds(b.direct(m), m)
	}
	return p
}

// hasOperands reports whether an edge is of operands of its instructions; Options.Memory may say that two depend on each other without them.
func (b *builder) hasOperands(m *MemoryEdge) bool {
	return int(m.FromMem) < len(b.Bound.Insts[m.From].Effects.Mem) && int(m.ToMem) < len(b.Bound.Insts[m.To].Effects.Mem)
}

// passedOn is what a store adds on the way to memory, which memory renaming leaves out: what it stores is the register itself, as the load finds it.
// A store that executes something before it stores adds that in any case.
func passedOn(store *machine.Inst, out int) (cycles float64) {
	if store.Executes() {
		return 0
	}
	for k := range store.Effects.Reads {
		if c, ok := store.Pair(k, out); ok && store.Effects.Reads[k].Role != isa.RoleAddr {
			cycles = max(cycles, c)
		}
	}
	return cycles
}

// integer reports whether a load is of general-purpose registers, which forward by another way than vectors: it takes no longer than an integer's.
func (b *builder) integer(load *machine.Inst) bool {
	longest := float64(b.Bound.Model.Params.LoadLatency)
	if !b.Bound.Model.Core().Renaming.Simple {
		longest++ // as LLVM has it where the load is part of an instruction
	}
	return load.Load <= longest
}

// ownDistance is for how many iterations an instruction's own store comes back as Forwarding.Own says.
const ownDistance = 2

// cycles is the table of store-to-load forwarding of what memory renaming does not serve: by what is loaded, from where, and how long ago it was stored.
func (b *builder) cycles(p *passing) float64 {
	all, core := b.Bound.Model.Params.StoreForward, b.Bound.Model.Core()
	how := &core.Forwarding
	switch {
	case all <= 0: // not known
		b.ForwardAssumed = true
		if p.to.Load > 0 { // as that load: vectors take longer through the store queue, too, on the cores of which both have been measured
			return p.to.Load
		}
		return float64(b.Bound.Model.Params.LoadLatency)
	case how.Mixed == 0:
		return all
	case core.Renaming.Renames() && b.integer(p.to):
		switch {
		case how.Own > 0 && p.own && p.iterations <= ownDistance:
			return how.Own
		case how.Distant > 0 && p.iterations >= 2:
			return how.Distant
		}
		return how.Mixed
	case p.store.Bits != p.load.Bits:
		return max(all, how.Mixed)
	}
	return all
}

// dense reports whether the code has more loads that memory renaming would serve than the core follows (`density` of "renaming", in 32 bytes
// of code, on average: where lines of code begin is not known).
func (b *builder) dense(edges []MemoryEdge) bool {
	if b.Bound.Model.Core().Renaming.Density == 0 {
		return false
	}
	loads, last := 0, int32(-1)
	for i := range edges {
		m := &edges[i]
		if m.To == last {
			continue
		}
		if p := b.looped(m); b.eligible(&p) {
			loads, last = loads+1, m.To
		}
	}
	return b.tooDense(loads)
}

// tooDense reports whether the core follows fewer loads than so many in its code.
func (b *builder) tooDense(loads int) bool {
	size := 0
	for i := range b.Bound.Insts {
		n := int(b.Bound.Insts[i].Line.Inst.Size)
		if n == 0 {
			return false // the size is not known
		}
		size += n
	}
	return loads*32 > b.Bound.Model.Core().Renaming.Density*size
}

// predict finds out whether the table holds all pairs that need it.
func (b *builder) predict(edges []MemoryEdge) {
	how := &b.Bound.Model.Core().Renaming
	if !how.Registers && !how.Stack {
		return
	}
	pairs, last := 0, int32(-1)
	for i := range edges {
		if m := &edges[i]; m.To != last && !b.direct(m) {
			pairs, last = pairs+1, m.To
		}
	}
	b.others = pairs <= how.Entries*max(1, b.opts.Times)
}

// finds reports whether memory renaming knows the pair of an edge, whose registers tell (direct) or do not.
func (b *builder) finds(direct bool, m *MemoryEdge) bool {
	how := &b.Bound.Model.Core().Renaming
	if !how.Registers && !how.Stack || direct {
		return true
	}
	return b.others && how.Entries > 0 && (how.Stack || b.base(m) != isa.NoReg || b.nearCode(m))
}

// base is the base register of an edge's load, or else its index, if it has one that holds an address.
func (b *builder) base(m *MemoryEdge) isa.Reg {
	a := &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	switch {
	case a.Base == isa.NoReg:
		return a.Index
	case b.constant != nil && b.constant(a.Base):
		return isa.NoReg
	}
	return a.Base
}

// nearCode reports whether an edge's load is by the program counter and does not store.
func (b *builder) nearCode(m *MemoryEdge) bool {
	a := &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	return b.constant != nil && a.Base != isa.NoReg && b.constant(a.Base) && !a.Store
}

// direct reports whether the store and the load of an edge name the same registers, which hold the same values, or on some cores the stack pointer.
func (b *builder) direct(m *MemoryEdge) bool {
	if b.Bound.Model.Core().Renaming.Stack {
		return b.stack(m)
	}
	s, l := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem], &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	if !sameRegisters(s, l) || b.base(m) == isa.NoReg {
		return false
	}
	return b.stack(m) || b.unchanged(m) // the stack pointer's changes are followed
}

// stack reports whether the store and the load of an edge go through the stack pointer alone.
func (b *builder) stack(m *MemoryEdge) bool {
	s, l := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem], &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	q := b.Bound.Kernel.ISA.StackPointer
	return q != nil && q(s.Base) && s.Index == isa.NoReg && sameRegisters(s, l)
}

// offset is where the load of an edge begins in what the store wrote, if the registers of their addresses tell.
func (b *builder) offset(m *MemoryEdge) (bytes int64, ok bool) {
	s, l := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem], &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	if !sameRegisters(s, l) || b.base(m) == isa.NoReg || s.Sym != nil || l.Sym != nil || s.Gather || l.Gather {
		return 0, false
	}
	if s.Index != isa.NoReg {
		return l.Disp - s.Disp, s.Update == 0 && l.Update == 0 && b.unchanged(m)
	}
	by, ok := b.moved(m)
	return by + fromBase(l) - fromBase(s), ok
}

// fromBase is where an access without an index is, counted from what its base register holds before the instruction.
func fromBase(m *isa.MemRef) int64 {
	switch {
	case m.Post:
		return 0
	case m.Update != 0:
		return m.Update
	}
	return m.Disp
}

// moved is by how much the base register of an edge's store changes from before the store's instruction to before the load's, if only constants are added.
func (b *builder) moved(m *MemoryEdge) (bytes int64, ok bool) {
	c := b.changes(b.Bound.Insts[m.From].Effects.Mem[m.FromMem].Base)
	n := len(b.Bound.Insts)
	bytes = int64(m.Dist)*c.by[n] + c.by[m.To] - c.by[m.From]
	others := int(m.Dist)*c.others[n] + c.others[m.To] - c.others[m.From]
	return bytes, others == 0
}

// changed says what the first instructions of the kernel do to a register, by their number: what they add, and how many do something else to it.
type changed struct {
	by     []int64
	others []int
}

// changes returns what the kernel does to a register. Kernels may have an edge for every instruction: each walk is made once.
func (b *builder) changes(r isa.Reg) *changed {
	c := b.changed[r]
	if c == nil {
		n := len(b.Bound.Insts)
		c = &changed{by: make([]int64, n+1), others: make([]int, n+1)}
		for i := range n {
			by, ok := b.added(&b.Bound.Insts[i], r)
			c.by[i+1], c.others[i+1] = c.by[i]+by, c.others[i]
			if !ok {
				c.others[i+1]++
			}
		}
		if b.changed == nil {
			b.changed = map[isa.Reg]*changed{}
		}
		b.changed[r] = c
	}
	return c
}

// added is the constant that an instruction adds to a register; 0 if it leaves it alone.
func (b *builder) added(in *machine.Inst, r isa.Reg) (by int64, ok bool) {
	if !slices.ContainsFunc(in.Effects.Writes, func(w isa.Access) bool { return b.regs.Overlap(w.Reg, r) }) {
		return 0, true
	}
	a := b.Bound.Kernel.ISA
	if in.Line.Inst.Form == isa.NoForm || a.Flow != nil && a.Flow(&in.Line.Inst).Kind == isa.FlowCall {
		return 0, false
	}
	for k := range in.Effects.Mem {
		if m := &in.Effects.Mem[k]; m.Update != 0 && m.Base == r {
			return m.Update, true
		}
	}
	if a.AddImm == nil {
		return 0, false
	}
	dst, src, imm, ok := a.AddImm(&in.Line.Inst)
	return imm, ok && dst == r && src == r
}

// short reports whether the load of an edge needs bytes that the store has not written.
func (b *builder) short(m *MemoryEdge) bool {
	if !b.hasOperands(m) {
		return false
	}
	s, l := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem], &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	stored, loaded := int64(s.Bits)*max(1, int64(s.Elems)), int64(l.Bits)*max(1, int64(l.Elems))
	if loaded > stored {
		return true
	}
	at, ok := b.offset(m)
	return ok && loaded > 0 && (at < 0 || 8*at+loaded > stored)
}

func sameRegisters(s, l *isa.MemRef) bool {
	return s.Base == l.Base && s.Index == l.Index && s.Scale == l.Scale && s.Extend == l.Extend
}

// unchanged reports whether the registers of the store's address keep their values up to the load.
func (b *builder) unchanged(m *MemoryEdge) bool {
	s := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem]
	n := int32(len(b.Bound.Insts))
	for i, left := m.From, m.To-m.From+m.Dist*n; left > 0; i, left = (i+1)%n, left-1 {
		for _, w := range b.Bound.Insts[i].Effects.Writes {
			if b.regs.Overlap(w.Reg, s.Base) || s.Index != isa.NoReg && b.regs.Overlap(w.Reg, s.Index) {
				return false
			}
		}
	}
	return true
}

// nowhere stands for an operand that is not known.
var nowhere isa.MemRef
