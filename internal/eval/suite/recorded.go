package suite

import (
	"cmp"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
)

// dependence is the dependence of a load on a store of the same path, a number of iterations earlier. Both are identified by the position of their block on the path
// and the number of the access in the block.
type dependence struct {
	from, to             int32
	fromAccess, toAccess int16
	distance             int32
}

// The limits of the recorded dependences that count.
const (
	granule     = 4   // bytes per recorded last writer
	mostApart   = 64  // greatest distance in iterations
	usualShare  = 0.5 // least share of a path's iterations in which a dependence occurs
	placedTurns = 32  // iterations of a path whose addresses are used
	noPlace     = -1
	maxAccesses = 1 << 15
)

// writer is an executed store.
type writer struct {
	visit  int32
	access int16
}

// depend finds the store from which each load of the run reads, and counts the dependences per path.
func (f *folder) depend() {
	last := map[int64]writer{}
	for v := range f.visits {
		x := &f.visits[v]
		list := f.image.Blocks[x.block].Accesses
		for i, addr := range x.addresses[:min(len(x.addresses), len(list), maxAccesses)] {
			a := &list[i]
			end := addr + int64(max(1, a.Bytes))
			if a.Load {
				newest := writer{visit: -1}
				for g := addr / granule; g*granule < end; g++ {
					if w, ok := last[g]; ok && w.visit > newest.visit {
						newest = w
					}
				}
				if newest.visit >= 0 {
					f.note(newest, writer{int32(v), int16(i)})
				}
			}
			if a.Store {
				for g := addr / granule; g*granule < end; g++ {
					last[g] = writer{int32(v), int16(i)}
				}
			}
		}
	}
}

// note counts a dependence if both ends are on paths of the same loop.
func (f *folder) note(from, to writer) {
	a, b := &f.at[from.visit], &f.at[to.visit]
	if a.way == nil || b.way == nil || a.loop != b.loop || b.turn-a.turn > mostApart {
		return
	}
	pos := a.pos
	if a.way != b.way { // use the same block on this path, the last one if it occurs several times
		pos = noPlace
		for i, block := range b.way.blocks {
			if block == f.visits[from.visit].block {
				pos = int32(i)
			}
		}
		if pos == noPlace {
			return
		}
	}
	b.way.deps[dependence{pos, b.pos, from.access, to.access, b.turn - a.turn}]++
}

// edges returns the dependences that occur in most iterations of a path, between the lines of its kernel.
func (f *folder) edges(w *way) []depgraph.MemoryEdge {
	start := f.starts(w)
	out := []depgraph.MemoryEdge{} // not nil, which would mean that the dependences are not known
	line := func(pos int32, access int16) int32 {
		return int32(start[pos] + f.image.Blocks[w.blocks[pos]].Accesses[access].Line)
	}
	for d, n := range w.deps {
		if float64(n) >= usualShare*float64(w.count) {
			e := depgraph.MemoryEdge{From: line(d.from, d.fromAccess), To: line(d.to, d.toAccess), Dist: d.distance}
			if d.distance > 0 || e.From < e.To {
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, func(a, b depgraph.MemoryEdge) int {
		return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From), cmp.Compare(a.Dist, b.Dist))
	})
	return out
}

// starts returns the lines of a path's kernel at which its blocks begin.
func (f *folder) starts(w *way) []int {
	out := make([]int, len(w.blocks))
	lines := 0
	for i, b := range w.blocks {
		out[i] = lines
		lines += f.insts[b]
	}
	return out
}

// places returns the addresses of the accesses in a path's first iterations, which determine the accesses that cross a cache line.
func (f *folder) places(w *way, k *isa.Kernel) (out []depgraph.Place) {
	start := f.starts(w)
	var e isa.Effects
	for pos, b := range w.blocks {
		for i, a := range f.image.Blocks[b].Accesses {
			var at []int64
			for _, visits := range w.turns {
				if list := f.visits[visits[pos]].addresses; i < len(list) {
					at = append(at, list[i])
				}
			}
			line := start[pos] + a.Line
			if len(at) < len(w.turns) || line >= len(k.Lines) {
				continue
			}
			k.ISA.Effects(&k.Lines[line].Inst, &e)
			for m := range e.Mem {
				if x := &e.Mem[m]; x.Base == e.Mem[0].Base && x.Index == e.Mem[0].Index { // not what else the instruction does to the stack
					out = append(out, depgraph.Place{Inst: int32(line), Mem: int16(m), At: at})
				}
			}
		}
	}
	return out
}
