package depgraph

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file computes the latency from stores to loads: with memory renaming for the loads that it serves (eligible), else from the table of
// store-to-load forwarding (cycles).
//
// How memory renaming finds the store depends on the core. Without `registers` and `stack` of "renaming" it compares addresses, whatever registers
// they are made of. With `registers` it finds pairs that use the stack pointer, and pairs with the same base and index if neither register was
// written in between. With `stack` it finds only pairs that use the stack pointer alone. A small table predicts other pairs (`entries`, `sets`); if
// a loop has more pairs than entries, the table does not help, because each entry is replaced before its next use. With `registers`, absolute addresses
// are not predicted; addresses relative to the program counter are predicted only for instructions that do not also store, except with `counters`.

// passing describes a value that a store passes to a load. looped fills it in from the address expressions of a loop, ran from the addresses of an
// execution.
type passing struct {
	from, to    *machine.Inst
	store, load *isa.MemRef
	latest      bool  // the last execution of the store instruction wrote it
	begins      bool  // the load begins at the first byte of the store, as far as known
	whole       bool  // the store writes all bytes of the load in every execution, as far as known
	found       bool  // memory renaming finds the pair
	own         bool  // load and store are the same instruction
	crosses     bool  // the load needs bytes of both halves of a store of 64 bytes, but not all of them
	iterations  int32 // loop iterations between the two
}

// pass adds an edge from a store to a load with its latency.
func (b *builder) pass(e Edge, p passing) {
	e.Begins = p.begins
	if e.Renamed = b.Renames && b.eligible(&p); e.Renamed {
		e.Latency = -passedOn(p.from, int(e.Out)) // the load gets the stored register itself
		if p.store.Bits < 32 && !p.from.Executes() && !b.Bound.Model.Core().Renaming.Bytes {
			e.Latency = partial
		}
	} else {
		e.Latency = b.cycles(&p)
		if p.crosses {
			e.Latency += b.Bound.Model.Core().Forwarding.Crossing
		}
	}
	b.Edges = append(b.Edges, e)
}

// partial is the latency in cycles from the store of a part of a register to a load that memory renaming serves, measured
// on Zen 5 (movb and movsbl of one address repeat every 2.0 cycles, movl and movslq every 1.0).
const partial = 1

// RenamedLoad reports whether memory renaming serves the load of instruction i's memory operand mem.
func (g *Graph) RenamedLoad(i, mem int) bool {
	edges, _ := g.Into(i)
	return slices.ContainsFunc(edges, func(e Edge) bool { return e.Renamed && int(e.In)-len(g.Bound.Insts[i].Effects.Reads) == mem })
}

// eligible reports whether memory renaming serves a load: the core passes on the register as it was stored.
func (b *builder) eligible(p *passing) bool { return p.begins && p.whole && b.serves(p) }

// serves checks the conditions of `renaming` on the forms, widths and registers of a store and a load, wherever the two
// begin: eligible also wants the bytes to be the same, and Mistaken looks for pairs whose bytes are not.
func (b *builder) serves(p *passing) bool {
	how := &b.Bound.Model.Core().Renaming
	switch {
	case p.load.Bits > p.store.Bits:
		return false
	case !p.found || !b.integer(p.to) || b.vectors(p.from.Effects.Reads) || b.vectors(p.to.Effects.Writes):
		return false
	case !p.latest && !how.Distant && p.store.Op >= 0 && p.load.Op >= 0: // push and pop have no memory operand
		return false
	case p.from.Flags&(machine.StoreInMemory|machine.NoForward) != 0 || p.to.Flags&machine.LoadInMemory != 0 || b.storesStackPointer(p.from):
		return false
	}
	size := p.load.Bits >= 32
	switch {
	case how.Wide:
	case how.Bytes:
		size = size || p.load.Bits == 8
	default: // an operation that reads the register takes the part that it needs; a load alone would have to extend it
		size = size || p.to.Executes() || p.load.Bits == p.store.Bits && p.load.Store
	}
	return size && (!how.Moves || moves(p)) && (!how.Simple || simple(p))
}

