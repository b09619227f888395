package sim

import "incore/internal/machine"

// This file is what makes a core in-order: the first µop of an instruction that needs a port issues when those of all older
// instructions have, so many slots a cycle as the core is wide. Behind that first µop an instruction goes its way: results
// arrive when they do (a scoreboard holds up whoever needs them), and an operation behind a load of the same instruction waits in
// the pipeline, not at issue.

// inOrderCycles is how many cycles' worth of slots an in-order core holds at a time: what a short pipeline and its instruction queue take. It is no
// limit, as waiting at issue holds up everything behind.
const inOrderCycles = 16

// issueQueueCycles is how many instructions wait to issue, in cycles' worth of the core's width: the fewest that the queue has to hold, twice. It decides when
// instructions are dispatched, and so what a timeline shows; cycles do not depend on it (TestIssueQueue).
const issueQueueCycles = 2

// inOrder turns a core into one that issues in program order.
func (c *Core) inOrder() {
	c.InOrder = true
	if c.ROB == 0 {
		c.ROB = inOrderCycles * c.Width
	}
	if c.FetchWidth == 0 {
		c.FetchWidth = c.Width // instructions behind a taken branch are fetched in the next cycle
	}
	c.Schedulers = nil
	c.IssueQueue = issueQueueCycles * c.Width
}

// programOrder is the state of issue in program order.
type programOrder struct {
	*window
	waiting int   // leading µops that have been dispatched and not issued (Core.IssueQueue)
	oldest  seqNo // no leading µop before this one waits to issue
	room    int   // slots that may still issue in this cycle
}

func (o *programOrder) reset(w *window) { *o = programOrder{window: w} }

// full reports whether the queue before issue is full.
func (o *programOrder) full() bool { return o.core.IssueQueue > 0 && o.waiting >= o.core.IssueQueue }

// begin begins a cycle.
func (o *programOrder) begin() { o.room = o.core.Width }

// may reports whether the order lets a µop issue in this cycle. A leading µop takes its slots of the cycle.
func (o *programOrder) may(x *instance, u *uop) bool {
	return o.led(u, x.seq) && (!u.lead || o.lead(u, x.seq))
}

// led reports whether the first µop of a µop's instruction has issued: the address of what an instruction stores that loads as well is no earlier.
func (o *programOrder) led(u *uop, seq seqNo) bool {
	return u.behind == 0 || o.ring[(seq-u.behind)&o.mask].issued != notYet
}

// lead reports whether all older leading µops have issued and this one finds room, which it takes.
func (o *programOrder) lead(u *uop, seq seqNo) bool {
	for o.oldest = max(o.oldest, o.head); o.oldest < seq; o.oldest++ {
		if x := &o.ring[o.oldest&o.mask]; x.issued == notYet && o.body[x.uop].lead {
			return false
		}
	}
	slots := max(1, int(u.slots))
	if (slots > o.room || u.opens) && o.room < o.core.Width {
		return false
	}
	if o.room -= slots; u.closes {
		o.room = 0
	}
	return true
}

// leading marks the µop of an instruction that issues in order, and how far behind it the others are.
func (l *lowering) leading(p *parts) {
	at := absent
	for u := p.first; u < p.end; u++ {
		switch x := &l.body[u]; {
		case x.idle:
		case at == absent:
			x.lead, at = true, u
			x.opens, x.closes = p.in.Flags&machine.IssueFirst != 0, p.in.Flags&machine.IssueLast != 0
		default:
			x.behind = seqNo(u - at)
		}
	}
}
