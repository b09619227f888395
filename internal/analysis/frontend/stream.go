package frontend

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file is the front end of code as it ran: runs of instructions, each up to a taken branch. A run that follows itself is a loop, whose slots come as New and
// Fill have it; of others the limits are those of a loop of that run, passed through once.

// Run is instructions that follow each other in memory and were executed one after another. It may be kept for as many streams of one core as there are.
type Run struct {
	once  Feed // without a loop buffer
	loop  Feed // with one
	slots int
}

// NewRun prepares the front end for a run. slots is what each instruction takes of the queue.
func NewRun(c *machine.Core, m *machine.Model, a *isa.ISA, insts []machine.Inst, slots []int32) *Run {
	k := &isa.Kernel{ISA: a, Loop: true, Lines: make([]isa.Line, 1)}
	k.Lines[0].Addr = insts[0].Line.Addr // so that it is known where the code lies
	b := &machine.Bound{Kernel: k, Model: m, Insts: insts}
	plain := *c
	plain.LoopUnroll = nil
	r := &Run{once: New(&plain, b, slots, Layout{}), loop: New(c, b, slots, Layout{})}
	r.slots = r.once.once
	return r
}

// Slots is what a run takes of the queue.
func (r *Run) Slots() int { return r.slots }

// Stream is the front end's state before runs that follow each other.
type Stream struct {
	runs    []*Run
	stops   []bool // run → nothing is fetched behind it until Resume
	at      int    // the run that is fetched
	f       Feed   // rates and state of it
	begun   bool   // f is of run at
	stopped bool
	sent    int // of a run that the legacy decoders have a part in: slots so far
}

// NewStream prepares the front end for runs. stops says of each run whether what is fetched behind it is wrong, as its last branch is mispredicted.
func NewStream(runs []*Run, stops []bool) *Stream { return &Stream{runs: runs, stops: stops} }

// Have is how many slots there are, Take removes some.
func (s *Stream) Have() int  { return s.f.have }
func (s *Stream) Take(n int) { s.f.have -= n }

// Stopped reports whether the front end waits for Resume.
func (s *Stream) Stopped() bool { return s.stopped }

// Resume lets the front end go on behind a mispredicted branch.
func (s *Stream) Resume() {
	s.stopped = false
	s.f.since = max(s.f.since, s.f.taken) // it starts anew
}

// Fill brings the queue up by a cycle's work.
func (s *Stream) Fill() {
	if s.stopped || s.at >= len(s.runs) {
		return
	}
	if !s.begun {
		s.begin(0)
	}
	f := &s.f
	switch {
	case f.mixed:
		s.decoded()
	case f.legacy || !f.loop:
		s.plain()
	default:
		s.cached()
	}
}

// begin takes over the rates of the run that is fetched next, of which some slots have come already.
func (s *Stream) begin(early int) {
	s.begun = true
	r := s.runs[s.at]
	from, times := &r.once, 1
	if s.follows(1) && (s.at > 0 && s.runs[s.at-1] == r && !s.stops[s.at-1]) { // a loop buffer has seen it
		for from = &r.loop; times*r.slots < from.body && s.follows(times); {
			times++
		}
	}
	old := s.f
	if old.mixed && from.mixed && s.at > 0 && s.runs[s.at-1] == r {
		s.f.have = old.have // it goes on in its loop
		return
	}
	s.f = *from
	s.f.have, s.f.since, s.f.taken, s.f.owed, s.f.part = old.have, old.since, old.taken, old.owed, old.part
	s.f.body = times * r.slots
	s.f.left = s.f.body - early
	s.sent = early
	if f := &s.f; f.mixed && len(f.insts) > 0 && s.at > 0 {
		f.since = f.taken
	}
}

// follows reports whether the n runs behind the present one are the same, and are fetched without a stop.
func (s *Stream) follows(n int) bool {
	for k := 1; k <= n; k++ {
		if s.at+k >= len(s.runs) || s.runs[s.at+k] != s.runs[s.at] || s.stops[s.at+k-1] {
			return false
		}
	}
	return true
}

// next goes on to the run behind so many.
func (s *Stream) next(runs, early int) {
	s.at += runs
	if s.begun = false; s.stops[s.at-1] {
		s.stopped = true
		return
	}
	if s.at < len(s.runs) {
		s.begin(early)
	}
}

// cached is a cycle's work of the µop cache.
func (s *Stream) cached() {
	f := &s.f
	start := f.left == f.body
	if f.since++; start && f.since < f.taken {
		return
	}
	width := f.width
	if !start { // not behind a taken branch
		f.part += f.straight
		width = int(f.part)
		f.part -= float64(width)
	}
	room := min(width, f.size-f.have)
	n := min(room, f.left)
	if start && (n > 0 || f.body == 0) {
		f.since = 0
		taken := s.runs[s.at].once
		if f.taken = taken.taken; taken.pace > 0 {
			f.owed += taken.pace
			f.taken = f.owed / paceParts
			f.owed -= f.taken * paceParts
		}
	}
	f.have += n
	if f.left -= n; f.left > 0 {
		return
	}
	past, runs := f.past && n < room, max(1, f.body/max(1, s.runs[s.at].slots))
	s.next(runs, 0)
	if past && !s.stopped && s.begun && !s.f.mixed {
		s.pastBranch(room - n)
	}
}

// pastBranch takes slots behind a taken branch in the same cycle.
func (s *Stream) pastBranch(room int) {
	f := &s.f
	n := min(room, f.left)
	f.have += n
	if f.left -= n; f.left == 0 && n > 0 { // no second branch
		s.next(max(1, f.body/max(1, s.runs[s.at].slots)), 0)
	}
}

// plain is a cycle's work of a front end of which only the width is known.
func (s *Stream) plain() {
	f := &s.f
	for room := min(f.width, f.size-f.have); room > 0 && s.at < len(s.runs) && !s.stopped; {
		n := min(room, f.left)
		room, f.have, f.left = room-n, f.have+n, f.left-n
		if f.left > 0 {
			return
		}
		s.next(max(1, f.body/max(1, s.runs[s.at].slots)), 0)
		if s.f.mixed {
			return
		}
	}
}

// decoded is a cycle's work where the legacy decoders or the microcode sequencer have a part in a run. What they would deliver of a next iteration that there is
// not is dropped.
func (s *Stream) decoded() {
	f := &s.f
	before := f.have
	f.Fill()
	s.sent += f.have - before
	for s.sent >= s.runs[s.at].slots {
		over := s.sent - s.runs[s.at].slots
		same := s.follows(1)
		if !same {
			f.have -= over
			over = 0
		}
		s.next(1, over)
		if s.sent = over; !same || s.stopped || s.at >= len(s.runs) {
			return
		}
	}
}
