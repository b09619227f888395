package sim

// This file adds in-order issue: the first µop of an instruction that needs a port issues after those of all older instructions, up to the core's
// width in slots per cycle, or enters the queue of its unit (Core.UnitQueue), from which it issues after the older ones in that queue. The rest of the
// instruction is not ordered: results arrive at their own times (a scoreboard stalls the consumers), and an operation after a load of the same
// instruction waits in the pipeline, not at issue.

// programOrder is the state of issue in program order.
type programOrder struct {
	*window
	timeless
	derived
	waiting int   // leading µops dispatched that have neither issued nor entered the queue of their unit (Core.IssueQueue)
	oldest  seqNo // no older leading µop waits to issue or to enter the queue of its unit
	room    int   // remaining issue slots of this cycle
	queued  int   // leading µops in the queue of their unit
	first   seqNo // no older leading µop waits in that queue

	early  bool    // some µops execute early if they can (uop.Early): what waits for an early result may issue in the same cycle
	within bool    // µops issue in this cycle, and what becomes ready goes to again
	again  []int32 // places of the µops that became ready in this cycle, after those that were ready
}

func (o *programOrder) reset(p *pipeline) {
	*o = programOrder{window: &p.window, again: o.again[:0]}
	for i := range o.body {
		o.early = o.early || o.body[i].Early
	}
}

// full reports whether the issue queue is full.
func (o *programOrder) full() bool { return o.core.IssueQueue > 0 && o.waiting >= o.core.IssueQueue }

// issued is called when a leading µop issues.
func (o *programOrder) issued(x *instance, u *uop) {
	if x.entered {
		o.queued--
	} else {
		o.waiting--
	}
	if u.Early && x.came < o.now {
		x.gain = 1
	}
}

// begin begins a cycle.
func (o *programOrder) begin() { o.room = o.core.Width }

// end ends a cycle: what follows the last instruction that has issued enters the queue of its unit.
func (o *programOrder) end() {
	if o.core.UnitQueue.Entries > 0 {
		o.pass(o.tail)
	}
}

// pass lets the leading µops before a number enter the queue of their unit, in program order, up to the first one that must issue or cannot enter.
func (o *programOrder) pass(to seqNo) {
	for o.oldest = max(o.oldest, o.head); o.oldest < to; o.oldest++ {
		x := &o.ring[o.oldest&o.mask]
		if x.issued != notYet || !o.of(x).Lead || x.entered {
			continue
		}
		if u := o.of(x); !u.Queued || o.queued >= o.core.UnitQueue.Entries || x.alloc+cycle(o.core.IssueDelay) > o.now || !o.supplied(x) || !o.slots(u) {
			return
		}
		x.entered = true
		o.waiting--
		o.queued++
	}
}

// supplied reports whether the results of other units that a µop needs are there.
func (o *programOrder) supplied(x *instance) bool {
	deps := o.of(x).Deps
	for k := range deps {
		d := &deps[k]
		y := &o.ring[(x.seq-d.Dist)&o.mask]
		if x.seq < d.Dist || y.seq != x.seq-d.Dist || o.of(y).Queued {
			continue
		}
		if y.issued == notYet || y.issued-y.gain+d.Lat > o.now {
			return false
		}
	}
	return true
}

// may reports whether the order allows a µop to issue in this cycle. A leading µop takes its slots of the cycle.
func (o *programOrder) may(x *instance, u *uop) bool {
	return o.led(u, x.seq) && (!u.Lead || o.lead(u, x.seq))
}

// led reports whether the first µop of a µop's instruction has issued; the address of a read-modify-write store issues no earlier.
func (o *programOrder) led(u *uop, seq seqNo) bool {
	return u.Behind == 0 || o.ring[(seq-u.Behind)&o.mask].issued != notYet
}

// lead reports whether all older leading µops have issued and this one finds free slots, which it takes.
func (o *programOrder) lead(u *uop, seq seqNo) bool {
	if u.Queued {
		if o.pass(seq + 1); !o.ring[seq&o.mask].entered {
			return false
		}
		for o.first = max(o.first, o.head); o.first < seq; o.first++ {
			if x := &o.ring[o.first&o.mask]; x.issued == notYet && o.of(x).Lead && o.of(x).Queued {
				return false
			}
		}
		return true
	}
	o.pass(seq)
	return o.oldest >= seq && o.slots(u)
}

// slots reports whether an instruction finds free slots in this cycle, which it takes.
func (o *programOrder) slots(u *uop) bool {
	slots := max(1, int(u.Slots))
	if (slots > o.room || u.Opens) && o.room < o.core.Width {
		return false
	}
	if o.room -= slots; u.Closes {
		o.room = 0
	}
	return true
}
