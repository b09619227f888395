package sim

import (
	"math/bits"
	"slices"

	"incore/internal/analysis/frontend"
)

// This file finds the steady state. Once the machine is in a state that it was in before, what happened between repeats for ever: the
// cycles per iteration are exact. States are compared in cycles in which an iteration retired. A state is what the future depends on;
// times count from the present cycle, and those so long ago that nothing depends on them are all the same. The front end need not be in
// its state of then where it never held dispatch up: it is enough that it goes on so.

// mark is a state that later ones are compared with.
type mark struct {
	counts    // retired is 0 where there is no mark
	outline   outline
	uops      []instance // those in flight, and before them those that what will be dispatched may still depend on
	head      int32      // the oldest µop in flight
	early     []request  // that ask for ports in vain in the next cycle
	busy      [64]int32
	drained   int32
	passed    [64]int8
	wanted    uint64
	predictor []predictorEntry
	results   [64]uint64 // rotated so that the first bit is the cycle
	front     frontend.State
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
	inFlight, head, nextUop int32
	debt, leaving, waiting  int
	turn                    uint64
	news, freeing           news
	came                    [maxPortQueues]int8
	planned                 [maxPacket]int8 // queues of a packet that waits
	slots                   slotState
	lined                   int
}

func (e *engine) outline() outline {
	o := outline{head: e.head % e.n, inFlight: e.tail - e.head, nextUop: e.nextUop,
		debt: e.debt, leaving: e.leaving, waiting: e.waiting, turn: e.turn, news: e.news, freeing: e.freeing, came: e.came,
		slots: e.slots, lined: len(e.lined) - e.lineHead}
	if e.packet.waits {
		o.planned = e.packet.queue
	}
	return o
}

// reach finds out how far back the future looks: how many µops before the oldest in flight, and for each µop how many cycles.
func (e *engine) reach() {
	delta := int32(0)
	for i := range e.body {
		u := &e.body[i]
		u.settle = u.done
		if u.kind == kindStoreAddr {
			u.settle = max(u.settle, addressDelay)
		}
		u.reach, u.freeReach, u.freed = 0, 0, 0
		for _, d := range u.succs {
			u.settle, u.reach, delta = max(u.settle, d.lat), max(u.reach, d.dist), max(delta, d.delta)
		}
		for _, d := range u.frees {
			u.freed, u.freeReach, delta = max(u.freed, d.lat), max(u.freeReach, d.dist), max(delta, d.delta)
		}
	}
	e.reachUops = e.n * (delta + 1)
}

// recurs reports whether the machine is in the marked state.
func (e *engine) recurs(f *frontend.Feed, m *mark, o *outline) bool {
	if m.retired == 0 || m.outline != *o || e.starved > m.cycle && m.front != f.State() {
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
	if m.wanted != e.wanted || !slices.Equal(m.predictor, e.predictor) || !alike(m.drained, e.drained-ago, m.cycle-1) {
		return false
	}
	for p := range e.core.Ports {
		if !alike(m.busy[p], e.busy[p]-ago, m.cycle) || m.passed[p] != e.passed[p] || m.results[p] != bits.RotateLeft64(e.results[p], -int(e.cycle%64)) {
			return false
		}
	}
	seq := e.head - e.reachUops
	for i := range m.uops {
		if !e.same(&m.uops[i], &e.ring[(seq+int32(i))&e.mask], seq+int32(i), m.cycle, ago) {
			return false
		}
	}
	return true
}

// same reports whether µop number seq, and one that was marked ago cycles before, in cycle now, are the same to the future. Of those that have
// issued that is when their results arrive, of those that have retired it is so for consumers that will be dispatched alone.
func (e *engine) same(a, b *instance, seq, now, ago int32) bool {
	if b.seq != seq || a.uop != b.uop {
		return false
	}
	u := &e.body[b.uop]
	switch {
	case seq < e.head:
		return (seq+u.reach < e.tail || alike(a.issued, b.issued-ago, now-u.settle)) && (seq+u.freeReach < e.tail || alike(a.retired, b.retired-ago, now-u.freed))
	case a.issued != notYet && b.issued != notYet:
		return alike(a.issued, b.issued-ago, now-u.settle) && (a.port == b.port || !u.stays)
	}
	waits := int32(1)
	if u.back != u.plain {
		waits = patience
	}
	return a.issued == b.issued && a.port == b.port && a.pending == b.pending && alike(a.ready, b.ready-ago, now-waits) &&
		(a.pending == 0 || alike(a.alloc, b.alloc-ago, now-int32(e.core.IssueDelay)))
}

// alike reports whether two times are the same, or both so early that they don't matter any more.
func alike(a, b, early int32) bool { return a == b || a <= early && b <= early }

// remember marks the present state.
func (e *engine) remember(f *frontend.Feed, m *mark) {
	m.counts, m.outline, m.front = e.counts(), e.outline(), f.State()
	m.early, m.head = append(m.early[:0], e.early...), e.head
	m.uops = m.uops[:0]
	for seq := e.head - e.reachUops; seq < e.tail; seq++ {
		m.uops = append(m.uops, e.ring[seq&e.mask])
	}
	m.predictor = append(m.predictor[:0], e.predictor...)
	m.busy, m.passed, m.wanted, m.drained = e.busy, e.passed, e.wanted, e.drained
	for p := range e.core.Ports {
		m.results[p] = bits.RotateLeft64(e.results[p], -int(e.cycle%64))
	}
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
func (e *engine) sustained(f frontend.Feed, m *mark) bool {
	if m.front == f.State() {
		return true
	}
	return e.starved <= m.cycle && feeds(f, e.supplies[m.cycle:], unproven)
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
func (e *engine) alsoFed(f frontend.Feed, since int32) bool {
	if e.starved > since || e.learnt { // what shares an entry of the predictor depends on the layout
		return false
	}
	for have := -1; f.Have() > have; f.Fill() {
		have = f.Have()
	}
	return feeds(f, e.supplies[since:], unproven)
}

// unproven is how many cycles the front end must go on as it did where its state does not come again.
const unproven = 600

// steady reports whether the machine is in its steady state: what happened since a mark repeats. It moves the marks from time to time: one
// stays for as long as it took to come there, so that long periods are found, the other for a quarter of that, so that long beginnings
// are not simulated twice.
func (e *engine) steady(f *frontend.Feed) bool {
	n, o := len(e.retired), e.outline()
	for k := range e.marks {
		m := &e.marks[k]
		if e.recurs(f, m, &o) && e.sustained(*f, m) {
			e.mark = m
			return true
		}
		if n-m.retired > max(4, m.retired>>(2*k)) && e.head >= e.reachUops {
			e.remember(f, m)
		}
	}
	return false
}
