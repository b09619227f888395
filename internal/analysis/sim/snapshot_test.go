package sim

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// Unnoticed marks the state of a simulation after some cycles, changes one thing of it at a time that the future depends on, and returns what the comparison with the mark
// does not notice. tried counts the changes that this core and kernel have room for.
func Unnoticed(g *depgraph.Graph, core *Core, opt Options, cycles int) (unnoticed []string, tried map[string]bool) {
	p, front := prepared(g, core, &opt)
	for range cycles {
		p.run(&front, p.now+1)
	}
	d, tried := &p.detect, map[string]bool{}
	if p.head < d.back {
		return nil, tried
	}
	o := p.outline()
	d.remember(&front, 0, &o)
	d.marks[0].retired = 1
	same := func() bool {
		o := p.outline()
		return d.recurs(&front, 0, &o)
	}
	if !same() {
		unnoticed = append(unnoticed, "nothing has changed")
	}
	try := func(what string, change, undo func()) {
		change()
		if tried[what] = true; same() {
			unnoticed = append(unnoticed, what)
		}
		undo()
	}
	number := func(what string, at *cycle, by cycle) {
		was := *at
		try(what, func() { *at = by }, func() { *at = was })
	}
	small := func(what string, at *int8) { try(what, func() { *at++ }, func() { *at-- }) }
	count := func(what string, at *int) { try(what, func() { *at++ }, func() { *at-- }) }

	number("a busy port", &p.exec.busy[0], p.now+5)
	count("slots owed at rename", &p.rename.debt)
	count("slots owed at retirement", &p.rob.debt)
	count("ready µops", &p.ready.waiting)
	number("when the last store leaves", &p.memory.leaving.last, p.now+5)
	count("entries of a store that retires", &p.memory.leaving.partly)
	try("a store that has not left", func() { p.memory.leaving.list = append(p.memory.leaving.list, departure{at: p.now + 1, entries: 1}) },
		func() { p.memory.leaving.list = p.memory.leaving.list[:len(p.memory.leaving.list)-1] })
	for k := range p.memory.predictor {
		e := &p.memory.predictor[k]
		try("a load that waited in vain", func() { e.vain++ }, func() { e.vain-- })
		try("a load that waits", func() { e.waits = !e.waits }, func() { e.waits = !e.waits })
	}
	try("a vain request", func() { p.vain.list = append(p.vain.list, vainRequest{seq: p.head}) }, func() { p.vain.list = p.vain.list[:len(p.vain.list)-1] })
	at := (p.now + 3) % uops.BusCycles
	for way, what := range []string{"result", "flags"} {
		try("a "+what+" that is due", func() { p.bus.taken[way][at] ^= 1 }, func() { p.bus.taken[way][at] ^= 1 })
		try("a port that "+what+" want", func() { p.bus.wanted[way] ^= 1 }, func() { p.bus.wanted[way] ^= 1 })
	}
	small("µops that passed one", &p.bus.passed[0])
	try("whose turn a load port has", func() { p.sched.binding.turn ^= 3 }, func() { p.sched.binding.turn ^= 3 })
	starved := p.supply.starved
	try("slots of a front end that holds dispatch up", func() { p.supply.starved = p.now + 1; front.Take(1) }, func() { p.supply.starved = starved; front.Take(-1) })
	later := func(what string, e *delayed) {
		try(what, func() { e.counts[(e.at+2)%delays]++ }, func() { e.counts[(e.at+2)%delays]-- })
	}
	for i, g := range p.sched.groups {
		later("an entry that becomes free", &p.sched.leaving)
		if p.core.Groups[i].Policy == machine.SteerPackets {
			later("an entry that the choice will know of", &g.packet.entered)
			later("a free entry that the choice will know of", &g.packet.left)
			small("µops of a partition in the last cycle", &g.packet.received[0])
			continue
		}
		if p.core.Groups[i].Policy == machine.SteerChance {
			p.detect.turns, p.lots.ports = chanceTurns, 0
			try("the phase of the lots", func() { p.head += p.n }, func() { p.head -= p.n })
			continue
		}
		small("the partition whose turn it is", &g.turns.next)
		try("µops that wait for a port", func() { g.turns.waits[0]++ }, func() { g.turns.waits[0]-- })
		try("µops that waited for a port", func() { g.turns.earlier[0][0]++ }, func() { g.turns.earlier[0][0]-- })
	}
	for s := p.head; s < p.tail; s++ {
		x := &p.ring[s&p.mask]
		u := &p.body[x.uop]
		if x.issued == notYet {
			small("the port of a µop that waits", &x.port)
			number("when a µop is ready", &x.ready, p.now+100)
			try("producers of a µop", func() { x.pending++ }, func() { x.pending-- })
		} else if x.issued+u.Done > p.now {
			number("when a µop issued", &x.issued, x.issued+1)
		}
	}
	return unnoticed, tried
}
