package sim

import "slices"

// This file is the out-of-order back end: wake-up, execution and retirement of µops, one cycle at a time; dispatch.go is
// how they come to it, issue.go the choice of µops and ports. It knows nothing of instruction sets or cores: a program is
// a loop of µops with dependences, a core is a handful of numbers (Core).

const (
	wheelSize = 512 // cycles ahead that the timing wheel covers; longer waits go round
	notYet    = int32(-1)
)

// engine is the state of one simulation. It is allocated once per kernel.
type engine struct {
	core  *Core
	body  []uop
	n     int32 // µops per iteration
	mask  int32 // ring size - 1
	ring  []instance
	wheel [wheelSize]int32 // heads of bucket lists (ring index + 1)

	waking bool // wake is going through this cycle's bucket
	cycle  int32
	head   int32 // next µop to retire
	tail   int32 // next µop to dispatch

	nextUop   int32 // tail modulo n
	robUsed   int
	debt      int   // slots that the last instruction to be dispatched took beyond the width of its cycle
	leaving   int   // slots of a wide instruction that the next cycles retire
	drained   int32 // cycle in which the last store that has retired leaves the store queue (StoreInTurn)
	lq, sq    int
	unissued  int              // marked µops that have been dispatched and not issued (IssueQueue)
	limited   [64]int32        // limit of dispatch → µops dispatched in this cycle that count for it
	full      uint64           // limits that are reached in this cycle
	schedN    []int            // occupied entries per scheduler
	early     []request        // µops that ask for a port too early
	again     []request        // those of them that found none, and ask once more in the next cycle
	queues    []queue          // ready µops
	ready     uint64           // queues that may hold some
	fronts    [maxQueues]int64 // queue → the number of its next ready µop, times maxQueues, plus its own
	waiting   int              // how many ready µops there are
	busy      [64]int32        // port → first free cycle
	long      uint64           // ports that may be busy in the next cycle
	load      [64]int32        // port → µops waiting that were bound to it (PortChoice.AtRename)
	before    [64]int32        // and when the cycle began (PortChoice.Alternate)
	bound     int              // µops that were bound in this cycle
	results   [64]uint64       // port → cycles, modulo 64, in which results of µops with uop.back are written back
	due       uint64           // ports with such
	passed    [64]int8         // port → µops that have passed one that waits for the result bus
	wanted    uint64           // ports that have one waiting for the result bus
	portUse   [64]int64
	retired   []int32 // retire cycle of each finished iteration
	ahead     []int32 // and how many µops were in flight then
	stalls    [numReasons]int64
	warm      counts           // when the reorder buffer had filled
	held      Reason           // why the next µop to dispatch was not dispatched in the last cycle
	turn      uint64           // the load port that comes next (PortChoice.AtRename)
	predictor []predictorEntry // by class of loads: whether they wait for the addresses of older stores
	learnt    bool             // any has done so
	leader    int32            // no marked µop before this one waits to issue (turnOf)
	lone      uint64           // queues whose ports do not depend on those of others
	groups    []uint64         // groups of the others, which don't depend on each other
	room      int              // slots that may still issue in this cycle in order
	stores    int32            // no store address before this µop is unknown (mustWait)
	trace     func(Event)

	packet   packet               // of this cycle (PortQueues)
	packets  []members            // by its first µop in the body, where nothing keeps it short
	others   members              // of a packet that something does
	seen     [maxPortQueues]int32 // queue → entries that are taken, as far as the choice knows
	news     news                 // what it will know of entries taken and free again
	freeing  news                 // entries that will be free again
	came     [maxPortQueues]int8  // queue → µops that were dispatched to it in the last cycle
	ofPort   [64]int32            // port → engine.queues, of µops whose queue was chosen
	slots    slotState            // of the schedulers of SlotQueues
	lined    []int32              // µops that wait for one of them, by number
	lineHead int                  // the first one in lined

	supplies []supply // what dispatch took, by cycle
	starved  int32    // the cycle after the last in which the front end held dispatch up

	marks     [2]mark
	mark      *mark // the one whose state came again
	reachUops int32
}

