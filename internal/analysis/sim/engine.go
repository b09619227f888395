package sim

import (
	"math/bits"
	"slices"
)

// This file is the out-of-order back end: allocation, wake-up,
// execution and retirement of µops, one cycle at a time; issue.go is the choice of µops and ports. It knows nothing of
// instruction sets or cores: a program is a loop of µops with dependences, a
// core is a handful of numbers (Core).

// dep is a dependence between two µops of the loop body: the consumer may
// issue lat cycles after the producer of delta iterations before issued.
type dep struct {
	uop   int32 // the other µop: producer in deps, consumer in succs
	delta int32 // iterations between the two
	dist  int32 // µops between the two
	lat   int32
}

// uop is one µop of the loop body.
type uop struct {
	inst    int32
	ports   uint64 // issue ports, any one of them; 0: needs none and issues when its operands are there
	occ     int32  // cycles the port stays busy
	extra   []hold // resources (dividers, queues with ports of their own) that are needed as well
	sched   int8   // scheduler partition, -1 none
	kind    uopKind
	slots   int8   // dispatch slots that this µop opens (fused µops behind the first open none)
	done    int32  // cycles from issue until the µop counts as finished
	last    bool   // last µop of its instruction
	split   bool   // first µop of an instruction that is un-laminated
	rest    bool   // a later slot of such an instruction
	whole   int8   // of an instruction's first µop: its slots, where they are dispatched in one cycle (UnlaminateWhole, PairsWhole)
	lead    bool   // issues in program order among those marked so
	opens   bool   // of lead: issues in no cycle in which another has
	closes  bool   // of lead: nothing issues in program order behind it in its cycle
	behind  int32  // of an in-order core: µops behind the one of its instruction that issues in program order, 0 if it is none
	alone   bool   // is dispatched in a cycle of its own
	limits  uint64 // limits of dispatch that it counts for (Core.DispatchLimits)
	leaves  bool   // of a store: once it has retired, the store leaves the store queue
	queue   int32  // index into engine.queues, unless its port is chosen at rename
	among   uint8  // queues of which it gets one at dispatch (Core.PortQueues), 0: none
	follows int32  // it shares the entry of the queue that the µop so many before it has; 0: it has its own, if any
	beside  bool   // of follows: it has an entry of its own in the same queue
	stays   bool   // its entry stays taken until a younger µop that shares it issues
	works   bool   // of an address: a µop that shares its entry executes on a port of the queue
	entry   entryKind
	queued  bool   // gets one of Core.SlotQueues
	idle    bool   // needs neither port nor resource
	class   int32  // of loads: index into engine.ordered, -1: predicted to be independent of older stores for ever
	load    int32  // of a loaded value: its load
	back    int32  // cycles from issue to the result bus of the port, of which it has one; 0: does not matter
	plain   int32  // the same of a load that is no pointer chase
	aside   uint64 // ports the result bus of one of which takes another result of the µop (machine.UopResult)
	later   int32  // cycles from issue to it
	place   uint64 // of loads: a bit, where it is known what it reads (ConflictBank)
	banks   uint64 // of loads: the banks of the cache that it reads (LoadBank), where they are known
	clash   uint64 // and those of the loads that it cannot read with
	deps    []dep
	succs   []dep
	after   []dep // µops that must have retired: producers
	frees   []dep // and consumers

	// what of its past the future depends on (engine.same)
	settle, freed    int32 // cycles from issue, and from retirement, after which consumers no longer wait
	reach, freeReach int32 // µops from it to its last consumer
}

// hold is a resource that a µop keeps busy: any one unit of a set.
type hold struct {
	units  uint64
	cycles int32
}

type uopKind uint8

const (
	kindExec uopKind = iota
	kindLoad
	kindStoreAddr
	kindStoreData
	kindSync
	kindResult
	kindValue // no µop: the moment when a loaded value is there
)

