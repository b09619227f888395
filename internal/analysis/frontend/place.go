package frontend

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file models loops that the µop cache cannot hold completely, because of their addresses or their number. The legacy decoders serve the rest.

// erratumWindow is the size in bytes of the blocks of code of the JCC erratum.
const erratumWindow = 32

// branchesPerLine is the largest number of branches in a line of the µop cache (Intel Optimization Reference Manual).
const branchesPerLine = 2

// Misplaced returns the indices of the jumps that a core keeps out of its µop cache because of their addresses: jumps that cross a 32-byte boundary
// or end on one, including the instruction that they are fused with (Intel, Mitigations for Jump Conditional Code Erratum, 2019). It returns nil if
// addresses are not known, and on cores without the erratum.
func Misplaced(b *machine.Bound) (jumps []int) {
	c := b.Model.Core()
	if !c.JCCErratum {
		return nil
	}
	for i := range b.Insts {
		if misplaced(b, i) {
			jumps = append(jumps, i)
		}
	}
	return jumps
}

// misplaced reports whether instruction i is a jump affected by the JCC erratum.
func misplaced(b *machine.Bound, i int) bool {
	l := b.Insts[i].Line
	start, end := l.Addr, l.Addr+uint64(l.Inst.Size)
	if !b.Kernel.Placed() || l.Inst.Size == 0 || flow(b, i) == isa.FlowNext {
		return false
	}
	if i > 0 && b.Insts[i].Flags&machine.FusedSecond != 0 {
		start = b.Insts[i-1].Line.Addr
	}
	return start/erratumWindow != end/erratumWindow
}

// flow returns the kind of control flow of instruction i.
func flow(b *machine.Bound, i int) isa.FlowKind {
	if q := b.Kernel.ISA.Flow; q != nil {
		return q(&b.Insts[i].Line.Inst).Kind
	}
	return isa.FlowNext
}

// Overflows returns the slots of a loop and the capacity of the µop cache, if the loop exceeds it; else zeros.
func Overflows(b *machine.Bound) (slots, entries int) {
	c := b.Model.Core()
	if c.UopCache.Slots == 0 {
		return 0, 0
	}
	for _, n := range slotsOf(b) {
		slots += int(n)
	}
	if slots <= c.UopCache.Slots {
		return 0, 0
	}
	return slots, c.UopCache.Slots
}

// Left returns the indices of the loop's instructions that the legacy decoders serve in each iteration, as in the simulator and in Bound: those that
// the µop cache does not hold, and the instructions after them up to a branch. It returns nil if the µop cache holds all, or if the model does not
// describe the µop cache.
func Left(b *machine.Bound) (out []int) {
	c := b.Model.Core()
	k := compile(c, b, slotsOf(b), Layout{})
	for i := range k.insts {
		if k.mixed && !k.insts[i].cached {
			out = append(out, i)
		}
	}
	return out
}

// window is a block of the loop's code of UopCache.Window bytes.
type window struct {
	number      uint64 // its address divided by the size of a window
	lines       int    // its lines in the µop cache
	slots, ends int    // occupied places and jumps in the last line
	out         bool   // the µop cache does not hold it
}

// doubtful reports whether the µop cache may not hold the whole loop, or the microcode sequencer may deliver parts of it.
func (k *code) doubtful(b *machine.Bound) bool {
	if k.c.UopCache.Slots == 0 || k.once == 0 {
		return false
	}
	return b.Kernel.Loop && (b.Kernel.Placed() && k.c.UopCache.Window > 0 || k.once > k.c.UopCache.Slots) ||
		k.c.Microcode.Stall > 0 && slices.ContainsFunc(b.Insts, func(in machine.Inst) bool {
			return (in.Slots > float64(k.c.Decoding.Complex) || in.Flags&machine.Microcode != 0) && in.Flags&machine.NoSwitch == 0
		})
}

// place finds the instructions of a loop that come from the µop cache, and their addresses; it reports whether some do not come from it. If addresses
// are not known, a loop with more slots than the cache comes from the decoders as a whole, and is assumed to begin at a block of the predecoder.
func (k *code) place(b *machine.Bound) bool {
	n, total, known := len(k.insts), 0, b.Kernel.Placed()
	for i := range k.insts {
		total += int(k.insts[i].decode)
	}
	var windows []window
	if known && k.c.UopCache.Window > 0 {
		windows = k.windows(b)
	}
	left, addr := total > k.c.UopCache.Slots, uint64(0)
	for i := range k.insts {
		m := &k.insts[i]
		m.branch, m.cached = flow(b, i) != isa.FlowNext, !left
		if known {
			addr = b.Insts[i].Line.Addr
		}
		m.at = int32(addr % uint64(max(1, k.c.Predecode.Bytes)))
		addr += uint64(m.size)
		m.taken = i == n-1 || known && b.Insts[i+1].Line.Addr != addr
	}
	for i := range k.insts {
		out := len(windows) > 0 && windows[find(windows, k.begin(b, i)/uint64(k.c.UopCache.Window))].out
		if out || i > 0 && !k.insts[i-1].cached && !k.insts[i-1].branch { // the µop cache is looked up again only after branches
			k.insts[i].cached, left = false, true
		}
	}
	return left
}

