package sim

import "math/bits"

// This file holds the data shared by all units of the pipeline: the µops of the loop body, the µops in flight, and the clock.

// cycle is a point in time, counted from the start of the simulation, or a number of cycles.
type cycle int32

// notYet is the time of an event that has not happened.
const notYet = cycle(-1)

// uopIndex is the place of a µop in the loop body.
type uopIndex int32

// seqNo is the number of a dynamic µop since the start, iteration·µops + uopIndex, or a distance between two.
type seqNo int32

// portSet is a set of ports and resources; bit i is port i.
type portSet uint64

// maxPorts is how many ports and resources a set can hold, which a port's number needs portBits bits for.
const (
	portBits = 6
	maxPorts = 1 << portBits
)

// first is the lowest port of a set that is not empty.
func (s portSet) first() int { return bits.TrailingZeros64(uint64(s)) }

// size is the number of ports of a set.
func (s portSet) size() int { return bits.OnesCount64(uint64(s)) }

// has reports whether a set contains a port.
func (s portSet) has(port int) bool { return s>>port&1 != 0 }

// dep is a dependence between two µops of the loop body: the consumer can issue lat cycles after the issue of the producer, which belongs to the
// iteration delta before.
type dep struct {
	uop   uopIndex // the other µop: producer in deps and after, consumer in frees
	delta int32    // iterations between the two
	dist  seqNo    // µops between the two
	lat   cycle
}

// uop is a µop of the loop body, or of a run: an operation and its dependences.
type uop struct {
	*op
	inst  int32
	deps  []dep // producers, which must issue first
	after []dep // µops that must retire before it retires
	frees []dep // µops that can begin only after it has retired
}

// op holds the properties of a µop without its dependences. In a run, all executions of an instruction share it. The fields that every µop uses at
// dispatch, issue and retirement come first, so that they share few cache lines.
type op struct {
	ports portSet // ports that it can issue to; 0: none, it issues when its operands arrive
	occ   cycle   // cycles the port stays busy
	done  cycle   // cycles from issue until the µop is finished
	kind  uopKind
	idle  bool // needs neither a port nor a resource

	// rename and allocation
	slots   int8   // slots that it occupies (only the first of fused µops has any)
	whole   int8   // free slots that the cycle must have: its own, or all slots of the instruction if these are dispatched in one cycle (Unlamination.Whole, PairsWhole)
	split   bool   // first µop of a split (un-laminated) instruction
	rest    bool   // a later slot of such an instruction
	alone   bool   // is dispatched alone in its cycle
	limits  uint64 // its dispatch limits (Core.DispatchLimits)
	results files  // first µop of an instruction: the registers that the instruction takes, on cores with limited register files
	simple  bool   // its dispatch depends only on slots, a partition entry and a queue entry (lowering.simple)

	// scheduler
	plainly bool         // to issue it needs a free port and nothing else
	list    int32        // of the ready list, unless its port is bound before issue
	follows seqNo        // distance to the earlier µop whose entry it shares; 0: it has an entry of its own, if any
	sched   int8         // partition, if its ports determine it; -1 none
	group   int8         // group of partitions among which it is steered, from 1; 0: none
	among   partitionSet // partitions of the group among which it is steered, 0: none, because it has no port in them
	holds   partitionSet // partitions in one of which it has an entry of its own, although its port is in none of them; 0: none
	stays   bool         // its entry stays taken until a younger µop that shares it issues
	works   bool         // of an address: a µop in the same entry executes on a port of the partition
	moves   bool         // not an address, but its entry gets a partition like an address

	// issue in program order
	lead   bool  // of an in-order core: it is the leading µop of its instruction, which issues in program order
	opens  bool  // of lead: issues only as the first instruction of a cycle
	closes bool  // of lead: issues only as the last instruction of a cycle
	behind seqNo // distance to the leading µop of its instruction, 0 if it has none

	// load/store unit
	class  int32 // of loads: entry of the memory-dependence predictor, -1: never predicted to depend on older stores
	load   seqNo // of a loaded value: distance to its load
	leaves bool  // of a store: its retirement lets the store leave the store queue

	// result bus
	back  cycle   // cycles from issue to the result bus of the port, of which it has one; 0: does not matter
	plain cycle   // likewise for loads that are no pointer chase
	later cycle   // cycles from issue to the bus of aside
	aside portSet // ports one of whose result buses carries another result of the µop (machine.UopResult)

	ways, asideWays ways // by which the results go

	extra []hold // resources (dividers, queues with ports of their own) that it also needs
	place uint64 // of loads: a bit for its address, if known (Banks)
	cuts  uint64 // of loads and stored data: bit k: in iteration k, of 64, they reach into a second line of the cache, for which they use their port a cycle longer
	banks uint64 // of loads: the cache banks that it reads (Banks), if known
	clash uint64 // the places of the loads that cannot read in the same cycle

	// Steady state: the part of its past that determines the future.
	settle, freed    cycle // cycles from issue, and from retirement, after which consumers no longer wait
	reach, freeReach seqNo // µops from it to its last consumer
}

