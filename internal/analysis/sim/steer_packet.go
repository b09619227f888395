package sim

import (
	"math/bits"
	"slices"
)

// This file steers µops to partitions at dispatch (machine.SteerPackets): those of a cycle's µops are chosen together. Each partition has a
// place for one of them, some a second place for certain ones. Of the sets of partitions that hold each µop it is that in which the
// fewest wait; the µops get them in program order, the lowest first. What has issued keeps its entry for some cycles, and what was taken or became free of late is not
// counted yet. The packet waits until each partition has room for as many µops as it may get, and keeps its partitions.
// (US patent 11,294,678 B2, Sobel, Priore and Garg: of the permutations of so many operations, no more than one per queue, one is selected each cycle by how full
// the queues are. The rest is measured, docs/simulator.md.)

const maxPacket = 32 // µops of a cycle

// entryKind says which entry of a partition a µop gets at dispatch.
type entryKind uint8

const (
	noEntry      entryKind = iota // none, or that of the µop it shares one with (uop.follows)
	ownEntry                      // for an operation, alone or with the address that shares the entry, or for what a store of two slots stores
	addressEntry                  // for an address, alone or with what is stored there
)

// packetSteering chooses partitions for the µops of a cycle.
type packetSteering struct {
	*window
	sched    *scheduler
	group    *group
	present  packet               // of this cycle
	packets  []members            // by its first µop in the body, where nothing keeps it short; of a loop
	others   members              // of a packet that something does
	seen     [maxPartitions]int32 // partition → entries that are taken, as far as the choice knows
	entered  delayed              // entries that were taken, which the choice will know of
	left     delayed              // and those that became free
	received [maxPartitions]int8  // partition → µops that were dispatched to it in the last cycle
	marks    [marks]packetMark
}

// packet is what may be dispatched in a cycle.
type packet struct {
	*members
	first     seqNo                // its first µop
	n         seqNo                // how many of the members are dispatched at most
	waits     bool                 // it lacks room
	partition [maxPacket]int8      // that each goes to
	gets      [maxPartitions]int8  // partition → how many go to it
	room      [maxPartitions]int32 // partition → entries that are known to be free
}

// members are the µops of a packet. They are the same whenever it begins with the same µop of the body, the front end gives slots enough, and all partitions with second
// places have them.
type members struct {
	n          seqNo                     // 0: not known
	operations uint32                    // those that get entries for operations, by place in the packet
	addresses  uint32                    // and for addresses
	set        [maxPacket]partitionSet   // partitions of which each of them gets one
	count      [partitionSets]uint8      // set of partitions → operations that may go to these
	claims     claims                    // of these
	seconds    [2 * maxPartitions]second // that µops take
	taken      int                       // how many of them
}

// second is a second place that a µop takes.
type second struct {
	partition int8
	set       partitionSet // to which it may go
	nth       int          // of the µops that may go to these
}

func (s *packetSteering) reset(w *window, sched *scheduler, g *group) {
	n := len(w.body)
	if w.once {
		n = 0
	}
	packets := slices.Grow(s.packets[:0], n)[:n]
	for i := range packets {
		packets[i].n = 0
	}
	*s = packetSteering{window: w, sched: sched, group: g, packets: packets}
}

// observe brings what is known of the partitions up to date when a cycle's dispatch begins. Of what was dispatched in the cycle before it is known which partitions got some, not
// how many: as many as may be.
func (s *packetSteering) observe() {
	entered, left := s.entered.pass(), s.left.pass()
	for q := range s.group.Partitions {
		s.seen[q] += int32(entered>>(countBits*q)&countMask) - int32(left>>(countBits*q)&countMask)
		at := s.group.Partitions[q].Scheduler
		free := s.sched.entries[at].all - s.sched.entries[at].taken
		if n := s.received[q]; n > 0 {
			free -= max(0, s.group.most-int32(n))
		}
		s.present.room[q] = free
	}
	s.received = [maxPartitions]int8{}
}

// plan chooses partitions for the next µops, up to one that finds no place. Where some partition may have too few entries for as many as it may get, whatever these are,
// nothing goes to partitions, and what was chosen stays so.
func (s *packetSteering) plan(next uopIndex, width int) {
	p := &s.present
	if !p.waits || p.first != s.tail {
		p.members, p.first, p.partition = s.gather(next, width), s.tail, [maxPacket]int8{}
		p.gets = s.assignOperations()
		s.assignAddresses(&p.gets)
	}
	p.n, p.waits = p.members.n, false
	for q := range s.group.Partitions {
		all := int32(s.core.Schedulers[s.group.Partitions[q].Scheduler].Entries)
		if min(max(int32(p.gets[q]), s.group.most), all) > p.room[q] { // an empty partition is enough, however small
			p.n, p.waits = 0, true
		}
	}
}

