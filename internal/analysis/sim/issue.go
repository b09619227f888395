package sim

import (
	"math"
	"math/bits"
)

// This file is issue: which ready µops get which ports in a cycle.

// issue sends ready µops to free ports, the oldest first. Groups of ports that do not depend on each other are gone through one after another.
func (e *engine) issue() {
	if e.waiting == 0 {
		e.early = e.early[:0]
		return
	}
	free := e.freePorts()
	e.issueApart(e.lone, free)
	for _, group := range e.groups {
		free = e.issueAmong(group, free)
	}
	if len(e.early) > 0 { // requests take their turn before what waits for busy ports, too
		for last := e.youngest(); free != 0 && len(e.early) > 0 && e.early[0].seq < last; {
			free = e.waste(free)
		}
		e.early = e.early[:0]
	}
	e.early = append(e.early[:0], e.again...)
	e.again = e.again[:0]
}

// issueAmong sends the ready µops of several queues to free ports, and returns those that are left.
func (e *engine) issueAmong(queues, free uint64) uint64 {
	met := uint64(0)       // ports whose result bus would not have been free for some µop
	reads := uint64(0)     // places that loads of this cycle read
	var once, twice uint64 // banks that one or more of them read, and two
	e.room = e.core.Width
	for left := e.look(queues); left != 0 && free != 0; {
		k := e.oldest(left)
		q := &e.queues[k]
		if q.ports&free == 0 && q.ports != 0 {
			left &^= 1 << k
			continue
		}
		i := q.seqs[q.next] & e.mask
		q.next++
		x := &e.ring[i]
		u := &e.body[x.uop]
		for len(e.early) > 0 && e.early[0].seq < x.seq {
			free = e.waste(free)
		}
		p := u.ports & free
		if x.port >= 0 {
			p &= 1 << x.port
		}
		if u.back > 0 {
			p, free = e.meet(x, u, p, free, &met)
		}
		if u.aside != 0 && u.aside&^e.wanted&^e.conflicts(u.aside, u.later) == 0 {
			p = 0
		}
		if u.banks&twice != 0 && p != 0 { // it has asked in vain, but the port is lost
			free &^= 1 << bits.TrailingZeros64(p)
			left = e.advance(k, left)
			continue
		}
		if p == 0 && u.ports != 0 || u.clash&reads != 0 || !available(u.extra, free) || e.isOrdered(u) && e.mustWait(x.seq) || !e.led(u, x.seq) || u.lead && !e.turnOf(u, x.seq) {
			left = e.advance(k, left)
			continue
		}
		q.take()
		e.waiting--
		left = e.advance(k, left)
		reads |= u.place
		once, twice = once|u.banks, twice|once&u.banks
		for _, h := range u.extra {
			if e.core.FreePorts {
				break
			}
			unit := bits.TrailingZeros64(h.units & free)
			free &^= 1 << unit
			e.occupy(unit, h.cycles)
		}
		port, late := -1, x.ready < e.cycle
		if p != 0 {
			if port = e.choose(p); !e.core.FreePorts {
				free &^= 1 << port
			}
			e.send(x, u, port, met)
		}
		e.fire(i, port)
		if late && e.core.SpeculativeWakeup {
			e.wakeInVain(x, u)
		}
	}
	return free
}

// issueApart sends the ready µops of queues to free ports whose ports are those of no other queue, and where nothing else holds a µop up.
func (e *engine) issueApart(queues, free uint64) {
	for s := e.ready & queues; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		q := &e.queues[k]
		if q.head == len(q.seqs) {
			e.ready &^= 1 << k
			continue
		}
		open, met := q.ports&free, uint64(0)
		for q.next = q.head; open != 0 && q.next < len(q.seqs); {
			i := q.seqs[q.next] & e.mask
			q.next++
			x := &e.ring[i]
			u := &e.body[x.uop]
			p := open
			if u.back > 0 {
				p, open = e.meet(x, u, p, open, &met)
			}
			if p == 0 || e.isOrdered(u) && e.mustWait(x.seq) {
				continue
			}
			q.take()
			e.waiting--
			port := bits.TrailingZeros64(p)
			if p&(p-1) != 0 {
				port = e.choose(p)
			}
			open &^= 1 << port
			e.send(x, u, port, met)
			e.fire(i, port)
		}
	}
}

