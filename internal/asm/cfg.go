package asm

import (
	"fmt"
	"slices"
	"sort"

	"incore/internal/base/source"
	"incore/internal/isa"
)

// block is a basic block: instructions first to end-1 and its successor blocks.
type block struct {
	first, end int32
	next       int32 // block that it falls through to, -1 if none
	jump       int32 // block that its last instruction jumps to, -1 if none or unknown
}

// findBlocks splits the instructions into basic blocks. An indirect jump whose table is not
// found has no successors.
func (p *Program) findBlocks() {
	n := len(p.insts)
	leader := make([]bool, n+1)
	leader[0], leader[n] = true, true
	for i := range p.insts {
		in := &p.insts[i]
		if in.target >= 0 {
			leader[in.target] = true
		}
		if endsBlock(in.flow) {
			leader[i+1] = true
		}
	}
	for _, f := range p.Functions {
		leader[f.First] = true
	}
	for _, t := range p.tables {
		for _, i := range t.targets {
			leader[i] = true
		}
	}
	count := 0
	for _, l := range leader[:n] {
		if l {
			count++
		}
	}
	p.blocks = make([]block, 0, count)
	for i := 0; i < n; i++ {
		if leader[i] {
			p.blocks = append(p.blocks, block{first: int32(i), next: -1, jump: -1})
		}
		p.blocks[len(p.blocks)-1].end = int32(i + 1)
	}
	for b := range p.blocks {
		last := &p.insts[p.blocks[b].end-1]
		if fallsThrough(last.flow) && b+1 < len(p.blocks) {
			p.blocks[b].next = int32(b + 1)
		}
		if last.target >= 0 && last.flow != isa.FlowCall {
			p.blocks[b].jump = int32(p.blockOf(int(last.target)))
		}
	}
	p.indexPreds()
	p.tableJumps()
}

func endsBlock(k isa.FlowKind) bool { return k != isa.FlowNext && k != isa.FlowCall }

// blockOf returns the block that holds instruction i.
func (p *Program) blockOf(i int) int {
	return sort.Search(len(p.blocks), func(b int) bool { return int(p.blocks[b].first) > i }) - 1
}

// Loop is a loop of the control-flow graph: a strongly connected set of blocks.
type Loop struct {
	Blocks    []int32 // ascending; nil if it is not innermost
	Header    int32   // block where control enters
	Depth     int     // 1 for an outermost loop
	Innermost bool
}

// findLoops finds the nest of loops: the strongly connected components of the graph and then,
// without the edges to each component's header, the components within it (Steensgaard's
// loop nesting forest). Reducible loops are natural loops; the header of an irreducible
// loop is its first entry in the text. Levels deeper than maxNest are not split into loops, because each level
// costs a walk over all its blocks.
func (p *Program) findLoops() {
	f := &finder{blocks: p.blocks, more: p.more, index: make([]int32, len(p.blocks)), low: make([]int32, len(p.blocks)),
		region: make([]int32, len(p.blocks)), onStack: make([]bool, len(p.blocks)), cut: make([]bool, len(p.blocks))}
	all := make([]int32, len(p.blocks))
	for i := range all {
		all[i] = int32(i)
	}
	work := []nest{{all, -1, 0}}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		if w.depth == maxNest {
			first := p.insts[p.blocks[w.blocks[0]].first]
			p.Notes = append(p.Notes, source.Diagnostic{Pos: p.pos(first.line, first.col), Severity: source.Note,
				Msg: fmt.Sprintf("loops nested deeper than %d levels are taken as one", maxNest)})
			continue
		}
		found := false
		for _, c := range f.components(w.blocks) {
			found = true
			h := p.header(c)
			f.cut[h] = true
			p.loops = append(p.loops, Loop{Blocks: c, Header: h, Depth: w.depth + 1, Innermost: true})
			work = append(work, nest{c, len(p.loops) - 1, w.depth + 1})
		}
		if found && w.loop >= 0 {
			p.loops[w.loop].Innermost, p.loops[w.loop].Blocks = false, nil
		}
	}
}

// maxNest is the largest number of levels of a nest of loops; compilers generate about ten.
const maxNest = 256

// nest is a set of blocks to search for loops: the blocks of loop (-1: all blocks).
type nest struct {
	blocks []int32
	loop   int
	depth  int
}

// finder runs Tarjan's algorithm on subsets of the blocks, without recursion.
type finder struct {
	blocks     []block
	more       [][]int32
	index, low []int32 // 0: not visited
	region     []int32 // number of the last subset that contained the block
	onStack    []bool
	cut        []bool // header of an enclosing loop: edges to it are ignored
	runs       int32
	count      int32
	stack      []int32
	calls      []visit
}

