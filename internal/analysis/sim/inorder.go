package sim

// This file is what makes a core in-order: the first µop of an instruction that needs a port issues when those of all older
// instructions have, so many slots a cycle as the core is wide. Behind that first µop an instruction goes its way: results
// arrive when they do (a scoreboard holds up whoever needs them), and an operation behind a load of the same instruction waits in
// the pipeline, not at issue.

// window is how many slots an in-order core holds at a time: what a short pipeline and its instruction queue take. It is no
// limit, as waiting at issue holds up everything behind.
const window = 16

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
}

// lead marks the µops that issue in order.
func (l *lowering) lead() {
	inst := int32(-1)
	for u := range l.body {
		if x := &l.body[u]; x.inst != inst && (x.ports != 0 || len(x.extra) > 0) {
			x.lead, inst = true, x.inst
		}
	}
}

// turnOf reports whether all older marked µops have issued and this one finds room, which it takes.
func (e *engine) turnOf(u *uop, seq int32) bool {
	for e.leader = max(e.leader, e.head); e.leader < seq; e.leader++ {
		if x := &e.ring[e.leader&e.mask]; x.issued == notYet && e.body[x.uop].lead {
			return false
		}
	}
	slots := max(1, int(u.slots))
	if slots > e.room && e.room < e.core.Width {
		return false
	}
	e.room -= slots
	return true
}
