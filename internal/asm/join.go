package asm

import (
	"slices"

	"incore/internal/isa"
)

// maxBetween is the largest number of instructions on side paths between the instructions that lead into a kernel.
const maxBetween = 512

// maxSteps is the largest number of blocks that the search for these paths visits for one kernel.
const maxSteps = 16 * maxBetween

// joiner marks the instructions before a kernel at which other control flow joins.
type joiner struct {
	*Program
	first int32   // first of the instructions that lead into the kernel
	room  int32   // remaining instructions of maxBetween
	steps int32   // remaining blocks of maxSteps
	found []int32 // blocks that the last search visited
	seen  []int32 // block → the last search that visited it
	runs  int32
}

// join marks the line of instruction i if control may reach i by a jump instead of from the instruction before it. Jumps
// by own (the instructions of the kernel that starts with i) do not count. The instructions that may have been executed are those
// between i and its last dominator among the blocks before it in the text.
func (p *joiner) join(l *isa.Line, i int32, own []int32) {
	b := int32(p.blockOf(int(i)))
	if b < 0 || p.blocks[b].first != i {
		return
	}
	for _, from := range p.preds(b) {
		l.Join = l.Join || !slices.Contains(own, p.blocks[from].end-1)
	}
	if !l.Join || p.jumpsAnywhere(i) {
		return
	}
	if p.seen == nil {
		p.seen = make([]int32, len(p.blocks))
	}
	for d := b - 1; d >= 0 && p.blocks[d].first >= p.first && p.blocks[d].next == d+1; d-- {
		blocks, insts := p.between(d, b, own)
		if insts < 0 {
			continue
		}
		p.room -= insts
		l.Between = make([]isa.Line, 0, insts)
		for _, x := range blocks {
			for n := p.blocks[x].first; n < p.blocks[x].end; n++ {
				l.Between = p.Lines(l.Between, int(n))
			}
		}
		return
	}
}

// between returns the blocks on the paths from block d to block b, and the number of their instructions; -1 if a path to b does
// not pass d, or for too many instructions. The blocks are valid until the next search.
func (p *joiner) between(d, b int32, own []int32) (blocks []int32, insts int32) {
	if p.steps <= 0 || p.entered(b) {
		return nil, -1
	}
	p.runs++
	blocks = p.found[:0]
	defer func() { p.found = blocks[:0] }()
	p.seen[d] = p.runs
	visit := func(x int32) {
		if p.seen[x] != p.runs {
			p.seen[x] = p.runs
			blocks = append(blocks, x)
			insts += p.blocks[x].end - p.blocks[x].first
			p.steps--
		}
	}
	before := func(x int32, own []int32) {
		if x > 0 && p.blocks[x-1].next == x {
			visit(x - 1)
		}
		for _, from := range p.preds(x) {
			if !slices.Contains(own, p.blocks[from].end-1) {
				visit(from)
			}
		}
	}
	before(b, own)
	for n := 0; n < len(blocks); n++ {
		if insts > p.room || p.steps <= 0 || p.entered(blocks[n]) {
			return blocks, -1
		}
		before(blocks[n], nil)
	}
	return blocks, insts
}

// entered reports whether control may enter a block from outside of the known control flow: at the start of the text or of a function, and
// in a block without known predecessors.
func (p *Program) entered(b int32) bool {
	if b == 0 || p.blocks[b-1].next != b && len(p.preds(b)) == 0 {
		return true
	}
	f := p.function(int(p.blocks[b].first))
	return f != nil && f.First == int(p.blocks[b].first)
}

// jumpsAnywhere reports whether the function of an instruction (without a function: the text) has jumps with unknown targets.
func (p *Program) jumpsAnywhere(i int32) bool {
	first, end := 0, len(p.insts)
	if f := p.function(int(i)); f != nil {
		first, end = f.First, f.End
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.anywhere == nil {
		p.anywhere = make(map[int]bool)
	}
	jumps, known := p.anywhere[first]
	if !known {
		for n := first; n < end && !jumps; n++ {
			jumps = p.insts[n].flow == isa.FlowIndirect && p.tables[int32(n)] == nil
		}
		p.anywhere[first] = jumps
	}
	return jumps
}
