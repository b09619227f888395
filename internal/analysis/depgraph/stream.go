package depgraph

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file builds the graph of an execution: instructions in the order in which they ran, without a next iteration, and memory dependences known
// from the addresses of the run.

// Executed is a memory dependence of an execution: instruction To loads data that instruction From was the last to store.
type Executed struct {
	From, To       int32 // in the order of execution
	FromMem, ToMem int16 // indices into Effects.Mem
	Offset         int64 // bytes from the start of the store to the start of the load
	Short          bool  // the load needs bytes that the store has not written
	Several        bool  // another recent store wrote some of those bytes
	Stores, Loads  int32 // executions of the storing and of the loading instruction between the two
	Moved          bool  // the stack pointer leaps (Leaps) before the first instruction that the graph has of what is between the two
}

// Runs builds the graphs of parts of an execution, one after another. It keeps the operands of the program's instructions for all of them.
type Runs struct {
	code  []accesses // by instruction number in the program
	graph Graph      // memory of the last graph, reused for the next
	last  []writer
	leaps leaps
	pairs map[pair]served
}

// accesses are the register operands of an instruction that carry dependences.
type accesses struct {
	known  bool
	reads  []read
	writes []write
}

// write is a register that an instruction writes.
type write struct {
	out   int16
	units []uint16
}

// Graph builds the graph of executed instructions. numbers gives each instruction's number in the program; memory is sorted by To. The graph is valid
// until the next call.
func (r *Runs) Graph(b *machine.Bound, numbers []int32, memory []Executed) *Graph {
	return r.Entries(b, numbers, memory, len(b.Insts)+1)
}

// Entries is Graph for code that begins anew every some instructions: what follows depends on no register that was written before.
func (r *Runs) Entries(b *machine.Bound, numbers []int32, memory []Executed, every int) *Graph {
	part := r.Part(b.Model, b.Kernel.ISA)
	for i := range memory {
		x := &memory[i]
		part.Add(x, &b.Insts[x.From], &b.Insts[x.To])
	}
	return r.build(b, numbers, memory, every, part.Renaming(codeBytes(b)))
}

// Within is Graph for instructions of a part of an execution for which it is known what memory renaming does.
func (r *Runs) Within(b *machine.Bound, numbers []int32, memory []Executed, renaming Renaming) *Graph {
	return r.build(b, numbers, memory, len(b.Insts)+1, renaming)
}

// build builds the graph.
func (r *Runs) build(b *machine.Bound, numbers []int32, memory []Executed, every int, renaming Renaming) *Graph {
	n := len(b.Insts)
	g := &r.graph
	*g = Graph{Bound: b, first: slices.Grow(g.first[:0], n+1)[:n+1], Edges: g.Edges[:0]}
	a := b.Kernel.ISA
	if r.last == nil {
		r.last = make([]writer, a.Regs.NumUnits())
	}
	core := b.Model.Core()
	r.leaps.before, r.leaps.numbers = r.leaps.before[:0], numbers
	bd := &builder{Graph: g, constant: a.Constant, regs: a.Regs, last: r.last, leaps: &r.leaps, chase: core.FastPointerChase, complex: core.ComplexAddresses}
	forget := func() {
		for i := range bd.last {
			bd.last[i] = writer{inst: -1}
		}
	}
	forget()
	bd.others = renaming.Others
	g.Crowded = renaming.Crowded
	g.Renames = core.Renaming.Renames() && !g.Crowded
	for i := range b.Insts {
		g.first[i] = int32(len(g.Edges))
		if i%every == 0 && i > 0 {
			forget()
		}
		x := r.accesses(bd, numbers[i], i)
		for k := range x.reads {
			bd.join(i, &x.reads[k])
		}
		for ; len(memory) > 0 && int(memory[0].To) == i; memory = memory[1:] {
			bd.executed(&memory[0])
		}
		for k := range x.writes {
			for _, u := range x.writes[k].units {
				bd.last[u] = writer{inst: int32(i), out: x.writes[k].out}
			}
		}
	}
	g.first[n] = int32(len(g.Edges))
	return g
}

// accesses returns the operands of the instruction with a number, which is instruction i of the run.
func (r *Runs) accesses(b *builder, number int32, i int) *accesses {
	if int(number) >= len(r.code) {
		r.code = append(r.code, make([]accesses, int(number)+1-len(r.code))...)
	}
	x := &r.code[number]
	if x.known {
		return x
	}
	x.known = true
	in := &b.Bound.Insts[i]
	b.reads(in, func(k int, a *isa.Access) {
		x.reads = append(x.reads, read{int16(k), kindOf(a.Role), a.Reg, appendUnits(nil, b.regs, a.Reg)})
	})
	for o := range in.Effects.Writes {
		if w := &in.Effects.Writes[o]; b.counts(w) {
			x.writes = append(x.writes, write{int16(o), appendUnits(nil, b.regs, w.Reg)})
		}
	}
	return x
}

// operands returns the memory operands of the store and the load of a dependence.
func (b *builder) operands(x *Executed) (store, load *isa.MemRef) {
	return &b.Bound.Insts[x.From].Effects.Mem[x.FromMem], &b.Bound.Insts[x.To].Effects.Mem[x.ToMem]
}

// executed adds a memory dependence of an execution.
func (b *builder) executed(x *Executed) {
	from, to := &b.Bound.Insts[x.From], &b.Bound.Insts[x.To]
	e := Edge{From: x.From, To: x.To, Kind: Memory, Short: (x.Short || from.Flags&machine.NoForward != 0) && !x.Several, Remapped: x.Several,
		Out: int16(len(from.Effects.Writes)) + x.FromMem, In: int16(len(to.Effects.Reads)) + x.ToMem}
	if b.Bound.Model.Core().Forwarding.Halves {
		store, _ := b.operands(x)
		e.Inside = off(store, x.Offset)
	}
	b.pass(e, b.ran(x))
}

// ran returns the passing of a dependence in an execution.
func (b *builder) ran(x *Executed) passing {
	from, to := &b.Bound.Insts[x.From], &b.Bound.Insts[x.To]
	store, load := b.operands(x)
	p := passing{from: from, to: to, store: store, load: load, latest: x.Stores == 0, begins: x.Offset == 0, whole: !x.Short, crosses: crosses(store, load, x.Offset), own: from.Line == to.Line, iterations: x.Loads}
	if to.Line.Addr <= from.Line.Addr {
		p.iterations++
	}
	p.found = !x.Moved && b.finds(b.named(x), &MemoryEdge{From: x.From, To: x.To, FromMem: x.FromMem, ToMem: x.ToMem})
	return p
}

// named reports whether memory renaming finds the pair by its registers: store and load name the same registers, and the run's addresses show that
// their values are unchanged; or, with `stack`, the stack pointer alone.
func (b *builder) named(x *Executed) bool {
	s, l := b.operands(x)
	m := MemoryEdge{From: x.From, To: x.To, FromMem: x.FromMem, ToMem: x.ToMem}
	if b.Bound.Model.Core().Renaming.Stack {
		return b.stack(&m)
	}
	return sameRegisters(s, l) && b.base(&m) != isa.NoReg && (b.stack(&m) || x.Offset == fromBase(l)-fromBase(s))
}
