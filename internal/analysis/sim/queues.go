package sim

import (
	"math/bits"

	"incore/internal/machine"
)

// This file is the choice of a scheduler at dispatch, on cores that give each µop one of several (Core.PortQueues). The queues of a cycle's µops
// are chosen together: each queue has a place for one of them, some a second place for certain ones. Of the sets of queues that hold each µop it is that in which the
// fewest wait; the µops get them in program order, the lowest first. What has issued keeps its entry for some cycles, and what was taken or became free of late is not
// counted yet. The packet waits until each queue has room for as many µops as it may get, and keeps its queues.
// (US patent 11,294,678 B2, Sobel, Priore and Garg: of the permutations of so many operations, no more than one per queue, one is selected each cycle by how full
// the queues are. The rest is measured, docs/simulator.md.)

const (
	maxPacket = 32                  // µops of a cycle
	noQueue   = int8(maxPortQueues) // of µops that get none
	inQueue   = int8(-2)            // instance.port of a µop that holds an entry and waits: -2, -3 … by its queue
)

// entryKind says which entry of a queue a µop gets at dispatch.
type entryKind uint8

const (
	noEntry      entryKind = iota // none, or that of the µop it shares one with (uop.follows)
	ownEntry                      // for an operation, alone or with the address that shares the entry, or for what a store of two slots stores
	addressEntry                  // for an address, alone or with what is stored there
)

// packet is what may be dispatched in a cycle.
type packet struct {
	*members
	first int32                // number of its first µop
	n     int32                // how many of the members are dispatched at most
	waits bool                 // it lacks room
	queue [maxPacket]int8      // that each goes to
	gets  [maxPortQueues]int8  // queue → how many go to it
	room  [maxPortQueues]int32 // queue → entries that are known to be free
}

// members are the µops of a packet. They are the same whenever it begins with the same µop of the body, the front end gives slots enough, and all queues with second
// places have them.
type members struct {
	n          int32                     // 0: not known
	operations uint32                    // those that get entries for operations, by place in the packet
	addresses  uint32                    // and for addresses
	set        [maxPacket]uint8          // queues of which each of them gets one
	count      [queueSets]uint8          // set of queues → operations that may go to these
	claims     claims                    // of these
	seconds    [2 * maxPortQueues]second // that µops take
	taken      int                       // how many of them
}

// news is how many entries of queues are taken more in this cycle, in the next, and so on.
type news [machine.MaxQueueCount + 1][maxPortQueues]int8

// pass goes on to the next cycle.
func (n *news) pass() {
	copy(n[:], n[1:])
	n[len(n)-1] = [maxPortQueues]int8{}
}

// hear brings what is known of the queues up to date when a cycle's dispatch begins. Of what was dispatched in the cycle before it is known which queues got some, not
// how many: as many as may be.
func (e *engine) hear() {
	c := e.core
	for q := range c.PortQueues.Queues {
		e.seen[q] += int32(e.news[0][q])
		s := c.PortQueues.Queues[q].Scheduler
		e.schedN[s] += int(e.freeing[0][q])
		free := int32(c.Schedulers[s].Entries - e.schedN[s])
		if n := e.came[q]; n > 0 {
			free -= max(0, c.mostQueued-int32(n))
		}
		e.packet.room[q] = free
	}
	e.news.pass()
	e.freeing.pass()
	e.came = [maxPortQueues]int8{}
}

// plan chooses queues for the next µops, up to one that finds no place. Where some queue may have too few entries for as many as it may get, whatever these are,
// nothing goes to queues, and what was chosen stays so.
func (e *engine) plan(width int) {
	p := &e.packet
	if !p.waits || p.first != e.tail {
		p.members, p.first, p.queue = e.gather(width), e.tail, [maxPacket]int8{}
		p.gets = e.give()
		e.giveAddresses(&p.gets)
	}
	p.n, p.waits = p.members.n, false
	for q := range e.core.PortQueues.Queues {
		all := int32(e.core.Schedulers[e.core.PortQueues.Queues[q].Scheduler].Entries)
		if min(max(int32(p.gets[q]), e.core.mostQueued), all) > p.room[q] { // an empty queue is enough, however small
			p.n, p.waits = 0, true
		}
	}
}

