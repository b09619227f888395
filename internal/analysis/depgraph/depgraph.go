// Package depgraph builds the dependence graph of a kernel: which instruction's
// result each instruction's operand comes from, and how many iterations before.
//
// The rules are those of PMBS'19, section II-C, extended by iteration distances, flags and memory: each instruction is a vertex, and an edge leads
// from each result to every operand that reads it. There is no edge where the value is overwritten before the read, or where the result of the reader
// does not depend on the operand. An instruction with a memory source has a load part (from the address to the loaded value) and an execute part.
package depgraph

import (
	"slices"
	"sync"

	"incore/internal/isa"
	"incore/internal/machine"
)

// Kind is the kind of storage that carries a dependence.
type Kind uint8

// The kinds of edges.
const (
	Register Kind = iota // a data register or mask
	Address              // a register that is part of a memory address: it delays the load or store part
	Flag                 // condition flags
	Memory               // a store and a load of the same bytes
)

// Edge is one dependence: operand In of instruction To is output Out of
// instruction From, Dist iterations earlier.
type Edge struct {
	From, To int32
	Out, In  int16 // outputs and inputs are numbered as machine.Inst does
	Kind     Kind
	Dist     int32   // Δk: 0 within one iteration
	Reg      isa.Reg // the register as To reads it; NoReg for memory
	// Latency is the cost of the edge itself in cycles, added to the latencies of the two instructions. For memory it is the latency of store-to-load
	// forwarding. For registers it is 0, or negative where the core forwards between these two instructions earlier than their latencies state.
	Latency  float64
	Remapped bool // MemoryEdge.Remapped
	Varying  bool // MemoryEdge.Varying
	Renamed  bool // memory renaming removes the latency of the store and the load
	Short    bool // the load needs bytes that the store has not written
	Begins   bool // the load begins at the first byte of the store, as far as known
	Inside   bool // the load begins within the store where the core cannot take data from it (`halves` of "forwarding")
	Placed   bool // MemoryEdge.Placed
	Offset   int64
}

// MemoryEdge is a dependence of a load on a store, as a memory analysis finds it.
type MemoryEdge struct {
	From, To       int32 // instruction that stores, instruction that loads
	FromMem, ToMem int16 // their memory operands: indices into Effects.Mem
	Dist           int32 // iterations between them
	// Remapped: store and load reach the same memory through addresses on different pages, so the core cannot forward the store's data.
	Remapped bool
	// Varying: the load reads the store's data in some executions only, so memory renaming does not predict the pair.
	Varying bool
	// Placed: in every iteration the load begins Offset bytes behind the start of the store.
	Placed bool
	Offset int64
	// When has one bit per iteration of Options.Period: bit i is set if iteration i has the dependence. 0 means that every iteration has it.
	When uint32
}

// Joins reports whether two edges join the same accesses over the same number of iterations.
func (m *MemoryEdge) Joins(o *MemoryEdge) bool {
	return m.From == o.From && m.To == o.To && m.FromMem == o.FromMem && m.ToMem == o.ToMem && m.Dist == o.Dist
}

// Place lists the known addresses of a memory access in consecutive iterations.
type Place struct {
	Inst int32
	Mem  int16 // index into Effects.Mem
	At   []int64
}

// Options are the options of Build. With the zero value, flags count and Addresses finds the memory dependences.
type Options struct {
	NoFlags  bool         // leave out dependences through condition flags
	NoMemory bool         // leave out dependences through memory
	Memory   []MemoryEdge // dependences to use instead of those of Addresses, if not nil
	// EqualRegisters: all general-purpose registers and all pointers in memory hold the same value when the code starts, as in BHive measurements, so
	// different base registers give the same address.
	EqualRegisters bool
	// Period is the number of iterations after which the dependences of Memory repeat, if some of them are not in every iteration; 0: all are in
	// every iteration.
	Period int
	Places []Place // the known addresses of accesses
	// Times is the number of loop iterations that the kernel contains, each with the same number of instructions; 0: 1.
	Times int
	// Copies is the number of copies of the kernel that lie one after the other in the code that runs it; 0: 1.
	Copies int
}

