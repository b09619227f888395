package sim

import (
	"math/bits"
	"slices"
)

// This file steers µops to partitions at dispatch (Core.PortQueues): the partitions, here called queues, of a cycle's µops are chosen together. Each queue has a
// place for one of them, some a second place for certain ones. Of the sets of queues that hold each µop it is that in which the
// fewest wait; the µops get them in program order, the lowest first. What has issued keeps its entry for some cycles, and what was taken or became free of late is not
// counted yet. The packet waits until each queue has room for as many µops as it may get, and keeps its queues.
// (US patent 11,294,678 B2, Sobel, Priore and Garg: of the permutations of so many operations, no more than one per queue, one is selected each cycle by how full
// the queues are. The rest is measured, docs/simulator.md.)

const (
	maxPacket = 32                  // µops of a cycle
	noQueue   = int8(maxPortQueues) // of µops that get none
	inEntry   = int8(-2)            // instance.port of a µop that holds an entry and has no port: -2, -3 … by its queue
)

// queueSet is a set of queues, by number.
type queueSet uint8

// first is the lowest queue of a set that is not empty.
func (s queueSet) first() int { return bits.TrailingZeros8(uint8(s)) }

// size is the number of queues of a set.
func (s queueSet) size() int { return bits.OnesCount8(uint8(s)) }

// entryKind says which entry of a queue a µop gets at dispatch.
type entryKind uint8

const (
	noEntry      entryKind = iota // none, or that of the µop it shares one with (uop.follows)
	ownEntry                      // for an operation, alone or with the address that shares the entry, or for what a store of two slots stores
	addressEntry                  // for an address, alone or with what is stored there
)

// packetSteering chooses queues for the µops of a cycle.
type packetSteering struct {
	*window
	sched    *scheduler
	present  packet               // of this cycle
	packets  []members            // by its first µop in the body, where nothing keeps it short
	others   members              // of a packet that something does
	seen     [maxPortQueues]int32 // queue → entries that are taken, as far as the choice knows
	entered  delayed              // entries that were taken, which the choice will know of
	left     delayed              // and those that became free
	received [maxPortQueues]int8  // queue → µops that were dispatched to it in the last cycle
}

// packet is what may be dispatched in a cycle.
type packet struct {
	*members
	first seqNo                // its first µop
	n     seqNo                // how many of the members are dispatched at most
	waits bool                 // it lacks room
	queue [maxPacket]int8      // that each goes to
	gets  [maxPortQueues]int8  // queue → how many go to it
	room  [maxPortQueues]int32 // queue → entries that are known to be free
}

// members are the µops of a packet. They are the same whenever it begins with the same µop of the body, the front end gives slots enough, and all queues with second
// places have them.
type members struct {
	n          seqNo                     // 0: not known
	operations uint32                    // those that get entries for operations, by place in the packet
	addresses  uint32                    // and for addresses
	set        [maxPacket]queueSet       // queues of which each of them gets one
	count      [queueSets]uint8          // set of queues → operations that may go to these
	claims     claims                    // of these
	seconds    [2 * maxPortQueues]second // that µops take
	taken      int                       // how many of them
}

// second is a second place that a µop takes.
type second struct {
	queue int8
	set   queueSet // to which it may go
	nth   int      // of the µops that may go to these
}

func (s *packetSteering) reset(w *window, sched *scheduler) {
	packets := s.packets[:0]
	if w.core.packets() {
		packets = slices.Grow(packets, len(w.body))[:len(w.body)]
		for i := range packets {
			packets[i].n = 0
		}
	}
	*s = packetSteering{window: w, sched: sched, packets: packets}
}

// packets reports whether the core steers µops at dispatch.
func (c *Core) packets() bool { return len(c.PortQueues.Queues) > 0 }

// observe brings what is known of the queues up to date when a cycle's dispatch begins. Of what was dispatched in the cycle before it is known which queues got some, not
// how many: as many as may be.
func (s *packetSteering) observe() {
	c, entered, left := s.core, s.entered.pass(), s.left.pass()
	for q := range c.PortQueues.Queues {
		s.seen[q] += int32(entered>>(8*q)&0xff) - int32(left>>(8*q)&0xff)
		at := c.PortQueues.Queues[q].Scheduler
		free := int32(c.Schedulers[at].Entries - s.sched.taken[at])
		if n := s.received[q]; n > 0 {
			free -= max(0, c.mostQueued-int32(n))
		}
		s.present.room[q] = free
	}
	s.received = [maxPortQueues]int8{}
}

// plan chooses queues for the next µops, up to one that finds no place. Where some queue may have too few entries for as many as it may get, whatever these are,
// nothing goes to queues, and what was chosen stays so.
func (s *packetSteering) plan(next uopIndex, width int) {
	p := &s.present
	if !p.waits || p.first != s.tail {
		p.members, p.first, p.queue = s.gather(next, width), s.tail, [maxPacket]int8{}
		p.gets = s.assignOperations()
		s.assignAddresses(&p.gets)
	}
	p.n, p.waits = p.members.n, false
	for q := range s.core.PortQueues.Queues {
		all := int32(s.core.Schedulers[s.core.PortQueues.Queues[q].Scheduler].Entries)
		if min(max(int32(p.gets[q]), s.core.mostQueued), all) > p.room[q] { // an empty queue is enough, however small
			p.n, p.waits = 0, true
		}
	}
}

