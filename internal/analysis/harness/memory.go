package harness

import (
	"math"

	"incore/internal/analysis/l1"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file bounds the cycles of code by memory costs of the measurement: one physical page for all addresses, and pages accessed for the first time.

const (
	page       = 4096 // bytes
	line       = 64
	iterations = 32 // over which moving addresses are followed: steps of 8 bytes traverse a line four times
)

// aliases bounds the cycles of code that moves the stack pointer in a measurement with one physical page for all addresses. The lines that the stack
// pointer reaches were last used through other addresses, which a cache with a way predictor (M. Lipp et al., Take A Way, ASIA CCS 2020, on AMD's)
// detects late. So loads through the stack pointer use their ports more often, and so do the stores, per line. more is the cycles added to any bound:
// the cost of stores to lines that loads have read through other addresses.
func aliases(b *machine.Bound) (bound, more float64) {
	c := costsOf(b.Model).stack
	if c == (stackCosts{}) || b.Kernel.ISA == nil || b.Kernel.ISA.Regs == nil || b.Kernel.ISA.StackPointer == nil {
		return 0, 0
	}
	var loads, stores [64]float64 // by number of usable ports
	lines := map[int64]bool{}
	moved, others := movesStack(b), false
	uses := c.popped
	if moved {
		uses = c.moved
	}
	list := l1.Accesses(b)
	for i := range list {
		a := &list[i]
		moving := a.Stride != 0 && a.Base > 0 && b.Kernel.ISA.StackPointer(isa.Reg(a.Base))
		others = others || a.Load && !a.Store && a.Stride == 0 && a.Seg == isa.NoReg
		in := &b.Insts[a.Inst]
		if n := l1.Ports(in, machine.UopLoad); a.Load && n > 0 {
			if moving {
				loads[n] += uses
			} else {
				loads[n]++
			}
		}
		if n := l1.Ports(in, machine.UopStoreData); a.Store && n > 0 {
			stores[n]++
			for k := range int64(iterations) {
				if at := (a.Offset + k*a.Stride) >> 6; moving && !lines[at] {
					lines[at] = true
					stores[n] += c.stored / iterations
				}
			}
		}
	}
	if moved && others {
		more = c.pass * float64(len(lines)) / iterations * line / page
	}
	return max(l1.Narrowest(&loads), l1.Narrowest(&stores)), more
}

// movesStack reports whether an instruction other than push and pop moves the stack pointer.
func movesStack(b *machine.Bound) bool {
	for i := range b.Insts {
		for _, w := range b.Insts[i].Effects.Writes {
			if b.Kernel.ISA.StackPointer(w.Reg) && w.Role != isa.RoleUpdate {
				return true
			}
		}
	}
	return false
}

// walk bounds the cycles of code whose pointer moves through memory without return, as in unrolled copies. The first access to each page misses the
// first-level TLB, and the accesses through the pointer are repeated until the translation is known. This takes the time of the miss, but no more
// than to repeat every access to the page; meanwhile the memory ports do nothing else. Loads that use every line find the next page prefetched (Intel
// Optimization Reference Manual, next-page prefetcher; bhive-intel: up to 64 bytes per iteration cost nothing). If data loaded through a pointer is
// added to that pointer, each iteration reaches another page, and the miss adds to the chain (whose cycles without the miss are chain).
func walk(b *machine.Bound, chain float64) float64 {
	miss := costsOf(b.Model).dtlbMiss
	if miss <= 0 || b.Kernel.ISA == nil || b.Kernel.ISA.Regs == nil {
		return 0
	}
	type pointer struct {
		base, index l1.Origin
		stride      int64
	}
	again := map[pointer]float64{} // cycles of all accesses of an iteration
	list := l1.Accesses(b)
	for i := range list {
		a := &list[i]
		if a.Stride == 0 {
			continue
		}
		at := pointer{a.Base, a.Index, a.Stride}
		in := &b.Insts[a.Inst]
		if n := l1.Ports(in, machine.UopLoad); a.Load && n > 0 && max(a.Stride, -a.Stride) > line {
			again[at] += 1 / float64(n)
		}
		if n := l1.Ports(in, machine.UopStoreData); a.Store && n > 0 {
			again[at] += 1 / float64(n)
		}
	}
	least, extra := 0.0, 0.0
	if wanders(b) {
		least = chain + miss
	}
	if len(again) == 0 {
		return least
	}
	for at, cycles := range again {
		pages := min(1, math.Abs(float64(at.stride))/page) // new pages per iteration
		extra += min(pages*miss, cycles)
	}
	return max(least, memoryPorts(b)+extra)
}

// memoryPorts is the port bound of loads and stores alone.
func memoryPorts(b *machine.Bound) float64 {
	return throughput.Ports(uops.UsageOf(b).Part(func(w *uops.Work) bool {
		return !w.Resource && (w.Kind == machine.UopLoad || stores(w))
	}))
}

// stores reports whether a µop is part of a store.
func stores(w *uops.Work) bool {
	return w.Kind == machine.UopStoreAddr || w.Kind == machine.UopStoreData
}

// wanders reports whether an address register is written only by adding a value that was loaded through it, as jump tables are added to their own
// base: in measurements every word of memory holds the same large number.
func wanders(b *machine.Bound) bool {
	s := b.Kernel.ISA.Semantics
	if s == nil {
		return false
	}
	var few [8]isa.IntStep
	for i := range b.Insts {
		in := &b.Insts[i]
		e := in.Effects
		if len(e.Mem) > 0 || len(e.Writes) == 0 || len(e.Reads) != 2 || e.Reads[0].Reg == e.Reads[1].Reg {
			continue
		}
		pointer, by := e.Writes[0].Reg, e.Reads[1].Reg
		if by == pointer {
			by = e.Reads[0].Reg
		}
		loaded := lastWriter(b, i, by)
		if e.Reads[0].Reg != pointer && e.Reads[1].Reg != pointer || loaded < 0 || lastWriter(b, i, pointer) != i {
			continue
		}
		steps, ok := s.Lift(&in.Line.Inst, few[:0])
		if !ok || len(steps) == 0 || steps[0].Op != isa.StepAdd { // the following steps set flags
			continue
		}
		if m := b.Insts[loaded].Effects.Mem; len(m) == 1 && m[0].Load && (m[0].Base == pointer || m[0].Index == pointer) {
			return true
		}
	}
	return false
}

// lastWriter returns the last instruction before instruction i that writes a register or a part of it, in this iteration or the one before (i itself
// last), -1 if none does.
func lastWriter(b *machine.Bound, i int, r isa.Reg) int {
	n := len(b.Insts)
	for back := 1; back <= n; back++ {
		k := (i - back + n) % n
		for _, w := range b.Insts[k].Effects.Writes {
			if w.Role != isa.RoleFlags && b.Kernel.ISA.Regs.Overlap(w.Reg, r) {
				return k
			}
		}
	}
	return -1
}