// Graph is the dependence graph of one iteration, with edges from earlier iterations.
type Graph struct {
	Bound *machine.Bound
	Edges []Edge // sorted by To, then by operand
	// ForwardAssumed: the model does not know the latency of store-to-load forwarding, so memory edges cost as many cycles as a load from the L1
	// cache.
	ForwardAssumed bool
	// Equal is Options.EqualRegisters.
	Equal   bool
	NoFlags bool // Options.NoFlags
	// Renames: memory renaming serves the kernel's loads, because the core has it and the density of loads does not exceed its limit.
	Renames bool
	// Crowded: the core renames memory, but the code has more loads that it would serve than the core follows (`density` of "renaming").
	Crowded bool
	// Period is Options.Period. Phases are the dependences that only some iterations have; they are not in Edges.
	Period int
	Phases []MemoryEdge
	Places []Place // Options.Places

	first []int32 // instruction → its first edge; one more at the end
}

// Into returns the edges into instruction i and the index of the first of them in Edges.
func (g *Graph) Into(i int) (edges []Edge, first int) {
	return g.Edges[g.first[i]:g.first[i+1]], int(g.first[i])
}

// LoadPart splits the latency from input in of instruction i into the latency of the load and the rest, both in cycles. The load part is 0 for all
// operands except addresses, because those operands are needed only after the load.
func (g *Graph) LoadPart(i, in int, cycles float64) (load, exec float64) {
	inst := &g.Bound.Insts[i]
	if inst.Load > 0 && in < len(inst.Effects.Reads) && inst.Effects.Reads[in].Role == isa.RoleAddr {
		load = min(inst.Load, cycles)
	}
	return load, cycles - load
}

// Produce returns the longest latency in cycles from an operand of instruction i to one of its outputs. It is the weight of the edges that leave the
// output (rule 3).
func (g *Graph) Produce(i, out int) float64 {
	inst := &g.Bound.Insts[i]
	cycles, any := 0.0, false
	for in := range inst.Inputs() {
		if c, ok := inst.Pair(in, out); ok {
			cycles, any = max(cycles, c), true
		}
	}
	if !any {
		return inst.Latency
	}
	return cycles
}

// writer is the last instruction that wrote a register unit.
type writer struct {
	inst int32 // -1: none in the kernel
	out  int16
	dist int16
}

type builder struct {
	*Graph
	opts     Options
	constant func(isa.Reg) bool
	regs     *isa.RegTable
	last     []writer // by register unit
	units    []uint16 // of the register in work
	changed  map[isa.Reg]*changed
	leaps    *leaps
	long     []int32 // instructions before an instruction that end memory renaming; made on first use
	control  bool    // the core's instructions wait for control state
	chase    bool    // the core has the fast path of pointer chasing
	complex  bool    // the load starts one cycle later if its address has a scaled index or three parts
	others   bool    // the pairs that memory renaming does not find by registers fit into its prediction table (`entries`)
}

// writers reuses the memory of builders.
var writers = sync.Pool{New: func() any { return new([]writer) }}

// Build makes the dependence graph of a kernel taken as a loop body.
func Build(b *machine.Bound, opts Options) *Graph {
	n := len(b.Insts)
	g := &Graph{Bound: b, Equal: opts.EqualRegisters, NoFlags: opts.NoFlags, Places: opts.Places, first: make([]int32, n+1), Edges: make([]Edge, 0, 4*n)}
	a := b.Kernel.ISA
	last := writers.Get().(*[]writer)
	defer writers.Put(last)
	*last = slices.Grow((*last)[:0], a.Regs.NumUnits())[:a.Regs.NumUnits()]
	bd := &builder{Graph: g, opts: opts, constant: a.Constant, regs: a.Regs, last: *last, leaps: new(leaps)}
	core := b.Model.Core()
	bd.control = core.ControlWaits
	bd.chase = core.FastPointerChase
	bd.complex = core.ComplexAddresses
	for i := range bd.last {
		bd.last[i] = writer{inst: -1}
	}
	for i := range b.Insts {
		bd.define(i, 1)
	}
	memory := opts.Memory
	if memory == nil && !opts.NoMemory {
		memory, _ = Addresses(b, opts.EqualRegisters)
	}
	if opts.NoMemory {
		memory = nil
	}
	if opts.Period > 1 {
		g.Period = opts.Period
		g.Phases = slices.Clone(memory)
		g.Phases = slices.DeleteFunc(g.Phases, func(m MemoryEdge) bool { return m.When == 0 || !valid(&m, n) })
		memory = slices.DeleteFunc(slices.Clone(memory), func(m MemoryEdge) bool { return m.When != 0 })
	}
	sorted := sortedByTarget(memory, n)
	bd.predict(sorted)
	g.Crowded = core.Renaming.Renames() && bd.dense(sorted)
	g.Renames = core.Renaming.Renames() && !g.Crowded
	for i := range b.Insts {
		g.first[i] = int32(len(g.Edges))
		bd.use(i)
		for len(sorted) > 0 && int(sorted[0].To) == i {
			bd.memory(sorted[0])
			sorted = sorted[1:]
		}
		bd.define(i, 0)
	}
	g.first[n] = int32(len(g.Edges))
	return g
}

