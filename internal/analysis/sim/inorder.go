package sim

// This file adds in-order issue: the first µop of an instruction that needs a port issues after those of all older instructions, up to the core's
// width in slots per cycle. The rest of the instruction is not ordered: results arrive at their own times (a scoreboard stalls the consumers), and an
// operation after a load of the same instruction waits in the pipeline, not at issue.

// programOrder is the state of issue in program order.
type programOrder struct {
	*window
	timeless
	derived
	waiting int   // leading µops dispatched but not issued (Core.IssueQueue)
	oldest  seqNo // no older leading µop waits to issue
	room    int   // remaining issue slots of this cycle

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
	if o.waiting--; u.Early && x.came < o.now {
		x.gain = 1
	}
}

// begin begins a cycle.
func (o *programOrder) begin() { o.room = o.core.Width }

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
	for o.oldest = max(o.oldest, o.head); o.oldest < seq; o.oldest++ {
		if x := &o.ring[o.oldest&o.mask]; x.issued == notYet && x.u.Lead {
			return false
		}
	}
	slots := max(1, int(u.Slots))
	if (slots > o.room || u.Opens) && o.room < o.core.Width {
		return false
	}
	if o.room -= slots; u.Closes {
		o.room = 0
	}
	return true
}
