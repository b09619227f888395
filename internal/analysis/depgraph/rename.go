package depgraph

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file says which stores memory renaming finds on cores that know them by the registers of their addresses (`registers` of "renaming"): those through
// the stack pointer, and those of the same base and index, none of which was written since; or (`stack`) those through the stack pointer alone. Others are
// predicted from a small table of pairs of a store and a load (its `entries`), which a loop with more of them finds useless, as each entry is replaced before
// it is used again. With `registers`, absolute addresses are not predicted, and those by the program counter not by what loads and stores.

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

// found reports whether memory renaming finds the store of an edge.
func (b *builder) found(m *MemoryEdge) bool {
	how := &b.Bound.Model.Core().Renaming
	if !how.Registers && !how.Stack || b.direct(m) {
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
	if int(m.FromMem) >= len(b.Bound.Insts[m.From].Effects.Mem) || int(m.ToMem) >= len(b.Bound.Insts[m.To].Effects.Mem) {
		return false // Options.Memory says so without operands
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
