package sim

import (
	"math"
	"slices"

	"incore/internal/analysis/uops"
)

// This file holds the data shared by all units of the pipeline: the µops of the loop body, the µops in flight, and the clock.

// notYet is the time of an event that has not happened, and unused the number of a place in the ring that no µop has had.
const (
	notYet = cycle(-1)
	unused = seqNo(math.MinInt32)
)

// instance is one dynamic µop in flight. It holds no pointers, so that rings are not searched for garbage.
type instance struct {
	ports   portSet // those of its partition, if that was drawn, else all of its own
	seq     seqNo
	ready   cycle // earliest issue cycle known so far
	issued  cycle // notYet before
	alloc   cycle // when it was dispatched
	retired cycle
	uop     uopIndex
	next    int32 // the next one in the timing wheel's bucket, or the next younger one in the ready list, as its place in the ring plus 1; 0: none
	prev    int32 // likewise the next older one in the ready list
	came    cycle // of those that may execute early: when its operands were there
	gain    cycle // cycles by which its result comes earlier, because it executed early
	pending int16 // producers that have not issued
	port    int8  // port chosen, -1
	entered bool  // on an in-order core: it waits or has waited in the queue of its unit
	list    int8  // of the ready list (readyList.lists), from when all its producers have issued; -1: it needs none
	held    Reason
	// With speculative wake-up:
	late  bool  // it has requested a port in vain in an earlier cycle, for want of a free one
	lates int16 // of the producers that have not issued, those that are late and whose result would come one cycle later
}

// window holds the µops in flight and the recently retired µops, in a ring, and the clock.
type window struct {
	core      *Core
	body      []uop
	ring      []instance
	mask      seqNo // size of the ring, minus 1
	most      seqNo // µops in flight; the other places are for retired ones
	n         seqNo // µops per iteration
	once      bool  // there is one iteration
	fences    bool  // some µops wait at dispatch until all older ones have retired
	last      seqNo // µops in all
	now       cycle
	head      seqNo // next µop to retire
	tail      seqNo // next µop to dispatch
	iteration seqNo // its iteration

	slab   consumerSlab
	lots   lots          // of steering by chance
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
		for _, d := range body[i].Deps {
			maxDelta = max(maxDelta, int(d.Delta))
		}
	}
	// in flight: the reorder buffer's µops (some take no slot), and the iterations that dependences reach back
	inFlight := core.ROB * retiredSlots
	if slots := uops.SlotsIn(body); slots > 0 {
		inFlight = (core.ROB/slots + 4) * len(body)
	}
	w.make(core, body, inFlight+len(body)*(maxDelta+2))
	w.most = w.mask + 1 - 2*w.n
}

// resetRun prepares a window for µops that are dispatched once. µops leave it when nothing waits for them any more.
func (w *window) resetRun(core *Core, body []uop) {
	longest := cycle(0)
	for i := range body {
		for _, d := range body[i].Deps {
			longest = max(longest, d.Lat)
		}
		for _, d := range body[i].After {
			longest = max(longest, d.Lat)
		}
	}
	kept := retiredSlots * core.RetireWidth * int(longest+1)
	w.make(core, body, most(body, core.ROB)+kept+1)
	w.most, w.once, w.last = w.mask+1-seqNo(kept), true, w.n
}

// most returns the largest number of consecutive µops with no more than a number of slots.
func most(body []uop, slots int) (n int) {
	first, held := 0, 0
	for i := range body {
		for held += int(body[i].Slots); held > slots && first < i; first++ {
			held -= int(body[first].Slots)
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
	ring, used := w.ring[:cap(w.ring)], min(int(w.tail), len(w.ring)) // the last simulation has used the first places only
	if len(ring) < size {
		ring, used = make([]instance, size), size
	}
	for i := range ring[:used] {
		ring[i].seq = unused
	}
	*w = window{core: core, body: body, ring: ring[:size], mask: seqNo(size - 1), n: seqNo(len(body)), last: math.MaxInt32, slab: w.slab}
	for i := range body {
		w.fences = w.fences || body[i].Drained
	}
	w.slab.connect(body)
}

// consumerSlab is memory for the consumers of each µop of a body.
type consumerSlab struct {
	list []use
	ends []int32
}

// connect finds the consumers of each µop of a body.
func (c *consumerSlab) connect(body []uop) {
	c.ends = slices.Grow(c.ends[:0], len(body))[:len(body)]
	clear(c.ends)
	for i := range body {
		for k := range body[i].Deps {
			c.ends[body[i].Deps[k].Uop]++
		}
	}
	all := int32(0)
	for i, n := range c.ends {
		all += n
		c.ends[i] = all
	}
	c.list = slices.Grow(c.list[:0], int(all))[:all]
	first := int32(0)
	for i, end := range c.ends {
		body[i].Uses, first = c.list[first:end], end
	}
	for i := range body {
		for k := range body[i].Deps { // stored from the end on
			d := &body[i].Deps[k]
			c.ends[d.Uop]--
			c.list[c.ends[d.Uop]] = use{Dist: d.Dist, Lat: d.Lat}
		}
	}
}

// dispatched returns a consumer of a µop in flight, nil if it has not been dispatched yet.
func (w *window) dispatched(c use, of *instance) *instance {
	seq := of.seq + c.Dist
	if seq >= w.tail {
		return nil
	}
	return &w.ring[seq&w.mask]
}

// of returns the µop of the body that a dynamic µop is.
func (w *window) of(x *instance) *uop { return &w.body[x.uop] }

// at returns a dynamic µop by number, nil if it has left the ring or has not entered it.
func (w *window) at(s seqNo) *instance {
	x := &w.ring[s&w.mask]
	if x.seq != s {
		return nil
	}
	return x
}

// occupancy is how many cycles a µop that issues keeps its port busy.
func (w *window) occupancy(x *instance, u *uop) cycle {
	if u.Cuts == 0 && !u.Half {
		return u.Occ
	}
	n := x.seq / w.n
	return u.Occ + cut(u.Cuts, n) + half(u.Half, n)
}

// cut returns the cycle by which something is busy longer in an iteration in which an access crosses a line.
func cut(cuts uint64, iteration seqNo) cycle {
	return cycle(cuts >> (uint32(iteration) % uops.PatternCuts) & 1)
}

// half returns the cycle by which something is busy longer in an iteration, if it is in every other one.
func half(half bool, iteration seqNo) cycle {
	if half {
		return cycle(iteration & 1)
	}
	return 0
}

// full reports whether the ring has no place for another µop.
func (w *window) full() bool { return w.tail-w.head >= w.most }
