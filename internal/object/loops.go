package object

import (
	"fmt"
	"slices"
	"sort"
	"sync"

	"incore/internal/isa"
)

// Loop is a natural loop of a function.
type Loop struct {
	Func      *Function
	Graph     *Graph
	Header    int
	Blocks    []int // ascending
	Latches   []int // blocks that jump back to the header
	Depth     int   // 1 for an outermost loop
	Parent    int   // index of the enclosing loop in the function's list, -1 for an outermost loop
	Innermost bool
	Insts     int // instructions in all blocks
}

// Addr is the address of the loop's header.
func (l *Loop) Addr() uint64 { return l.Graph.Blocks[l.Header].Addr }

// Name returns the name of the loop's kernels: "function+0x1c".
func (l *Loop) Name() string { return fmt.Sprintf("%s+%#x", l.Func.Name, l.Addr()-l.Func.Addr) }

// Range returns the smallest range of addresses that contains the loop.
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

// MaxHeight is the largest number of levels of loops within a loop. Loops around more levels, which no compiler generates, are omitted, so
// that all loops together have at most MaxHeight times the function's blocks. A loop within omitted loops has a Depth above 1
// and no Parent.
const MaxHeight = 64

// Loops returns the natural loops of a function by address of their headers.
func (f *File) Loops(fn *Function) []*Loop {
	g := f.looping(fn)
	if g == nil {
		return nil
	}
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
	for h, from := range latches {
		sort.Ints(from)
		loops = append(loops, &Loop{Func: fn, Graph: g, Header: h, Latches: from, Innermost: true, Parent: -1})
	}
	sort.Slice(loops, func(i, j int) bool { return g.rank[loops[i].Header] > g.rank[loops[j].Header] }) // inner loops precede
	n := newNest(g, loops)
	for i := range loops {
		n.collect(i)
	}
	return n.list()
}

// sweeps pools buffers for the steps of sweeps.
var sweeps = sync.Pool{New: func() any { return new([]step) }}

// looping returns the graph of a function, nil if the function has no backward jump, as most functions.
func (f *File) looping(fn *Function) *Graph {
	g := &Graph{file: fn.file}
	steps := sweeps.Get().(*[]step)
	defer sweeps.Put(steps)
	*steps = g.sweep(fn, *steps)
	for i := range *steps {
		s := &(*steps)[i]
		if s.flow == isa.FlowIndirect || (s.flow == isa.FlowJump || s.flow == isa.FlowCond) && s.target <= s.addr {
			g.build(fn, *steps)
			return g
		}
	}
	return nil
}

// nest finds the nesting of loops. It processes loops from the inside out and then represents each loop by one node, its header. So it visits every
// edge of the graph once for every header that the edge leads to.
type nest struct {
	g      *Graph
	loops  []*Loop
	loopOf []int   // header → index into loops, -1
	outer  []int   // block → header of a loop that contains it, or the block itself before one is found (a union-find forest)
	own    [][]int // loop → its blocks outside of inner loops
	within [][]int // loop → its inner loops
	height []int   // loop → levels of inner loops
}

func newNest(g *Graph, loops []*Loop) *nest {
	n := &nest{g: g, loops: loops, loopOf: make([]int, len(g.Blocks)), outer: make([]int, len(g.Blocks)),
		own: make([][]int, len(loops)), within: make([][]int, len(loops)), height: make([]int, len(loops))}
	for b := range n.outer {
		n.outer[b], n.loopOf[b] = b, -1
	}
	for i, l := range loops {
		n.loopOf[l.Header] = i
	}
	return n
}

// find returns the header of the outermost processed loop that contains a block, or the block.
func (n *nest) find(b int) int {
	root := b
	for n.outer[root] != root {
		root = n.outer[root]
	}
	for n.outer[b] != root {
		b, n.outer[b] = n.outer[b], root
	}
	return root
}

// collect finds the blocks that reach a latch of a loop without passing its header.
func (n *nest) collect(i int) {
	l, g := n.loops[i], n.g
	n.own[i] = append(n.own[i], l.Header)
	work := slices.Clone(l.Latches)
	for len(work) > 0 {
		b := n.find(work[len(work)-1])
		work = work[:len(work)-1]
		if b == l.Header {
			continue
		}
		n.outer[b] = l.Header
		if in := n.loopOf[b]; in >= 0 {
			n.within[i] = append(n.within[i], in)
			n.height[i] = max(n.height[i], n.height[in]+1)
		} else {
			n.own[i] = append(n.own[i], b)
		}
		for _, p := range g.Blocks[b].Pred { // a loop is only entered at its header
			if g.region[p] == g.region[l.Header] {
				work = append(work, p)
			}
		}
	}
	l.Innermost = len(n.within[i]) == 0
}

// list returns the loops with at most MaxHeight levels, with their blocks, by address.
func (n *nest) list() []*Loop {
	for i := len(n.loops) - 1; i >= 0; i-- { // from the outside in
		n.loops[i].Depth++
		for _, in := range n.within[i] {
			n.loops[in].Depth = n.loops[i].Depth
			n.loops[in].Parent = i
		}
	}
	var out []*Loop
	for i, l := range n.loops { // from the inside out
		if n.height[i] > MaxHeight {
			continue
		}
		l.Blocks = n.own[i]
		for _, b := range n.own[i] {
			l.Insts += n.g.Blocks[b].Insts
		}
		for _, in := range n.within[i] {
			l.Blocks = append(l.Blocks, n.loops[in].Blocks...)
			l.Insts += n.loops[in].Insts
		}
		sort.Ints(l.Blocks)
		out = append(out, l)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return a.Addr() < b.Addr()
	})
	place := make(map[*Loop]int, len(out))
	for i, l := range out {
		place[l] = i
	}
	for _, l := range out {
		if l.Parent < 0 {
			continue
		}
		at, listed := place[n.loops[l.Parent]]
		if l.Parent = at; !listed {
			l.Parent = -1
		}
	}
	return out
}
