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
	g.Renames = core.MemoryRenaming && !bd.crowded(memory)
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
	if e.Renamed = b.Renames && b.renames(x); e.Renamed {
		e.Latency = b.Bound.Model.Params.RenamedForward - passedOn(from, int(e.Out))
	} else {
		e.Latency = b.forwarded(x)
	}
	b.Edges = append(b.Edges, e)
}

// renames reports whether memory renaming serves a dependence, as served does for loops.
func (b *builder) renames(x *Executed) bool {
	model, from, to := b.Bound.Model, &b.Bound.Insts[x.From], &b.Bound.Insts[x.To]
	s, l := b.operands(x)
	core := model.Core()
	size := l.Bits >= 32
	switch {
	case core.Renaming.Wide:
	case core.Renaming.Bytes:
		size = size || l.Bits == 8
	default:
		size = size || l.Bits == s.Bits && l.Store
	}
	latest := core.Renaming.Distant || x.Stores == 0 || s.Op < 0 || l.Op < 0
	return latest && size && x.Offset == 0 && !x.Short && l.Bits <= s.Bits && b.finds(x) && to.Load <= longestInteger(model) && model.Renames(from, to, int(x.FromMem), int(x.ToMem))
}

// finds reports whether memory renaming finds the store of a dependence, as found does for loops.
func (b *builder) finds(x *Executed) bool {
	how := &b.Bound.Model.Core().Renaming
	if !how.Registers && !how.Stack || b.named(x) {
		return true
	}
	m := MemoryEdge{From: x.From, To: x.To, FromMem: x.FromMem, ToMem: x.ToMem}
	return b.others && how.Entries > 0 && (how.Stack || b.base(&m) != isa.NoReg || b.nearCode(&m))
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

// crowded reports whether the code has more loads that memory renaming would serve than the core follows, as dense does for loops.
func (b *builder) crowded(memory []Executed) bool {
	most := b.Bound.Model.Core().Renaming.Density
	if most == 0 {
		return false
	}
	loads, size := 0, 0
	for i := range memory {
		if b.renames(&memory[i]) {
			loads++
		}
	}
	for i := range b.Bound.Insts {
		size += int(b.Bound.Insts[i].Line.Inst.Size)
	}
	return loads*32 > most*size
}

// forwarded is the latency of store-to-load forwarding, as forward has it for loops.
func (b *builder) forwarded(x *Executed) float64 {
	from, to := &b.Bound.Insts[x.From], &b.Bound.Insts[x.To]
	p := &b.Bound.Model.Params
	core := b.Bound.Model.Core()
	s, l := b.operands(x)
	switch {
	case p.StoreForward <= 0:
		b.ForwardAssumed = true
		if to.Load > 0 {
			return to.Load
		}
		return float64(p.LoadLatency)
	case core.MixedForward == 0:
		return p.StoreForward
	case core.MemoryRenaming && to.Load <= longestInteger(b.Bound.Model):
		iterations := x.Loads
		if to.Line.Addr <= from.Line.Addr {
			iterations++
		}
		switch {
		case core.Forwarding.Own > 0 && from.Line == to.Line && iterations <= ownDistance:
			return core.Forwarding.Own
		case iterations >= 2 && core.Forwarding.Distant > 0:
			return core.Forwarding.Distant
		}
		return core.MixedForward
	case s.Bits != l.Bits:
		return max(p.StoreForward, core.MixedForward)
	}
	return p.StoreForward
}
