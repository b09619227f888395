// Package frontend models the fetch and decode of instructions: the µop cache, the loop buffer and the legacy decoders (Abel & Reineke, uiCA, ICS
// 2022; Abel, Sharma & Reineke, Facile, IISWC 2023). The simulator takes slots from a Feed. Bound runs a Feed alone, which gives the front end's
// bound.
package frontend

import (
	"incore/internal/machine"
)

// The model has three sources of slots: the µop cache (a number of slots per cycle, up to a taken branch), the loop buffer (like the µop cache, with
// several copies of the body), and the legacy decoders (16-byte blocks, instruction queue, one complex and several simple decoders). The legacy
// decoders serve unrolled code, and those parts of loops that the µop cache does not hold (place.go).

// Layout describes how a kernel lies in memory.
type Layout struct {
	Unrolled bool // iterations follow each other without a taken branch, through the legacy decoders
	Copies   int  // copies of the kernel between two taken branches [1]
	Start    int  // unrolled: offset of the code from the start of a page, in bytes
}

// macro is an instruction in the front end.
type macro struct {
	size   int32 // bytes
	opcode int32 // bytes before the opcode
	slots  int32 // slots in the queue
	decode int32 // slots in the decoders
	first  bool  // complex: only the first decoder takes it
	micro  bool  // its slots come from the microcode sequencer
	group  int32 // most instructions that the decoders take in a cycle that begins with it, 0 = limited by their slots only
	lcp    bool  // has a length-changing prefix
	joined bool  // it is decoded together with the instruction before it
	pair   bool  // it is decoded together with the next instruction
	early  bool  // the last decoder does not take it, because it might fuse with the next one
	// For loops that the µop cache does not hold completely (place):
	at     int32 // address, modulo the size of a predecoded block
	cached bool  // it comes from the µop cache
	branch bool  // a jump, taken or not
	taken  bool  // the next instruction is at another address
}

// Feed is the front end of a kernel: its code, as compiled for the core, and its state, a queue of slots that Fill fills.
type Feed struct {
	State
	code
}

// code is what the front end delivers of a kernel. It does not change while a kernel runs.
type code struct {
	c           *machine.Core
	dispatch    int // the core's dispatch width
	size, width int // of the queue, and of a fetch
	loop        bool
	legacy      bool    // all slots come from the legacy decoders
	mixed       bool    // some slots come from the µop cache, some from the legacy decoders
	straight    float64 // slots per cycle while no branch is taken
	past        bool    // a cycle's fetch continues after the loop's branch
	groups      []group // fetches of the µop cache by its entries; nil: by the rates above
	body        int     // slots of one iteration, or of all copies in a loop buffer
	once        int     // slots of the kernel
	slots       []int32 // of each instruction
	insts       []macro
	bytes       int32 // of one iteration
}

// State is what determines the future slots of a front end, apart from its code.
type State struct {
	have  int     // slots in the queue
	since int     // cycles since the first fetch after the last taken branch
	taken int     // least cycles between taken branches
	part  float64 // fraction of a slot fetched so far
	left  int     // slots of the iteration still to fetch
	group int     // the next fetch
	// Legacy path:
	pre, dec  int   // next instruction to predecode, to decode (index into insts)
	queued    int   // instructions between predecoding and decoding
	addr      int32 // address of the next instruction to predecode, modulo the block size
	stall     int   // cycles that the predecoder is busy with a length-changing prefix
	micro     int   // slots that the microcode sequencer must still deliver
	switching int   // remaining cycles of a switch to microcode and back
	// Loops that come partly from the µop cache and partly from the legacy path:
	fetches bool  // the µop cache delivers now
	sent    int32 // slots already delivered of the current instruction (pre)
	stopped bool  // the predecoder has reached code that the µop cache holds
}

// Snapshot returns the Feed's state, in which times that make no difference are equal.
func (f *Feed) Snapshot() State {
	s := f.State
	if f.groups == nil {
		s.since = min(s.since, s.taken)
	}
	return s
}

// In reports whether the Feed is in a state of a snapshot.
func (f *Feed) In(s *State) bool {
	return f.have == s.have && f.left == s.left && f.Snapshot() == *s
}