// instance is one dynamic µop in flight.
type instance struct {
	seq     int32 // µop number since the start: iteration·n + uop
	ready   int32 // earliest issue cycle so far known
	issued  int32 // cycle of issue, -1 before
	alloc   int32 // cycle of dispatch
	retired int32 // cycle of retirement
	uop     int32 // index into engine.body
	next    int32 // next in the timing wheel's bucket
	pending int16 // producers that have not issued
	port    int8  // port chosen, -1
	held    Reason
} // 32 bytes, half a cache line

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

	nextUop  int32 // tail modulo n
	robUsed  int
	debt     int   // slots that the last instruction to be dispatched took beyond the width of its cycle
	leaving  int   // slots of a wide instruction that the next cycles retire
	drained  int32 // cycle in which the last store that has retired leaves the store queue (StoreInTurn)
	lq, sq   int
	unissued int              // marked µops that have been dispatched and not issued (IssueQueue)
	limited  [64]int32        // limit of dispatch → µops dispatched in this cycle that count for it
	full     uint64           // limits that are reached in this cycle
	schedN   []int            // occupied entries per scheduler
	early    []request        // µops that ask for a port too early
	again    []request        // those of them that found none, and ask once more in the next cycle
	queues   []queue          // ready µops
	ready    uint64           // queues that may hold some
	fronts   [maxQueues]int64 // queue → the number of its next ready µop, times maxQueues, plus its own
	waiting  int              // how many ready µops there are
	busy     [64]int32        // port → first free cycle
	long     uint64           // ports that may be busy in the next cycle
	load     [64]int32        // port → µops waiting that were bound to it (BindAtRename)
	before   [64]int32        // and when the cycle began (AlternatePorts)
	bound    int              // µops that were bound in this cycle
	results  [64]uint64       // port → cycles, modulo 64, in which results of µops with uop.back are written back
	due      uint64           // ports with such
	passed   [64]int8         // port → µops that have passed one that waits for the result bus
	wanted   uint64           // ports that have one waiting for the result bus
	portUse  [64]int64
	retired  []int32 // retire cycle of each finished iteration
	ahead    []int32 // and how many µops were in flight then
	stalls   [numReasons]int64
	warm     counts   // when the reorder buffer had filled
	held     Reason   // why the next µop to dispatch was not dispatched in the last cycle
	turn     uint64   // the load port that comes next (BindAtRename)
	first    int      // how often a port was chosen in turn (Rotating), modulo turns
	ordered  []bool   // by class of loads: they wait for the addresses of older stores
	learnt   int      // how many of them do
	leader   int32    // no marked µop before this one waits to issue (turnOf)
	lone     uint64   // queues whose ports do not depend on those of others
	groups   []uint64 // groups of the others, which don't depend on each other
	room     int      // slots that may still issue in this cycle in order
	stores   int32    // no store address before this µop is unknown (mustWait)
	trace    func(Event)

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
	ring, sched, queues, ordered, early, again, lined, packets := e.ring, e.schedN, e.queues, e.ordered, e.early, e.again, e.lined, e.packets
	for k := range e.marks {
		e.marks[k].retired = 0
	}
	*e = engine{core: core, body: body, n: int32(len(body)), mask: int32(size - 1), queues: queues, retired: e.retired[:0], ahead: e.ahead[:0], ordered: ordered[:0], early: early[:0], again: again[:0], groups: e.groups, lined: lined[:0], supplies: e.supplies[:0], marks: e.marks}
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
	if len(core.PortQueues) > 0 {
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
	if e.core.AlternatePorts > 0 {
		copy(e.before[:e.core.Ports], e.load[:e.core.Ports])
		e.bound = 0
	}
	e.retire()
	e.wake()
	e.clearBuses()
	if e.cycle >= backlog || !e.core.EarlyWakeup && len(e.core.PortQueues) == 0 {
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
		if u.leaves && e.core.StoreInTurn {
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
	x.issued, x.port = e.cycle, int8(port)
	switch {
	case u.among != 0 || u.follows != 0:
		e.leave(x, u)
	case u.queued:
		e.slots.freeing[e.core.slotQueue[port]] += 1 << (8 * e.core.SlotQueues.Hold)
		e.slots.waits[e.core.slotPort[port]]--
	case u.sched >= 0:
		e.schedN[u.sched]--
	}
	if u.lead {
		e.unissued--
	}
	if e.core.BindAtRename && port >= 0 {
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

// dispatch renames and allocates up to slots µop slots.
func (e *engine) dispatch(slots int) (taken int) {
	if len(e.core.PortQueues) > 0 {
		e.hear()
	}
	width := min(slots, e.core.Width)
	if e.debt > 0 { // to an instruction wider than the core
		paid := min(e.debt, e.core.Width)
		if e.debt -= paid; paid >= width {
			e.stalls[Width]++
			e.held = Width
			return 0
		}
		width -= paid
	}
	if len(e.core.DispatchLimits) > 0 {
		e.limited, e.full = [64]int32{}, 0
	}
	if len(e.core.PortQueues) > 0 {
		e.plan(width)
	}
	places, splits := 0, 0 // instructions of this cycle as the decoders made them, and those un-laminated
	for {
		u := &e.body[e.nextUop]
		why := e.blocked(u, width-taken)
		if u.alone && taken > 0 && why == none {
			why = Width
		}
		if n := e.core.Unlaminations; why == none && u.split && n > 0 && (splits >= n || places >= e.core.UnlaminateWithin) {
			why = Width
		}
		if why != none {
			if why == FrontEnd && width == e.core.Width {
				why = Width // there were slots enough to dispatch
			}
			e.stalls[why]++
			e.held = why
			e.debt = max(0, taken-e.core.Width)
			return taken
		}
		taken += int(u.slots)
		switch {
		case u.split:
			splits++
			places++
		case !u.rest:
			places += int(u.slots)
		}
		e.alloc(u, taken-1)
		if u.alone {
			e.stalls[Width]++
			e.held = Width
			return taken
		}
	}
}

// blocked says what keeps a µop from being dispatched in this cycle.
func (e *engine) blocked(u *uop, room int) Reason {
	c := e.core
	need := int(max(u.slots, u.whole))
	switch {
	case need > room && !(need > c.Width && room == c.Width):
		return FrontEnd // (an instruction wider than the core starts with a cycle of its own)
	case u.slots == 0 && room < 0:
		return FrontEnd
	case e.robUsed > 0 && e.robUsed+int(u.slots) > c.ROB || e.tail-e.head > e.mask-2*e.n:
		if c.InOrder {
			return InOrder
		}
		return ROBFull
	case u.limits&e.full != 0:
		return Kinds
	case u.lead && e.unissued >= c.IssueQueue && c.IssueQueue > 0:
		return IssueQueueFull
	case u.entry != noEntry && e.queueOf(e.tail) == noQueue && e.packet.n > 0:
		return Kinds
	case u.entry != noEntry && e.queueOf(e.tail) == noQueue:
		return SchedulerFull
	case u.among == 0 && u.sched >= 0 && e.schedN[u.sched] >= c.Schedulers[u.sched].Entries:
		return SchedulerFull
	case u.queued && len(e.lined)-e.lineHead >= c.SlotQueues.Entries:
		return SchedulerFull
	case u.kind == kindLoad && c.LoadQueue > 0 && e.lq >= c.LoadQueue:
		return LoadQueueFull
	case u.kind == kindStoreAddr && c.StoreQueue > 0 && e.sq >= c.StoreQueue:
		return StoreQueueFull
	}
	return none
}

// alloc puts the next µop into the window, which is of the cycle's slot number slot.
func (e *engine) alloc(u *uop, slot int) {
	seq := e.tail
	e.tail++
	e.robUsed += int(u.slots)
	switch u.kind {
	case kindLoad:
		e.lq++
	case kindStoreAddr:
		e.sq++
	}
	i := seq & e.mask
	x := &e.ring[i]
	x.seq, x.uop, x.alloc, x.held = seq, e.nextUop, e.cycle, e.held // field by field: it is a tenth of the time
	x.ready, x.issued, x.retired, x.pending, x.port = 0, notYet, 0, 0, -1
	e.held = none
	if u.among != 0 || u.follows != 0 {
		e.enter(x, u)
	} else if u.sched >= 0 {
		e.schedN[u.sched]++
	}
	for s := u.limits; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		if e.limited[k]++; int(e.limited[k]) == e.core.DispatchLimits[k].Uops {
			e.full |= 1 << k
		}
	}
	if u.lead {
		e.unissued++
	}
	if e.core.BindAtRename && u.ports != 0 {
		x.port = e.bind(u)
	}
	if e.nextUop++; e.nextUop == e.n {
		e.nextUop = 0
	}
	for k := range u.deps {
		d := &u.deps[k]
		p := e.at(seq - d.dist)
		if p == nil {
			continue // before the start, or retired long ago
		}
		if p.issued == notYet {
			x.pending++
			continue
		}
		x.ready = max(x.ready, p.issued+d.lat)
	}
	for k := range u.after {
		d := &u.after[k]
		p := e.at(seq - d.dist)
		switch {
		case p == nil:
		case p.seq >= e.head:
			x.pending++
		default:
			x.ready = max(x.ready, p.retired+d.lat)
		}
	}
	if u.queued {
		e.line(x, u, slot)
	}
	if x.pending == 0 {
		e.release(i)
	}
}

// bind chooses a µop's port at rename, as Intel cores do: the allowed port with the fewest
// µops waiting (Abel & Reineke, "uiCA", ICS 2022, section 4.3; ties go to the highest number). Two load ports take turns. Where only what waited when
// the cycle began is known, every second µop of a cycle takes the second best port.
func (e *engine) bind(u *uop) int8 {
	ports, best := u.ports, -1
	if u.kind == kindLoad && bits.OnesCount64(ports) == 2 {
		if e.turn ^= ports; e.turn&ports == 0 || e.turn&ports == ports {
			e.turn = e.turn&^ports | ports&-ports
		}
		ports &= e.turn
	}
	if e.core.AlternatePorts > 0 {
		best = e.alternate(ports)
	} else {
		for p := ports; p != 0; p &= p - 1 {
			b := bits.TrailingZeros64(p)
			if best < 0 || e.load[b] <= e.load[best] {
				best = b
			}
		}
	}
	e.load[best]++
	return int8(best)
}

// alternate chooses the port for which the fewest µops waited when the cycle began, or for every second µop of the cycle the next best
// if not far more wait there (uiCA, section 4.3).
func (e *engine) alternate(ports uint64) int {
	best, second := -1, -1
	for p := ports; p != 0; p &= p - 1 {
		switch b := bits.TrailingZeros64(p); {
		case best < 0 || e.before[b] <= e.before[best]:
			best, second = b, best
		case second < 0 || e.before[b] <= e.before[second]:
			second = b
		}
	}
	e.bound++
	if e.bound%2 == 0 && second >= 0 && int(e.before[second]-e.before[best]) < e.core.AlternatePorts {
		return second
	}
	return best
}