// hold is the use of a resource by a µop: any one unit of a set.
type hold struct {
	units  portSet
	cycles cycle
	read   bool // a register read: needs no unit if an operand arrives by bypass
}

type uopKind uint8

const (
	kindExec uopKind = iota
	kindLoad
	kindStoreAddr
	kindStoreData
	kindSync
	kindResult
	kindValue // no µop: the time at which a loaded value arrives
)

// address reports whether a µop computes an address.
func (u *op) address() bool { return u.kind == kindLoad || u.kind == kindStoreAddr }

// instance is one dynamic µop in flight.
type instance struct {
	seq     seqNo
	ready   cycle // earliest issue cycle known so far
	issued  cycle // notYet before
	alloc   cycle // when it was dispatched
	retired cycle
	uop     uopIndex
	next    int32   // next in the timing wheel's bucket
	waiters waiters // µops that wait for its issue
	pending int16   // producers that have not issued
	port    int8    // port chosen, -1
	held    Reason
}

// window holds the µops in flight and the recently retired µops, in a ring, and the clock.
type window struct {
	core *Core
	body []uop
	ring []instance
	mask seqNo // size of the ring, minus 1
	kept seqNo // places for retired µops
	n    seqNo // µops per iteration
	once bool  // there is one iteration
	now  cycle
	head seqNo // next µop to retire
	tail seqNo // next µop to dispatch

	marked [marks]moment // of the marks that the units compare themselves with
}

// moment is a point in a simulation.
type moment struct {
	now  cycle
	head seqNo
}

// ago returns the number of cycles since mark k.
func (w *window) ago(k int) cycle { return w.now - w.marked[k].now }

// retiredSlots limits the µops in flight, and the µops retired per cycle, if no µop of the body occupies a slot: as a multiple of the core's slots.
const retiredSlots = 3

// reset prepares a window for the body of a loop.
func (w *window) reset(core *Core, body []uop) {
	maxDelta := 1
	for i := range body {
		for _, d := range body[i].deps {
			maxDelta = max(maxDelta, int(d.delta))
		}
	}
	// in flight: the reorder buffer's µops, of which some open no slot, and the iterations that dependences reach back
	inFlight := core.ROB * retiredSlots
	if slots := slotsIn(body); slots > 0 {
		inFlight = (core.ROB/slots + 4) * len(body)
	}
	w.make(core, body, inFlight+len(body)*(maxDelta+2))
	w.kept = 2 * w.n
}

// resetRun prepares a window for µops that are dispatched once. µops leave it when nothing waits for them any more.
func (w *window) resetRun(core *Core, body []uop) {
	longest := cycle(0)
	for i := range body {
		for _, d := range body[i].deps {
			longest = max(longest, d.lat)
		}
		for _, d := range body[i].after {
			longest = max(longest, d.lat)
		}
	}
	kept := retiredSlots * core.RetireWidth * int(longest+1)
	w.make(core, body, most(body, core.ROB)+kept+1)
	w.kept, w.once = seqNo(kept), true
}

// most returns the largest number of consecutive µops with no more than a number of slots.
func most(body []uop, slots int) (n int) {
	first, held := 0, 0
	for i := range body {
		for held += int(body[i].slots); held > slots && first < i; first++ {
			held -= int(body[first].slots)
		}
		n = max(n, i+1-first)
	}
	return n
}

// make allocates a window with at least the given number of places.
func (w *window) make(core *Core, body []uop, places int) {
	size := 64
	for size < places {
		size *= 2
	}
	ring := w.ring
	if cap(ring) < size {
		ring = make([]instance, size)
	}
	*w = window{core: core, body: body, ring: ring[:size], mask: seqNo(size - 1), n: seqNo(len(body))}
	for i := range w.ring {
		w.ring[i].seq = -1
	}
}

// at returns a dynamic µop by number, nil if it has left the ring or has not entered it.
func (w *window) at(s seqNo) *instance {
	x := &w.ring[s&w.mask]
	if x.seq != s || s < 0 {
		return nil
	}
	return x
}

// occupancy is how many cycles a µop that issues keeps its port busy.
func (w *window) occupancy(x *instance, u *uop) cycle {
	if u.cuts == 0 {
		return u.occ
	}
	return u.occ + cycle(u.cuts>>(x.seq/w.n%patternCuts)&1)
}

// patternCuts is after how many iterations line crossings repeat: a pointer that moves by whole bytes has come to the same place in a line by then.
const patternCuts = 64

// full reports whether the ring has no place for another µop.
func (w *window) full() bool { return w.tail-w.head > w.mask-w.kept }

// slotsIn returns the number of slots of a body.
func slotsIn(body []uop) (n int) {
	for i := range body {
		n += int(body[i].slots)
	}
	return n
}
