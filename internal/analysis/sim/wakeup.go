package sim

// This file is wake-up: a µop becomes ready when its last operand arrives. Producers tell their consumers when they issue, so that no cycle looks at
// what only waits.

// wheelSize is how many cycles ahead the timing wheel covers; longer waits go round.
const wheelSize = 512

// wheel holds the µops whose producers have all issued, by the cycle in which the last operand arrives.
type wheel struct {
	*window
	buckets [wheelSize]int32 // heads of lists through instance.next (ring index + 1)
	turning bool             // wakeUp is going through this cycle's bucket
}

func (h *wheel) reset(w *window) { *h = wheel{window: w} }

// next is the next cycle with a µop in its bucket.
func (h *wheel) next() cycle {
	for t := h.now; t < h.now+wheelSize; t++ {
		if h.buckets[t%wheelSize] != 0 {
			return t
		}
	}
	return h.now + wheelSize
}

// park puts a µop into the bucket of its ready cycle.
func (h *wheel) park(i int32) {
	t := h.ring[i].ready
	if t-h.now >= wheelSize {
		t = h.now + wheelSize - 1
	}
	b := &h.buckets[t%wheelSize]
	h.ring[i].next = *b
	*b = i + 1
}

// wakeUp moves µops whose operands arrive in this cycle to the ready list; µops
// that need no port issue at once, which may wake others in the same cycle.
func (p *pipeline) wakeUp() {
	p.wheel.turning = true
	bucket := &p.wheel.buckets[p.now%wheelSize]
	for *bucket != 0 {
		i := *bucket - 1
		x := &p.ring[i]
		*bucket = x.next
		if x.ready > p.now { // went round the wheel
			p.wheel.park(i)
			continue
		}
		u := &p.body[x.uop]
		if u.idle {
			p.execute(i, -1)
			continue
		}
		p.ready.insert(x, u)
	}
	p.wheel.turning = false
}

// release schedules the wake-up of a µop all of whose producers have issued.
func (p *pipeline) release(i int32) {
	x := &p.ring[i]
	u := &p.body[x.uop]
	if !u.idle { // eliminated and idle µops don't pass the scheduler
		x.ready = max(x.ready, x.alloc+cycle(p.core.IssueDelay))
	}
	switch {
	case x.ready > p.now:
	case u.idle && !p.wheel.turning:
		p.execute(i, -1)
		return
	case p.wheel.turning:
		x.ready = p.now
	default: // this cycle's µops have been chosen
		x.ready = p.now + 1
	}
	p.wheel.park(i)
}

// execute issues a µop to a port, -1 if it needs none: it leaves the scheduler, and its consumers learn when its result will be there.
func (p *pipeline) execute(i int32, port int) {
	x := &p.ring[i]
	u := &p.body[x.uop]
	x.issued = p.now
	p.sched.leave(x, u, port)
	p.memory.entries.leave(u)
	x.port = int8(port)
	if p.memory.predicted(u) {
		p.memory.trust(u)
	}
	if u.lead {
		p.order.waiting--
	}
	for k := range u.succs {
		s := &u.succs[k]
		seq := x.seq + s.dist
		y := &p.ring[seq&p.mask]
		if y.seq != seq || y.issued != notYet {
			continue // not dispatched yet: it will look us up
		}
		y.ready = max(y.ready, p.now+s.lat)
		if u.kind == kindStoreAddr {
			p.memory.learn(y)
		}
		if y.pending--; y.pending == 0 {
			p.release(int32(seq & p.mask))
		}
	}
}
