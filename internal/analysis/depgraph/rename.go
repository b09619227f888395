package depgraph

import "incore/internal/isa"

// This file says which stores memory renaming finds on cores that know them by the registers of their addresses (feature
// "renaming-bases"): those through the stack pointer, and those of the same base and index, none of which was written since. Others are
// predicted from a small table of pairs of a store and a load ("renaming-entries"), which a loop with more of them finds useless, as
// each entry is replaced before it is used again. Addresses without a base register are not found.

// predict finds out whether the table holds all pairs that need it.
func (b *builder) predict(edges []MemoryEdge) {
	core, err := b.Bound.Model.Core()
	if !b.bases || err != nil {
		return
	}
	pairs, last := 0, int32(-1)
	for i := range edges {
		if m := &edges[i]; m.To != last && !b.direct(m) {
			pairs, last = pairs+1, m.To
		}
	}
	b.others = pairs <= core.RenamingEntries
}

// found reports whether memory renaming finds the store of an edge.
func (b *builder) found(m *MemoryEdge) bool {
	return !b.bases || b.direct(m) || b.others && b.base(m) != isa.NoReg
}

// base is the base register of an edge's load, if it has one that holds an address.
func (b *builder) base(m *MemoryEdge) isa.Reg {
	r := b.Bound.Insts[m.To].Effects.Mem[m.ToMem].Base
	if b.constant != nil && b.constant(r) {
		return isa.NoReg
	}
	return r
}

// direct reports whether the store and the load of an edge name the same registers, which hold the same values.
func (b *builder) direct(m *MemoryEdge) bool {
	s, l := &b.Bound.Insts[m.From].Effects.Mem[m.FromMem], &b.Bound.Insts[m.To].Effects.Mem[m.ToMem]
	if s.Base != l.Base || s.Index != l.Index || s.Scale != l.Scale || b.base(m) == isa.NoReg {
		return false
	}
	if q := b.Bound.Kernel.ISA.StackPointer; q != nil && q(s.Base) && s.Index == isa.NoReg {
		return true // its changes are followed
	}
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
