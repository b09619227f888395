package sim

import (
	"math"
	"math/bits"
)

// This file is the ports and the units behind them, and the bus by which each port writes its results back.

// execution is what keeps ports and resources busy.
type execution struct {
	*window
	busy [64]cycle // port → first free cycle
	long portSet   // ports that may be busy in the next cycle
	use  [64]int64 // port → cycles that it was busy
}

func (e *execution) reset(w *window) { *e = execution{window: w} }

// occupy keeps a port busy for so many cycles.
func (e *execution) occupy(port int, cycles cycle) {
	e.busy[port] = e.now + cycles
	e.use[port] += int64(cycles)
	if cycles > 1 {
		e.long |= 1 << port
	}
}

// free is the set of ports that accept a µop in this cycle.
func (e *execution) free() portSet {
	if e.core.FreePorts {
		return math.MaxUint64
	}
	free := portSet(1)<<e.core.Ports - 1
	for s := e.long; s != 0; s &= s - 1 {
		if p := s.first(); e.busy[p] > e.now {
			free &^= 1 << p
		} else {
			e.long &^= 1 << p
		}
	}
	return free
}

// available reports whether every resource that a µop needs has a free unit (resources of one µop are of different sets).
func (e *execution) available(x *instance, u *uop, free portSet) bool {
	for i := range u.extra {
		if h := &u.extra[i]; h.units&free == 0 && !(h.read && e.bypassed(x, u)) {
			return false
		}
	}
	return true
}

// occupyUnits keeps the resources of a µop busy. It returns the units that are left.
func (e *execution) occupyUnits(x *instance, u *uop, free portSet) portSet {
	if e.core.FreePorts {
		return free
	}
	for _, h := range u.extra {
		if h.read && e.bypassed(x, u) {
			continue
		}
		unit := (h.units & free).first()
		free &^= 1 << unit
		e.occupy(unit, h.cycles)
	}
	return free
}

// bypassed reports whether the result of an execution unit arrives in this cycle, as an operand of a µop that issues.
func (e *execution) bypassed(x *instance, u *uop) bool {
	if x.ready != e.now {
		return false
	}
	for i := range u.deps {
		d := &u.deps[i]
		if e.body[d.uop].kind == kindExec && x.seq >= d.dist && e.ring[(x.seq-d.dist)&e.mask].issued+d.lat == e.now {
			return true
		}
	}
	return false
}

// patience is how many cycles a load that is quicker than others waits for the result bus that these take one after the other. Then it is an ordinary load: its
// address no longer comes from the load before (the simulator's own: how the core keeps such loads from waiting for ever is not known).
const patience = 16

// busCycles is how far ahead the use of result buses is known: a bit for each cycle.
const busCycles = 64

// resultBus is what ports write back (Core.ResultBus, WritebackConflicts).
type resultBus struct {
	*window
	results [64]uint64 // port → cycles, modulo busCycles, in which results are written back
	due     portSet    // ports with such
	passed  [64]int8   // port → µops that have passed one that waits for the bus
	wanted  portSet    // ports that have one waiting for the bus
}

func (b *resultBus) reset(w *window) { *b = resultBus{window: w} }

// advance forgets the results that are written back in this cycle.
func (b *resultBus) advance() {
	for s := b.due; s != 0; s &= s - 1 {
		p := s.first()
		if b.results[p] &^= 1 << (b.now % busCycles); b.results[p] == 0 {
			b.due &^= 1 << p
		}
	}
}

// advanceTo forgets the results that are written back before a cycle.
func (b *resultBus) advanceTo(to cycle) {
	if b.due == 0 {
		return
	}
	passed := ^uint64(0)
	if n := to - b.now; n < busCycles {
		passed = bits.RotateLeft64(1<<n-1, int(b.now%busCycles))
	}
	for s := b.due; s != 0; s &= s - 1 {
		p := s.first()
		if b.results[p] &^= passed; b.results[p] == 0 {
			b.due &^= 1 << p
		}
	}
}

// after is the number of cycles from the issue of a ready µop in this cycle to the bus.
func (b *resultBus) after(x *instance, u *uop) cycle {
	if b.now-x.ready >= patience {
		return u.plain
	}
	return u.back
}

// conflicts is the set of ports whose bus is taken so many cycles from now.
func (b *resultBus) conflicts(ports portSet, after cycle) (taken portSet) {
	for s := ports; s != 0; s &= s - 1 {
		if p := s.first(); b.results[p]>>((b.now+after)%busCycles)&1 != 0 {
			taken |= 1 << p
		}
	}
	return taken
}

// reserve takes the bus of a port so many cycles from now.
func (b *resultBus) reserve(port int, after cycle) {
	if !b.core.buses.has(port) {
		return
	}
	b.results[port] |= 1 << ((b.now + after) % busCycles)
	b.due |= 1 << port
}

// exclude leaves out ports at which the result of a µop would meet with another's. Where that is all of them the ports are noted as met, and those that enough younger
// µops have passed are open no more.
func (b *resultBus) exclude(x *instance, u *uop, ports, open portSet, met *portSet) (left, stillOpen portSet) {
	meets := b.conflicts(ports, b.after(x, u))
	if left = ports &^ meets; left == 0 && meets&portSet(b.core.ResultBus.Ports) != 0 {
		*met |= meets
		b.wanted |= meets
		open = b.keep(meets, open)
	}
	return left, open
}

// keep closes ports for a µop that as many younger ones have passed as may (ResultBus.Passes).
func (b *resultBus) keep(ports, open portSet) portSet {
	for ; ports != 0; ports &= ports - 1 {
		if p := ports.first(); int(b.passed[p]) >= b.core.ResultBus.Passes {
			open &^= 1 << p
		}
	}
	return open
}

// blocks reports whether the second result of a µop finds no bus.
func (b *resultBus) blocks(u *uop) bool {
	return u.aside != 0 && u.aside&^b.wanted&^b.conflicts(u.aside, u.later) == 0
}

// issued notes that a µop takes a port, past one that could not if that is among those that met the results of others.
func (b *resultBus) issued(x *instance, u *uop, port int, met portSet) {
	if u.back > 0 {
		b.reserve(port, b.after(x, u))
	}
	if b.core.ResultBus.Ports == 0 {
		return
	}
	if u.aside != 0 {
		b.reserve((u.aside &^ b.wanted &^ b.conflicts(u.aside, u.later)).first(), u.later)
	}
	if met.has(port) {
		b.passed[port]++
	} else {
		b.passed[port] = 0
	}
	b.wanted &^= 1 << port
}

// fromNow is when a port's bus is taken in the coming cycles: the first bit is this one.
func (b *resultBus) fromNow(port int) uint64 {
	return bits.RotateLeft64(b.results[port], -int(b.now%busCycles))
}