// New prepares the front end for a kernel; slots holds the queue slots of each instruction.
func New(c *machine.Core, b *machine.Bound, slots []int32, opt Layout) Feed {
	f := Feed{code: code{c: c, dispatch: b.Model.Params.DispatchWidth, width: c.FetchWidth, size: c.FetchQueue, loop: !opt.Unrolled && c.FetchWidth > 0}}
	for _, n := range slots {
		f.body += int(n)
	}
	if f.width == 0 {
		f.width = f.dispatch
	}
	if f.size == 0 {
		f.size = 4 * f.width
	}
	f.once = f.body
	f.body *= max(1, opt.Copies)
	f.left = f.body
	switch {
	case c.Decoders == 0:
	case opt.Unrolled:
		f.legacy = f.decoded(b, slots, opt.Start)
	case f.doubtful(b) && f.decoded(b, slots, opt.Start):
		f.mixed = f.place(b) || f.sequenced()
	}
	f.taken = c.TakenBranch
	if f.loop {
		f.taken = max(f.taken, Lines(b, opt.Copies))
		f.past = c.UopCache.PastBranch && leaves(b, opt.Copies)
	}
	f.straight = float64(f.width)
	if len(c.FetchDensity.Points) > 0 {
		one := density(&c.FetchDensity, b, f.once, opt.Copies)
		if !opt.Unrolled { // each iteration follows a taken branch
			one *= float64(max(1, c.Decoding.Clusters))
		}
		f.straight = min(f.straight, one)
	}
	if !f.legacy && !f.mixed && f.body > 0 {
		f.groups = entries(c, b, slots, opt.Copies, opt.Unrolled)
	}
	switch {
	case f.mixed:
		f.loop, f.fetches, f.addr = true, f.insts[0].cached, f.insts[0].at
	case f.loop && len(c.LoopUnroll) > 0:
		f.buffer()
	}
	f.slots = slots
	return f
}

// buffer sets the Feed to the copies of the loop that the loop buffer holds, if the loop fits.
func (f *Feed) buffer() {
	for _, r := range f.c.LoopUnroll {
		if f.body <= r.Slots {
			f.body *= r.Factor
			f.left, f.width, f.straight, f.past = f.body, f.dispatch, float64(f.dispatch), false
			return
		}
	}
	if f.body <= f.size { // fits into the queue, one copy
		f.width, f.straight, f.past = f.dispatch, float64(f.dispatch), false
	}
}

// density returns the slots per cycle that the µop cache delivers of straight code: a point of a curve over the bytes of code per
// slot. If the curve was measured on loops of a certain number of instructions, the bytes of the whole loop, in lines of 64, determine the rate; so
// the bytes are scaled to a loop of that length.
func density(curve *machine.DensityCurve, b *machine.Bound, slots, copies int) float64 {
	bytes := 0
	for i := range b.Insts {
		size := int(b.Insts[i].Line.Inst.Size)
		if bytes += size; size == 0 {
			return curve.Points[0].Slots // the value for the shortest instructions
		}
	}
	at := float64(bytes) / float64(max(1, slots))
	if copies > 1 && curve.Insts > 0 {
		at *= float64(len(b.Insts)*copies) / float64(curve.Insts)
	}
	last := curve.Points[0]
	for _, d := range curve.Points {
		if at < d.Bytes {
			if d.Bytes == last.Bytes {
				return d.Slots
			}
			return last.Slots + (at-last.Bytes)/(d.Bytes-last.Bytes)*(d.Slots-last.Slots)
		}
		last = d
	}
	return last.Slots
}

// decoded prepares the legacy path; it returns false if the sizes of the instructions are not known.
func (f *Feed) decoded(b *machine.Bound, slots []int32, start int) bool {
	f.insts = make([]macro, len(b.Insts))
	for i := range b.Insts {
		in := &b.Insts[i]
		m := &f.insts[i]
		if m.size = int32(in.Line.Inst.Size); m.size == 0 {
			return false
		}
		if q := b.Kernel.ISA.OpcodeOffset; q != nil && f.c.Predecode.Crossing {
			m.opcode = int32(q(&in.Line.Inst))
		}
		m.decode = int32(in.Decode + 0.5)
		m.first, m.group = in.Flags&machine.Complex != 0 || m.decode > 1, int32(in.Group)
		m.lcp = lengthChanging(b, i)
		m.joined = in.Flags&machine.FusedSecond != 0
		m.early = !f.c.Decoding.FuseLast && mayFuse(b, i)
		if m.joined && i > 0 {
			f.insts[i-1].pair = true
		}
		f.bytes += m.size
	}
	for i, n := range slots {
		f.insts[i].slots = n
		f.insts[i].micro = f.c.Decoding.Complex > 0 && (n > int32(f.c.Decoding.Complex) || b.Insts[i].Flags&machine.Microcode != 0) && b.Insts[i].Flags&machine.NoSwitch == 0
	}
	f.addr = int32(start % max(1, f.c.Predecode.Bytes))
	for i := range f.insts {
		f.insts[i].decode = max(f.insts[i].decode, min(1, f.insts[i].slots))
	}
	return len(f.insts) > 0
}