// counts reports whether an access can carry a dependence here.
func (b *builder) counts(a *isa.Access) bool {
	switch {
	case a.Reg == isa.NoReg, a.Role == isa.RoleControl && !b.control:
		return false
	case a.Role == isa.RoleFlags && b.opts.NoFlags:
		return false
	}
	return b.constant == nil || !b.constant(a.Reg)
}

// define makes instruction i the last writer of its output registers, dist iterations before their readers.
func (b *builder) define(i int, dist int16) {
	w := b.Bound.Insts[i].Effects.Writes
	for o := range w {
		if !b.counts(&w[o]) {
			continue
		}
		for u, units := 0, b.regs.Units(w[o].Reg); u < units.Len(); u++ {
			b.last[units.At(u)] = writer{int32(i), int16(o), dist}
		}
	}
}

// use adds the edges of instruction i's register operands.
func (b *builder) use(i int) {
	b.reads(&b.Bound.Insts[i], func(k int, r *isa.Access) { b.edges(i, k, r, kindOf(r.Role)) })
}

// reads calls do for each register operand of an instruction that carries a dependence.
func (b *builder) reads(in *machine.Inst, do func(input int, r *isa.Access)) {
	idiom := in.Flags&(machine.ZeroIdiom|machine.DepBreak) != 0
	for k := range in.Effects.Reads {
		if r := &in.Effects.Reads[k]; b.counts(r) && !(idiom && cut(in, k)) {
			do(k, r)
		}
	}
}

func kindOf(r isa.Role) Kind {
	switch r {
	case isa.RoleAddr:
		return Address
	case isa.RoleFlags:
		return Flag
	}
	return Register
}

// cut reports whether no output of an idiom depends on input k.
func cut(in *machine.Inst, k int) bool {
	for o := range in.Outputs() {
		if _, ok := in.Pair(k, o); ok {
			return false
		}
	}
	return true
}

// edges adds an edge from each instruction that wrote a part of the register.
func (b *builder) edges(i, input int, a *isa.Access, k Kind) {
	b.units = appendUnits(b.units[:0], b.regs, a.Reg)
	b.join(i, &read{int16(input), k, a.Reg, b.units})
}

// appendUnits appends the units of a register.
func appendUnits(list []uint16, t *isa.RegTable, r isa.Reg) []uint16 {
	units := t.Units(r)
	for u := range units.Len() {
		list = append(list, units.At(u))
	}
	return list
}

// read is an operand of an instruction that carries dependences.
type read struct {
	input int16
	kind  Kind
	reg   isa.Reg
	units []uint16 // of the register
}

// join adds an edge from each instruction that wrote a unit of the register that instruction i reads.
func (b *builder) join(i int, r *read) {
	start := len(b.Edges)
next:
	for _, u := range r.units {
		w := b.last[u]
		if w.inst < 0 {
			continue
		}
		for k := start; k < len(b.Edges); k++ {
			if e := &b.Edges[k]; e.From == w.inst && e.Out == w.out {
				continue next
			}
		}
		from, to := &b.Bound.Insts[w.inst], &b.Bound.Insts[i]
		early := to.Forward(int(r.input), from, int(w.out))
		if b.chase && r.kind == Address && w.out == 0 && chases(from, to, r.reg) {
			early++
		}
		if b.complex && r.kind == Address && b.complexAddress(to, r.reg) {
			early--
		}
		b.Edges = append(b.Edges, Edge{From: w.inst, To: int32(i), Out: w.out, In: r.input, Kind: r.kind, Dist: int32(w.dist), Reg: r.reg, Latency: -early})
	}
}