// storesStackPointer reports whether the stored value is the stack pointer itself, whose physical register rename has not got: the stack engine holds what pushes
// and pops added. Measured on Zen 5: pushq %rsp and popq %rsp repeat every 8.5 cycles, movq %rsp, (%rsp) and movq (%rsp), %rsp every 8.3, of another register 1. Other cores
// are taken to do likewise.
func (b *builder) storesStackPointer(store *machine.Inst) bool {
	q := b.Bound.Kernel.ISA.StackPointer
	return q != nil && !store.Executes() && slices.ContainsFunc(store.Effects.Reads, func(r isa.Access) bool { return r.Role == isa.RoleData && q(r.Reg) })
}

// moves checks the condition `moves`: the load does not share its slot with an operation that writes registers, except if its address has a base and
// an index.
func moves(p *passing) bool {
	return p.to.Slots >= 2 || !p.to.Executes() || p.to.StoresMemory() || p.load.Base != isa.NoReg && p.load.Index != isa.NoReg
}

// simple checks the condition `simple`: no index register, and no read-modify-write of memory with a register operand.
func simple(p *passing) bool {
	if p.store.Index != isa.NoReg || p.load.Index != isa.NoReg {
		return false
	}
	return !p.to.StoresMemory() || !slices.ContainsFunc(p.to.Effects.Reads, func(r isa.Access) bool { return r.Op >= 0 && r.Role != isa.RoleAddr })
}

// looped returns the passing of an edge in a loop.
func (b *builder) looped(m *MemoryEdge) passing {
	from, to := &b.Bound.Insts[m.From], &b.Bound.Insts[m.To]
	dist, again := b.apart(m)
	n := b.iteration()
	p := passing{from: from, to: to, store: &nowhere, load: &nowhere, latest: dist == 0 || dist == 1 && again, whole: !m.Varying,
		own: b.Bound.Kernel.Loop && m.From%n == m.To%n, iterations: dist} // copies of straight code are different instructions
	if !b.hasOperands(m) {
		return p
	}
	p.store, p.load = &from.Effects.Mem[m.FromMem], &to.Effects.Mem[m.ToMem]
	at, known := b.offset(m)
	p.begins = !known || at == 0
	p.crosses = known && crosses(p.store, p.load, at)
	p.found = b.Bound.Model.Core().Renaming.Renames() && !b.ended(m) && b.finds(b.direct(m), m)
	return p
}

// ended reports whether an instruction between the store and the load of an edge ends memory renaming of what was
// stored before it (`until` of "renaming").
func (b *builder) ended(m *MemoryEdge) bool {
	until, n := b.Bound.Model.Core().Renaming.Until, len(b.Bound.Insts)
	if until == 0 {
		return false
	}
	if b.long == nil {
		b.long = make([]int32, n+1)
		for i := range n {
			b.long[i+1] = b.long[i]
			if b.Bound.Insts[i].Slots > float64(until) {
				b.long[i+1]++
			}
		}
	}
	return m.Dist*b.long[n]+b.long[m.To]-b.long[m.From+1] > 0
}

// hasOperands reports whether both memory operands of an edge exist; Options.Memory may name dependences without them.
func (b *builder) hasOperands(m *MemoryEdge) bool {
	return int(m.FromMem) < len(b.Bound.Insts[m.From].Effects.Mem) && int(m.ToMem) < len(b.Bound.Insts[m.To].Effects.Mem)
}

// passedOn returns the latency of the store itself in cycles, which memory renaming saves because the load gets the stored register. It is 0 for a
// store that first executes an operation, as its result is needed in any case.
func passedOn(store *machine.Inst, out int) (cycles float64) {
	if store.Executes() {
		return 0
	}
	for k := range store.Inputs() {
		if c, ok := store.Pair(k, out); ok && (k >= len(store.Effects.Reads) || store.Effects.Reads[k].Role != isa.RoleAddr) {
			cycles = max(cycles, c)
		}
	}
	return cycles
}

