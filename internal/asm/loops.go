package asm

import (
	"fmt"
	"slices"
	"sort"

	"incore/internal/asm/paths"
	"incore/internal/base/source"
	"incore/internal/isa"
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
		out[i].Found = Found{By: ByHeat, Rank: i + 1, Count: len(out)}
		if out[i].Why = fmt.Sprintf("innermost loop, nest depth %d", out[i].Depth); len(out) > 1 {
			out[i].Why += fmt.Sprintf(", number %d of %d by likely heat: %s", i+1, len(out), out[i].HeatWhy)
		}
	}
	return out
}

// loopKernel makes a kernel of one path through an innermost loop.
func (p *Program) loopKernel(l *Loop) Kernel {
	path, branches := p.path(l)
	k := Kernel{Loop: true, Depth: l.Depth, path: true}
	start := 0 // the path may start at any of its blocks; the first in the text is the easiest to read
	for i, b := range path {
		if p.blocks[b].first < p.blocks[path[start]].first {
			start = i
		}
	}
	lead := path[:start] // executed before the path in the first iteration
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
		k.Notes = append(k.Notes, Note{Kind: CallNotFollowed, Lines: source.RangesOf(calls)})
	}
	return k
}

// branchNote returns the note on the path through a body with branches and the lines that it omits.
func (p *Program) branchNote(l *Loop, path []int32, branches []int) Note {
	var out []int
	for _, b := range l.Blocks {
		if !slices.Contains(path, b) {
			for i := p.blocks[b].first; i < p.blocks[b].end; i++ {
				out = append(out, int(p.insts[i].line))
			}
		}
	}
	return Note{Kind: PathChosen, Lines: source.RangesOf(branches), Without: source.RangesOf(out)}
}

// path chooses the most likely path through a loop, from its header on, and returns the lines of the branches with a choice.
func (p *Program) path(l *Loop) (path []int32, branches []int) {
	place := func(b int32) int {
		if at, ok := slices.BinarySearch(l.Blocks, b); b >= 0 && ok {
			return at
		}
		return -1
	}
	way, _ := paths.Likeliest(len(l.Blocks), place(l.Header), func(at int) (out []paths.Edge) {
		b := l.Blocks[at]
		add := func(to int32, falls, back bool) {
			if n := place(to); n >= 0 && !slices.ContainsFunc(out, func(e paths.Edge) bool { return e.To == n }) {
				k := paths.Kind{Falls: falls, Back: back, Calls: p.calls(to), Cold: p.isCold(to)}
				out = append(out, paths.Edge{To: n, Share: k.Weight()})
			}
		}
		blk := &p.blocks[b]
		add(blk.next, true, blk.next == l.Header)
		add(blk.jump, false, blk.jump == l.Header)
		if p.more != nil {
			for _, to := range p.more[b] {
				add(to, false, false)
			}
		}
		return out
	})
	for _, at := range way.Blocks {
		b := l.Blocks[at]
		path = append(path, b)
		if blk := &p.blocks[b]; blk.next != blk.jump && place(blk.next) >= 0 && place(blk.jump) >= 0 {
			branches = append(branches, int(p.insts[blk.end-1].line))
		}
	}
	return path, branches
}

// tableNote returns notes on the targets of a path's jumps through tables.
func (p *Program) tableNote(path []int32) (notes []Note) {
	for k, b := range path {
		t := p.tables[p.blocks[b].end-1]
		if t == nil {
			continue
		}
		to := p.blocks[path[(k+1)%len(path)]].first
		notes = append(notes, Note{Kind: TableJump, Lines: source.RangesOf([]int{int(p.insts[p.blocks[b].end-1].line)}), Places: len(t.targets), To: int(p.insts[to].line)})
	}
	return notes
}

// calls reports whether a block calls a function.
func (p *Program) calls(b int32) bool {
	blk := &p.blocks[b]
	return slices.ContainsFunc(p.insts[blk.first:blk.end], func(in inst) bool { return in.flow == isa.FlowCall })
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