// gather finds the members of the packet that begins with the next µop.
func (e *engine) gather(width int) *members {
	m := &e.others
	if width == e.core.Width && e.hasSeconds() == e.core.seconds {
		if m = &e.packets[e.nextUop]; m.n > 0 {
			return m
		}
	}
	*m = members{}
	var limited [64]int32 // as engine.limited
	full, addresses := uint64(0), 0
	for k, slots := e.nextUop, 0; m.n < maxPacket; m.n++ {
		u := &e.body[k]
		before, entry := slots, u.entry
		slots += int(u.slots)
		if entry == addressEntry && !u.moves {
			if addresses++; addresses > bits.OnesCount8(e.core.addresses) { // one for each queue; more take places of operations
				entry = ownEntry
			}
		}
		if before > 0 && before+int(max(u.slots, u.whole)) > width || u.limits&full != 0 || entry == ownEntry && !e.place(m, u.among|u.holds) {
			break
		}
		m.set[m.n] = u.among | u.holds
		switch entry {
		case ownEntry:
			m.operations |= 1 << m.n
		case addressEntry:
			m.addresses |= 1 << m.n
		}
		for s := u.limits; s != 0; s &= s - 1 {
			k := bits.TrailingZeros64(s)
			if limited[k]++; int(limited[k]) == e.core.DispatchLimits[k].Uops {
				full |= 1 << k
			}
		}
		if k++; k == e.n {
			k = 0
		}
	}
	return m
}

// hasSeconds are the queues that have a second place in which, as far as the choice knows, there are entries enough for it.
func (e *engine) hasSeconds() (queues uint8) {
	c := e.core
	for s := c.seconds; s != 0; s &= s - 1 {
		q := bits.TrailingZeros8(s)
		if p := &c.PortQueues.Queues[q]; c.Schedulers[p.Scheduler].Entries-int(e.seen[q]) >= p.Free {
			queues |= 1 << q
		}
	}
	return queues
}

// place adds an operation that may go to a set of queues, if all of the cycle's find places then.
func (e *engine) place(m *members, set uint8) bool {
	m.count[set]++
	m.claims.add(set)
	if left, free := e.firsts(m); left.fit(free) {
		return true
	}
	m.count[set]--
	m.claims.remove(set)
	return false
}

// second is a second place that a µop takes.
type second struct {
	queue int8
	set   uint8 // of queues, to which it may go
	nth   int   // of the µops that may go to these
}

// firsts takes off the µops that take second places: the last of so many of a kind that they find no first places, or the first of those that leave none to others; if
// that has one of its kind beside it, this goes to the other queue. It returns those that are left, and the first places left to them.
func (e *engine) firsts(m *members) (left claims, free uint8) {
	left, free = m.claims, allQueues
	m.taken = 0
	for has := e.hasSeconds(); has != 0; has &= has - 1 {
		q := bits.TrailingZeros8(has)
		s := e.core.second[q]
		n, queues := int(m.count[s]), bits.OnesCount8(s)
		switch {
		case n > queues:
			m.take(second{int8(q), s, n - 1})
		case n > 0 && queues > 1 && left.total() > len(e.core.PortQueues.Queues):
			m.take(second{int8(q), s, 0})
			if n == 2 && queues == 2 {
				other := s &^ (1 << q)
				m.take(second{int8(bits.TrailingZeros8(other)), s, 1})
				free &^= other
				left.remove(s)
			}
		default:
			continue
		}
		left.remove(s)
	}
	return left, free
}

// give gives the operations of a cycle their queues, and says how many µops each queue gets. Of the sets of queues that hold one of each operation without a second
// place it takes that in which the fewest wait; the operations get them in program order, each the lowest that leaves one to all that follow.
func (e *engine) give() (got [maxPortQueues]int8) {
	p := &e.packet
	left, free := e.firsts(p.members)
	queues := uint8(0)
	for n := left.total(); n > 0 && free != 0; {
		q := e.fewest(free)
		free &^= q
		if left.fill(queues | q) {
			queues |= q
			n--
		}
	}
	var nth [queueSets]int
	for s := p.operations; s != 0; s &= s - 1 {
		i := bits.TrailingZeros32(s)
		set := p.set[i]
		q := p.isSecond(set, nth[set])
		nth[set]++
		if q == 0 {
			left.remove(set)
			x := set & queues
			for q = x & -x; x&(x-1) != 0 && !left.fit(queues&^q); q = x & -x {
				x &^= q
			}
			queues &^= q
		}
		p.queue[i] = int8(bits.TrailingZeros8(q))
		got[p.queue[i]]++
	}
	return got
}

// giveAddresses gives queues to the µops of a cycle that compute addresses and share no entry with an operation: those in which the fewest wait, of the queues that
// take one more (Core.PortQueues.Addresses) beside those that they got.
func (e *engine) giveAddresses(got *[maxPortQueues]int8) {
	p, seen := &e.packet, e.seen
	for s := p.addresses; s != 0; s &= s - 1 {
		i := bits.TrailingZeros32(s)
		room := p.set[i]
		if room == e.core.addresses {
			for q, n := range got {
				if int(n) >= e.core.PortQueues.Addresses.Uops {
					room &^= 1 << q
				}
			}
		}
		if room == 0 {
			room = p.set[i]
		}
		q := bits.TrailingZeros8(e.fewest(room))
		p.queue[i] = int8(q)
		e.seen[q] += int32(e.core.PortQueues.Counts.Address)
		got[q]++
	}
	e.seen = seen
}