// visit is a block being visited and the number of its visited successors.
type visit struct {
	b    int32
	next int
}

// successors is the number of successors that a block may have.
func (f *finder) successors(b int32) int {
	if f.more == nil {
		return 2
	}
	return 2 + len(f.more[b])
}

// succ returns successor number k of a block, -1 if the current subset does not contain it.
func (f *finder) succ(b int32, k int) int32 {
	s := f.blocks[b].next
	switch {
	case k == 1:
		s = f.blocks[b].jump
	case k > 1:
		s = f.more[b][k-2]
	}
	if s < 0 || f.region[s] != f.runs || f.cut[s] {
		return -1
	}
	return s
}

// components returns the strongly connected components of a subset that contain a cycle.
func (f *finder) components(subset []int32) (out [][]int32) {
	f.runs++
	f.count = 0
	for _, b := range subset {
		f.region[b], f.index[b] = f.runs, 0
	}
	for _, root := range subset {
		if f.index[root] == 0 {
			out = f.visit(root, out)
		}
	}
	return out
}

func (f *finder) enter(b int32) {
	f.count++
	f.index[b], f.low[b] = f.count, f.count
	f.stack = append(f.stack, b)
	f.onStack[b] = true
	f.calls = append(f.calls, visit{b, 0})
}

func (f *finder) visit(root int32, out [][]int32) [][]int32 {
	f.enter(root)
	for len(f.calls) > 0 {
		v := &f.calls[len(f.calls)-1]
		if v.next < f.successors(v.b) {
			b, s := v.b, f.succ(v.b, v.next)
			v.next++
			switch {
			case s < 0:
			case f.index[s] == 0:
				f.enter(s)
			case f.onStack[s]:
				f.low[b] = min(f.low[b], f.index[s])
			}
			continue
		}
		b := v.b
		f.calls = f.calls[:len(f.calls)-1]
		if n := len(f.calls); n > 0 {
			f.low[f.calls[n-1].b] = min(f.low[f.calls[n-1].b], f.low[b])
		}
		if f.low[b] == f.index[b] {
			if c := f.pop(b); len(c) > 1 || f.leadsToItself(b) {
				out = append(out, c)
			}
		}
	}
	return out
}

// leadsToItself reports whether a block is its own successor.
func (f *finder) leadsToItself(b int32) bool {
	for k := range f.successors(b) {
		if f.succ(b, k) == b {
			return true
		}
	}
	return false
}

// pop removes the component of b from the stack and returns it, sorted.
func (f *finder) pop(b int32) []int32 {
	i := len(f.stack) - 1
	for f.stack[i] != b {
		i--
	}
	c := append([]int32(nil), f.stack[i:]...)
	for _, m := range c {
		f.onStack[m] = false
	}
	f.stack = f.stack[:i]
	slices.Sort(c)
	return c
}

// header returns the block at which control enters a component: the first block in the text with a
// predecessor outside of the component, or the component's first block.
func (p *Program) header(c []int32) int32 {
	for _, b := range c {
		if b > 0 && !contains(c, b-1) && p.blocks[b-1].next == b {
			return b
		}
		for _, from := range p.preds(b) {
			if !contains(c, from) {
				return b
			}
		}
	}
	return c[0]
}

// contains reports whether a sorted set of blocks holds b.
func contains(set []int32, b int32) bool {
	_, ok := slices.BinarySearch(set, b)
	return ok
}

// preds returns the blocks that jump to b.
func (p *Program) preds(b int32) []int32 { return p.predList[p.predStart[b]:p.predStart[b+1]] }

// indexPreds lists the blocks that jump to each block.
func (p *Program) indexPreds() {
	each := func(do func(from, to int32)) {
		for i := range p.blocks {
			if to := p.blocks[i].jump; to >= 0 {
				do(int32(i), to)
			}
			if p.more != nil {
				for _, to := range p.more[i] {
					do(int32(i), to)
				}
			}
		}
	}
	p.predStart = make([]int32, len(p.blocks)+1)
	each(func(_, to int32) { p.predStart[to+1]++ })
	for i := range p.blocks {
		p.predStart[i+1] += p.predStart[i]
	}
	p.predList = make([]int32, p.predStart[len(p.blocks)])
	fill := append([]int32(nil), p.predStart...)
	each(func(from, to int32) {
		p.predList[fill[to]] = from
		fill[to]++
	})
}