// gather finds the members of the packet that begins with the next µop.
func (s *packetSteering) gather(next uopIndex, width int) *members {
	m := &s.others
	if len(s.packets) > 0 && width == s.core.Width && s.hasSeconds() == s.group.seconds {
		if m = &s.packets[next]; m.n > 0 {
			return m
		}
	}
	*m = members{}
	var limited [maxLimits]int32 // as renamer.limited
	reached, addresses := uint64(0), 0
	for k, slots := next, 0; m.n < maxPacket; m.n++ {
		u := &s.body[k]
		before, entry := slots, noEntry
		if u.group > 0 && &s.core.groups[u.group-1] == s.group {
			entry = u.entryOf()
		}
		slots += int(u.slots)
		if entry == addressEntry && !u.moves {
			if addresses++; addresses > s.group.addresses.size() { // one for each partition; more take places of operations
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

// hasSeconds are the partitions that have a second place in which, as far as the choice knows, there are entries enough for it.
func (s *packetSteering) hasSeconds() (has partitionSet) {
	c := s.core
	for left := s.group.seconds; left != 0; left &= left - 1 {
		q := left.first()
		if p := &s.group.Partitions[q]; c.Schedulers[p.Scheduler].Entries-int(s.seen[q]) >= p.Free {
			has |= 1 << q
		}
	}
	return has
}

// place adds an operation that may go to a set of partitions, if all of the cycle's find places then.
func (s *packetSteering) place(m *members, set partitionSet) bool {
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
// that has one of its kind beside it, this goes to the other partition. It returns those that are left, and the first places left to them.
func (s *packetSteering) firsts(m *members) (left claims, free partitionSet) {
	left, free = m.claims, allPartitions
	m.taken = 0
	for has := s.hasSeconds(); has != 0; has &= has - 1 {
		q := has.first()
		set := s.group.second[q]
		n, size := int(m.count[set]), set.size()
		switch {
		case n > size:
			m.take(second{int8(q), set, n - 1})
		case n > 0 && size > 1 && left.total() > len(s.group.Partitions):
			m.take(second{int8(q), set, 0})
			if n == 2 && size == 2 {
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

// assignOperations gives the operations of a cycle their partitions, and says how many µops each partition gets. Of the sets of partitions that hold one of each operation without a
// second place it takes that in which the fewest wait; the operations get them in program order, each the lowest that leaves one to all that follow.
func (s *packetSteering) assignOperations() (got [maxPartitions]int8) {
	p := &s.present
	left, free := s.firsts(p.members)
	held := partitionSet(0)
	for n := left.total(); n > 0 && free != 0; {
		q := s.fewest(free)
		free &^= q
		if left.fill(held | q) {
			held |= q
			n--
		}
	}
	var nth [partitionSets]int
	for o := p.operations; o != 0; o &= o - 1 {
		i := bits.TrailingZeros32(o)
		set := p.set[i]
		q := p.isSecond(set, nth[set])
		nth[set]++
		if q == 0 {
			left.remove(set)
			x := set & held
			for q = x & -x; x&(x-1) != 0 && !left.fit(held&^q); q = x & -x {
				x &^= q
			}
			held &^= q
		}
		p.partition[i] = int8(q.first())
		got[p.partition[i]]++
	}
	return got
}

// assignAddresses gives partitions to the µops of a cycle that compute addresses and share no entry with an operation: those in which the fewest wait, of the partitions that
// take one more (machine.Steering.Addresses) beside those that they got.
func (s *packetSteering) assignAddresses(got *[maxPartitions]int8) {
	p, seen := &s.present, s.seen
	for a := p.addresses; a != 0; a &= a - 1 {
		i := bits.TrailingZeros32(a)
		room := p.set[i]
		if room == s.group.addresses {
			for q, n := range got {
				if int(n) >= s.group.Addresses.Uops {
					room &^= 1 << q
				}
			}
		}
		if room == 0 {
			room = p.set[i]
		}
		q := s.fewest(room).first()
		p.partition[i] = int8(q)
		s.seen[q] += int32(s.group.AddressWeight)
		got[q]++
	}
	s.seen = seen
}

// take notes a second place that is given.
func (m *members) take(s second) {
	m.seconds[m.taken] = s
	m.taken++
}

// isSecond is the partition of the nth µop that may go to a set of partitions if it takes a second place, or beside such one the place that is left, else 0.
func (m *members) isSecond(set partitionSet, nth int) partitionSet {
	for i := range m.taken {
		if s := &m.seconds[i]; s.set == set && s.nth == nth {
			return 1 << s.partition
		}
	}
	return 0
}

// fewest is the one of some partitions in which the fewest µops wait, the lowest if as many do in several; 0 of none.
func (s *packetSteering) fewest(among partitionSet) partitionSet {
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

// full says why the packet has no partition for the next µop, none if it has.
func (s *packetSteering) full(u *op) Reason {
	switch {
	case u.follows != 0 || s.partitionFor(s.tail) != noPartition:
		return none
	case s.present.n > 0:
		return DispatchLimit
	}
	return SchedulerFull
}

// enter puts a µop into its partition: the entry that an older µop of its instruction has, or one of its own.
func (s *packetSteering) enter(x *instance, u *uop, _ int) {
	q := s.partitionFor(x.seq)
	if u.follows != 0 {
		q = s.core.partitionOf[s.ring[(x.seq-u.follows)&s.mask].port]
	}
	if u.among != 0 {
		x.port = s.portIn(u, q)
	}
	if u.holds != 0 {
		x.port = chosen - q
	}
	if u.follows != 0 {
		return
	}
	s.sched.entries[s.group.Partitions[q].Scheduler].taken++
	s.received[q]++
	s.entered.add(int(q), s.group.Delay)
}

func (s *packetSteering) distribute(*pipeline) {}

// leave frees the entry of a µop that issues, some cycles later, unless a younger µop of its instruction holds it.
func (s *packetSteering) leave(x *instance, u *uop, _ int) {
	if u.stays {
		return
	}
	q := chosen - x.port
	switch {
	case u.follows != 0:
		q = s.core.partitionOf[s.ring[(x.seq-u.follows)&s.mask].port]
	case u.holds == 0:
		q = s.core.partitionOf[x.port]
	}
	s.sched.free(s.group, q)
	s.left.add(int(q), s.group.Hold+s.group.Delay)
}

// partitionFor is the partition chosen for a µop, noPartition if it must wait.
func (s *packetSteering) partitionFor(seq seqNo) int8 {
	if i := seq - s.present.first; i < s.present.n {
		return s.present.partition[i]
	}
	return noPartition
}

// portIn is the port of a µop in a partition.
func (s *packetSteering) portIn(u *uop, q int8) int8 {
	at := s.group.Partitions[q].Scheduler
	return int8(bits.Len64(uint64(u.ports)&uint64(s.core.Schedulers[at].Ports)) - 1)
}

// packetMark is a state beside what the µops in flight tell.
type packetMark struct {
	entered, left delayed
	received      [maxPartitions]int8
	planned       [maxPacket]int8 // partitions of a packet that waits
}

// planned are the partitions of a packet that waits.
func (s *packetSteering) planned() (q [maxPacket]int8) {
	if s.present.waits {
		q = s.present.partition
	}
	return q
}

func (s *packetSteering) remember(k int) {
	s.marks[k] = packetMark{s.entered, s.left, s.received, s.planned()}
}

func (s *packetSteering) recurs(k int) bool {
	m := &s.marks[k]
	return m.received == s.received && m.entered.same(&s.entered) && m.left.same(&s.left) && m.planned == s.planned()
}

// entryOf is the kind of entry that a µop of the group gets.
func (u *uop) entryOf() entryKind {
	switch {
	case u.follows != 0:
		return noEntry
	case u.moves || u.address() && !u.works:
		return addressEntry
	}
	return ownEntry
}

// packets finds out which µops second places are for, and how many µops a partition gets in a cycle at most.
func (g *group) packets(c *Core) {
	for q := range g.Partitions {
		if _, g.second[q] = c.steeredTo(portSet(g.Partitions[q].Second)); g.second[q] != 0 {
			g.seconds |= 1 << q
		}
	}
	_, g.addresses = c.steeredTo(portSet(g.Addresses.Ports))
	if g.most = 1; g.seconds != 0 {
		g.most = 2
	}
	g.most = max(g.most, int32(g.Addresses.Uops))
}