// integer reports whether a load is to general-purpose registers, which have another forwarding path than vectors. It decides by the load latency:
// integer loads are the shortest.
func (b *builder) integer(load *machine.Inst) bool {
	longest := float64(b.Bound.Model.Params.LoadLatency)
	if !b.Bound.Model.Core().Renaming.Simple {
		longest++ // LLVM's tables add a cycle to a load that is part of another instruction
	}
	return load.Load <= longest
}

// FromAddress returns the least cycles from the address of the store of a memory edge to the value of the load; 0 if the model does not say.
func (g *Graph) FromAddress(e *Edge) float64 {
	how, b := &g.Bound.Model.Core().Forwarding, builder{Graph: g}
	if how.AddressVector > 0 && !b.integer(&g.Bound.Insts[e.To]) {
		return how.AddressVector
	}
	return how.Address
}

// StoredAsVector reports whether the value that the load of a memory edge gets reaches a store of data in registers other than general-purpose ones.
func (g *Graph) StoredAsVector(e *Edge) bool {
	b := builder{Graph: g, constant: g.Bound.Kernel.ISA.Constant}
	seen := make([]bool, len(g.Bound.Insts))
	var list []int32
	for i := range g.Bound.Insts {
		f := &g.Bound.Insts[i].Effects
		if slices.ContainsFunc(f.Mem, func(m isa.MemRef) bool { return m.Store }) && b.vectors(f.Reads) {
			list, seen[i] = append(list, int32(i)), true
		}
	}
	for len(list) > 0 {
		i := list[len(list)-1]
		list = list[:len(list)-1]
		if i == e.To {
			return true
		}
		edges, _ := g.Into(int(i))
		for k := range edges {
			if from := edges[k].From; !seen[from] {
				seen[from] = true
				list = append(list, from)
			}
		}
	}
	return false
}

// vectors reports whether some of an instruction's data are in registers other than general-purpose ones.
func (b *builder) vectors(operands []isa.Access) bool {
	s := b.Bound.Kernel.ISA.Semantics
	return s != nil && slices.ContainsFunc(operands, func(a isa.Access) bool {
		if a.Role != isa.RoleData || a.Reg == isa.NoReg {
			return false
		}
		_, _, width := s.Part(a.Reg)
		return width == 0 && !(b.constant != nil && b.constant(a.Reg))
	})
}

// ownDistance is the largest distance in iterations at which Forwarding.Own is the latency from an instruction's store to its own load.
const ownDistance = 2

// cycles returns the latency of store-to-load forwarding in cycles for a load that memory renaming does not serve, by size, kind and iteration
// distance.
func (b *builder) cycles(p *passing) float64 {
	all, core := b.Bound.Model.Params.StoreForward, b.Bound.Model.Core()
	how, vector := &core.Forwarding, b.vectors(p.from.Effects.Reads)
	switch {
	case all <= 0: // not known
		b.ForwardAssumed = true
		if p.to.Load > 0 { // a load of this kind; vectors also take longer through the store queue on the cores measured
			return p.to.Load
		}
		return float64(b.Bound.Model.Params.LoadLatency)
	case how.ToVector > 0 && !vector && !b.integer(p.to) && storesRegister(p.from):
		return how.ToVector
	case how.ToInteger > 0 && vector && b.integer(p.to):
		return how.ToInteger
	case how.Vectors > 0 && vector:
		return how.Vectors
	case how.Mixed == 0:
		return all
	case core.Renaming.Renames() && b.integer(p.to):
		switch {
		case how.Own > 0 && p.own && p.iterations <= ownDistance:
			return how.Own
		case how.Distant > 0 && p.iterations >= 2:
			return how.Distant
		case how.Executed > 0 && p.from.Executes():
			return how.Executed
		}
		return how.Mixed
	case p.store.Bits != p.load.Bits:
		return max(all, how.Mixed)
	}
	return all
}

