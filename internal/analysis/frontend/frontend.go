// Package frontend models the fetch and decode of instructions: the µop cache, the loop buffer and the legacy decoders
// (Abel & Reineke, uiCA, ICS 2022; Abel, Sharma & Reineke, Facile, IISWC 2023). The simulator takes slots from a Feed.
// Bound runs a Feed alone, which gives the front end's bound.
package frontend

import (
	"incore/internal/machine"
)

// Code is compiled once for a core (compile). A Feed walks it, cycle by cycle: a kernel again and again, or the runs of
// executed code one after another (path.go). Each source of slots has a file, with what it makes of the code and with
// its cycle:
//
//   - the µop cache as rates (rates.go): slots per cycle up to a taken branch; a loop buffer has several copies of the body
//   - the µop cache as entries of lines (entries.go), as a list of fetches
//   - the legacy decoders (decoders.go): 16-byte blocks, instruction queue, one complex and several simple decoders.
//     They serve unrolled code, and those parts of loops that the µop cache does not hold (place.go)
//   - the microcode sequencer (microcode.go)

// Layout describes how a kernel lies in memory.
type Layout struct {
	Unrolled bool // iterations follow each other without a taken branch, through the legacy decoders
	Copies   int  // copies of the kernel between two taken branches [1]
	Start    int  // unrolled: offset of the code from the start of a page, in bytes
}

// Feed is the front end of a core: the code that it fetches, and its state, a queue of slots that Fill fills.
type Feed struct {
	State
	*code
	path *path // executed code; nil: the code repeats
}

// code is what the front end delivers of a kernel or a run. It does not change.
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
	once        int     // slots of the kernel
	slots       []int32 // of each instruction
	insts       []macro
	bytes       int32 // of one iteration
	// The state at the start:
	total int   // State.body
	gap   int   // State.taken
	entry int32 // State.addr
}

// State is what determines the future slots of a front end, apart from its code.
type State struct {
	have  int     // slots in the queue
	since int     // cycles since the first fetch after the last taken branch
	taken int     // least cycles between that branch and the next one
	part  float64 // fraction of a slot fetched so far
	body  int     // slots up to the next taken branch: of one iteration, or of all copies in a loop buffer
	left  int     // of these, still to fetch
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
	k := compile(c, b, slots, opt)
	return Feed{code: k, State: k.start()}
}

// start returns the state in which code begins.
func (k *code) start() State {
	return State{body: k.total, left: k.total, taken: k.gap, addr: k.entry, fetches: k.mixed && k.insts[0].cached}
}

// compile decides which sources deliver the code, and makes what they need.
func compile(c *machine.Core, b *machine.Bound, slots []int32, opt Layout) *code {
	k := &code{c: c, dispatch: b.Model.Params.DispatchWidth, width: c.FetchWidth, size: c.FetchQueue, slots: slots,
		loop: !opt.Unrolled && c.FetchWidth > 0}
	for _, n := range slots {
		k.once += int(n)
	}
	if k.width == 0 {
		k.width = k.dispatch
	}
	if k.size == 0 {
		k.size = 4 * k.width
	}
	k.total = k.once * max(1, opt.Copies)
	switch {
	case c.Decoders == 0:
	case opt.Unrolled:
		k.legacy = k.decoded(b, opt.Start)
	case k.doubtful(b) && k.decoded(b, opt.Start):
		k.mixed = k.place(b) || k.sequenced()
	}
	k.rates(b, opt)
	if !k.legacy && !k.mixed && k.total > 0 {
		k.groups = entries(c, b, slots, opt.Copies, opt.Unrolled)
	}
	switch {
	case k.mixed:
		k.loop, k.entry = true, k.insts[0].at
	case k.loop && len(c.LoopUnroll) > 0:
		k.buffer()
	}
	return k
}

// Fill simulates one cycle of the front end.
func (f *Feed) Fill() {
	switch {
	case f.path.waits():
	case f.mixed:
		f.mix()
	case f.legacy:
		f.decode()
		f.predecode()
	case f.groups != nil:
		f.fetchEntries()
	default:
		f.cached()
	}
}

// next continues after a taken branch: with the same code, or with what was executed next, of which early slots have
// been fetched already.
func (f *Feed) next(early int) {
	if f.path != nil {
		f.follow(early)
		return
	}
	f.left = f.body
}

// Take removes n slots, Have returns the number of slots in the queue, Iteration the number of the kernel's slots.
func (f *Feed) Take(n int)     { f.have -= n }
func (f *Feed) Have() int      { return f.have }
func (f *Feed) Iteration() int { return f.once }

// Slots returns the queue slots of each instruction for which the front end was prepared.
func (f *Feed) Slots() []int32 { return f.slots }

// iterations is the largest number of iterations that Bound runs: enough for the alignment of any kernel to 16-byte
// blocks to repeat.
const iterations = 64

// slotsOf returns the queue slots of each instruction, in whole slots.
func slotsOf(b *machine.Bound) []int32 {
	slots := make([]int32, len(b.Insts))
	for i := range b.Insts {
		slots[i] = int32(b.Insts[i].WholeSlots())
	}
	return slots
}

// Of prepares the front end for a kernel on its model's core; nil if the model does not say how wide the core is, or if
// nothing is fetched.
func Of(b *machine.Bound, opt Layout) *Feed {
	if b.Model.Params.DispatchWidth <= 0 || len(b.Insts) == 0 {
		return nil
	}
	if f := New(b.Model.Core(), b, slotsOf(b), opt); f.once > 0 {
		return &f
	}
	return nil
}

// Bound returns the least cycles per iteration of the front end, if the back end never stalls it. The receiver does not
// change.
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