// lengthChanging reports whether an instruction's prefix changes the length of its immediate, which costs the predecoder extra cycles.
func lengthChanging(b *machine.Bound, i int) bool {
	q := b.Kernel.ISA.LengthChanging
	return q != nil && q(&b.Insts[i].Line.Inst)
}

// mayFuse reports whether the core fuses an instruction with a suitable branch after it.
func mayFuse(b *machine.Bound, i int) bool {
	q := b.Kernel.ISA.FusesFirst
	if q == nil {
		return false
	}
	kind := q(&b.Insts[i].Line.Inst)
	return kind != "" && b.Model.Fuses(kind)
}

// Fill simulates one cycle of the front end.
func (f *Feed) Fill() {
	switch {
	case f.mixed && f.fetches:
		f.fetch()
		return
	case f.legacy || f.mixed:
		f.decode()
		f.predecode()
		if f.stopped && f.queued == 0 && f.micro == 0 {
			f.stopped, f.fetches, f.since = false, true, f.c.TakenBranch
		}
		return
	}
	if f.groups != nil {
		f.fetchEntries()
		return
	}
	over, end := f.cached(f.loop && f.body > 0)
	if !end {
		return
	}
	if f.left = f.body; f.past { // but no second branch
		f.have, f.left = f.have+min(over, f.left), f.left-min(over, f.left)
	}
}

