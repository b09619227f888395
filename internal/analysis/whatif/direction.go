package whatif

import (
	"slices"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/machine"
)

// A core that has more of something can do what it did with less, so that no kernel takes longer on it. A simulated one may, as its µops take the ports
// in another order: then the answer is what the kernel takes as it is.

// direction is what changes do to the time of any kernel.
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

// within takes an estimate to the side of the unchanged kernel's that it must lie on.
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

// direction is that of all changes, unknown if they don't agree.
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

// sizes are parameters of which no less is better, waits those of which no more is.
var (
	sizes = []string{"dispatch-width", "dispatch-uops", "retire-width", "rob", "scheduler", "load-queue", "store-queue", "fetch-width", "fetch-queue", "decoders", "decode-slots"}
	waits = []string{"store-forward"}
)

func (c *change) direction() direction {
	grows := unknown // eases: what is changed gets no less
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
	case c.kind == kindLatency, c.kind == kindParam && slices.Contains(waits, c.name):
		return grows.reverse()
	}
	return unknown
}
