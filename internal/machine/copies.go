package machine

import (
	"slices"

	"incore/internal/isa"
)

// This file completes the rows of instructions that copy memory to memory: push and pop of a memory operand, movs.

// copies reports whether an instruction stores at one address what it loads from another: of registers it writes at most those of the addresses. (A
// call through memory stores something else.)
func copies(a *isa.ISA, in *isa.Inst, e *isa.Effects) bool {
	if a != nil && a.Flow != nil && a.Flow(in).Kind == isa.FlowCall {
		return false
	}
	load := slices.ContainsFunc(e.Mem, func(r isa.MemRef) bool { return r.Load && !r.Store })
	store := slices.ContainsFunc(e.Mem, func(r isa.MemRef) bool { return r.Store && !r.Load })
	return load && store && !slices.ContainsFunc(e.Writes, func(w isa.Access) bool {
		return w.Role != isa.RoleUpdate && !slices.ContainsFunc(e.Reads, func(r isa.Access) bool { return r.Role == isa.RoleAddr && r.Reg == w.Reg })
	})
}

// storesOnly reports whether a register is part of the address of a store, and not of a load's.
func storesOnly(mem []isa.MemRef, r isa.Reg) bool {
	uses := func(m *isa.MemRef) bool { return m.Base == r || m.Index == r }
	store := false
	for i := range mem {
		if m := &mem[i]; uses(m) {
			if m.Load {
				return false
			}
			store = store || m.Store
		}
	}
	return store
}

// storeAddress makes the last load µop of a copy the address µop of its store. Rows of cores whose address units serve loads and stores list both as
// loads.
func (w *binder) storeAddress(in *isa.Inst, uops []Uop, e *isa.Effects) []Uop {
	loads := 0
	for _, u := range uops {
		switch {
		case u.Resource:
		case u.Kind == UopLoad:
			loads++
		case u.Kind == UopStoreAddr:
			return uops
		}
	}
	if loads < 2 || !copies(w.a, in, e) {
		return uops
	}
	out := slices.Clone(uops)
	for k := len(out) - 1; k >= 0; k-- {
		if !out[k].Resource && out[k].Kind == UopLoad {
			out[k].Kind = UopStoreAddr
			break
		}
	}
	return out
}
