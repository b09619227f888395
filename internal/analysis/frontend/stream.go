package frontend

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file models the front end for executed code: runs of instructions, each up to a taken branch. A run that repeats is a loop, with the slots of
// New and Fill. Other runs have the limits of such a loop, but pass once.

// Run is a sequence of instructions that lie and were executed one after another. Any number of streams of one core may share it.
type Run struct {
	once  Feed // without a loop buffer
	loop  Feed // with one
	slots int
}

// NewRun prepares the front end for a run. slots holds the queue slots of each instruction.
func NewRun(c *machine.Core, m *machine.Model, a *isa.ISA, insts []machine.Inst, slots []int32) *Run {
	k := &isa.Kernel{ISA: a, Loop: true, Lines: make([]isa.Line, 1)}
	k.Lines[0].Addr = insts[0].Line.Addr // the run's address, for the limits that need it
	b := &machine.Bound{Kernel: k, Model: m, Insts: insts}
	plain := *c
	plain.LoopUnroll = nil
	r := &Run{once: New(&plain, b, slots, Layout{}), loop: New(c, b, slots, Layout{})}
	r.slots = r.once.once
	return r
}

// Slots returns the queue slots of a run.
func (r *Run) Slots() int { return r.slots }

// Stream is the state of the front end for a sequence of runs.
type Stream struct {
	runs    []*Run
	stops   []bool // run → fetch stops after it until Resume
	at      int    // the run that is fetched
	f       Feed   // its rates and state
	begun   bool   // f belongs to run at
	stopped bool
	sent    int // for a run with legacy decoding: slots delivered so far
}

// NewStream prepares the front end for runs. stops marks the runs whose last branch is mispredicted, so that fetch continues on the wrong path after
// them.
func NewStream(runs []*Run, stops []bool) *Stream { return &Stream{runs: runs, stops: stops} }

// Have returns the number of slots in the queue, Take removes some.
func (s *Stream) Have() int  { return s.f.have }
func (s *Stream) Take(n int) { s.f.have -= n }

// Stopped reports whether the front end waits for Resume.
func (s *Stream) Stopped() bool { return s.stopped }

// Resume lets the front end continue after a mispredicted branch.
func (s *Stream) Resume() {
	s.stopped = false
	s.f.since = max(s.f.since, s.f.taken) // restart
}

// Fill simulates one cycle of the front end.
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

// begin takes over the rates of the next run, of which early slots have been fetched already.
func (s *Stream) begin(early int) {
	s.begun = true
	r := s.runs[s.at]
	from, times := &r.once, 1
	if s.follows(1) && (s.at > 0 && s.runs[s.at-1] == r && !s.stops[s.at-1]) { // the loop buffer has recorded the run
		for from = &r.loop; times*r.slots < from.body && s.follows(times); {
			times++
		}
	}
	old := s.f
	if old.mixed && from.mixed && s.at > 0 && s.runs[s.at-1] == r {
		s.f.have = old.have // the loop continues
		return
	}
	s.f = *from
	s.f.have, s.f.since, s.f.taken, s.f.part = old.have, old.since, old.taken, old.part
	s.f.body = times * r.slots
	s.f.left = s.f.body - early
	s.sent = early
	if f := &s.f; f.mixed && len(f.insts) > 0 && s.at > 0 {
		f.since = f.taken
	}
}

// follows reports whether the next n runs are equal to the current one, and are fetched without a stop.
func (s *Stream) follows(n int) bool {
	for k := 1; k <= n; k++ {
		if s.at+k >= len(s.runs) || s.runs[s.at+k] != s.runs[s.at] || s.stops[s.at+k-1] {
			return false
		}
	}
	return true
}

// next moves on by a number of runs.
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

// cached simulates a cycle of the µop cache.
func (s *Stream) cached() {
	f := &s.f
	if f.groups != nil {
		if f.fetchEntries() {
			s.next(max(1, f.body/max(1, s.runs[s.at].slots)), 0)
		}
		return
	}
	start := f.left == f.body
	over, end := f.cached(true)
	if start && f.since == 0 {
		f.taken = s.runs[s.at].once.taken
	}
	if !end {
		return
	}
	past, runs := f.past && over > 0, max(1, f.body/max(1, s.runs[s.at].slots))
	s.next(runs, 0)
	if past && !s.stopped && s.begun && !s.f.mixed {
		s.pastBranch(over)
	}
}

// pastBranch takes slots after a taken branch in the same cycle.
func (s *Stream) pastBranch(room int) {
	f := &s.f
	n := min(room, f.left)
	f.have += n
	if f.left -= n; f.left == 0 && n > 0 { // but no second branch
		s.next(max(1, f.body/max(1, s.runs[s.at].slots)), 0)
	}
}

// plain simulates a cycle of a front end with a known width only.
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

// decoded simulates a cycle of a run in which legacy decoders or the microcode sequencer take part. It drops the slots that they would deliver for a
// next iteration that does not exist.
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