// maxChase is the smallest displacement that excludes a load from the fast path of pointer chasing (Intel Optimization Reference Manual, section on
// load latency).
const maxChase = 2048

// chases reports whether an instruction loads from the address that another one has just loaded, without an index and with a small displacement.
// After a load of a register pair only the first register arrives early (D. Johnson, Apple Microarchitecture Research, on Firestorm).
func chases(from, to *machine.Inst, base isa.Reg) bool {
	for k := range from.Uops {
		if from.Uops[k].Kind != machine.UopLoad {
			return false
		}
	}
	if from.Load == 0 || len(from.Effects.Mem) != 1 || len(to.Effects.Mem) != 1 {
		return false
	}
	m := &to.Effects.Mem[0]
	return m.Load && m.Base == base && m.Index == isa.NoReg && m.Disp >= 0 && m.Disp < maxChase
}

// complexAddress reports whether a memory operand that uses register r has a scaled index, or base, index and displacement. A displacement of 0
// counts if the encoding contains one.
func (b *builder) complexAddress(to *machine.Inst, r isa.Reg) bool {
	displaced := b.Bound.Kernel.ISA.Displaced
	for k := range to.Effects.Mem {
		if m := &to.Effects.Mem[k]; m.Index != isa.NoReg && (m.Base == r || m.Index == r) &&
			(m.Scale > 1 || m.Base != isa.NoReg && (m.Disp != 0 || m.Sym != nil || displaced != nil && displaced(m.Base))) {
			return true
		}
	}
	return false
}

// memory adds a memory edge.
func (b *builder) memory(m MemoryEdge) {
	from, to := &b.Bound.Insts[m.From], &b.Bound.Insts[m.To]
	e := Edge{From: m.From, To: m.To, Kind: Memory, Dist: m.Dist, Remapped: m.Remapped, Varying: m.Varying, Short: b.short(&m), Inside: b.inside(&m), Placed: m.Placed, Offset: m.Offset,
		Out: int16(len(from.Effects.Writes)) + m.FromMem, In: int16(len(to.Effects.Reads)) + m.ToMem}
	b.pass(e, b.looped(&m))
}

// apart returns the number of loop iterations between the store and the load of an edge. again is true if the store is the load's own instruction or
// follows it in the loop body.
func (b *builder) apart(m *MemoryEdge) (iterations int32, again bool) {
	n := b.iteration()
	return m.Dist*int32(max(1, b.opts.Times)) + m.To/n - m.From/n, m.From%n >= m.To%n
}

// iteration returns the number of the kernel's instructions in one iteration of the loop.
func (b *builder) iteration() int32 { return int32(len(b.Bound.Insts) / max(1, b.opts.Times)) }

// sortedByTarget returns the edges between n instructions, sorted stably by To, without the edges that are out of range.
func sortedByTarget(m []MemoryEdge, n int) []MemoryEdge {
	ok := true
	for i := range m {
		ok = ok && (i == 0 || m[i-1].To <= m[i].To) && valid(&m[i], n)
	}
	if ok {
		return m
	}
	count := make([]int, n+1)
	for i := range m {
		if valid(&m[i], n) {
			count[m[i].To+1]++
		}
	}
	for i := range n {
		count[i+1] += count[i]
	}
	out := make([]MemoryEdge, count[n])
	for i := range m {
		if valid(&m[i], n) {
			out[count[m[i].To]] = m[i]
			count[m[i].To]++
		}
	}
	return out
}

// valid reports whether an edge is possible: within one iteration the store must precede the load.
func valid(m *MemoryEdge, n int) bool {
	return uint(m.From) < uint(n) && uint(m.To) < uint(n) && (m.Dist > 0 || m.Dist == 0 && m.From < m.To)
}