// begin returns the address at which the code of instruction i begins, including the one that it is fused with.
func (k *code) begin(b *machine.Bound, i int) uint64 {
	if i > 0 && k.insts[i].joined {
		i--
	}
	return b.Insts[i].Line.Addr
}

func find(windows []window, number uint64) int {
	return slices.IndexFunc(windows, func(w window) bool { return w.number == number })
}

// windows lists the windows in which a loop's instructions begin, and marks those that the µop cache does not hold: windows that need more lines than
// allowed for one window, or that contain a misplaced jump; all windows of a set with more lines than ways, because each is replaced before the loop
// needs it again (least recently used first); and the neighbours of such a window, if the cache holds several windows only as a whole.
func (k *code) windows(b *machine.Bound) []window {
	c := k.c
	var out []window
	last := -1
	for i := range k.insts {
		number := k.begin(b, i) / uint64(c.UopCache.Window)
		w := find(out, number)
		if w < 0 {
			w, out = len(out), append(out, window{number: number})
		}
		k.store(&out[w], b, i, w != last)
		last = w
	}
	sets := uint64(max(1, c.UopCache.Slots/max(1, c.UopCache.Line*c.UopCache.Ways)))
	for i := range out {
		lines := 0
		for j := range out {
			if out[j].number%sets == out[i].number%sets {
				lines += out[j].lines
			}
		}
		out[i].out = out[i].out || lines > c.UopCache.Ways
	}
	if per := uint64(c.UopCache.Whole / c.UopCache.Window); per > 1 {
		held := slices.Clone(out)
		for i := range out {
			out[i].out = slices.ContainsFunc(held, func(w window) bool { return w.out && w.number/per == out[i].number/per })
		}
	}
	return out
}

// store puts an instruction into a window's lines. An instruction does not begin in one line and end in the next, and an instruction from microcode
// has a line of its own (Intel Optimization Reference Manual).
func (k *code) store(w *window, b *machine.Bound, i int, begins bool) {
	m, c, kind := &k.insts[i], k.c, flow(b, i)
	places, jumps := int(m.decode), 0
	if long(b, i) {
		places++
	}
	if kind != isa.FlowNext {
		jumps = 1
	}
	alone := m.micro
	if begins || alone || w.slots+places > c.UopCache.Line || w.ends+jumps > branchesPerLine {
		w.lines, w.slots, w.ends = w.lines+1, 0, 0
	}
	if w.slots, w.ends = w.slots+places, w.ends+jumps; alone || kind != isa.FlowNext && kind != isa.FlowCond {
		w.slots = c.UopCache.Line // no other instruction after it
	}
	w.out = w.out || w.lines > c.UopCache.Lines || c.JCCErratum && misplaced(b, i)
}

// long reports whether an instruction has a 64-bit immediate, which takes a place in the µop cache in addition to its slot.
func long(b *machine.Bound, i int) bool {
	q := b.Kernel.ISA.EncodedConstants
	return q != nil && len(b.Insts[i].Effects.Mem) == 0 && q(&b.Insts[i].Line.Inst) > 1
}

// mix simulates a cycle of a front end in which legacy decoders or the microcode sequencer take part.
func (f *Feed) mix() {
	before := f.have
	if f.fetches {
		f.fetch()
	} else {
		f.decode()
		f.predecode()
		if f.stopped && f.queued == 0 && f.micro == 0 {
			f.stopped, f.fetches, f.since = false, true, f.c.TakenBranch
		}
	}
	if f.path != nil {
		f.deliver(f.have - before)
	}
}

// fetch simulates a cycle of the µop cache in a loop that it does not hold completely. It delivers slots up to a taken branch, or up to the
// instruction from which the legacy decoders take over. The switch costs some cycles without slots, one more if the decoders have to wait for the
// predecoder.
func (f *Feed) fetch() {
	if f.sequence() {
		return
	}
	if f.since++; f.since < f.c.TakenBranch {
		return
	}
	for room := min(f.width, f.size-f.have); room > 0 || f.insts[f.pre].slots == 0; {
		m := &f.insts[f.pre]
		if m.micro {
			f.toMicrocode(m, room == min(f.width, f.size-f.have))
			room, f.sent = 0, m.slots
		}
		n := min(room, int(m.slots-f.sent))
		room, f.have, f.sent = room-n, f.have+n, f.sent+int32(n)
		if f.sent < m.slots {
			return
		}
		if f.sent, f.pre = 0, f.pre+1; f.pre == len(f.insts) {
			f.pre = 0
		}
		if next := &f.insts[f.pre]; !next.cached {
			f.fetches, f.dec, f.addr = false, f.pre, next.at
			f.stall = max(0, f.c.Decoding.Switch-1)
			return
		}
		if m.taken {
			f.since = 0
			return
		}
	}
}
