package l1

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file follows the addresses of accesses as base, index and constants.

// access is a memory access; its address in iteration k is the values of its origins plus offset + k·stride.
type access struct {
	base, index Origin
	scale       uint8
	offset      int64
	stride      int64
	bytes       int64
	piece       int64 // bytes that one use of a port loads or stores
	load, store bool
	inst, mem   int // index of the instruction, and of its memory operand
	sym         *isa.Expr
	seg         isa.Reg
	at          []int64 // addresses by iteration, if known
	whole       bool    // a store that takes all turns of stores (Core.StoreTurns), so that it takes no longer across two lines
}

// address returns the address of an access in an iteration, as far as known.
func (a *access) address(iteration int64) int64 {
	if a.at != nil {
		return a.at[(iteration+int64(len(a.at)))%int64(len(a.at))]
	}
	return a.offset + iteration*a.stride
}

// locate sets the known addresses of accesses.
func locate(list []access, places []depgraph.Place) {
	for i := range list {
		for k := range places {
			if p := &places[k]; int(p.Inst) == list[i].inst && int(p.Mem) == list[i].mem {
				list[i].at = p.At
			}
		}
	}
}

// Origin is the source of a register value: a register at the start of the iteration (its number), or the result of instruction i (-1-i); 0 is none.
type Origin int32

// tracked is a register used in addresses, with its current value.
type tracked struct {
	reg    isa.Reg
	from   Origin
	offset int64
}

// Access is a memory access of a kernel; its address in iteration k is the values of its origins plus Offset + k·Stride.
type Access struct {
	Inst           int
	Load, Store    bool
	Base, Index    Origin
	Offset, Stride int64
	Seg            isa.Reg
}

// Accesses lists the accesses of an iteration in program order.
func Accesses(b *machine.Bound) []Access {
	list := follow(b)
	out := make([]Access, len(list))
	for i := range list {
		a := &list[i]
		out[i] = Access{a.inst, a.load, a.store, a.base, a.index, a.offset, a.stride, a.seg}
	}
	return out
}

// Strides returns the bytes by which each access moves per iteration; 0 if not known.
func Strides(b *machine.Bound) []int64 {
	list := follow(b)
	out := make([]int64, len(list))
	for i := range list {
		out[i] = list[i].stride
	}
	return out
}

// follow lists the accesses of an iteration in program order.
func follow(b *machine.Bound) []access {
	t, n := tracker{a: b.Kernel.ISA}, 0
	for i := range b.Insts {
		for k := range b.Insts[i].Effects.Mem {
			m := &b.Insts[i].Effects.Mem[k]
			t.add(m.Base)
			t.add(m.Index)
			n++
		}
	}
	out := make([]access, 0, n)
	for i := range b.Insts {
		e := &b.Insts[i].Effects
		for k := range e.Mem {
			if m := &e.Mem[k]; !m.Gather && m.Bits > 0 && m.Elems <= 1 {
				a := t.access(m)
				a.inst, a.mem = i, k
				a.piece = piece(&b.Insts[i], a.bytes)
				out = append(out, a)
			}
		}
		t.step(&b.Insts[i].Line.Inst, e, i)
	}
	for i := range out {
		out[i].stride = t.stride(out[i].base) + int64(out[i].scale)*t.stride(out[i].index)
	}
	return out
}

type tracker struct {
	a    *isa.ISA
	regs []tracked
}

func (t *tracker) add(r isa.Reg) {
	if r == isa.NoReg || t.find(r) != nil {
		return
	}
	t.regs = append(t.regs, tracked{r, Origin(r), 0})
}

func (t *tracker) find(r isa.Reg) *tracked {
	for i := range t.regs {
		if t.regs[i].reg == r {
			return &t.regs[i]
		}
	}
	return nil
}

func (t *tracker) access(m *isa.MemRef) access {
	out := access{seg: m.Seg, scale: m.Scale, offset: m.Disp, bytes: int64(m.Bits) / 8, load: m.Load, store: m.Store, sym: m.Sym}
	if r := t.find(m.Base); r != nil {
		out.base, out.offset = r.from, out.offset+r.offset
	}
	if !m.Post {
		out.offset += m.Update
	}
	if r := t.find(m.Index); r != nil {
		out.index, out.offset = r.from, out.offset+int64(m.Scale)*r.offset
	}
	return out
}

// step applies an instruction's writes to the registers used in addresses.
func (t *tracker) step(in *isa.Inst, e *isa.Effects, i int) {
	if t.a.AddImm != nil {
		if dst, src, imm, ok := t.a.AddImm(in); ok {
			if d := t.find(dst); d != nil {
				if s := t.find(src); s != nil {
					d.from, d.offset = s.from, s.offset+imm
				} else {
					d.from, d.offset = Origin(-1-i), 0
				}
			}
			return
		}
	}
	for _, w := range e.Writes {
		for k := range t.regs {
			r := &t.regs[k]
			if !t.a.Regs.Overlap(w.Reg, r.reg) {
				continue
			}
			if by, ok := update(e, r.reg); ok && w.Role == isa.RoleUpdate {
				r.offset += by
				continue
			}
			r.from, r.offset = Origin(-1-i), 0
		}
	}
}

// update returns the amount by which a memory operand changes its base register.
func update(e *isa.Effects, r isa.Reg) (int64, bool) {
	for k := range e.Mem {
		if e.Mem[k].Base == r && e.Mem[k].Update != 0 {
			return e.Mem[k].Update, true
		}
	}
	return 0, false
}

// stride returns the bytes by which a register changes per iteration; 0 if it does not change, or if the change is not known.
func (t *tracker) stride(o Origin) int64 {
	if o <= 0 {
		return 0
	}
	if r := t.find(isa.Reg(o)); r != nil && r.from == o {
		return r.offset
	}
	return 0
}

// start returns the offset of an Origin in its page, if all registers and all words of memory start with the same address of a page.
func start(b *machine.Bound, o Origin) (at int64, ok bool) {
	switch {
	case o == 0:
		return 0, true
	case o > 0:
		return b.Kernel.ISA.EqualStart(isa.Reg(o)), true
	}
	e := &b.Insts[-1-o].Effects // a pointer loaded from memory
	return 0, len(e.Writes) == 1 && len(e.Mem) == 1 && e.Mem[0].Load && !e.Mem[0].Store && e.Mem[0].Bits == 64
}
