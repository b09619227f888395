package sim

import (
	"math"

	"incore/internal/analysis/uops"
)

// This file holds the ports, their execution units, and the result bus of each port.

// execution is the occupancy of ports and resources.
type execution struct {
	*window
	timeless
	busy [uops.MaxPorts]cycle // port → first free cycle
	long portSet              // ports that may still be busy in the next cycle
	use  [uops.MaxPorts]int64 // port → busy cycles
	turn portSet              // of the units that take µops in turn: the next one
	then [marks]executionMark
}

// executionMark is the state at a mark.
type executionMark struct {
	busy [uops.MaxPorts]cycle
	turn portSet
}

func (e *execution) reset(p *pipeline) {
	*e = execution{window: &p.window, turn: first(portSet(p.core.UnitTurns))}
}

func (e *execution) mark(k int) {
	copy(e.then[k].busy[:], e.busy[:e.core.Ports])
	e.then[k].turn = e.turn
}

func (e *execution) recurs(k int) bool {
	ago := e.ago(k)
	if e.then[k].turn != e.turn {
		return false
	}
	for p := range e.core.Ports {
		if !alike(e.then[k].busy[p], e.busy[p]-ago, e.now-ago) {
			return false
		}
	}
	return true
}

// occupy keeps a port busy for a number of cycles.
func (e *execution) occupy(port uint, cycles cycle) {
	port %= uops.MaxPorts
	e.busy[port] = e.now + cycles
	e.use[port] += int64(cycles)
	if cycles > 1 {
		e.long |= uops.Port(int(port))
	}
}

// again uses one of some ports for a cycle, as soon as one is free.
func (e *execution) again(ports portSet) {
	if e.core.FreePorts {
		return
	}
	first, from := 0, never
	for s := ports; s != 0; s &= s - 1 {
		if p := s.First(); max(e.busy[p], e.now) < from { // when a free port was busy does not matter (recurs)
			first, from = p, max(e.busy[p], e.now)
		}
	}
	e.busy[first] = from + 1
	e.use[first]++
	e.long |= uops.Port(first)
}

// free returns the ports that accept a µop in this cycle.
func (e *execution) free() portSet {
	if e.core.FreePorts {
		return math.MaxUint64
	}
	free := portSet(1)<<e.core.Ports - 1
	for s := e.long; s != 0; s &= s - 1 {
		if p := s.First(); e.busy[p] > e.now {
			free &^= uops.Port(p)
		} else {
			e.long &^= uops.Port(p)
		}
	}
	return free &^ (portSet(e.core.UnitTurns) &^ e.turn)
}

// available reports whether every resource that a µop needs has a free unit (the resources of a µop are of different sets).
func (e *execution) available(x *instance, u *uop, free portSet) bool {
	for i := range u.Extra {
		if h := &u.Extra[i]; h.Units&free == 0 && !(h.Read && e.bypassed(x, u)) {
			return false
		}
	}
	return true
}

// occupyUnits keeps the resources of a µop busy. It returns the units that stay free.
func (e *execution) occupyUnits(x *instance, u *uop, free portSet) portSet {
	if e.core.FreePorts {
		return free
	}
	for _, h := range u.Extra {
		if h.Read && e.bypassed(x, u) {
			continue
		}
		unit := (h.Units & free).First()
		free &^= uops.Port(unit)
		e.occupy(uint(unit), h.Cycles+half(h.Half, x.seq/e.n)+cut(h.Cuts, x.seq/e.n))
		if e.turn.Has(unit) {
			free |= e.nextUnit()
		}
	}
	return free
}

// nextUnit goes on to the next of the units that take µops in turn. It returns it if it is free.
func (e *execution) nextUnit() portSet {
	all := portSet(e.core.UnitTurns)
	if e.turn = first(all &^ (e.turn | (e.turn - 1))); e.turn == 0 {
		e.turn = first(all)
	}
	if e.busy[e.turn.First()] > e.now {
		return 0
	}
	return e.turn
}

// first returns the first port of a set, as a set.
func first(s portSet) portSet { return s & -s }

// bypassed reports whether the result of an execution unit arrives in this cycle, as an operand of a µop that issues.
func (e *execution) bypassed(x *instance, u *uop) bool {
	return x.ready == e.now && e.arrives(x.seq, u, maxMoves)
}

// maxMoves is the number of eliminated moves between a unit and an operand through which bypassed looks.
const maxMoves = 4

// arrives reports whether an operand of a µop is the result of an execution unit that arrives in this cycle, also through so many eliminated moves.
func (e *execution) arrives(at seqNo, u *uop, moves int) bool {
	for i := range u.Deps {
		d := &u.Deps[i]
		p := &e.body[d.Uop]
		if p.Kind != uops.KindExec || at < d.Dist || e.ring[(at-d.Dist)&e.mask].issued+d.Lat != e.now {
			continue
		}
		if !p.Idle || moves > 0 && e.arrives(at-d.Dist, p, moves-1) {
			return true
		}
	}
	return false
}

// patience is the number of cycles that a pointer-chasing load waits for a result bus which other loads use without interruption. Then it becomes an
// ordinary load: its address no longer comes directly from the load before. (This rule is the simulator's own; how the core prevents starvation of
// such loads is not known.)
const patience = 16