// storesRegister reports whether the stored value is in a register, not a constant.
func storesRegister(in *machine.Inst) bool {
	return slices.ContainsFunc(in.Effects.Reads, func(r isa.Access) bool { return r.Op >= 0 && r.Role == isa.RoleData })
}

// dense reports whether memory renaming would serve more loads than the core can follow in 32 bytes of code (`density` of "renaming"). It uses the
// average over the code, because the code's alignment is not known.
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

// tooDense reports whether the code has more renamed loads than the core can follow.
func (b *builder) tooDense(loads int) bool {
	return tooDense(b.Bound.Model.Core(), loads, codeBytes(b.Bound))
}

// tooDense reports whether so many bytes of code, 0 if that is not known, have more renamed loads than a core can
// follow.
func tooDense(c *machine.Core, loads, bytes int) bool {
	return bytes > 0 && loads*RenamingBytes > c.Renaming.Density*bytes
}

// codeBytes returns the bytes of code, 0 if the size of an instruction is not known.
func codeBytes(b *machine.Bound) (bytes int) {
	for i := range b.Insts {
		n := int(b.Insts[i].Line.Inst.Size)
		if n == 0 {
			return 0
		}
		bytes += n
	}
	return bytes
}

// RenamingBytes are the bytes of code for which `density` of "renaming" limits the loads.
const RenamingBytes = 32

// predict finds out whether the prediction table holds all pairs that need it, of all copies of the kernel.
func (b *builder) predict(edges []MemoryEdge) {
	how := &b.Bound.Model.Core().Renaming
	if !how.Registers && !how.Stack {
		return
	}
	var loads []int32
	seen := map[uint64]bool{} // addresses: a path may have an instruction several times
	for i := range edges {
		m := &edges[i]
		addr := b.Bound.Insts[m.To].Line.Addr
		if b.direct(m) || len(loads) > 0 && m.To == loads[len(loads)-1] || seen[addr] {
			continue
		}
		if loads = append(loads, m.To); addr != 0 && b.Bound.Kernel.Placed() {
			seen[addr] = true
		}
	}
	b.others = len(loads) == 0 || b.holds(loads)
}

// holds reports whether the sets of the prediction table have an entry for each of the loads of each copy.
func (b *builder) holds(loads []int32) bool {
	how, times := &b.Bound.Model.Core().Renaming, max(1, b.opts.Times)
	sets, copies := max(1, how.Sets), max(1, b.opts.Copies)
	at, size := b.places()
	if size == 0 || sets == 1 { // they are spread evenly
		return len(loads)*copies <= how.Entries*sets*times
	}
	used := make([]int, sets)
	if copies > 1 { // the loop around the copies counts in memory, in a place that is not known
		for i := range used {
			used[i] = 1
		}
	}
	for copy := range copies {
		for _, i := range loads {
			set := (at[i] + uint64(copy)*size) >> 1 % uint64(sets)
			if used[set]++; used[set] > how.Entries*times {
				return false
			}
		}
	}
	return true
}

// places returns the address of each instruction, from the kernel's beginning if it has none, and the bytes of the
// kernel; 0 if the size of an instruction is not known.
func (b *builder) places() (at []uint64, size uint64) {
	placed := b.Bound.Kernel.Placed() && b.opts.Copies <= 1
	for i := range b.Bound.Insts {
		l := b.Bound.Insts[i].Line
		if l.Inst.Size == 0 {
			return nil, 0
		}
		if at = append(at, size); placed {
			at[i] = l.Addr
		}
		size += uint64(l.Inst.Size)
	}
	return at, size
}

// stackMoved reports whether store and load use the stack pointer, and something between them sets it that is no push, pop or addition of a constant by add or
// sub: the core then takes its place on the stack for unknown. Measured on Zen 5: pushq %rbx; movq %rsp, %rbp; movq %rbp, %rsp; popq %rbx repeat every 7.0 cycles, with
// leaq or andq to %rsp, too, with subq and addq every 3. Other cores with `registers` are taken to do likewise.
func (b *builder) stackMoved(m *MemoryEdge) bool {
	q := b.Bound.Kernel.ISA.StackPointer
	s, l := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem], &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	if q == nil || !q(s.Base) || !q(l.Base) {
		return false
	}
	before := b.leaps.count(b, s.Base)
	return before[m.To]-before[m.From+1]+m.Dist*before[len(b.Bound.Insts)] > 0
}