// cached simulates a cycle of the µop cache by its rates: it delivers slots up to the taken branch at the end of the code, if there is one (ends). It returns the slots
// that it could have delivered after that branch, and whether it has reached it.
func (f *Feed) cached(ends bool) (over int, end bool) {
	start := f.left == f.body // directly after a taken branch
	if f.since++; f.loop && start && f.since < f.taken {
		return 0, false
	}
	width := f.width
	if !f.loop || !start {
		f.part += f.straight
		width = int(f.part)
		f.part -= float64(width)
	}
	room := min(width, f.size-f.have)
	if !ends {
		f.have += room
		return 0, false
	}
	n := min(room, f.left)
	if start && (n > 0 || f.body == 0) {
		f.since = 0
	}
	f.have, f.left = f.have+n, f.left-n
	return room - n, f.left <= 0
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

// Take removes n slots, Have returns the number of slots in the queue, Iteration the number of the kernel's slots.
func (f *Feed) Take(n int)     { f.have -= n }
func (f *Feed) Have() int      { return f.have }
func (f *Feed) Iteration() int { return f.once }

// Slots returns the queue slots of each instruction for which the front end was prepared.
func (f *Feed) Slots() []int32 { return f.slots }

// iterations is the largest number of iterations that Bound runs: enough for the alignment of any kernel to 16-byte blocks to repeat.
const iterations = 64

// slotsOf returns the queue slots of each instruction, in whole slots.
func slotsOf(b *machine.Bound) []int32 {
	slots := make([]int32, len(b.Insts))
	for i := range b.Insts {
		slots[i] = int32(b.Insts[i].WholeSlots())
	}
	return slots
}

// Of prepares the front end for a kernel on its model's core; nil if the model does not say how wide the core is, or if nothing is fetched.
func Of(b *machine.Bound, opt Layout) *Feed {
	if b.Model.Params.DispatchWidth <= 0 || len(b.Insts) == 0 {
		return nil
	}
	if f := New(b.Model.Core(), b, slotsOf(b), opt); f.once > 0 {
		return &f
	}
	return nil
}

// Bound returns the least cycles per iteration of the front end, if the back end never stalls it. The receiver does not change.
func (f *Feed) Bound() float64 { return f.alone() }

// alone runs a copy of the front end until it repeats, and returns the cycles per iteration.
func (f Feed) alone() float64 {
	width := f.dispatch
	warm, taken := iterations*f.once, 0
	if f.loop {
		warm = (warm + f.body - 1) / f.body * f.body // a whole number of loops
	}
	total := 3 * warm
	start := 0
	var mark State // a state to compare later ones with
	marked, before := 0, 0
	for cycle := 0; ; cycle++ {
		f.Fill()
		n := min(f.have, width)
		f.Take(n)
		if taken < warm && taken+n >= warm {
			start, warm = cycle, taken+n
		}
		if taken += n; taken >= total || cycle > 100*total {
			return float64(cycle-start) * float64(f.once) / float64(max(1, taken-warm))
		}
		if marked > 0 && taken > before && f.In(&mark) { // from here on it repeats
			return float64(cycle-marked) * float64(f.once) / float64(taken-before)
		}
		if cycle >= 2*marked+4 {
			mark, marked, before = f.Snapshot(), cycle, taken
		}
	}
}

// decode moves instructions from the instruction queue to the slot queue.
func (f *Feed) decode() {
	if f.switching|f.micro != 0 && f.sequence() {
		return
	}
	made, at, most := int32(0), f.dec, f.c.Decoders // fields that change are kept in variables, because they are read often
	have, queued, fits := f.have, f.queued, int32(f.c.DecodeSlots)
	for d := 0; d < most && queued > 0; d++ {
		m := &f.insts[at]
		if d == 0 && m.group > 0 {
			most = min(most, int(m.group))
		}
		if d > 0 && (m.first || made+m.decode > fits) || have+int(m.slots) > f.size && have > 0 {
			break
		}
		if m.pair && queued < 2 {
			break // the instruction to fuse with is not predecoded yet
		}
		if m.early && d == f.c.Decoders-1 {
			break
		}
		made += m.decode
		last := m
		queued, at = queued-1, f.behind(at)
		if m.pair {
			last = &f.insts[at]
			queued, at = queued-1, f.behind(at)
		}
		if m.micro {
			f.toMicrocode(m, d == 0)
			break
		}
		have += int(m.slots)
		if last.branch {
			break
		}
	}
	f.dec, f.have, f.queued = at, have, queued
}

// behind returns the index of the instruction after one.
func (f *Feed) behind(at int) int {
	if at++; at == len(f.insts) {
		return 0
	}
	return at
}

// sequence simulates a cycle of the microcode sequencer; it returns false if the sequencer is not active.
func (f *Feed) sequence() bool {
	switch {
	case f.switching > 0:
		f.switching--
	case f.micro > 0:
		width := f.dispatch
		if f.c.Microcode.Slots > 0 {
			width = f.c.Microcode.Slots
		}
		n := min(width, f.micro, max(0, f.size-f.have))
		f.have, f.micro = f.have+n, f.micro-n
		if f.micro == 0 {
			f.switching = f.c.Microcode.Stall / 2
		}
	default:
		return false
	}
	return true
}

// toMicrocode hands over to the microcode sequencer. first says that no other instruction came in this cycle, so the cycle may be part of the switch.
func (f *Feed) toMicrocode(m *macro, first bool) {
	if f.micro, f.switching = int(m.slots), (f.c.Microcode.Stall+1)/2; first && f.c.Microcode.AtOnce && f.switching > 0 {
		f.switching--
	}
}

// predecode finds the boundaries of a cycle's instructions. A block's limit counts the instructions that end in it, and also the instruction that
// ends in the next block if its first byte is in this one.
func (f *Feed) predecode() {
	c := f.c
	if f.stall > 0 {
		f.stall--
		return
	}
	if f.stopped {
		return
	}
	block, at, addr, queued := int32(c.Predecode.Bytes), f.pre, f.addr, f.queued
	for n := 0; ; n++ {
		m := &f.insts[at]
		end := addr + m.size
		if end > block { // reaches into the next block: found there, in the next cycle
			if n < c.Predecode.Insts || !c.Predecode.Crossing || addr+m.opcode >= block {
				addr -= block
			}
			break
		}
		if n == c.Predecode.Insts || queued >= c.Predecode.Queue {
			break
		}
		if m.lcp {
			f.stall += c.Predecode.LCP
		}
		addr = end
		queued++
		at = f.behind(at)
		if m.branch && f.insts[at].cached {
			f.stopped = true
			break
		}
		if m.taken {
			addr = f.insts[at].at
			break
		}
		if addr == block {
			addr = 0
			break
		}
	}
	f.pre, f.addr, f.queued = at, addr, queued
}
