package sim

import "math/bits"

// This file is rename and allocation. The µops of the front end's slots get entries in the reorder buffer, the scheduler and the load and store
// queues, in program order, until one of these is full.

// maxLimits is how many dispatch limits there may be: a word has a bit for each.
const maxLimits = 64

// renamer is the state of rename and allocation.
type renamer struct {
	*window
	next    uopIndex          // the next µop, tail modulo the body's µops
	debt    int               // slots of the last dispatched instruction that exceed the width of its cycle
	held    Reason            // reason why the next µop was not dispatched in the last cycle
	limited [maxLimits]int32  // dispatch limit → µops in this cycle that count towards it
	reached uint64            // dispatch limits reached in this cycle
	last    uint64            // dispatch limits with one slot left for anything but a load
	loaded  bool              // a load of this cycle took a slot more
	split   int               // split (un-laminated) instructions in this cycle
	less    int               // slots of this cycle that they would not take in the decoders
	stalls  [numReasons]int64 // cycles by the reason that ended dispatch
	owed    [marks]int        // debt at the marks
}

func (r *renamer) reset(p *pipeline) { *r = renamer{window: &p.window} }
func (r *renamer) mark(k int)        { r.owed[k] = r.debt }
func (r *renamer) recurs(k int) bool { return r.owed[k] == r.debt }

// end ends a cycle's dispatch for a reason.
func (r *renamer) end(why Reason) {
	r.stalls[why]++
	r.held = why
}

// advance counts n more cycles that end for the same reason as the last one.
func (r *renamer) advance(n cycle) { r.stalls[r.held] += int64(n) }

// pay subtracts the slots that a very wide instruction still takes of this cycle's width. done: no slot is left for other instructions.
func (r *renamer) pay(width int) (left int, done bool) {
	if r.debt == 0 {
		return width, false
	}
	paid := min(r.debt, r.core.Width)
	r.debt -= paid
	return width - paid, paid >= width
}

// count adds a µop to its dispatch limits.
func (r *renamer) count(u *op) {
	if u.Split {
		r.split++
		r.less += int(u.Slots) - 1
	} else if u.Rest {
		r.less += int(u.Slots)
	}
	more := u.LoadSlot && !r.loaded
	if more {
		r.loaded, r.last = true, 0
	}
	for s := u.Limits; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		l := &r.core.DispatchLimits[k]
		if r.limited[k]++; more && l.Loads {
			r.limited[k]++
		}
		switch left := l.Uops - int(r.limited[k]); {
		case left <= 0:
			r.reached |= 1 << k
		case left == 1 && l.Loads && !r.loaded:
			r.last |= 1 << k
		}
	}
}

// limits returns the dispatch limits that have no room for a µop.
func (r *renamer) limits(u *op) uint64 {
	if u.LoadSlot {
		return u.Limits & (r.reached | r.last)
	}
	return u.Limits & r.reached
}

// dispatch renames and allocates up to a number of slots, and returns the number of slots taken.
func (p *pipeline) dispatch(slots int) (taken int) {
	r := &p.rename
	p.sched.advance(1)
	p.memory.advance(1)
	width, paid := r.pay(min(slots, p.core.Width))
	if paid {
		r.end(Width)
		return 0
	}
	if len(p.core.DispatchLimits) > 0 {
		clear(r.limited[:len(p.core.DispatchLimits)])
		r.reached, r.last, r.loaded = 0, 0, false
	}
	for _, g := range p.sched.groups {
		g.plan(r.next, width)
	}
	r.less, r.split = 0, 0
	for {
		u, why := &p.body[r.next], FrontEnd
		if p.tail != p.last {
			why = p.blocked(u, width-taken)
		}
		if why == none && !u.Simple && r.apart(u.Op, taken) {
			why = Width
		}
		if why != none {
			if why == FrontEnd && width == p.core.Width {
				why = Width // the front end has delivered enough slots
			}
			r.end(why)
			r.debt = max(0, taken-p.core.Width)
			return taken
		}
		taken += int(u.Slots)
		if p.allocate(u, taken-1); u.Alone {
			r.end(Width)
			return taken
		}
	}
}

