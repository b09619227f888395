package sim

import "incore/internal/analysis/frontend"

// This file finds the steady state. Once the machine is in a state that it was in before, what happened between repeats for ever: the
// cycles per iteration are exact. States are compared in cycles in which an iteration retired. A state is what the future depends on;
// times count from the present cycle, and those so long ago that nothing depends on them are all the same. The front end need not be in
// its state of then where it never held dispatch up: it is enough that it goes on so.

// mark is a state that later ones are compared with.
type mark struct {
	counts  // retired is 0 where there is no mark
	outline outline
	uops    []instance // those in flight, and before them those that what will be dispatched may still depend on
	head    int32      // the oldest µop in flight
	early   []request  // that ask for ports in vain in the next cycle
	busy    [64]int32
	backAt  [64]int32
	front   frontend.State
}

// counts is what has been counted by some cycle.
type counts struct {
	cycle   int32
	retired int // iterations
	begun   int // iterations that have been dispatched, or a part of them
	portUse [64]int64
	stalls  [numReasons]int64
}

func (e *engine) counts() counts {
	return counts{cycle: e.cycle, retired: len(e.retired), begun: int((e.tail + e.n - 1) / e.n), portUse: e.portUse, stalls: e.stalls}
}

// supply is what dispatch took of the front end in one cycle, and how much it had to be offered to take that.
type supply struct{ taken, need int32 }

// outline is the part of a state that tells most states apart. What the µops in flight tell, as how many entries of a queue are taken, is left out.
type outline struct {
	head, inFlight, nextUop               int32
	debt, leaving, waiting, first, learnt int
	turn                                  uint64
}

func (e *engine) outline() outline {
	return outline{head: e.head % e.n, inFlight: e.tail - e.head, nextUop: e.nextUop,
		debt: e.debt, leaving: e.leaving, waiting: e.waiting, first: e.first, learnt: e.learnt, turn: e.turn}
}

// reach finds out how far back the future looks: how many µops before the oldest in flight, and how many cycles.
func (e *engine) reach() {
	delta, cycles := int32(0), int32(max(addressDelay, e.core.IssueDelay))
	for i := range e.body {
		u := &e.body[i]
		cycles = max(cycles, u.done)
		for _, deps := range [...][]dep{u.deps, u.after} {
			for _, d := range deps {
				delta, cycles = max(delta, d.delta), max(cycles, d.lat)
			}
		}
	}
	e.reachUops, e.reachCycles = e.n*(delta+1), cycles
}

// recurs reports whether the machine is in the marked state.
func (e *engine) recurs(f *frontend.Feed) bool {
	m := e.mark
	if m.retired == 0 || m.outline != e.outline() || e.starved > m.cycle && m.front != f.State() {
		return false
	}
	if len(m.early) != len(e.early) {
		return false
	}
	for k := range m.early {
		if m.early[k].seq-m.head != e.early[k].seq-e.head || m.early[k].again != e.early[k].again {
			return false
		}
	}
	ago := e.cycle - m.cycle
	for p := range e.core.Ports {
		if !alike(m.busy[p], e.busy[p]-ago, m.cycle) || !alike(m.backAt[p], e.backAt[p]-ago, m.cycle) {
			return false
		}
	}
	seq, old := e.head-e.reachUops, m.cycle-e.reachCycles
	for i := range m.uops {
		a, b := &m.uops[i], &e.ring[(seq+int32(i))&e.mask]
		if b.seq != seq+int32(i) || a.uop != b.uop || a.port != b.port || a.pending != b.pending || (a.issued == notYet) != (b.issued == notYet) {
			return false
		}
		if a.issued == notYet {
			if !alike(a.ready, b.ready-ago, m.cycle-1) || !alike(a.alloc, b.alloc-ago, old) {
				return false
			}
		} else if !alike(a.issued, b.issued-ago, old) || !alike(a.retired, b.retired-ago, old) {
			return false
		}
	}
	return true
}

// alike reports whether two times are the same, or both so early that they don't matter any more.
func alike(a, b, early int32) bool { return a == b || a <= early && b <= early }

// remember marks the present state.
func (e *engine) remember(f *frontend.Feed) {
	m := e.mark
	m.counts, m.outline, m.front = e.counts(), e.outline(), f.State()
	m.early, m.head = append(m.early[:0], e.early...), e.head
	m.uops = m.uops[:0]
	for seq := e.head - e.reachUops; seq < e.tail; seq++ {
		m.uops = append(m.uops, e.ring[seq&e.mask])
	}
	m.busy, m.backAt = e.busy, e.backAt
}

// feed notes what dispatch, which was in debt before, took of the slots it was offered.
func (e *engine) feed(offered, taken, debt int) {
	need := min(taken, e.core.Width)
	if debt > 0 {
		need = e.core.Width
	}
	if e.held == FrontEnd || offered < need {
		e.starved = e.cycle
	}
	e.supplies = append(e.supplies, supply{int32(taken), int32(need)})
}

// sustained reports whether the front end will go on to give dispatch what it gave since the mark, over and over: until it is itself in
// a state that it was in before, or, where that takes longer, for a number of cycles.
func (e *engine) sustained(f frontend.Feed, cycles int) bool {
	if e.mark.front == f.State() {
		return true
	}
	return e.starved <= e.mark.cycle && feeds(f, e.supplies[e.mark.cycle:], cycles)
}

// feeds reports whether a front end gives dispatch certain supplies over and over, until it is in a state that it was in before, or for
// a number of cycles.
func feeds(f frontend.Feed, supplies []supply, cycles int) bool {
	for start := f.State(); cycles > 0; cycles -= len(supplies) {
		for _, s := range supplies {
			f.Fill()
			if f.Have() < int(s.need) {
				return false
			}
			f.Take(int(s.taken))
		}
		if f.State() == start {
			return true
		}
	}
	return true
}

// alsoFed reports whether the kernel laid out otherwise is in the same state: dispatch was not held up by the front end since some
// cycle, and the front end of the other layout, once its queue has filled, gives it the same.
func (e *engine) alsoFed(f frontend.Feed, since int32, cycles int) bool {
	if e.starved > since || e.learnt > 0 { // what shares an entry of the predictor depends on the layout
		return false
	}
	for have := -1; f.Have() > have; f.Fill() {
		have = f.Have()
	}
	return feeds(f, e.supplies[since:], cycles)
}

// steady reports whether the machine is in its steady state: what happened since the mark repeats. It moves the mark from time to time.
// cycles is how long what is not proven must go on.
func (e *engine) steady(f *frontend.Feed, cycles int) bool {
	n := len(e.retired)
	if e.recurs(f) && e.sustained(*f, cycles) {
		return true
	}
	if m := e.mark; n-m.retired > max(4, m.retired) && e.head >= e.reachUops {
		e.remember(f)
	}
	return false
}
