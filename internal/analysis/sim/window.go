package sim

import "math/bits"

// This file has what all units of the pipeline see: the µops of the loop body, those of them in flight, and the clock.

// cycle is a point in time, counted from the start of the simulation, or a number of cycles.
type cycle int32

// notYet is the time of what has not happened.
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

// dep is a dependence between two µops of the loop body: the consumer may issue lat cycles after the producer of delta iterations before has issued.
type dep struct {
	uop   uopIndex // the other µop: producer in deps and after, consumer in frees
	delta int32    // iterations between the two
	dist  seqNo    // µops between the two
	lat   cycle
}

// uop is one µop of the loop body, or of a run: an operation, and what it waits for.
type uop struct {
	*op
	inst  int32
	deps  []dep // µops that it waits for to issue: producers
	after []dep // and to retire
	frees []dep // µops that may begin when it has retired
}

// op is what each unit of the pipeline needs to know of a µop beside its dependences. In a run all executions of an instruction have the same.
// What every µop needs in its cycles of dispatch, issue and retirement comes first: it is read far more often than the rest, from few lines of the cache.
type op struct {
	ports portSet // issue ports, any one of them; 0: needs none and issues when its operands are there
	occ   cycle   // cycles the port stays busy
	done  cycle   // cycles from issue until the µop counts as finished
	kind  uopKind
	idle  bool // needs neither port nor resource
	last  bool // last µop of its instruction

	// rename and allocation
	slots   int8   // that it opens (fused µops behind the first open none)
	whole   int8   // that a cycle must have room for: its own, or of an instruction's first µop all, where they are dispatched in one cycle (Unlamination.Whole, PairsWhole)
	split   bool   // first µop of an instruction that is un-laminated
	rest    bool   // a later slot of such an instruction
	alone   bool   // is dispatched in a cycle of its own
	limits  uint64 // dispatch limits that it counts for (Core.DispatchLimits)
	results files  // of an instruction's first µop: the registers that the instruction takes, on cores that may run out of them
	simple  bool   // slots, an entry of a partition and one of a queue alone decide when it is dispatched (lowering.simple)

	// scheduler
	list    int32        // of the ready list, unless its port is chosen before it issues
	follows seqNo        // it shares the entry of the µop so many before it; 0: it has its own, if any
	sched   int8         // partition, where its ports tell it; -1 none
	group   int8         // of partitions that it is steered to, from 1; 0: none
	among   partitionSet // partitions of the group of which it gets one, 0: none, as its port is in none of them
	holds   partitionSet // partitions in one of which it has an entry of its own, although its port is in none of them; 0: none
	stays   bool         // its entry stays taken until a younger µop that shares it issues
	works   bool         // of an address: a µop that shares its entry executes on a port of the partition
	moves   bool         // of others: its entry gets a partition as an address does

	// issue in program order
	lead   bool  // issues in program order among those marked so
	opens  bool  // of lead: issues in no cycle in which another has
	closes bool  // of lead: nothing issues in program order behind it in its cycle
	behind seqNo // µops behind the one of its instruction that issues in program order, 0 if it is none

	// load/store unit
	class  int32 // of loads: entry of the memory-dependence predictor, -1: predicted to be independent of older stores for ever
	load   seqNo // of a loaded value: its load is the µop so many before it
	leaves bool  // of a store: once it has retired, the store leaves the store queue

	// result bus
	back  cycle   // cycles from issue to the result bus of the port, of which it has one; 0: does not matter
	plain cycle   // the same of a load that is no pointer chase
	later cycle   // cycles from issue to the bus of aside
	aside portSet // ports the result bus of one of which takes another result of the µop (machine.UopResult)

	ways, asideWays ways // by which the results go

	extra []hold // resources (dividers, queues with ports of their own) that are needed as well
	place uint64 // of loads: a bit, where it is known what it reads (Banks)
	cuts  uint64 // of loads and stored data: bit k: in iteration k, of 64, they reach into a second line of the cache, for which they use their port a cycle longer
	banks uint64 // of loads: the banks of the cache that it reads (Banks), where they are known
	clash uint64 // and the places of the loads that it cannot read with

	// steady state: what of its past the future depends on
	settle, freed    cycle // cycles from issue, and from retirement, after which consumers no longer wait
	reach, freeReach seqNo // µops from it to its last consumer
}

// hold is a resource that a µop keeps busy: any one unit of a set.
type hold struct {
	units  portSet
	cycles cycle
	read   bool // reads a register: the unit is not needed if an operand comes by bypass
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

// address reports whether a µop computes an address.
func (u *op) address() bool { return u.kind == kindLoad || u.kind == kindStoreAddr }

// instance is one dynamic µop in flight.
type instance struct {
	seq     seqNo
	ready   cycle // earliest issue cycle so far known
	issued  cycle // notYet before
	alloc   cycle // when it was dispatched
	retired cycle
	uop     uopIndex
	next    int32   // next in the timing wheel's bucket
	waiters waiters // what waits for it to issue
	pending int16   // producers that have not issued
	port    int8    // port chosen, -1
	held    Reason
}

// window holds the µops in flight and those that have retired of late, in a ring, and the clock.
type window struct {
	core *Core
	body []uop
	ring []instance
	mask seqNo // places of the ring, less 1
	kept seqNo // places for µops that have retired
	n    seqNo // µops per iteration
	once bool  // there is one iteration
	now  cycle
	head seqNo // next µop to retire
	tail seqNo // next µop to dispatch
}

// retiredSlots is how many times as many µops as the core has slots are in flight, or retire in a cycle, at most where no µop of the body opens a slot.
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

// resetRun prepares a window for µops that are dispatched once. Those that have retired so long ago that nothing waits for them any more have left it.
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

// most is how many µops in a row at most open no more than so many slots.
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

// make prepares a window of so many places or more.
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

// at returns a dynamic µop by its number, nil if it has left the ring or is still to come.
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

// slotsIn is the number of slots of a body.
func slotsIn(body []uop) (n int) {
	for i := range body {
		n += int(body[i].slots)
	}
	return n
}
