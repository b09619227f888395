package asm

import (
	"slices"

	"incore/internal/isa"
)

// maxBetween is the number of instructions that are looked at, for one kernel, between those that lead into it.
const maxBetween = 512

// maxSteps is the number of blocks that are visited, for one kernel, in search of them.
const maxSteps = 16 * maxBetween

// joiner marks where control joins the instructions that lead into a kernel.
type joiner struct {
	*Program
	first int32   // instruction of what leads into the kernel
	room  int32   // instructions that may still lie between
	steps int32   // blocks that may still be visited
	found []int32 // what the last search visited
	seen  []int32 // by block: the last search that came there
	runs  int32
}

// join marks the line of instruction i if control may come there from elsewhere than the instruction before: by
// a jump, but none of own (the kernel, whose first instruction i is). What may have been executed then is what lies
// between i and the last block before it, back along the text, that is always passed.
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

// between returns the blocks on the ways from block d to block b, and the number of their instructions; -1 if there are ways that do
// not pass d, or too many instructions. The blocks are valid until the next search.
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

// entered reports whether control may come to a block from outside of what is followed: at the start of the text or of a function, and
// where nothing is seen to lead to.
func (p *Program) entered(b int32) bool {
	if b == 0 || p.blocks[b-1].next != b && len(p.preds(b)) == 0 {
		return true
	}
	f := p.function(int(p.blocks[b].first))
	return f != nil && f.First == int(p.blocks[b].first)
}

// jumpsAnywhere reports whether the function of an instruction, without one the text, has jumps whose targets are not known.
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