// resultBus holds the result buses of the ports (Core.ResultBus, WritebackConflicts).
type resultBus struct {
	*window
	busState
	then [marks]busState
}

// busState is the state of the result buses, of which a port has one for each way.
type busState struct {
	taken  [uops.EachWay][uops.BusCycles]portSet // cycle, modulo BusCycles → ports whose bus has a result
	wanted [uops.EachWay]portSet                 // ports that have a µop waiting for the bus
	passed [uops.MaxPorts]int8                   // port → µops that have issued before one that waits for the bus
}

func (b *resultBus) reset(p *pipeline) { *b = resultBus{window: &p.window} }
func (b *resultBus) mark(k int)        { b.then[k] = b.busState }

func (b *resultBus) recurs(k int) bool {
	m, then := &b.then[k], b.marked[k].now
	count := ^b.lots.alike(then)
	for way := range b.taken {
		for c := range cycle(uops.BusCycles) {
			if (m.taken[way][uint32(then+c)%uops.BusCycles]^b.taken[way][uint32(b.now+c)%uops.BusCycles])&count != 0 {
				return false
			}
		}
	}
	return m.wanted == b.wanted && m.passed == b.passed
}

// advance clears the results that are written back in this cycle and the following ones, n in all.
func (b *resultBus) advance(n cycle) {
	for c := range min(n, uops.BusCycles) {
		at := uint32(b.now+c) % uops.BusCycles
		b.taken[0][at], b.taken[1][at] = 0, 0
	}
}

// after returns the cycles from the issue of a ready µop in this cycle to the bus.
func (b *resultBus) after(x *instance, u *uop) cycle {
	if b.now-x.ready >= patience {
		return u.Plain
	}
	return u.Back
}

// both joins what two ways have.
func both(of *[uops.EachWay]portSet, by ways) (ports portSet) {
	if by&uops.ToRegisters != 0 {
		ports = of[0]
	}
	if by&uops.ToFlags != 0 {
		ports |= of[1]
	}
	return ports
}

// conflicts returns the ports one of whose buses, of the given ways, is taken in a future cycle.
func (b *resultBus) conflicts(ports portSet, by ways, after cycle) portSet {
	at := uint32(b.now+after) % uops.BusCycles
	return ports & both(&[...]portSet{b.taken[0][at], b.taken[1][at]}, by)
}

// reserve takes buses of some ports in a future cycle.
func (b *resultBus) reserve(ports portSet, by ways, after cycle) {
	at := uint32(b.now+after) % uops.BusCycles
	ports &= b.core.Buses
	if by&uops.ToRegisters != 0 {
		b.taken[0][at] |= ports
	}
	if by&uops.ToFlags != 0 {
		b.taken[1][at] |= ports
	}
}

// want notes that a µop waits for ways of some ports.
func (b *resultBus) want(ports portSet, by ways) {
	for k := range b.wanted {
		if by>>k&1 != 0 {
			b.wanted[k] |= ports
		}
	}
}

// exclude removes the ports at which the result of a µop would conflict with another one. If no port is left, it notes the conflicting ports as met,
// and closes those that enough younger µops have used.
func (b *resultBus) exclude(x *instance, u *uop, ports, open portSet, met *portSet) (left, stillOpen portSet) {
	meets := b.conflicts(ports, u.Ways, b.after(x, u))
	if left = ports &^ meets; left == 0 && meets&portSet(b.core.ResultBus.Ports) != 0 {
		*met |= meets
		b.want(meets, u.Ways)
		open = b.keep(meets, open)
	}
	return left, open
}

// keep closes a port for other µops if the largest number of younger µops has issued there before a waiting one (ResultBus.Passes).
func (b *resultBus) keep(ports, open portSet) portSet {
	for ; ports != 0; ports &= ports - 1 {
		if p := ports.First(); int(b.passed[p]) >= b.core.ResultBus.Passes {
			open &^= uops.Port(p)
		}
	}
	return open
}

// asides returns the ports one of which can take the second result of a µop.
func (b *resultBus) asides(u *uop) portSet {
	return u.Aside &^ b.conflicts(u.Aside, u.AsideWays, u.Later) &^ both(&b.wanted, u.AsideWays)
}

// blocks reports whether no bus is free for the second result of a µop.
func (b *resultBus) blocks(u *uop) bool { return u.Aside != 0 && b.asides(u) == 0 }

// issued records that a µop takes a port; if the port is among the conflicting ones, the µop has passed a waiting one.
func (b *resultBus) issued(x *instance, u *uop, port uint, met portSet) {
	bit := uops.Port(int(port))
	if u.Back > 0 {
		b.reserve(bit, u.Ways, b.after(x, u))
	}
	if b.core.ResultBus.Ports == 0 {
		return
	}
	if u.Aside != 0 {
		asides := b.asides(u)
		b.reserve(asides&-asides, u.AsideWays, u.Later)
	}
	passed := &b.passed[port%uops.MaxPorts]
	if *passed++; met&bit == 0 {
		*passed = 0
	}
	b.wanted[0] &^= bit
	b.wanted[1] &^= bit
}
