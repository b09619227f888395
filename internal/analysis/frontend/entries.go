package frontend

import (
	"slices"
	"sync"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file models a µop cache by its entries (Core.FetchEntries). From the target of a branch on, instructions fill entries one after another, and an entry belongs to
// the line of code in which its first instruction begins; it may end in the next line. A cycle fetches the next entries of one line. A further fetch from the same
// line takes a cycle more, as the line is looked up again. The first line behind a taken branch is fetched together with the next one if it has no more entries
// than one fetch takes. A line with more entries than a cache holds is decoded each time.

// The loop around copies of straight code ends in a subtraction from memory (an address and a constant) and a branch, as in measurements (package harness).
const (
	closingSlots     = 2
	closingConstants = 2
	closingBytes     = 15
)

// group is a fetch: some entries of one line.
type group struct {
	slots   int
	cycles  int // since the fetch before it; 0: in the same cycle
	entries int // that begin in the line
}

// layout is the code of a loop, or of a run up to a taken branch, in entries. It can be laid out again and again.
type layout struct {
	c       *machine.Core
	encoded []int8 // the constants that each instruction encodes
	groups  []group
	// the current run of instructions that lie one after another:
	lines []line
	end   uint64 // address after its last instruction
	// the last entry:
	places, constants int // that are taken
}

// entry holds slots: those of instructions that lie one after another, or of one microcoded instruction.
type entry struct {
	slots     int
	microcode bool
}

// line holds the slots of the entries that begin in a line of code.
type line struct {
	number  uint64
	entries []entry
	own     int // slots of the instructions that begin in it
}

// entries returns the fetches of copies of a kernel, nil if the core has no such option or if the sizes of instructions are not known. If the kernel's address is not
// known, a loop begins at the usual place, and other code at a line. straight says that no taken branch ends it.
func entries(c *machine.Core, b *machine.Bound, slots []int32, copies int, straight bool) []group {
	if c.FetchEntries.Slots == 0 {
		return nil
	}
	l, start := layouts.Get().(*layout), 0
	defer layouts.Put(l)
	l.c, l.encoded = c, constantsOf(b)
	if !straight {
		start = place(b.Kernel, copies, c.FetchEntries.Line, func(start int) int { return total(l.of(b, slots, copies, uint64(start), false)) })
	}
	return slices.Clone(l.of(b, slots, copies, uint64(start), straight))
}

// layouts reuses the memory of layouts.
var layouts = sync.Pool{New: func() any { return new(layout) }}

// FetchRange returns the least and the greatest cycles in which a µop cache with entries (Core.FetchEntries) fetches an
// iteration of a loop, depending on its place in a line of code (of the places that its alignment allows, if its own is
// not known), and the cycles at its own address, or at the usual place if that is not known. It returns zeros if the
// core has no such option.
func FetchRange(b *machine.Bound) (fewest, most, here int) {
	c := b.Model.Core()
	if here = total(entries(c, b, slotsOf(b), 1, false)); here == 0 {
		return 0, 0, 0
	}
	at, step := startingAt(b), 1
	if !Known(b) {
		step = stepOf(b.Kernel)
	}
	fewest = here
	for start := 0; start < c.FetchEntries.Line; start += step {
		cycles := at(start)
		fewest, most = min(fewest, cycles), max(most, cycles)
	}
	return fewest, most, here
}

// startingAt returns the cycles in which a loop is fetched as a function of its place in a line of code, or of how far
// it is moved, if its address is not final.
func startingAt(b *machine.Bound) func(start int) int {
	l, slots, loose := &layout{c: b.Model.Core(), encoded: constantsOf(b)}, slotsOf(b), *b
	if b.Kernel.Movable == 0 {
		loose.Kernel = &isa.Kernel{ISA: b.Kernel.ISA, Loop: true} // without addresses
	}
	return func(start int) int { return total(l.of(&loose, slots, 1, uint64(start), false)) }
}

// total returns the cycles of some fetches.
func total(groups []group) (cycles int) {
	for _, g := range groups {
		cycles += g.cycles
	}
	return cycles
}

// BestStart returns the place in a line of code, a multiple of align bytes, at which a µop cache with entries (Core.FetchEntries) fetches an iteration of
// a loop fastest: the first such place.
func BestStart(b *machine.Bound, align int) uint64 {
	at, best := startingAt(b), 0
	fewest := at(best)
	for start := align; start < b.Model.Core().FetchEntries.Line; start += align {
		if cycles := at(start); cycles < fewest {
			best, fewest = start, cycles
		}
	}
	return uint64(best)
}

// FetchCycles returns the cycles per copy in which a µop cache with entries (Core.FetchEntries) fetches a loop of copies of a kernel that begins at a line of
// code, 0 if the core has no such option.
func FetchCycles(b *machine.Bound, copies int) float64 {
	return float64(total(entries(b.Model.Core(), b, slotsOf(b), copies, false))) / float64(copies)
}

// of lists the fetches of copies of a kernel, which begin at an address, or are moved by it if the kernel has one. The
// list holds until the next call.
func (l *layout) of(b *machine.Bound, slots []int32, copies int, start uint64, straight bool) []group {
	placed, addr := b.Kernel.Placed() && copies <= 1, start
	l.groups, l.lines = l.groups[:0], l.lines[:0]
	for range max(1, copies) {
		for i := range b.Insts {
			in := b.Insts[i].Line
			if in.Inst.Size == 0 {
				return nil
			}
			if placed {
				addr = in.Addr + start
			}
			if len(l.lines) > 0 && addr != l.end {
				l.finish(false)
			}
			places := int(slots[i])
			if n := b.Insts[i].WholeSlots(); places > l.c.FetchEntries.Slots {
				places = min(places, n) // dispatch takes more for one that goes alone
			}
			l.add(addr, int(in.Inst.Size), int(slots[i]), places, int(l.encoded[i]))
			addr = l.end
		}
	}
	if copies > 1 {
		l.add(addr, closingBytes, closingSlots, closingSlots, closingConstants)
		last := l.lines[len(l.lines)-1].entries
		last[len(last)-1].slots -= closingSlots // the simulation has no instruction for them
	}
	l.finish(straight)
	return l.groups
}

// constantsOf returns the number of constants that each instruction encodes.
func constantsOf(b *machine.Bound) []int8 {
	out := make([]int8, len(b.Insts))
	if q := b.Kernel.ISA.EncodedConstants; q != nil {
		for i := range out {
			out[i] = int8(q(&b.Insts[i].Line.Inst))
		}
	}
	return out
}

// pair is the number of slots that an entry holds in one place: dispatch makes two of it.
const pair = 2

// add puts an instruction into the entries, each of which has some places and holds as many constants of up to 32 bits (immediates and displacements).
// An instruction without slots is fused with the one before it.
func (l *layout) add(addr uint64, size, slots, places, constants int) {
	most := l.c.FetchEntries.Slots
	if places == pair {
		places = 1
	}
	if len(l.lines) == 0 || slots > 0 && (l.places+min(places, most) > most || l.constants+constants > most) {
		l.begin(addr)
	}
	if at := &l.lines[len(l.lines)-1]; at.number == addr/uint64(l.c.FetchEntries.Line) {
		at.own += slots
	}
	last := l.lines[len(l.lines)-1].entries
	at := &last[len(last)-1]
	at.slots, at.microcode = at.slots+slots, at.microcode || places > most
	l.places, l.constants = l.places+places, l.constants+constants
	l.end = addr + uint64(size)
}

// begin begins an entry at an address.
func (l *layout) begin(addr uint64) {
	number := addr / uint64(l.c.FetchEntries.Line)
	if len(l.lines) == 0 || l.lines[len(l.lines)-1].number != number {
		for len(l.lines) > 0 && l.lines[len(l.lines)-1].number+1 < number { // an entry reaches over a whole line
			l.line(l.lines[len(l.lines)-1].number + 1)
		}
		l.line(number)
	}
	last := &l.lines[len(l.lines)-1]
	last.entries, l.places, l.constants = append(last.entries, entry{}), 0, 0
}

// finish ends a run of instructions and lists its fetches.
func (l *layout) finish(straight bool) {
	last := (l.end - 1) / uint64(l.c.FetchEntries.Line)
	for n := l.lines[len(l.lines)-1].number; n < last; n++ {
		l.line(n + 1)
	}
	joins := !straight && l.joins()
	for i := range l.lines {
		first := len(l.groups)
		if !l.decoded(i) {
			l.fetches(l.lines[i].entries)
		}
		if i == 1 && joins {
			l.groups[first].cycles = 0
		}
	}
	l.lines = l.lines[:0]
}

// line begins a line of code.
func (l *layout) line(number uint64) {
	n := len(l.lines)
	l.lines = slices.Grow(l.lines, 1)[:n+1]
	l.lines[n] = line{number: number, entries: l.lines[n].entries[:0]}
}

// fetches adds the fetches of a line's entries; a line into which an entry only reaches is looked up, too. An
// instruction with more slots than an entry has is microcode, which comes faster than dispatch takes it.
func (l *layout) fetches(entries []entry) {
	if len(entries) == 0 {
		l.groups = append(l.groups, group{cycles: 1})
		return
	}
	first, open, after := len(l.groups), false, false // the last fetch takes another entry; it was microcode
	for _, e := range entries {
		if e.microcode {
			most, cycles := l.c.FetchEntries.Slots, 1
			for n := e.slots; n > 0; n, cycles = n-most, 0 {
				l.groups = append(l.groups, group{slots: min(n, most), cycles: cycles, entries: l.c.FetchEntries.Entries})
			}
			open, after = false, true
			continue
		}
		if !open {
			l.groups = append(l.groups, group{cycles: 2})
			if len(l.groups) == first+1 || after {
				l.groups[len(l.groups)-1].cycles, after = 1, false
			}
		}
		at := &l.groups[len(l.groups)-1]
		at.slots, at.entries = at.slots+e.slots, at.entries+1
		open = at.entries < l.c.FetchEntries.Entries
	}
}

// decoded adds the cycles of the decoders for a line that the µop cache does not hold; it reports false if it holds the
// line. What the last entry of such a line has of the next one is decoded or fetched there.
func (l *layout) decoded(i int) bool {
	how, at, slots := &l.c.FetchEntries, &l.lines[i], 0
	if how.Kept == 0 || len(at.entries) <= how.Kept {
		return false
	}
	for _, e := range at.entries {
		slots += e.slots
	}
	if i+1 < len(l.lines) {
		next := &l.lines[i+1]
		if len(next.entries) == 0 {
			next.entries = []entry{{}}
		}
		next.entries[0].slots += slots - at.own
		next.own += slots - at.own
		slots = at.own
	}
	some := slots > 0
	for width := max(1, how.Decoded); slots > 0; slots -= width {
		l.groups = append(l.groups, group{slots: min(slots, width), cycles: 1, entries: how.Entries})
	}
	return some
}

// joins reports whether the first line is fetched together with the second one. If the last line holds only the end of an entry, two entries of the first line are
// not, unless a line is fetched twice later.
func (l *layout) joins() bool {
	first, all := len(l.lines[0].entries), l.c.FetchEntries.Entries
	if len(l.lines) < 2 || first > all || slices.ContainsFunc(l.lines[0].entries, func(e entry) bool { return e.microcode }) {
		return false
	}
	if first < all || len(l.lines[len(l.lines)-1].entries) > 0 {
		return true
	}
	for i := range l.lines {
		if len(l.lines[i].entries) > all {
			return true
		}
	}
	return false
}

// fetchEntries simulates a cycle of such a µop cache.
func (f *Feed) fetchEntries() {
	f.since = min(f.since+1, max(2, f.groups[f.group].cycles)) // beyond that the time makes no difference
	for n := 0; ; n++ {
		x := &f.groups[f.group]
		if f.since < x.cycles || f.have > 0 && f.have+x.slots > f.size {
			return
		}
		f.have, f.since, f.group = f.have+x.slots, 0, f.group+1
		if f.group < len(f.groups) {
			if f.groups[f.group].cycles > 0 {
				return
			}
		} else if !f.branch(x.entries) || n > 0 {
			return
		}
	}
}

// branch goes on to the code at the target of a taken branch. It reports whether the cycle that fetched so many entries before the branch fetches there, too: one entry
// on either side. (A loop that repeats for ever has a counter, so that an iteration takes a cycle in any case.)
func (f *Feed) branch(entries int) bool {
	f.group = 0
	f.next(0)
	if entries != 1 || f.path == nil || f.path.waits() || f.groups == nil || f.groups[0].entries != 1 {
		return false
	}
	f.since = f.groups[0].cycles
	return true
}
