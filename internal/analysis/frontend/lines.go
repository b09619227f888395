package frontend

import "incore/internal/machine"

// This file counts the lines of code that a loop touches at its address. The branch predictor passes one of them per cycle to the front end.

// Lines returns the number of aligned lines of code (Core.FetchLine) that several copies of a kernel touch; after each gap the count starts with a
// new line. If the address is not known, the kernel is assumed to begin at a line, which gives the least number. The result is 0 if the core has no
// such limit, or if sizes are not known.
func Lines(b *machine.Bound, copies int) int {
	c := b.Model.Core()
	if c.FetchLine == 0 || len(b.Insts) == 0 {
		return 0
	}
	size, placed := uint64(c.FetchLine), b.Kernel.Placed() && copies <= 1
	first := 0 // first instruction after a gap: a loop may be entered in the middle of a run of code
	for k := range b.Insts {
		before := b.Insts[(k+len(b.Insts)-1)%len(b.Insts)].Line
		if placed && before.Addr+uint64(before.Inst.Size) != b.Insts[k].Line.Addr {
			first = k
			break
		}
	}
	n, end := 0, uint64(0) // end of the code so far
	for range max(1, copies) {
		for i := range b.Insts {
			l := b.Insts[(first+i)%len(b.Insts)].Line
			if l.Inst.Size == 0 {
				return 0
			}
			start := end
			if placed {
				start = l.Addr
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

// LineRange returns the least and the greatest number of lines that the code of an iteration touches, depending on its address.
func LineRange(b *machine.Bound) (fewest, most int) {
	c := b.Model.Core()
	if c.FetchLine == 0 {
		return 0, 0
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
