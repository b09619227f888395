package sim

import (
	"math/bits"

	"incore/internal/analysis/uops"
)

// This file is select: it assigns ports to ready µops in each cycle.

// issue sends ready µops to free ports, oldest first, one independent group of ports after another.
func (p *pipeline) issue() {
	if p.now < p.stalled {
		return
	}
	p.order.begin()
	if p.ready.waiting == 0 {
		p.order.end()
		p.vain.advance(1)
		return
	}
	free := p.exec.free()
	p.issueApart(p.ready.alone, free)
	p.order.within = p.order.early
	for _, group := range p.ready.groups {
		free = p.issueAmong(group, free)
	}
	for len(p.order.again) > 0 { // of an in-order core, which has one group
		for _, i := range p.order.again {
			p.ready.insert(i, &p.ring[i])
		}
		p.order.again = p.order.again[:0]
		free = p.issueAmong(p.ready.groups[0], free)
	}
	p.order.within = false
	p.order.end()
	p.lots.end(len(p.vain.list) > 0, p.now)
	if p.core.SpeculativeWakeup {
		p.vain.end(p.ready.youngest(), free)
	}
}

// issueAmong sends the ready µops of several lists to free ports, and returns the ports that stay free.
func (p *pipeline) issueAmong(lists uint64, free portSet) portSet {
	r := &p.ready
	met := portSet(0)    // ports whose result bus was not free for some µop
	var reads cacheReads // of this cycle
	for left := r.look(lists); left != 0 && free != 0; {
		k := r.oldest(left)
		l := &r.lists[k]
		if l.ports&free == 0 || l.units&free == 0 {
			left &^= 1 << k
			continue
		}
		x := &p.ring[l.next-1]
		u := p.of(x)
		l.next = x.next
		left = r.following(k, left)
		free = p.vain.before(x.seq, free)
		open := x.ports & free
		if x.port >= 0 {
			open &= uops.Port(int(x.port))
		}
		if !u.Plainly {
			if u.Back > 0 {
				asked := open
				open, free = p.bus.exclude(x, u, open, free, &met)
				if p.core.Chance { // ports choose before results are compared: one whose bus is taken issues nothing
					free &^= asked &^ open
				}
			}
			if p.bus.blocks(u) {
				open = 0
			}
			if open != 0 && reads.conflict(u) { // it does not issue, but has used up the port
				free &^= open & -open
				continue
			}
		}
		if open == 0 && u.Ports != 0 || p.memory.waits(x, u) {
			continue
		}
		if !u.Plainly {
			if reads.meets(u) || !p.exec.available(x, u, free) || !p.order.may(x, u) {
				continue
			}
			reads.add(u)
			free = p.exec.occupyUnits(x, u, free)
		}
		r.take(l, x)
		port := -1
		if open != 0 {
			if port = p.core.NeedsLeast(open); !p.core.FreePorts {
				free &^= uops.Port(port)
			}
			p.exec.occupy(uint(port), p.occupancy(x, u))
			p.bus.issued(x, u, uint(port), met)
			p.lots.issued(x, u, p.now)
		}
		p.execute(x, u, port, x.ready < p.now)
	}
	return free
}

// issueApart sends ready µops to free ports, for lists that share no port with other lists and whose µops need nothing else.
func (p *pipeline) issueApart(lists uint64, free portSet) {
	r := &p.ready
	for s := r.some & lists; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		l := &r.lists[k]
		if l.oldest == 0 {
			r.some &^= 1 << k
			continue
		}
		open, met := l.ports&free, portSet(0)
		for next := l.oldest; open != 0 && next != 0; {
			x := &p.ring[next-1]
			next = x.next
			u := p.of(x)
			to := open
			if u.Back > 0 {
				to, open = p.bus.exclude(x, u, to, open, &met)
			}
			if to == 0 || p.memory.waits(x, u) {
				continue
			}
			r.take(l, x)
			port := p.core.NeedsLeast(to)
			open &^= uops.Port(port)
			p.exec.occupy(uint(port), p.occupancy(x, u))
			if u.Back > 0 || p.core.ResultBus.Ports != 0 {
				p.bus.issued(x, u, uint(port), met)
			}
			p.execute(x, u, port, false)
		}
	}
}

// cacheReads holds the reads of the data cache by the loads of a cycle.
type cacheReads struct {
	places      uint64 // known places (Banks.Conflict)
	once, twice uint64 // banks with at least one read, and with two reads
}

// conflict reports whether a load needs a bank that already has two reads.
func (r *cacheReads) conflict(u *uop) bool { return u.Banks&r.twice != 0 }

// meets reports whether a load cannot read in the same cycle as another one.
func (r *cacheReads) meets(u *uop) bool { return u.Clash&r.places != 0 }

// add records the reads of a load.
func (r *cacheReads) add(u *uop) {
	r.places |= u.Place
	r.once, r.twice = r.once|u.Banks, r.twice|r.once&u.Banks
}
