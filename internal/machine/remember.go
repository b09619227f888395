package machine

import (
	"slices"
	"sync/atomic"

	"incore/internal/isa"
)

// This file caches the costs of instructions. Compilers repeat instructions, and the cost of an instruction, before its kernel is considered (Costs),
// depends only on the instruction. All kernels share the cache of a model. Its size is fixed: a new instruction replaces an old one.

// remembered is the cache, indexed by a hash of the instruction.
type remembered [1 << rememberedBits]atomic.Pointer[boundInst]

const (
	rememberedBits  = 13
	rememberedAfter = 16 // kernels: the cache does not pay for a model that binds fewer
)

// boundInst is an instruction and its cost, without Line. It is immutable: kernels copy what they change.
type boundInst struct {
	of   isa.Inst
	cost Inst
}

// memory returns the cache; nil: not allocated yet.
func (r *rows) memory() *remembered {
	if t := r.bound.Load(); t != nil {
		return t
	}
	if r.kernels.Add(1) <= rememberedAfter {
		return nil
	}
	r.bound.CompareAndSwap(nil, new(remembered))
	return r.bound.Load()
}

// at returns the cache entry of an instruction.
func (t *remembered) at(in *isa.Inst) *atomic.Pointer[boundInst] {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(in.Form)<<32 | uint64(in.Prefix)<<16 | uint64(in.Size)<<8 | uint64(in.Top)
	for i := range in.Ops[:in.NOps] {
		o := &in.Ops[i]
		h = (h ^ uint64(o.Imm) ^ uint64(o.Reg)<<40) * prime
		h ^= h >> 29
	}
	return &t[h*prime>>(64-rememberedBits)]
}

// recall fills in the cost of an instruction that was bound before.
func (t *remembered) recall(out *Inst) bool {
	in := &out.Line.Inst
	b := t.at(in).Load()
	if b == nil || !same(&b.of, in) {
		return false
	}
	line := out.Line
	*out = b.cost
	out.Line = line
	return true
}

// keep stores the cost of an instruction.
func (t *remembered) keep(bound *Inst) {
	in := &bound.Line.Inst
	b := &boundInst{of: *in, cost: *bound}
	b.cost.Line = nil
	if late := bound.late; late != nil {
		own := *late
		own.in, own.out = &b.of, &b.cost
		b.cost.late = &own
	}
	t.at(in).Store(b)
}

// same reports whether two instructions are the same, symbols included.
func same(a, b *isa.Inst) bool {
	return a.Form == b.Form && a.NOps == b.NOps && a.Size == b.Size && a.Prefix == b.Prefix && a.VType == b.VType && a.Top == b.Top &&
		slices.Equal(a.Ops[:a.NOps], b.Ops[:b.NOps])
}