// gather finds the members of the packet that begins with the next µop.
func (s *packetSteering) gather(next uopIndex, width int) *members {
	m := &s.others
	if width == s.core.Width && s.hasSeconds() == s.core.seconds {
		if m = &s.packets[next]; m.n > 0 {
			return m
		}
	}
	*m = members{}
	var limited [64]int32 // as renamer.limited
	reached, addresses := uint64(0), 0
	for k, slots := next, 0; m.n < maxPacket; m.n++ {
		u := &s.body[k]
		before, entry := slots, u.entry
		slots += int(u.slots)
		if entry == addressEntry && !u.moves {
			if addresses++; addresses > s.core.addresses.size() { // one for each queue; more take places of operations
				entry = ownEntry
			}
		}
		if before > 0 && before+int(max(u.slots, u.whole)) > width || u.limits&reached != 0 || entry == ownEntry && !s.place(m, u.among|u.holds) {
			break
		}
		m.set[m.n] = u.among | u.holds
		switch entry {
		case ownEntry:
			m.operations |= 1 << m.n
		case addressEntry:
			m.addresses |= 1 << m.n
		}
		for l := u.limits; l != 0; l &= l - 1 {
			k := bits.TrailingZeros64(l)
			if limited[k]++; int(limited[k]) == s.core.DispatchLimits[k].Uops {
				reached |= 1 << k
			}
		}
		if k++; seqNo(k) == s.n {
			k = 0
		}
	}
	return m
}

// hasSeconds are the queues that have a second place in which, as far as the choice knows, there are entries enough for it.
func (s *packetSteering) hasSeconds() (queues queueSet) {
	c := s.core
	for left := c.seconds; left != 0; left &= left - 1 {
		q := left.first()
		if p := &c.PortQueues.Queues[q]; c.Schedulers[p.Scheduler].Entries-int(s.seen[q]) >= p.Free {
			queues |= 1 << q
		}
	}
	return queues
}

// place adds an operation that may go to a set of queues, if all of the cycle's find places then.
func (s *packetSteering) place(m *members, set queueSet) bool {
	m.count[set]++
	m.claims.add(set)
	if left, free := s.firsts(m); left.fit(free) {
		return true
	}
	m.count[set]--
	m.claims.remove(set)
	return false
}

// firsts takes off the µops that take second places: the last of so many of a kind that they find no first places, or the first of those that leave none to others; if
// that has one of its kind beside it, this goes to the other queue. It returns those that are left, and the first places left to them.
func (s *packetSteering) firsts(m *members) (left claims, free queueSet) {
	left, free = m.claims, allQueues
	m.taken = 0
	for has := s.hasSeconds(); has != 0; has &= has - 1 {
		q := has.first()
		set := s.core.second[q]
		n, queues := int(m.count[set]), set.size()
		switch {
		case n > queues:
			m.take(second{int8(q), set, n - 1})
		case n > 0 && queues > 1 && left.total() > len(s.core.PortQueues.Queues):
			m.take(second{int8(q), set, 0})
			if n == 2 && queues == 2 {
				other := set &^ (1 << q)
				m.take(second{int8(other.first()), set, 1})
				free &^= other
				left.remove(set)
			}
		default:
			continue
		}
		left.remove(set)
	}
	return left, free
}

// assignOperations gives the operations of a cycle their queues, and says how many µops each queue gets. Of the sets of queues that hold one of each operation without a
// second place it takes that in which the fewest wait; the operations get them in program order, each the lowest that leaves one to all that follow.
func (s *packetSteering) assignOperations() (got [maxPortQueues]int8) {
	p := &s.present
	left, free := s.firsts(p.members)
	queues := queueSet(0)
	for n := left.total(); n > 0 && free != 0; {
		q := s.fewest(free)
		free &^= q
		if left.fill(queues | q) {
			queues |= q
			n--
		}
	}
	var nth [queueSets]int
	for o := p.operations; o != 0; o &= o - 1 {
		i := bits.TrailingZeros32(o)
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
		p.queue[i] = int8(q.first())
		got[p.queue[i]]++
	}
	return got
}

// assignAddresses gives queues to the µops of a cycle that compute addresses and share no entry with an operation: those in which the fewest wait, of the queues that
// take one more (Core.PortQueues.Addresses) beside those that they got.
func (s *packetSteering) assignAddresses(got *[maxPortQueues]int8) {
	p, seen := &s.present, s.seen
	for a := p.addresses; a != 0; a &= a - 1 {
		i := bits.TrailingZeros32(a)
		room := p.set[i]
		if room == s.core.addresses {
			for q, n := range got {
				if int(n) >= s.core.PortQueues.Addresses.Uops {
					room &^= 1 << q
				}
			}
		}
		if room == 0 {
			room = p.set[i]
		}
		q := s.fewest(room).first()
		p.queue[i] = int8(q)
		s.seen[q] += int32(s.core.PortQueues.Counts.Address)
		got[q]++
	}
	s.seen = seen
}

