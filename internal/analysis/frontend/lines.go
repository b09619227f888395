package frontend

import (
	"cmp"
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file counts the lines of code that a loop touches at its address. The branch predictor passes one of them per cycle to the front end.

// alignment is the alignment in bytes that compilers give to loops, for texts without directives.
const alignment = 16

// stepOf returns the distance of the places in a line at which a loop may begin whose address is not known, or not
// final.
func stepOf(k *isa.Kernel) int { return cmp.Or(k.Movable, k.Align, alignment) }

// Known reports whether the place of a loop in a line of code is known: from its address, or as a directive aligns it
// to a line.
func Known(b *machine.Bound) bool {
	c := b.Model.Core()
	line := max(c.FetchEntries.Line, c.FetchLine)
	return b.Kernel.Placed() && b.Kernel.Movable == 0 || line > 0 && max(b.Kernel.Align, b.Kernel.Movable) >= line
}

// place returns the place in a line of code at which copies of a kernel begin whose address is not known, or how far
// code whose address is not final moves: copies, and code that is no loop, at the line's begin; a loop at the usual
// place, that is at the first of those that its alignment allows whose cycles of fetching are the median of all of
// them.
func place(k *isa.Kernel, copies, line int, cycles func(start int) int) int {
	if line == 0 || !k.Loop || copies > 1 || k.Placed() && k.Movable == 0 {
		return 0
	}
	var room, ordered [64]int
	all, step := room[:0], stepOf(k)
	for at := 0; at < line; at += step {
		all = append(all, cycles(at))
	}
	sorted := append(ordered[:0], all...)
	slices.Sort(sorted)
	return step * slices.Index(all, sorted[(len(sorted)-1)/2])
}

// Start returns the place in a line of code at which the front end has a loop begin whose address is not known, or how
// far it has a loop moved whose address is not final.
func Start(b *machine.Bound) int {
	c := b.Model.Core()
	if c.FetchEntries.Slots > 0 {
		return place(b.Kernel, 1, c.FetchEntries.Line, startingAt(b))
	}
	return place(b.Kernel, 1, c.FetchLine, func(start int) int { return linesFrom(b, 1, start) })
}

// Lines returns the number of aligned lines of code (Core.FetchLine) that several copies of a kernel touch; after each
// gap the count starts with a new line. If the address is not known, a loop is assumed to begin at the usual place, and
// other code at a line. The result is 0 if the core has no such limit, or if sizes are not known.
func Lines(b *machine.Bound, copies int) int {
	c := b.Model.Core()
	if c.FetchLine == 0 || len(b.Insts) == 0 {
		return 0
	}
	return linesFrom(b, copies, place(b.Kernel, copies, c.FetchLine, func(start int) int { return linesFrom(b, copies, start) }))
}

// linesFrom returns the number of lines of copies of a kernel, which begin at a place in a line if their address is not
// known.
func linesFrom(b *machine.Bound, copies, begin int) int {
	c := b.Model.Core()
	size, placed := uint64(c.FetchLine), b.Kernel.Placed() && copies <= 1
	first := 0 // first instruction after a gap: a loop may be entered in the middle of a run of code
	for k := range b.Insts {
		before := b.Insts[(k+len(b.Insts)-1)%len(b.Insts)].Line
		if placed && before.Addr+uint64(before.Inst.Size) != b.Insts[k].Line.Addr {
			first = k
			break
		}
	}
	n, end := 0, uint64(begin) // end of the code so far
	for range max(1, copies) {
		for i := range b.Insts {
			l := b.Insts[(first+i)%len(b.Insts)].Line
			if l.Inst.Size == 0 {
				return 0
			}
			start := end
			if placed {
				start = l.Addr + uint64(begin)
			}
			if n == 0 || start != end || start%size == 0 {
				n++
			}
			end = start + uint64(l.Inst.Size)
			if (end-1)/size != start/size {
				n++
			}
		}
	}
	return n
}

// LineRange returns the least and the greatest number of lines that the code of an iteration touches, depending on its
// address (of those that its alignment allows, if its own is not known).
func LineRange(b *machine.Bound) (fewest, most int) {
	c := b.Model.Core()
	if c.FetchLine == 0 {
		return 0, 0
	}
	if !Known(b) {
		fewest = Lines(b, 1)
		for start := 0; start < c.FetchLine; start += stepOf(b.Kernel) {
			n := linesFrom(b, 1, start)
			fewest, most = min(fewest, n), max(most, n)
		}
		return fewest, most
	}
	bytes := 0
	for i := range b.Insts {
		bytes += int(b.Insts[i].Line.Inst.Size)
	}
	return (bytes + c.FetchLine - 1) / c.FetchLine, (bytes + 2*c.FetchLine - 2) / c.FetchLine
}

// leaves reports whether a loop's branch, with the instruction that it is fused with, leads to another window of code (Core.UopCache.Window) than the
// one in which it begins. If the address is not known, the loop is assumed to begin at a window.
func leaves(b *machine.Bound, copies int) bool {
	c := b.Model.Core()
	n := len(b.Insts)
	if c.UopCache.Window == 0 || n == 0 {
		return false
	}
	last := n - 1
	if b.Insts[last].Flags&machine.FusedSecond != 0 {
		last--
	}
	start, end := uint64(0), uint64(0)
	if b.Kernel.Placed() && copies <= 1 {
		start, end = b.Insts[0].Line.Addr, b.Insts[last].Line.Addr
	} else {
		for i := range b.Insts {
			size := uint64(b.Insts[i].Line.Inst.Size)
			if size == 0 {
				return false
			}
			if i < last {
				end += size
			}
			start += size
		}
		start, end = 0, end+start*uint64(max(1, copies)-1)
	}
	window := uint64(c.UopCache.Window)
	return start/window != end/window
}
