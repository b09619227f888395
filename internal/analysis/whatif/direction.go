package whatif

import (
	"slices"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/machine"
)

// More resources never make a real core slower. A simulated core may become slower, because its µops take the ports in another order. In that case
// the answer is the prediction for the unchanged kernel.

// direction tells whether changes can only speed up a kernel (eases) or only slow it down (tightens).
type direction int

const (
	unknown direction = iota
	eases
	tightens
)

func (d direction) reverse() direction {
	switch d {
	case eases:
		return tightens
	case tightens:
		return eases
	}
	return d
}

// within returns the estimate, or the unchanged kernel's if the estimate moves in the wrong direction.
func (b *Base) within(q *Question, e engine.Estimate) engine.Estimate {
	if b.Now == nil || b.Now.Engine != e.Engine {
		return e
	}
	switch d := q.direction(); {
	case d == eases && e.Cycles > b.Now.Cycles, d == tightens && e.Cycles < b.Now.Cycles:
		return *b.Now
	}
	return e
}

// direction returns the common direction of all changes, unknown if they differ.
func (q *Question) direction() direction {
	all := unknown
	for i := range q.changes {
		d := q.changes[i].direction()
		if d == unknown || all != unknown && d != all {
			return unknown
		}
		all = d
	}
	return all
}

// sizes are the parameters of which more never hurts; waits are those of which less never hurts.
var (
	sizes = []string{"dispatch-width", "dispatch-uops", "retire-width", "rob", "scheduler", "load-queue", "store-queue", "fetch-width", "fetch-queue", "decoders", "decode-slots"}
	waits = []string{"store-forward"}
)

func (c *change) direction() direction {
	grows := unknown // eases: the changed quantity does not decrease
	switch {
	case c.kind == kindFree:
		return eases
	case c.inf || c.op == '+' || c.op == 'x' && c.n >= 1:
		grows = eases
	case c.op == '-' || c.op == 'x' || c.op == '=' && c.n == 0:
		grows = tightens
	}
	switch {
	case c.kind == kindPorts, c.kind == kindParam && (slices.Contains(sizes, c.name) || strings.HasPrefix(c.name, schedulerPrefix) || strings.HasPrefix(c.name, machine.LimitPrefix)):
		return grows
	case c.kind == kindLine, c.kind == kindLevel:
		return unknown // of loads with several levels some may become faster
	case c.kind == kindLatency, c.kind == kindParam && slices.Contains(waits, c.name):
		return grows.reverse()
	}
	return unknown
}
