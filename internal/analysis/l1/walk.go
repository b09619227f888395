package l1

import (
	"math"

	"incore/internal/analysis/throughput"
	"incore/internal/machine"
)

// Walk bounds the cycles of code that goes through memory without ever coming back, as copies laid out one after another do in which a pointer moves:
// the first access to each page misses the first-level translation buffer (param "page-miss"), and what follows through the pointer is tried
// again until the page is known. That takes as long as the miss does, but no longer than to repeat every access to the page; the ports of
// memory do nothing else meanwhile. Loads that leave out no line find the next page fetched ahead (Intel Optimization Reference Manual, next-page
// prefetcher; bhive-intel: up to 64 bytes an iteration cost nothing).
func Walk(b *machine.Bound) float64 {
	c, err := b.Model.Core()
	if err != nil || c.PageMiss <= 0 || b.Kernel.ISA == nil || b.Kernel.ISA.Regs == nil {
		return 0
	}
	type pointer struct {
		base, index origin
		stride      int64
	}
	again := map[pointer]float64{} // cycles that all accesses of an iteration take
	list := follow(b)
	for i := range list {
		a := &list[i]
		if a.stride == 0 {
			continue
		}
		at := pointer{a.base, a.index, a.stride}
		uops := b.Insts[a.inst].Uops
		if n := choice(uops, machine.UopLoad); a.load && n > 0 && max(a.stride, -a.stride) > line {
			again[at] += 1 / float64(n)
		}
		if n := choice(uops, machine.UopStoreData); a.store && n > 0 {
			again[at] += 1 / float64(n)
		}
	}
	if len(again) == 0 {
		return 0
	}
	extra := 0.0
	for at, cycles := range again {
		pages := min(1, math.Abs(float64(at.stride))/page) // an iteration comes to
		extra += min(pages*float64(c.PageMiss), cycles)
	}
	return memoryPorts(b) + extra
}

// memoryPorts is the port bound of loads and stores alone.
func memoryPorts(b *machine.Bound) float64 {
	only := *b
	only.Insts = make([]machine.Inst, len(b.Insts))
	for i := range b.Insts {
		only.Insts[i] = b.Insts[i]
		only.Insts[i].Uops = nil
		for _, u := range b.Insts[i].Uops {
			if !u.Resource && (u.Kind == machine.UopLoad || u.Kind == machine.UopStoreAddr || u.Kind == machine.UopStoreData) {
				only.Insts[i].Uops = append(only.Insts[i].Uops, u)
			}
		}
	}
	ports, _ := throughput.Quick(&only)
	return ports
}
