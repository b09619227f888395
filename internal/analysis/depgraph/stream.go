package depgraph

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file makes the graph of code as it ran: instructions in the order of their execution, which nothing follows, and dependences through memory that are known
// from the addresses of the run.

// Executed is a dependence through memory of a run: instruction To loads what instruction From stored last.
type Executed struct {
	From, To       int32 // in the order of execution
	FromMem, ToMem int16 // indices into Effects.Mem
	Offset         int64 // bytes from where the store began to where the load begins
	Short          bool  // the load needs bytes that the store has not written
	Several        bool  // and some of those are another store's of late
	Stores, Loads  int32 // how often the storing and the loading instruction were executed between the two
}

// Stream builds the graph of instructions as they ran. memory is sorted by To. It takes the memory of a graph that is not used any more, unless that is nil.
func Stream(b *machine.Bound, memory []Executed, before *Graph) *Graph {
	n := len(b.Insts)
	g := &Graph{Bound: b}
	if before != nil && cap(before.first) > n {
		g.first, g.Edges = before.first[:n+1], before.Edges[:0]
	} else {
		g.first, g.Edges = make([]int32, n+1), make([]Edge, 0, 3*n)
	}
	a := b.Kernel.ISA
	last := writers.Get().(*[]writer)
	defer writers.Put(last)
	*last = slices.Grow((*last)[:0], a.Regs.NumUnits())[:a.Regs.NumUnits()]
	core := b.Model.Core()
	bd := &builder{Graph: g, constant: a.Constant, regs: a.Regs, last: *last, chase: core.FastPointerChase, complex: core.ComplexAddresses}
	for i := range bd.last {
		bd.last[i] = writer{inst: -1}
	}
	bd.others = bd.pairs(memory) <= core.Renaming.Entries
	g.Renames = core.Renaming.Renames() && !bd.crowded(memory)
	for i := range b.Insts {
		g.first[i] = int32(len(g.Edges))
		bd.use(i)
		for ; len(memory) > 0 && int(memory[0].To) == i; memory = memory[1:] {
			bd.executed(&memory[0])
		}
		bd.define(i, 0)
	}
	g.first[n] = int32(len(g.Edges))
	return g
}

// operands are what the store and the load of a dependence say of their addresses.
func (b *builder) operands(x *Executed) (store, load *isa.MemRef) {
	return &b.Bound.Insts[x.From].Effects.Mem[x.FromMem], &b.Bound.Insts[x.To].Effects.Mem[x.ToMem]
}

// executed adds a dependence of a run.
func (b *builder) executed(x *Executed) {
	from, to := &b.Bound.Insts[x.From], &b.Bound.Insts[x.To]
	e := Edge{From: x.From, To: x.To, Kind: Memory, Short: x.Short && !x.Several, Remapped: x.Several,
		Out: int16(len(from.Effects.Writes)) + x.FromMem, In: int16(len(to.Effects.Reads)) + x.ToMem}
	b.pass(e, b.ran(x))
}

// ran is the passing of a dependence of a run.
func (b *builder) ran(x *Executed) passing {
	from, to := &b.Bound.Insts[x.From], &b.Bound.Insts[x.To]
	store, load := b.operands(x)
	p := passing{from: from, to: to, store: store, load: load, latest: x.Stores == 0, begins: x.Offset == 0, whole: !x.Short, own: from.Line == to.Line, iterations: x.Loads}
	if to.Line.Addr <= from.Line.Addr {
		p.iterations++
	}
	p.found = b.finds(b.named(x), &MemoryEdge{From: x.From, To: x.To, FromMem: x.FromMem, ToMem: x.ToMem})
	return p
}

// named reports whether the store and the load of a dependence name the same registers, which hold the same values, as the addresses differ by what the operands
// do; or on some cores the stack pointer.
func (b *builder) named(x *Executed) bool {
	s, l := b.operands(x)
	m := MemoryEdge{From: x.From, To: x.To, FromMem: x.FromMem, ToMem: x.ToMem}
	if b.Bound.Model.Core().Renaming.Stack {
		return b.stack(&m)
	}
	return sameRegisters(s, l) && b.base(&m) != isa.NoReg && (b.stack(&m) || x.Offset == fromBase(l)-fromBase(s))
}

// pairs counts the pairs of a store and a load that memory renaming does not find by their registers.
func (b *builder) pairs(memory []Executed) int {
	type pair struct{ store, load *isa.Line }
	seen := map[pair]bool{}
	for i := range memory {
		if x := &memory[i]; !b.named(x) {
			seen[pair{b.Bound.Insts[x.From].Line, b.Bound.Insts[x.To].Line}] = true
		}
	}
	return len(seen)
}

// crowded is dense of a run.
func (b *builder) crowded(memory []Executed) bool {
	if b.Bound.Model.Core().Renaming.Density == 0 {
		return false
	}
	loads := 0
	for i := range memory {
		if p := b.ran(&memory[i]); b.eligible(&p) {
			loads++
		}
	}
	return b.tooDense(loads)
}
