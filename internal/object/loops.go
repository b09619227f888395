package object

import (
	"slices"
	"sort"
)

// Loop is a natural loop of a function.
type Loop struct {
	Func      *Function
	Graph     *Graph
	Header    int
	Blocks    []int // ascending
	Latches   []int // blocks that jump back to the header
	Depth     int   // 1 for an outermost loop
	Parent    int   // index of the loop around it in the function's list, -1 if none
	Innermost bool
	Insts     int // instructions in all blocks
}

// Addr is the address of the loop's header.
func (l *Loop) Addr() uint64 { return l.Graph.Blocks[l.Header].Addr }

// Range is the smallest range of addresses that holds the loop.
func (l *Loop) Range() (lo, hi uint64) {
	lo = l.Graph.Blocks[l.Blocks[0]].Addr
	for _, b := range l.Blocks {
		hi = max(hi, l.Graph.Blocks[b].End)
	}
	return lo, hi
}

// contains reports whether a block belongs to the loop.
func (l *Loop) contains(b int) bool {
	_, ok := slices.BinarySearch(l.Blocks, b)
	return ok
}

// Loops returns the natural loops of a function by address of their headers.
func (f *File) Loops(fn *Function) []*Loop {
	g := fn.Graph()
	latches := map[int][]int{}
	for b := range g.Blocks {
		for _, h := range g.Blocks[b].Succ {
			if g.rank[h] <= g.rank[b] && g.Dominates(h, b) {
				latches[h] = append(latches[h], b)
			}
		}
	}
	if len(latches) == 0 {
		return nil
	}
	loops := make([]*Loop, 0, len(latches))
	mark := make([]int, len(g.Blocks)) // loop number + 1 that a block was last seen in
	for h, from := range latches {
		l := &Loop{Func: fn, Graph: g, Header: h, Latches: from, Innermost: true, Parent: -1}
		sort.Ints(l.Latches)
		l.Blocks = g.body(h, from, mark, len(loops)+1)
		for _, b := range l.Blocks {
			l.Insts += g.Blocks[b].Insts
		}
		loops = append(loops, l)
	}
	sort.Slice(loops, func(i, j int) bool {
		a, b := loops[i], loops[j]
		if len(a.Blocks) != len(b.Blocks) { // larger first, so that parents precede
			return len(a.Blocks) > len(b.Blocks)
		}
		return a.Addr() < b.Addr()
	})
	nest(loops, mark)
	return byAddress(loops)
}

// body collects the blocks that reach a latch without passing the header.
func (g *Graph) body(header int, latches []int, mark []int, number int) []int {
	mark[header] = number
	blocks, work := []int{header}, []int(nil)
	push := func(b int) {
		if mark[b] != number {
			mark[b] = number
			blocks = append(blocks, b)
			work = append(work, b)
		}
	}
	for _, b := range latches {
		push(b)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range g.Blocks[b].Pred {
			if g.region[p] == g.region[header] {
				push(p)
			}
		}
	}
	sort.Ints(blocks)
	return blocks
}

// nest finds each loop's parent: the smallest loop before it that holds its header.
func nest(loops []*Loop, inner []int) {
	for i := range inner {
		inner[i] = -1
	}
	for i, l := range loops {
		l.Parent = inner[l.Header]
		l.Depth = 1
		if l.Parent >= 0 {
			l.Depth = loops[l.Parent].Depth + 1
			loops[l.Parent].Innermost = false
		}
		for _, b := range l.Blocks {
			inner[b] = i
		}
	}
}

// byAddress sorts loops and renumbers their parents.
func byAddress(loops []*Loop) []*Loop {
	sorted := slices.Clone(loops)
	sort.SliceStable(sorted, func(i, j int) bool {
		if a, b := sorted[i].Addr(), sorted[j].Addr(); a != b {
			return a < b
		}
		return sorted[i].Depth < sorted[j].Depth
	})
	place := map[*Loop]int{}
	for i, l := range sorted {
		place[l] = i
	}
	for _, l := range sorted {
		if l.Parent >= 0 {
			l.Parent = place[loops[l.Parent]]
		}
	}
	return sorted
}
