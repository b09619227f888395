package machine

import (
	"slices"
	"sync/atomic"

	"incore/internal/isa"
)

// Compilers write the same instructions again and again, and what one costs hangs on it alone before its kernel is looked at (Bind). So a
// model remembers those that it bound, shared by all kernels. The table is bounded: an instruction takes the place of another one.

// remembered is the instructions that a model bound, each at the place that its hash says.
type remembered [1 << rememberedBits]atomic.Pointer[boundInst]

const (
	rememberedBits  = 13
	rememberedAfter = 16 // kernels: a model that binds fewer has no use for a table
)

// boundInst is an instruction and what it costs, but for the Line. Immutable: what is written to in kernels is copied before.
type boundInst struct {
	of   isa.Inst
	cost Inst
}

// memory is the table of what was bound; nil: there is none yet.
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

// at is the place of an instruction.
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

// recall fills in what an instruction costs, if it was bound before.
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

// keep remembers what an instruction costs.
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