// send gives a µop a port, and its results the buses. met are the ports at which those of older µops met others.
func (e *engine) send(x *instance, u *uop, port int, met uint64) {
	e.occupy(port, u.occ)
	if u.back > 0 {
		e.writesBack(port, e.returns(x, u))
	}
	if e.core.ResultBus.Ports == 0 {
		return
	}
	if u.aside != 0 {
		e.writesBack(bits.TrailingZeros64(u.aside&^e.wanted&^e.conflicts(u.aside, u.later)), u.later)
	}
	e.pass(port, met)
	e.wanted &^= 1 << port
}

// group sorts the queues into those whose ports do not depend on those of others: no µop of one may use a port of another, and nothing else is shared.
// (Only in a cycle in which a load learns to wait for older stores, or no longer to, does the order decide which loads still issue.)
func (e *engine) group() {
	e.groups, e.lone = e.groups[:0], 0
	all := uint64(1)<<len(e.queues) - 1
	if !e.apart() {
		e.groups = append(e.groups, all)
		return
	}
	for all != 0 {
		group := all & -all
		for ports, more := e.queues[bits.TrailingZeros64(group)].ports, true; more; {
			more = false
			for s := all &^ group; s != 0; s &= s - 1 {
				if k := bits.TrailingZeros64(s); e.queues[k].ports&ports != 0 {
					group, ports, more = group|s&-s, ports|e.queues[k].ports, true
				}
			}
		}
		if group&(group-1) == 0 {
			e.lone |= group
		} else {
			e.groups = append(e.groups, group)
		}
		all &^= group
	}
}

// apart reports whether µops for different ports share nothing.
func (e *engine) apart() bool {
	c := e.core
	if c.SpeculativeWakeup || c.FreePorts || c.InOrder {
		return false
	}
	for i := range e.body {
		if u := &e.body[i]; len(u.extra) > 0 || u.clash != 0 || u.banks != 0 || u.aside != 0 {
			return false
		}
	}
	for k := range e.queues {
		if e.queues[k].ports == 0 {
			return false
		}
	}
	return true
}

// request is a µop that asks for a port although its operand is not there yet.
type request struct {
	seq   int32
	ports uint64
	again bool // for the second time
}

// wakeInVain notes the consumers of a µop that had to wait for a port: they count on its result one cycle after it first asked
// for the port, so they ask for one in the cycle in which it issues, in vain, or if none is left in the next.
func (e *engine) wakeInVain(x *instance, u *uop) {
	for k := range u.succs {
		s := &u.succs[k]
		y, c := e.at(x.seq+s.dist), &e.body[s.uop]
		switch {
		case y == nil || y.pending > 0:
		case c.kind == kindResult:
			e.wakeBehind(y, c)
		case s.lat == 1 && y.ready == e.cycle+1 && y.alloc != e.cycle && (k == 0 || u.succs[k-1] != *s):
			e.early = ask(e.early, request{y.seq, c.ports, false})
		}
	}
}

// wakeBehind does so for the consumers of a result that several µops make, the last of which issues late in this cycle. Those to which the result comes
// two cycles later ask for a port in the next one.
func (e *engine) wakeBehind(result *instance, r *uop) {
	for k := range r.succs {
		s := &r.succs[k]
		y := e.at(result.seq + s.dist)
		if y != nil && y.pending == 1 && y.ready <= e.cycle+2 && result.ready+s.lat == e.cycle+2 && y.alloc != e.cycle {
			e.again = ask(e.again, request{y.seq, e.body[s.uop].ports, false})
		}
	}
}

// ask adds a request to those of a cycle, which are in order of age.
func ask(list []request, r request) []request {
	list = append(list, r)
	for j := len(list) - 1; j > 0 && list[j-1].seq > r.seq; j-- {
		list[j], list[j-1] = list[j-1], list[j]
	}
	return list
}

// waste gives the oldest early request a port, which does nothing in this cycle; without one it may ask again.
func (e *engine) waste(free uint64) uint64 {
	if p := e.early[0].ports & free; p != 0 {
		free &^= 1 << e.choose(p)
	} else if r := e.early[0]; !r.again {
		e.again = ask(e.again, request{r.seq, r.ports, true})
	}
	e.early = append(e.early[:0], e.early[1:]...)
	return free
}

