package sim

import "incore/internal/machine"

// This file is what makes a core in-order: the first µop of an instruction that needs a port issues when those of all older
// instructions have, so many slots a cycle as the core is wide. Behind that first µop an instruction goes its way: results
// arrive when they do (a scoreboard holds up whoever needs them), and an operation behind a load of the same instruction waits in
// the pipeline, not at issue.

// window is how many slots an in-order core holds at a time: what a short pipeline and its instruction queue take. It is no
// limit, as waiting at issue holds up everything behind.
const window = 16

// queued is how many instructions wait to issue, in cycles' worth of the core's width: the fewest that the queue has to hold, twice. It decides when instructions are dispatched, and so what a timeline shows; cycles do not depend on it (TestIssueQueue).
const queued = 2

// inOrder turns a core into one that issues in program order.
func (c *Core) inOrder() {
	c.InOrder = true
	if c.ROB == 0 {
		c.ROB = window * c.Width
	}
	if c.FetchWidth == 0 {
		c.FetchWidth = c.Width // instructions behind a taken branch are fetched in the next cycle
	}
	c.Schedulers = nil
	c.IssueQueue = queued * c.Width
}

// lead marks the µops that issue in order, and how far behind them the others of their instructions are.
func (l *lowering) lead() {
	inst, at := int32(-1), 0
	for u := range l.body {
		x := &l.body[u]
		switch needs := x.ports != 0 || len(x.extra) > 0; {
		case needs && x.inst != inst:
			x.lead, inst, at = true, x.inst, u
			flags := l.g.Bound.Insts[inst].Flags
			x.opens, x.closes = flags&machine.IssueFirst != 0, flags&machine.IssueLast != 0
		case needs:
			x.behind = int32(u - at)
		}
	}
}

// led reports whether the first µop of a µop's instruction has issued: the address of what an instruction stores that loads as well is no earlier.
func (e *engine) led(u *uop, seq int32) bool {
	return u.behind == 0 || e.ring[(seq-u.behind)&e.mask].issued != notYet
}

// turnOf reports whether all older marked µops have issued and this one finds room, which it takes.
func (e *engine) turnOf(u *uop, seq int32) bool {
	for e.leader = max(e.leader, e.head); e.leader < seq; e.leader++ {
		if x := &e.ring[e.leader&e.mask]; x.issued == notYet && e.body[x.uop].lead {
			return false
		}
	}
	slots := max(1, int(u.slots))
	if (slots > e.room || u.opens) && e.room < e.core.Width {
		return false
	}
	if e.room -= slots; u.closes {
		e.room = 0
	}
	return true
}