// take notes a second place that is given.
func (m *members) take(s second) {
	m.seconds[m.taken] = s
	m.taken++
}

// isSecond is the queue of the nth µop that may go to a set of queues if it takes a second place, or beside such one the place that is left, else 0.
func (m *members) isSecond(set uint8, nth int) uint8 {
	for i := range m.taken {
		if s := &m.seconds[i]; s.set == set && s.nth == nth {
			return 1 << s.queue
		}
	}
	return 0
}

// fewest is the one of some queues in which the fewest µops wait, the lowest if as many do in several; 0 of none.
func (e *engine) fewest(among uint8) uint8 {
	if among == 0 {
		return 0
	}
	best := bits.TrailingZeros8(among)
	for x := among; x != 0; x &= x - 1 {
		if q := bits.TrailingZeros8(x); e.seen[q] < e.seen[best] {
			best = q
		}
	}
	return 1 << best
}

// enter puts a µop into its queue: the entry that an older µop of its instruction has, or one of its own.
func (e *engine) enter(x *instance, u *uop) {
	q := e.queueOf(x.seq)
	if u.follows != 0 {
		q = e.core.queueAt[e.ring[(x.seq-u.follows)&e.mask].port]
	}
	if u.among != 0 {
		x.port = e.portIn(u, q)
	}
	if u.holds != 0 {
		x.port = inQueue - q
	}
	if u.follows != 0 {
		return
	}
	e.schedN[e.core.PortQueues.Queues[q].Scheduler]++
	e.came[q]++
	e.news[e.core.PortQueues.Counts.Late][q]++
}

// leave frees the entry of a µop that issues, some cycles later, unless a younger µop of its instruction holds it.
func (e *engine) leave(x *instance, u *uop) {
	if u.stays {
		return
	}
	q, c := inQueue-x.port, &e.core.PortQueues.Counts
	switch {
	case u.follows != 0:
		q = e.core.queueAt[e.ring[(x.seq-u.follows)&e.mask].port]
	case u.holds == 0:
		q = e.core.queueAt[x.port]
	}
	e.freeing[c.Held][q]--
	e.news[c.Held+c.Late][q]--
}

// queueOf is the queue chosen for a µop, noQueue if it must wait.
func (e *engine) queueOf(seq int32) int8 {
	if i := seq - e.packet.first; i < e.packet.n {
		return e.packet.queue[i]
	}
	return noQueue
}

// portIn is the port of a µop in a queue.
func (e *engine) portIn(u *uop, q int8) int8 {
	s := e.core.PortQueues.Queues[q].Scheduler
	return int8(bits.Len64(u.ports&uint64(e.core.Schedulers[s].Ports)) - 1)
}

// entryOf is the kind of entry that a µop gets.
func (u *uop) entryOf() entryKind {
	switch {
	case u.among|u.holds == 0 || u.follows != 0:
		return noEntry
	case u.moves || u.address() && !u.works:
		return addressEntry
	}
	return ownEntry
}

// inQueues reports whether a µop has an entry of a queue, or shares one.
func (u *uop) inQueues() bool { return u.among|u.holds != 0 || u.follows != 0 }

// address reports whether a µop computes an address.
func (u *uop) address() bool { return u.kind == kindLoad || u.kind == kindStoreAddr }

// queuePorts finds out to which queue each port belongs and which µops second places are for.
func (c *Core) queuePorts() {
	for p := range c.queueAt {
		c.queueAt[p] = noQueue
	}
	for q := range c.PortQueues.Queues {
		for s := c.Schedulers[c.PortQueues.Queues[q].Scheduler].Ports; s != 0; s &= s - 1 {
			c.queueAt[bits.TrailingZeros64(uint64(s))] = int8(q)
		}
	}
	for q := range c.PortQueues.Queues {
		if c.second[q] = c.queuesOf(c.PortQueues.Queues[q].Second); c.second[q] != 0 {
			c.seconds |= 1 << q
		}
	}
	c.addresses = c.queuesOf(c.PortQueues.Addresses.Ports)
	if c.mostQueued = 1; c.seconds != 0 {
		c.mostQueued = 2
	}
	c.mostQueued = max(c.mostQueued, int32(c.PortQueues.Addresses.Uops))
}

// queuesOf is the set of queues of which a µop with these ports gets one at dispatch; 0 if some of the ports have none.
func (c *Core) queuesOf(ports machine.PortSet) (set uint8) {
	for s := uint64(ports); s != 0 && !c.FreePorts; s &= s - 1 {
		q := c.queueAt[bits.TrailingZeros64(s)]
		if q == noQueue {
			return 0
		}
		set |= 1 << q
	}
	return set
}