// clearBuses forgets the results that are written back in this cycle.
func (e *engine) clearBuses() {
	for s := e.due; s != 0; s &= s - 1 {
		p := bits.TrailingZeros64(s)
		if e.results[p] &^= 1 << (e.cycle % 64); e.results[p] == 0 {
			e.due &^= 1 << p
		}
	}
}

// conflicts is the set of ports whose result bus is taken when the result of a µop that issues now arrives.
func (e *engine) conflicts(ports uint64, back int32) (taken uint64) {
	for p := ports; p != 0; p &= p - 1 {
		if b := bits.TrailingZeros64(p); e.results[b]>>((e.cycle+back)%64)&1 != 0 {
			taken |= 1 << b
		}
	}
	return taken
}

// meet leaves out ports at which the result of a µop would meet with another's. Where that is all of them the ports are noted as met, and those that enough younger
// µops have passed are free no more.
func (e *engine) meet(x *instance, u *uop, ports, free uint64, met *uint64) (left, open uint64) {
	meets := e.conflicts(ports, e.returns(x, u))
	if left = ports &^ meets; left == 0 && meets&uint64(e.core.ResultBus.Ports) != 0 {
		*met |= meets
		e.wanted |= meets
		free = e.hold(meets, free)
	}
	return left, free
}

// hold keeps ports for a µop that as many younger ones have passed as may (ResultBus.Passes).
func (e *engine) hold(ports, free uint64) uint64 {
	for ; ports != 0; ports &= ports - 1 {
		if p := bits.TrailingZeros64(ports); int(e.passed[p]) >= e.core.ResultBus.Passes {
			free &^= 1 << p
		}
	}
	return free
}

// pass notes that a µop takes a port, past one that could not if that has met the results of others.
func (e *engine) pass(port int, met uint64) {
	if met>>port&1 == 0 {
		e.passed[port] = 0
	} else {
		e.passed[port]++
	}
}

// writesBack notes that a port writes a result back so many cycles from now.
func (e *engine) writesBack(port int, back int32) {
	if e.core.buses>>port&1 == 0 {
		return
	}
	e.results[port] |= 1 << ((e.cycle + back) % 64)
	e.due |= 1 << port
}

// patience is how many cycles a load that is quicker than others waits for the result bus that these take one after the other. Then it is an ordinary load: its
// address no longer comes from the load before (the simulator's own: how the core keeps such loads from waiting for ever is not known).
const patience = 16

// returns is the number of cycles from the issue of a ready µop in this cycle to the result bus.
func (e *engine) returns(x *instance, u *uop) int32 {
	if e.cycle-x.ready >= patience {
		return u.plain
	}
	return u.back
}

// available reports whether every resource has a free unit (resources of one µop are of different sets).
func available(extra []hold, free uint64) bool {
	for i := range extra {
		if extra[i].units&free == 0 {
			return false
		}
	}
	return true
}

func (e *engine) occupy(port int, cycles int32) {
	e.busy[port] = e.cycle + cycles
	e.portUse[port] += int64(cycles)
	if cycles > 1 {
		e.long |= 1 << port
	}
}

// freePorts is the set of ports that accept a µop in this cycle.
func (e *engine) freePorts() uint64 {
	if e.core.FreePorts {
		return math.MaxUint64
	}
	free := uint64(1)<<e.core.Ports - 1
	for s := e.long; s != 0; s &= s - 1 {
		if p := bits.TrailingZeros64(s); e.busy[p] > e.cycle {
			free &^= 1 << p
		} else {
			e.long &^= 1 << p
		}
	}
	return free
}

// choose picks one of several free ports: the one that the loop needs least, so that
// a µop with a choice leaves the contended port to one without.
func (e *engine) choose(p uint64) int {
	best := bits.TrailingZeros64(p)
	for q := p & (p - 1); q != 0; q &= q - 1 {
		if b := bits.TrailingZeros64(q); e.core.demand[b] < e.core.demand[best] {
			best = b
		}
	}
	return best
}
