package asm

import (
	"fmt"
	"slices"
	"sort"

	"incore/internal/isa"
	"incore/internal/source"
)

// innermost makes kernels of the innermost loops among instructions first to end-1, the
// likely hottest first.
func (p *Program) innermost(first, end int) []Kernel {
	var out []Kernel
	for i := range p.loops {
		l := &p.loops[i]
		if at := int(p.blocks[l.Header].first); l.Innermost && at >= first && at < end {
			k := p.loopKernel(l)
			p.heat(&k)
			out = append(out, k)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Heat != out[j].Heat {
			return out[i].Heat > out[j].Heat
		}
		return out[i].insts[0] < out[j].insts[0]
	})
	for i := range out {
		if out[i].Why = fmt.Sprintf("innermost loop, nest depth %d", out[i].Depth); len(out) > 1 {
			out[i].Why += fmt.Sprintf(", number %d of %d by likely heat: %s", i+1, len(out), out[i].HeatWhy)
		}
	}
	return out
}

// loopKernel makes a kernel of one path through an innermost loop.
func (p *Program) loopKernel(l *Loop) Kernel {
	path, branches := p.path(l)
	k := Kernel{Loop: true, Depth: l.Depth}
	start := 0 // the path may be given from any of its blocks on: the first in the text reads best
	for i, b := range path {
		if p.blocks[b].first < p.blocks[path[start]].first {
			start = i
		}
	}
	lead := path[:start] // what is executed before, in the first iteration
	path = append(slices.Clone(path[start:]), lead...)
	var calls []int
	for _, b := range path {
		for i := p.blocks[b].first; i < p.blocks[b].end; i++ {
			k.insts = append(k.insts, i)
			if p.insts[i].flow == isa.FlowCall {
				calls = append(calls, int(p.insts[i].line))
			}
		}
	}
	head := int(k.insts[0])
	k.Name = p.nameOf(head)
	if f := p.function(head); f != nil {
		k.Function = f.Name
	}
	k.entry = p.entryOf(l)
	for _, b := range lead {
		for i := p.blocks[b].first; i < p.blocks[b].end; i++ {
			k.entry = append(k.entry, i)
		}
	}
	if len(branches) > 0 {
		k.Notes = append(k.Notes, p.branchNote(l, path, branches))
	}
	k.Notes = append(k.Notes, p.tableNote(path)...)
	if len(calls) > 0 {
		k.Notes = append(k.Notes, callNote(calls))
	}
	return k
}

// branchNote says which way was taken through a body that branches and what was left out.
func (p *Program) branchNote(l *Loop, path []int32, branches []int) string {
	var out []int
	for _, b := range l.Blocks {
		if !slices.Contains(path, b) {
			for i := p.blocks[b].first; i < p.blocks[b].end; i++ {
				out = append(out, int(p.insts[i].line))
			}
		}
	}
	s := fmt.Sprintf("the body branches at line%s %s; the likely path is analysed (falling through, not to unlikely code or a call, not out of the loop)",
		plural(len(branches)), source.RangesOf(branches))
	if len(out) > 0 {
		s += ", without lines " + source.RangesOf(out).String()
	}
	return s
}

// path chooses one way round a loop, from its header on: at a branch within the loop, not into
// cold code, else not to a call, else falling through. It also returns the lines of the branches where it had a choice.
func (p *Program) path(l *Loop) (path []int32, branches []int) {
	within := func(b int32) bool { return b >= 0 && contains(l.Blocks, b) }
	for b := l.Header; ; {
		path = append(path, b)
		blk := &p.blocks[b]
		next := blk.next
		switch n, j := within(blk.next), within(blk.jump); {
		case n && j && blk.next != blk.jump:
			branches = append(branches, int(p.insts[blk.end-1].line))
			if p.unlikely(blk.next) > p.unlikely(blk.jump) {
				next = blk.jump
			}
		case j:
			next = blk.jump
		case p.more != nil && len(p.more[b]) > 0:
			next = p.through(l, b, path)
		}
		if next == l.Header || !within(next) || slices.Contains(path, next) {
			return path, branches
		}
		b = next
	}
}

// through chooses the way behind a jump through a table: the first place in the table that is in the loop, neither cold nor passed already, else the header.
func (p *Program) through(l *Loop, b int32, path []int32) int32 {
	next := int32(-1)
	for _, to := range p.more[b] {
		switch {
		case !contains(l.Blocks, to):
		case to == l.Header, slices.Contains(path, to), p.isCold(to):
			if next < 0 {
				next = to
			}
		default:
			return to
		}
	}
	return next
}

// tableNote says where the jumps through tables of a path go.
func (p *Program) tableNote(path []int32) (notes []string) {
	for k, b := range path {
		t := p.tables[p.blocks[b].end-1]
		if t == nil {
			continue
		}
		to := p.blocks[path[(k+1)%len(path)]].first
		notes = append(notes, fmt.Sprintf("the jump at line %d goes to one of %d places through a table; it is taken to go to line %d", p.insts[p.blocks[b].end-1].line, len(t.targets), p.insts[to].line))
	}
	return notes
}

// unlikely is the greater, the less a block is taken to be executed: those of cold code, then those that call (Ball and
// Larus: Branch Prediction for Free).
func (p *Program) unlikely(b int32) int {
	blk := &p.blocks[b]
	switch {
	case p.isCold(b):
		return 2
	case slices.ContainsFunc(p.insts[blk.first:blk.end], func(in inst) bool { return in.flow == isa.FlowCall }):
		return 1
	}
	return 0
}

// isCold reports whether a block is in a section for unlikely code, or only leads to a trap.
func (p *Program) isCold(b int32) bool {
	blk := &p.blocks[b]
	return p.insts[blk.first].cold || p.insts[blk.end-1].flow == isa.FlowTrap
}

// entryOf returns the instructions that lead into a loop.
func (p *Program) entryOf(l *Loop) []int32 {
	h := l.Header
	if h > 0 && p.blocks[h-1].next == h && !contains(l.Blocks, h-1) {
		return p.before(p.blocks[h].first)
	}
	for _, b := range p.preds(h) { // entered by a jump
		if !contains(l.Blocks, b) {
			return p.before(p.blocks[b].end)
		}
	}
	return nil
}
