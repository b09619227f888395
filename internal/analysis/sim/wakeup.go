package sim

import "incore/internal/analysis/uops"

// This file is wake-up: a µop becomes ready when its last operand arrives. When a producer issues, it informs its
// consumers in the window, so that waiting µops cost no work per cycle.

// wheelSize is the number of future cycles in the timing wheel; longer waits pass several rounds.
const wheelSize = 512

// wheel holds the µops whose producers have all issued, by the arrival time of the last operand.
type wheel struct {
	*window
	derived
	buckets [wheelSize]int32 // heads of lists through instance.next (ring index + 1)
	turning bool             // wakeUp is working on this cycle's bucket
}

func (h *wheel) reset(p *pipeline) { *h = wheel{window: &p.window} }

// advance does nothing, because the buckets are numbered by cycle.
func (h *wheel) advance(cycle) {}

// event returns the next cycle with a µop in its bucket.
func (h *wheel) event() cycle {
	for t := h.now; t < h.now+wheelSize; t++ {
		if h.buckets[uint32(t)%wheelSize] != 0 {
			return t
		}
	}
	return h.now + wheelSize
}

// park puts a µop into the bucket of its ready cycle.
func (h *wheel) park(i int32, x *instance) {
	t := min(x.ready, h.now+wheelSize-1)
	b := &h.buckets[uint32(t)%wheelSize]
	x.next = *b
	*b = i + 1
}

// wakeUp moves the µops whose operands arrive in this cycle to the ready list. µops without a port issue at once, which may wake others in the same
// cycle.
func (p *pipeline) wakeUp() {
	p.wheel.turning = true
	bucket := &p.wheel.buckets[uint32(p.now)%wheelSize]
	for *bucket != 0 {
		i := *bucket - 1
		x := &p.ring[i]
		*bucket = x.next
		if x.ready > p.now { // went round the wheel
			p.wheel.park(i, x)
			continue
		}
		if x.list < 0 {
			p.execute(x, p.of(x), -1, false)
			continue
		}
		p.ready.insert(i, x)
		if p.core.SpeculativeWakeup {
			p.vain.fresh = append(p.vain.fresh, x.seq)
		}
	}
	p.wheel.turning = false
}

// release schedules the wake-up of a µop, given by its place in the ring, whose producers have all issued.
func (p *pipeline) release(i int32, x *instance, u *uop) {
	x.came, x.list = x.ready, -1
	if !u.Idle { // eliminated and idle µops don't pass the scheduler
		x.ready, x.list = max(x.ready, x.alloc+cycle(p.core.IssueDelay)), u.Lists[uint8(x.port)]
	}
	if x.ready > p.now {
		p.wheel.park(i, x)
		return
	}
	switch {
	case u.Idle && !p.wheel.turning:
		p.execute(x, u, -1, false)
		return
	case p.wheel.turning:
		x.ready = p.now
	case p.order.within:
		x.ready = p.now
		p.order.again = append(p.order.again, i)
		return
	default: // select has already run in this cycle
		x.ready = p.now + 1
	}
	p.wheel.park(i, x)
}

// tell informs the units for which the issue of a µop has effects beside its result.
func (p *pipeline) tell(x *instance, u *uop) {
	if u.Again != 0 && p.memory.late(u, p.ring, x.seq&p.mask) {
		p.exec.again(u.Again)
	}
	if u.Lead {
		p.order.issued(x, u)
	}
	if u.Kind == uops.KindStoreAddr {
		p.memory.resolved(x)
	}
}

// execute issues a µop to a port, -1 for none: the µop leaves the scheduler, and its consumers learn the arrival time of its result. late: it has
// waited for the port.
func (p *pipeline) execute(x *instance, u *uop, port int, late bool) {
	x.issued = p.now
	p.sched.leave(x, u, port)
	x.port = int8(port)
	if u.Kind == uops.KindLoad {
		p.memory.issued(u)
	}
	if u.Tells {
		p.tell(x, u)
	}
	if x.late {
		p.vain.issued(x)
	}
	for _, c := range u.Uses {
		y := p.dispatched(c, x)
		if y == nil {
			continue
		}
		y.ready = max(y.ready, p.now-x.gain+c.Lat)
		if y.pending--; y.pending == 0 {
			p.release(int32(y.seq&p.mask), y, p.of(y))
		}
	}
	if late && p.core.SpeculativeWakeup && u.Ports&p.core.Turned == 0 {
		p.vain.wake(x)
	}
}
