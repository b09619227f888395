package sim

import (
	"math"
	"math/bits"
)

// This file is the ports and the units behind them, and the bus by which each port writes its results back.

// execution is what keeps ports and resources busy.
type execution struct {
	*window
	busy [maxPorts]cycle // port → first free cycle
	long portSet         // ports that may be busy in the next cycle
	use  [maxPorts]int64 // port → cycles that it was busy
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

// unread reports whether a µop cannot read one of its registers, as others read as many in this cycle as can be, and no result comes by bypass.
func (e *execution) unread(x *instance, u *uop, free portSet) bool {
	for i := range u.extra {
		if h := &u.extra[i]; h.read && h.units&free == 0 {
			return !e.bypassed(x, u)
		}
	}
	return false
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

// ways are those by which results leave a port: one to registers and one to flags, or one to both (Core.FlagsApart).
type ways uint8

const (
	toRegisters ways = 1 << iota
	toFlags
	eachWay = 2
)

// resultBus is what ports write back (Core.ResultBus, WritebackConflicts).
type resultBus struct {
	*window
	way    [eachWay]way
	passed [maxPorts]int8 // port → µops that have passed one that waits for the bus
}

// way is a bus of each port.
type way struct {
	results [maxPorts]uint64 // port → cycles, modulo busCycles, in which results are written back
	due     portSet          // ports with such
	wanted  portSet          // ports that have a µop waiting for the bus
}

func (b *resultBus) reset(w *window) { *b = resultBus{window: w} }

// advance forgets the results that are written back in this cycle.
func (b *resultBus) advance() { b.forget(1 << (b.now % busCycles)) }

// advanceTo forgets the results that are written back before a cycle.
func (b *resultBus) advanceTo(to cycle) {
	passed := ^uint64(0)
	if n := to - b.now; n < busCycles {
		passed = bits.RotateLeft64(1<<n-1, int(b.now%busCycles))
	}
	b.forget(passed)
}

// forget clears what is due in some cycles, modulo busCycles.
func (b *resultBus) forget(cycles uint64) {
	for k := range b.way {
		w := &b.way[k]
		for s := w.due; s != 0; s &= s - 1 {
			p := s.first()
			if w.results[p] &^= cycles; w.results[p] == 0 {
				w.due &^= 1 << p
			}
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
func (w *way) conflicts(ports portSet, at cycle) (taken portSet) {
	for s := ports & w.due; s != 0; s &= s - 1 {
		if p := s.first(); w.results[p]>>(at%busCycles)&1 != 0 {
			taken |= 1 << p
		}
	}
	return taken
}

// conflicts is the set of ports one of whose buses, of some ways, is taken so many cycles from now.
func (b *resultBus) conflicts(ports portSet, by ways, after cycle) (taken portSet) {
	if by&toRegisters != 0 {
		taken = b.way[0].conflicts(ports, b.now+after)
	}
	if by&toFlags != 0 {
		taken |= b.way[1].conflicts(ports, b.now+after)
	}
	return taken
}

// each calls do for each of some ways.
func (b *resultBus) each(by ways, do func(w *way)) {
	for k := range b.way {
		if by>>k&1 != 0 {
			do(&b.way[k])
		}
	}
}

// reserve takes buses of a port so many cycles from now.
func (b *resultBus) reserve(port int, by ways, after cycle) {
	if !b.core.buses.has(port) {
		return
	}
	b.each(by, func(w *way) {
		w.results[port] |= 1 << ((b.now + after) % busCycles)
		w.due |= 1 << port
	})
}

// exclude leaves out ports at which the result of a µop would meet with another's. Where that is all of them the ports are noted as met, and those that enough younger
// µops have passed are open no more.
func (b *resultBus) exclude(x *instance, u *uop, ports, open portSet, met *portSet) (left, stillOpen portSet) {
	meets := b.conflicts(ports, u.ways, b.after(x, u))
	if left = ports &^ meets; left == 0 && meets&portSet(b.core.ResultBus.Ports) != 0 {
		*met |= meets
		b.each(u.ways, func(w *way) { w.wanted |= meets })
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

// asides are the ports one of which can take the second result of a µop.
func (b *resultBus) asides(u *uop) portSet {
	left := u.aside &^ b.conflicts(u.aside, u.asideWays, u.later)
	b.each(u.asideWays, func(w *way) { left &^= w.wanted })
	return left
}

// blocks reports whether the second result of a µop finds no bus.
func (b *resultBus) blocks(u *uop) bool { return u.aside != 0 && b.asides(u) == 0 }

// issued notes that a µop takes a port, past one that could not if that is among those that met the results of others.
func (b *resultBus) issued(x *instance, u *uop, port int, met portSet) {
	if u.back > 0 {
		b.reserve(port, u.ways, b.after(x, u))
	}
	if b.core.ResultBus.Ports == 0 {
		return
	}
	if u.aside != 0 {
		b.reserve(b.asides(u).first(), u.asideWays, u.later)
	}
	if met.has(port) {
		b.passed[port]++
	} else {
		b.passed[port] = 0
	}
	for k := range b.way {
		b.way[k].wanted &^= 1 << port
	}
}

// fromNow is when a port's bus is taken in the coming cycles: the first bit is this one.
func (w *way) fromNow(port int, now cycle) uint64 {
	return bits.RotateLeft64(w.results[port], -int(now%busCycles))
}
