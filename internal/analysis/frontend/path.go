package frontend

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file is executed code: runs of instructions, each up to a taken branch. A run that repeats is a loop; another
// one has the limits of such a loop, but passes once.

// Run is a sequence of instructions that lie and were executed one after another. Any number of Feeds of one core may
// share it.
type Run struct {
	once  *code // without a loop buffer
	loop  *code // with one
	slots int
}

// NewRun prepares the front end for a run. slots holds the queue slots of each instruction.
func NewRun(c *machine.Core, m *machine.Model, a *isa.ISA, insts []machine.Inst, slots []int32) *Run {
	k := &isa.Kernel{ISA: a, Loop: true, Lines: make([]isa.Line, 1)}
	k.Lines[0].Addr = insts[0].Line.Addr // the run's address, for the limits that need it
	b := &machine.Bound{Kernel: k, Model: m, Insts: insts}
	r := &Run{loop: compile(c, b, slots, Layout{})}
	r.once, r.slots = r.loop, r.loop.once
	if len(c.LoopUnroll) > 0 {
		plain := *c
		plain.LoopUnroll = nil
		r.once = compile(&plain, b, slots, Layout{})
	}
	return r
}

// path is the way of a Feed through executed code.
type path struct {
	runs    []*Run
	stops   []bool // run → fetch stops after it until Resume
	at      int    // the run that is fetched
	stopped bool
	sent    int // of a run with legacy decoding: slots delivered so far
}

// Along prepares the front end for runs. stops marks the runs whose last branch is mispredicted, so that fetch
// continues on the wrong path after them.
func Along(runs []*Run, stops []bool) *Feed {
	f := &Feed{path: &path{runs: runs, stops: stops}}
	if len(runs) > 0 {
		f.enter(0)
	}
	return f
}

// waits reports whether nothing can be fetched: after a mispredicted branch, or at the end. Code that repeats has no
// path and never ends.
func (p *path) waits() bool { return p != nil && (p.stopped || p.at >= len(p.runs)) }

// follows reports whether the next n runs are equal to the current one, and are fetched without a stop.
func (p *path) follows(n int) bool {
	for k := 1; k <= n; k++ {
		if p.at+k >= len(p.runs) || p.runs[p.at+k] != p.runs[p.at] || p.stops[p.at+k-1] {
			return false
		}
	}
	return true
}

// Stopped reports whether the front end waits for Resume.
func (f *Feed) Stopped() bool { return f.path != nil && f.path.stopped }

// Resume lets the front end continue after a mispredicted branch.
func (f *Feed) Resume() {
	f.path.stopped = false
	f.since, f.part = max(f.since, f.taken), 0 // restart
	if f.path.at < len(f.path.runs) {
		f.enter(0)
	}
}

// enter begins the next run, of which early slots have been fetched already. Slots in the queue and the time since the
// last taken branch stay.
func (f *Feed) enter(early int) {
	p := f.path
	r := p.runs[p.at]
	from, times, again := r.once, 1, p.at > 0 && p.runs[p.at-1] == r
	if again && !p.stops[p.at-1] && p.follows(1) { // the loop buffer has recorded the run
		for from = r.loop; times*r.slots < from.total && p.follows(times); {
			times++
		}
	}
	if again && f.mixed && from.mixed && !p.stops[p.at-1] { // the loop continues
		return
	}
	old := f.State
	f.code, f.State = from, from.start()
	f.have, f.since, f.taken, f.part = old.have, old.since, old.taken, old.part
	f.body = times * r.slots
	f.left, p.sent = f.body-early, early
	if f.mixed && p.at > 0 {
		f.since = f.taken
	}
}

// follow moves on from the runs that are fetched to the next one.
func (f *Feed) follow(early int) {
	p := f.path
	p.at += max(1, f.body/max(1, p.runs[p.at].slots))
	if p.stopped = p.stops[p.at-1]; !p.waits() {
		f.enter(early)
	}
}

// deliver counts n slots of a run in which legacy decoders or the microcode sequencer take part. It drops those of a
// next iteration that does not exist.
func (f *Feed) deliver(n int) {
	p := f.path
	for p.sent += n; p.sent >= p.runs[p.at].slots; {
		over, same := p.sent-p.runs[p.at].slots, p.follows(1)
		if !same {
			f.have, over = f.have-over, 0
		}
		f.follow(over)
		if p.sent = over; !same || p.waits() {
			return
		}
	}
}