// leaps counts the instructions that set a stack pointer to a place which the core takes for unknown.
type leaps struct {
	reg     isa.Reg // the stack pointer
	before  []int32 // instruction → those before it; empty: not counted yet
	numbers []int32 // of executed code: instruction → its number in the program
	known   []int8  // number → it is one (1) or none (-1); 0: not known
}

// count returns the numbers for a kernel, which it finds once for each register.
func (c *leaps) count(b *builder, stack isa.Reg) []int32 {
	if c.reg != stack {
		c.reg, c.before = stack, c.before[:0]
		clear(c.known)
	}
	if len(c.before) > 0 {
		return c.before
	}
	n := int32(0)
	for i := range b.Bound.Insts {
		c.before = append(c.before, n)
		if c.is(b, i) {
			n++
		}
	}
	c.before = append(c.before, n)
	return c.before
}

// is reports whether an instruction is one of them.
func (c *leaps) is(b *builder, i int) bool {
	in := &b.Bound.Insts[i]
	if c.numbers == nil {
		return c.leap(b, in)
	}
	number := int(c.numbers[i])
	if number >= len(c.known) {
		c.known = append(c.known, make([]int8, number+1-len(c.known))...)
	}
	k := &c.known[number]
	if *k == 0 {
		if *k = -1; c.leap(b, in) {
			*k = 1
		}
	}
	return *k > 0
}

func (c *leaps) leap(b *builder, in *machine.Inst) bool {
	_, ok := b.added(in, c.reg)
	return !ok && len(in.Effects.Mem) == 0 || b.isLoadedAddress(in, c.reg)
}

// isLoadedAddress reports whether an instruction sets a register to an address without reading flags or writing them (lea).
func (b *builder) isLoadedAddress(in *machine.Inst, r isa.Reg) bool {
	w := in.Effects.Writes
	return len(w) == 1 && len(in.Effects.Mem) == 0 && b.regs.Overlap(w[0].Reg, r)
}

// finds reports whether memory renaming finds the pair of an edge. direct says that the pair is found by its registers.
func (b *builder) finds(direct bool, m *MemoryEdge) bool {
	how := &b.Bound.Model.Core().Renaming
	switch {
	case how.Registers && b.stackMoved(m):
		return false
	case !how.Registers && !how.Stack || direct:
		return true
	}
	return b.others && how.Entries > 0 && (how.Stack || b.base(m) != isa.NoReg || b.nearCode(m))
}

// base returns the base register of the edge's load, or its index register if it has no base; NoReg if the base is a constant.
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

// nearCode reports whether the edge's load is relative to the program counter, and of a kind that the table predicts.
func (b *builder) nearCode(m *MemoryEdge) bool {
	a := &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	return b.constant != nil && a.Base != isa.NoReg && b.constant(a.Base) && (!a.Store || b.Bound.Model.Core().Renaming.Counters)
}

// direct reports whether memory renaming finds the pair by its registers: store and load name the same registers with unchanged values, or, with
// `stack`, the stack pointer alone.
func (b *builder) direct(m *MemoryEdge) bool {
	if b.Bound.Model.Core().Renaming.Stack {
		return b.stack(m)
	}
	s, l := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem], &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	if !sameRegisters(s, l) || b.base(m) == isa.NoReg {
		return false
	}
	return b.stack(m) || b.unchanged(m) && b.writes(m) < often // the core tracks changes of the stack pointer
}

// often is the number of writes of an address register in a loop from which on no pair is found by it, also where the
// register is unchanged between store and load (Zen 5: 60 of leaq 16(%rdi), %rax; movq %rdx, (%rax); movq (%rax), %rdx
// take 7.0 cycles each, with one leaq before all 0.5). Copies of the stack pointer do not count (likewise measured).
const often = 2