// apart reports whether a µop cannot be dispatched with those of the slots that the cycle has taken.
func (r *renamer) apart(u *op, taken int) bool {
	most := &r.core.Unlamination
	return u.Alone && taken > 0 || u.Split && most.Insts > 0 && (r.split >= most.Insts || taken-r.less >= most.Within)
}

// blocked returns the reason why a µop cannot be dispatched in this cycle with the given free slots; none if it can.
func (p *pipeline) blocked(u *uop, room int) Reason {
	if room < min(int(u.Whole), p.core.Wide) {
		return FrontEnd // an instruction wider than the core starts in a cycle of its own
	}
	if p.fences && p.head < p.tail && (u.Drained || p.of(&p.ring[(p.tail-1)&p.mask]).Bars) {
		return Fenced
	}
	if p.rob.full(u.Op) {
		if p.core.InOrder {
			return InOrder
		}
		return ROBFull
	}
	if u.Jumps > 0 && p.rob.taken > 0 && p.rob.taken+int(u.Jumps) > p.core.TakenBranches {
		return BranchesFull
	}
	if !u.Simple {
		if why := p.limited(u.Op); why != none {
			return why
		}
	}
	if u.Group == 0 && u.Sched >= 0 && !p.sched.entries[u.Sched].free() {
		return SchedulerFull
	}
	if u.Address() {
		return p.memory.full(u.Op)
	}
	return none
}

// limited returns the limit that a µop meets beside those of simple ones.
func (p *pipeline) limited(u *op) Reason {
	switch {
	case p.rename.limits(u) != 0:
		return DispatchLimit
	case p.regs.full(u):
		return RegistersFull
	case u.Lead && p.order.full():
		return IssueQueueFull
	case u.Group > 0:
		return p.sched.groups[u.Group-1].full(u)
	}
	return none
}

// allocate puts the next µop into the window; slot is its slot in the cycle.
func (p *pipeline) allocate(u *uop, slot int) {
	r, seq := &p.rename, p.tail
	i := int32(seq & p.mask)
	x := &p.ring[i]
	x.ports = u.Ports
	x.seq, x.uop, x.alloc, x.held = seq, r.next, p.now, r.held // field by field, which is faster
	x.ready, x.issued, x.retired, x.pending, x.port, x.came, x.gain = 0, notYet, 0, 0, -1, 0, 0
	x.late, x.lates, x.entered = false, 0, false
	r.held = none
	p.tail++
	p.rob.take(u)
	p.sched.allocate(x, u, slot)
	if u.Address() {
		p.memory.allocate(u.Op)
	}
	if !u.Simple {
		r.count(u.Op)
		p.regs.take(u.Op)
		if u.Lead {
			p.order.waiting++
		}
	}
	if r.next++; seqNo(r.next) == p.n {
		r.next = 0
		p.iteration++
	}
	for k := range u.Deps {
		d := &u.Deps[k]
		y := p.at(seq - d.Dist)
		switch {
		case y == nil: // before the start, or retired long ago
		case y.issued != notYet:
			x.ready = max(x.ready, y.issued-y.gain+d.Lat)
		default:
			x.pending++
			if y.late && d.Lat == 1 {
				x.lates++
			}
		}
	}
	if len(u.After) > 0 {
		p.readRetirements(x, u)
	}
	if x.pending == 0 {
		p.release(i, x, u)
	} else if x.lates > 0 {
		p.vain.believe(x)
	}
}

// readRetirements finds the times of retirement that a µop waits for, and counts those that have not come yet.
func (p *pipeline) readRetirements(x *instance, u *uop) {
	for k := range u.After {
		d := &u.After[k]
		y := p.at(x.seq - d.Dist)
		switch {
		case y == nil:
		case y.seq >= p.head:
			x.pending++
		default:
			x.ready = max(x.ready, y.retired+d.Lat)
		}
	}
}
