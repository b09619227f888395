package sim

import "math/bits"

// This file is dispatch: µops are renamed, get their places in the window and its queues, and on some cores their ports.

// dispatch renames and allocates up to slots µop slots.
func (e *engine) dispatch(slots int) (taken int) {
	if len(e.core.PortQueues.Queues) > 0 {
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
	if len(e.core.PortQueues.Queues) > 0 {
		e.plan(width)
	}
	places, splits := 0, 0 // instructions of this cycle as the decoders made them, and those un-laminated
	for {
		u := &e.body[e.nextUop]
		why := e.blocked(u, width-taken)
		if u.alone && taken > 0 && why == none {
			why = Width
		}
		if n := e.core.Unlamination.Insts; why == none && u.split && n > 0 && (splits >= n || places >= e.core.Unlamination.Within) {
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
		return DispatchLimit
	case u.lead && e.unissued >= c.IssueQueue && c.IssueQueue > 0:
		return IssueQueueFull
	case u.entry != noEntry && e.queueOf(e.tail) == noQueue && e.packet.n > 0:
		return DispatchLimit
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
	if u.inQueues() {
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
	if e.core.PortChoice.AtRename && u.ports != 0 {
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
	if e.core.PortChoice.Alternate > 0 {
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
	if e.bound%2 == 0 && second >= 0 && int(e.before[second]-e.before[best]) < e.core.PortChoice.Alternate {
		return second
	}
	return best
}