// writes returns how often all copies of the kernel write the registers of the address of an edge's load.
func (b *builder) writes(m *MemoryEdge) (n int) {
	l := &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	for i := range b.Bound.Insts {
		in := &b.Bound.Insts[i]
		if slices.ContainsFunc(in.Effects.Writes, func(w isa.Access) bool {
			return b.regs.Overlap(w.Reg, l.Base) || l.Index != isa.NoReg && b.regs.Overlap(w.Reg, l.Index)
		}) && !b.frame(in) {
			n += max(1, b.opts.Copies)
		}
	}
	return n
}

// frame reports whether an instruction copies the stack pointer.
func (b *builder) frame(in *machine.Inst) bool {
	a := b.Bound.Kernel.ISA
	if a.AddImm == nil || a.StackPointer == nil || in.Line.Inst.Form == isa.NoForm {
		return false
	}
	_, src, imm, ok := a.AddImm(&in.Line.Inst)
	return ok && imm == 0 && a.StackPointer(src)
}

// stack reports whether the store and the load of an edge address memory by the stack pointer alone.
func (b *builder) stack(m *MemoryEdge) bool {
	s, l := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem], &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	q := b.Bound.Kernel.ISA.StackPointer
	return q != nil && q(s.Base) && s.Index == isa.NoReg && sameRegisters(s, l)
}

// offset returns the distance in bytes from the start of the store to the start of the load, if the edge or the address registers determine it.
func (b *builder) offset(m *MemoryEdge) (bytes int64, ok bool) {
	if m.Placed {
		return m.Offset, true
	}
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

// fromBase returns the offset of an access without an index from the value of its base register before the instruction.
func fromBase(m *isa.MemRef) int64 {
	switch {
	case m.Post:
		return 0
	case m.Update != 0:
		return m.Update
	}
	return m.Disp
}

// moved returns the change, in bytes, of the base register between the store and the load; ok is false if anything except an addition of a constant
// changes it.
func (b *builder) moved(m *MemoryEdge) (bytes int64, ok bool) {
	c := b.changes(b.Bound.Insts[m.From].Effects.Mem[m.FromMem].Base)
	n := len(b.Bound.Insts)
	bytes = int64(m.Dist)*c.by[n] + c.by[m.To] - c.by[m.From]
	others := int(m.Dist)*c.others[n] + c.others[m.To] - c.others[m.From]
	return bytes, others == 0
}

// changed holds sums over the first i instructions of the kernel for one register: the constants added, and the number of other writes.
type changed struct {
	by     []int64
	others []int
}

// changes returns the changes of a register, computed once per register, because a kernel may have an edge for every instruction.
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

// added returns the constant that an instruction adds to a register, 0 if it does not write it. ok is false for any other write.
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
	if b.Bound.Insts[m.From].Flags&machine.NoForward != 0 {
		return true
	}
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

// inside reports whether a load begins within a store, but neither at its first byte nor at its middle, on a core for which that matters.
func (b *builder) inside(m *MemoryEdge) bool {
	if !b.Bound.Model.Core().Forwarding.Halves || !b.hasOperands(m) {
		return false
	}
	at, ok := b.offset(m)
	return ok && off(&b.Bound.Insts[m.From].Effects.Mem[m.FromMem], at)
}

// off reports whether an offset is within a store, but neither its first byte nor its middle.
func off(store *isa.MemRef, at int64) bool {
	bits := int64(store.Bits) * max(1, int64(store.Elems))
	return at > 0 && 8*at < bits && 16*at != bits
}

// crosses reports whether a load that begins at an offset within a store of 64 bytes needs bytes of both halves, but not all of them.
func crosses(store, load *isa.MemRef, at int64) bool {
	const half = 32 * 8
	loaded := int64(load.Bits) * max(1, int64(load.Elems))
	return store.Bits == 2*half && loaded < 2*half && 8*at < half && 8*at+loaded > half
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

// nowhere stands for an unknown memory operand.
var nowhere isa.MemRef