// take notes a second place that is given.
func (m *members) take(s second) {
	m.seconds[m.taken] = s
	m.taken++
}

// isSecond is the queue of the nth µop that may go to a set of queues if it takes a second place, or beside such one the place that is left, else 0.
func (m *members) isSecond(set queueSet, nth int) queueSet {
	for i := range m.taken {
		if s := &m.seconds[i]; s.set == set && s.nth == nth {
			return 1 << s.queue
		}
	}
	return 0
}

// fewest is the one of some queues in which the fewest µops wait, the lowest if as many do in several; 0 of none.
func (s *packetSteering) fewest(among queueSet) queueSet {
	if among == 0 {
		return 0
	}
	best := among.first()
	for x := among; x != 0; x &= x - 1 {
		if q := x.first(); s.seen[q] < s.seen[best] {
			best = q
		}
	}
	return 1 << best
}

// full says why the packet has no queue for a µop, none if it has.
func (s *packetSteering) full(seq seqNo) Reason {
	switch {
	case s.queueOf(seq) != noQueue:
		return none
	case s.present.n > 0:
		return DispatchLimit
	}
	return SchedulerFull
}

// enter puts a µop into its queue: the entry that an older µop of its instruction has, or one of its own.
func (s *packetSteering) enter(x *instance, u *uop) {
	q := s.queueOf(x.seq)
	if u.follows != 0 {
		q = s.core.queueAt[s.ring[(x.seq-u.follows)&s.mask].port]
	}
	if u.among != 0 {
		x.port = s.portIn(u, q)
	}
	if u.holds != 0 {
		x.port = inEntry - q
	}
	if u.follows != 0 {
		return
	}
	s.sched.taken[s.core.PortQueues.Queues[q].Scheduler]++
	s.received[q]++
	s.entered.add(int(q), s.core.PortQueues.Counts.Late)
}

// leave frees the entry of a µop that issues, some cycles later, unless a younger µop of its instruction holds it.
func (s *packetSteering) leave(x *instance, u *uop) {
	if u.stays {
		return
	}
	q, c := inEntry-x.port, &s.core.PortQueues.Counts
	switch {
	case u.follows != 0:
		q = s.core.queueAt[s.ring[(x.seq-u.follows)&s.mask].port]
	case u.holds == 0:
		q = s.core.queueAt[x.port]
	}
	s.sched.leaving.add(int(q), c.Held)
	s.left.add(int(q), c.Held+c.Late)
}

// queueOf is the queue chosen for a µop, noQueue if it must wait.
func (s *packetSteering) queueOf(seq seqNo) int8 {
	if i := seq - s.present.first; i < s.present.n {
		return s.present.queue[i]
	}
	return noQueue
}

// portIn is the port of a µop in a queue.
func (s *packetSteering) portIn(u *uop, q int8) int8 {
	at := s.core.PortQueues.Queues[q].Scheduler
	return int8(bits.Len64(uint64(u.ports)&uint64(s.core.Schedulers[at].Ports)) - 1)
}

// packetOutline is the state beside what the µops in flight tell.
type packetOutline struct {
	entered, left [delays]uint64
	received      [maxPortQueues]int8
	planned       [maxPacket]int8 // queues of a packet that waits
}

func (s *packetSteering) outline() packetOutline {
	o := packetOutline{entered: s.entered.fromNow(), left: s.left.fromNow(), received: s.received}
	if s.present.waits {
		o.planned = s.present.queue
	}
	return o
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

// steered reports whether a µop has an entry of a queue, or shares one.
func (u *uop) steered() bool { return u.among|u.holds != 0 || u.follows != 0 }

// queuePorts finds out to which queue each port belongs and which µops second places are for.
func (c *Core) queuePorts() {
	for p := range c.queueAt {
		c.queueAt[p] = noQueue
	}
	for q := range c.PortQueues.Queues {
		c.steered[q] = c.PortQueues.Queues[q].Scheduler
		for s := portSet(c.Schedulers[c.steered[q]].Ports); s != 0; s &= s - 1 {
			c.queueAt[s.first()] = int8(q)
		}
	}
	for q := range c.PortQueues.Queues {
		if c.second[q] = c.queuesOf(portSet(c.PortQueues.Queues[q].Second)); c.second[q] != 0 {
			c.seconds |= 1 << q
		}
	}
	c.addresses = c.queuesOf(portSet(c.PortQueues.Addresses.Ports))
	if c.mostQueued = 1; c.seconds != 0 {
		c.mostQueued = 2
	}
	c.mostQueued = max(c.mostQueued, int32(c.PortQueues.Addresses.Uops))
}

// queuesOf is the set of queues of which a µop with these ports gets one at dispatch; 0 if some of the ports have none.
func (c *Core) queuesOf(ports portSet) (set queueSet) {
	for s := ports; s != 0 && !c.FreePorts; s &= s - 1 {
		q := c.queueAt[s.first()]
		if q == noQueue {
			return 0
		}
		set |= 1 << q
	}
	return set
}