// reset prepares an engine for a body.
func (e *engine) reset(core *Core, body []uop) {
	size := 64
	maxDelta := 1
	for i := range body {
		for _, d := range body[i].deps {
			maxDelta = max(maxDelta, int(d.delta))
		}
	}
	// in flight: the ROB's µops, of which some open no slot, and the iterations that dependences reach back
	slots := slotsIn(body)
	inFlight := core.ROB * 3
	if slots > 0 {
		inFlight = (core.ROB/slots + 4) * len(body)
	}
	for size < inFlight+len(body)*(maxDelta+2) {
		size *= 2
	}
	ring, sched, queues, predictor, early, again, lined, packets := e.ring, e.schedN, e.queues, e.predictor, e.early, e.again, e.lined, e.packets
	for k := range e.marks {
		e.marks[k].retired = 0
	}
	*e = engine{core: core, body: body, n: int32(len(body)), mask: int32(size - 1), queues: queues, retired: e.retired[:0], ahead: e.ahead[:0], predictor: predictor[:0], early: early[:0], again: again[:0], groups: e.groups, lined: lined[:0], supplies: e.supplies[:0], marks: e.marks}
	if cap(ring) >= size {
		e.ring = ring[:size]
	} else {
		e.ring = make([]instance, size)
	}
	for i := range e.ring {
		e.ring[i].seq = -1
	}
	if cap(sched) < len(core.Schedulers) {
		sched = make([]int, len(core.Schedulers))
	}
	e.schedN = sched[:len(core.Schedulers)]
	for i := range e.schedN {
		e.schedN[i] = 0
	}
	e.packets = packets[:0]
	if len(core.PortQueues.Queues) > 0 {
		e.packets = slices.Grow(packets[:0], len(body))[:len(body)]
		for i := range e.packets {
			e.packets[i].n = 0
		}
	}
	e.partition()
	e.reach()
	e.group()
}

// at returns a dynamic µop by its number, nil if it has left the ring or is still to come.
func (e *engine) at(seq int32) *instance {
	x := &e.ring[seq&e.mask]
	if x.seq != seq || seq < 0 {
		return nil
	}
	return x
}

// backlog is how many cycles nothing issues at the start on a core with early wake-up: that µops had to wait makes others wait, so that a
// core that is loaded to the full stays behind once it is, and real code has had its hiccup. So it does where µops get schedulers at dispatch: on Zen 4
// a loop of three lea, one on another, inc, cmp and jne takes 1.04 cycles in its first 3,000 iterations from an empty pipeline, later 1.2 to 2.0.
const backlog = 20

// step simulates one cycle. slots is how many µop slots the front end has to offer.
// It returns how many were taken.
func (e *engine) step(slots int) int {
	if e.core.PortChoice.Alternate > 0 {
		copy(e.before[:e.core.Ports], e.load[:e.core.Ports])
		e.bound = 0
	}
	e.retire()
	e.wake()
	e.clearBuses()
	if e.cycle >= backlog || !e.core.SpeculativeWakeup && len(e.core.PortQueues.Queues) == 0 {
		e.issue()
	}
	taken := e.dispatch(slots)
	if e.core.slotted != 0 {
		e.allot()
	}
	e.cycle++
	return taken
}

// retire removes finished µops in program order.
func (e *engine) retire() {
	width := e.core.RetireWidth - e.leaving
	e.leaving = max(0, -width)
	for e.head < e.tail {
		x := &e.ring[e.head&e.mask]
		u := &e.body[x.uop]
		if x.issued == notYet || x.issued+u.done > e.cycle || int(u.slots) > width && width < e.core.RetireWidth {
			return
		}
		width -= int(u.slots)
		e.leaving = max(0, -width) // an instruction wider than the core takes the next cycles as well
		e.robUsed -= int(u.slots)
		switch u.kind {
		case kindLoad:
			e.lq--
		case kindStoreAddr:
			e.sq--
		}
		x.retired = e.cycle
		if u.leaves && e.core.StoreCommit.InTurn {
			e.drained = max(e.cycle, e.drained+1)
			x.retired = e.drained
		}
		e.unblock(u, x.retired)
		if e.trace != nil {
			e.trace(e.event(x, u))
		}
		e.head++
		if x.uop == e.n-1 {
			e.retired = append(e.retired, e.cycle)
			e.ahead = append(e.ahead, e.tail-e.head)
		}
	}
}

// event tells the life of a µop that retires in this cycle.
func (e *engine) event(x *instance, u *uop) Event {
	return Event{Iteration: int(x.seq / e.n), Uop: int(x.uop), Inst: int(u.inst), Dispatched: int64(x.alloc), Ready: int64(x.ready), Issued: int64(x.issued),
		Done: int64(x.issued + u.done), Retired: int64(e.cycle), Port: int(x.port), Held: x.held}
}

// wake moves µops whose operands arrive in this cycle to the ready list; µops
// that need no port issue at once, which may wake others in the same cycle.
func (e *engine) wake() {
	e.waking = true
	slot := &e.wheel[e.cycle%wheelSize]
	for *slot != 0 {
		i := *slot - 1
		x := &e.ring[i]
		*slot = x.next
		if x.ready > e.cycle { // went round the wheel
			e.park(i)
			continue
		}
		u := &e.body[x.uop]
		if u.idle {
			e.fire(i, -1)
			continue
		}
		e.insert(x, u)
	}
	e.waking = false
}

// park puts a µop into the bucket of its ready cycle.
func (e *engine) park(i int32) {
	t := e.ring[i].ready
	if t-e.cycle >= wheelSize {
		t = e.cycle + wheelSize - 1
	}
	b := &e.wheel[t%wheelSize]
	e.ring[i].next = *b
	*b = i + 1
}

// fire issues a µop and tells its consumers when its result will be there.
func (e *engine) fire(i int32, port int) {
	x := &e.ring[i]
	u := &e.body[x.uop]
	x.issued = e.cycle
	switch {
	case u.inQueues():
		e.leave(x, u)
	case u.queued:
		e.slots.freeing[e.core.slotQueue[port]] += 1 << (8 * e.core.SlotQueues.Hold)
		e.slots.waits[e.core.slotPort[port]]--
	case u.sched >= 0:
		e.schedN[u.sched]--
	}
	x.port = int8(port)
	if e.isOrdered(u) {
		e.trust(u)
	}
	if u.lead {
		e.unissued--
	}
	if e.core.PortChoice.AtRename && port >= 0 {
		e.load[port]--
	}
	for k := range u.succs {
		s := &u.succs[k]
		seq := x.seq + s.dist
		y := &e.ring[seq&e.mask]
		if y.seq != seq || y.issued != notYet {
			continue // not dispatched yet: it will look us up
		}
		y.ready = max(y.ready, e.cycle+s.lat)
		if u.kind == kindStoreAddr {
			e.learn(y)
		}
		if y.pending--; y.pending == 0 {
			e.release(int32(seq & e.mask))
		}
	}
}

// release schedules the wake-up of a µop all of whose producers have issued.
func (e *engine) release(i int32) {
	x := &e.ring[i]
	u := &e.body[x.uop]
	if !u.idle { // eliminated and idle µops don't pass the scheduler
		x.ready = max(x.ready, x.alloc+int32(e.core.IssueDelay))
	}
	switch {
	case x.ready > e.cycle:
	case u.idle && !e.waking:
		e.fire(i, -1)
		return
	case e.waking:
		x.ready = e.cycle
	default: // this cycle's µops have been chosen
		x.ready = e.cycle + 1
	}
	e.park(i)
}
