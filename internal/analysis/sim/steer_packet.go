package sim

import (
	"math"
	"math/bits"
	"slices"
)

// This file steers µops to partitions at dispatch (machine.SteerPackets): the µops of a cycle (a packet) get their partitions together. Each
// partition accepts one of them, some accept a second one of certain kinds. Of the sets of partitions that can hold all µops, the policy takes the
// set with the lowest occupancy, and the µops get its partitions in program order, lowest first. Entries of issued µops stay taken for some cycles,
// and the occupancy lags behind. Dispatch of the packet stalls until every partition has room for as many µops as it may get; the choice of
// partitions is kept. (US patent 11,294,678 B2, Sobel, Priore and Garg: in each cycle one of the permutations with at most one operation per queue is
// selected by the occupancy of the queues. The other rules are measured, docs/simulator.md.)

const maxPacket = 32 // most µops in a cycle

// entryKind is the kind of scheduler entry that a µop gets at dispatch.
type entryKind uint8

const (
	noEntry      entryKind = iota // none, or the entry of the µop with which it shares one (uop.follows)
	ownEntry                      // of an operation, alone or with the address in the same entry, or of the data of a store with two slots
	addressEntry                  // of an address, alone or with the stored data
)

// packetSteering chooses the partitions for the µops of a cycle.
type packetSteering struct {
	*window
	sched    *scheduler
	group    *group
	count    int                     // partitions
	entries  [maxPartitions]*entries // of each of them
	present  packet                  // of this cycle
	packets  []members               // by the first µop in the loop body, for packets that nothing shortens
	others   members                 // of a shortened packet
	seen     [maxPartitions]int32    // partition → taken entries, as far as the choice knows
	seconds  partitionSet            // partitions whose second place has enough free entries, as far as the choice knows
	entered  delayed                 // taken entries that the choice will see later
	left     delayed                 // freed entries that the choice will see later
	received [maxPartitions]int8     // partition → µops dispatched to it in the last cycle
	marks    [marks]packetMark
}

// packet is the group of µops that may be dispatched in a cycle.
type packet struct {
	*members
	first     seqNo                // its first µop
	n         seqNo                // largest number of its members that are dispatched
	waits     bool                 // dispatch stalls for lack of entries
	partition [maxPacket]int8      // partition of each member
	needs     [maxPartitions]int32 // partition → free entries that it must have
	room      [maxPartitions]int32 // partition → free entries, as far as known
}

// members are the µops of a packet. They depend only on its first µop in the body, as long as the front end delivers enough slots, and all second
// places have free entries.
type members struct {
	n          seqNo                     // 0: not known
	operations uint32                    // members with entries for operations, by position in the packet
	addresses  uint32                    // members with entries for addresses
	set        [maxPacket]partitionSet   // allowed partitions of each member
	count      [partitionSets]uint8      // set of partitions → operations that may use exactly this set
	claims     claims                    // of these
	seconds    [2 * maxPartitions]second // second places taken by µops
	taken      int                       // number of second places taken
}

// second is a second place that a µop takes.
type second struct {
	partition int8
	set       partitionSet // set of partitions that the µop may use
	nth       int          // index of the µop among those with this set
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
	*s = packetSteering{window: w, sched: sched, group: g, count: len(g.Partitions), packets: packets}
	for q := range g.Partitions {
		s.entries[q] = &sched.entries[g.Partitions[q].Scheduler]
	}
}

// observe updates the delayed occupancy that steering sees, at the start of a cycle's dispatch. Of the last cycle's dispatch it knows which
// partitions received µops, but not how many: it assumes the largest possible number.
func (s *packetSteering) observe() {
	entered, left := s.entered.pass(), s.left.pass()
	for q, e := range s.entries[:s.count] {
		s.seen[q] += int32(entered&countMask) - int32(left&countMask)
		entered, left = entered>>countBits, left>>countBits
		free := e.all - e.taken
		if n := s.received[q]; n > 0 {
			free -= max(0, s.group.Most-int32(n))
		}
		s.present.room[q] = free
	}
	s.received = [maxPartitions]int8{}
}

// plan chooses partitions for the next µops, up to the first one without a place. If some partition may lack entries for the largest number of µops
// that it may get, nothing is dispatched to the group, and the choice is kept.
func (s *packetSteering) plan(next uopIndex, width int) {
	p := &s.present
	if !p.waits || p.first != s.tail {
		s.seconds = s.hasSeconds()
		p.members, p.first, p.partition = s.gather(next, width), s.tail, [maxPacket]int8{}
		gets := s.assignOperations()
		s.assignAddresses(&gets)
		for q, e := range s.entries[:s.count] {
			p.needs[q] = min(max(int32(gets[q]), s.group.Most), e.all) // an empty partition is enough, however small
		}
	}
	p.n, p.waits = p.members.n, false
	for q, needs := range p.needs[:s.count] {
		if needs > p.room[q] {
			p.n, p.waits = 0, true
		}
	}
}

// gather finds the members of the packet that begins with the next µop.
func (s *packetSteering) gather(next uopIndex, width int) *members {
	m := &s.others
	if len(s.packets) > 0 && width == s.core.Width && s.seconds == s.group.WithSecond {
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
		if u.Group > 0 && &s.core.Groups[u.Group-1] == s.group {
			entry = entryOf(u.Op)
		}
		slots += int(u.Slots)
		if entry == addressEntry && !u.Moves {
			if addresses++; addresses > s.group.AddressPartitions.Size() { // one per partition; further ones count as operations
				entry = ownEntry
			}
		}
		if before > 0 && before+int(max(u.Slots, u.Whole)) > width || u.Limits&reached != 0 || entry == ownEntry && !s.place(m, u.Among|u.Holds) {
			break
		}
		m.set[m.n] = u.Among | u.Holds
		switch entry {
		case ownEntry:
			m.operations |= 1 << m.n
		case addressEntry:
			m.addresses |= 1 << m.n
		}
		for l := u.Limits; l != 0; l &= l - 1 {
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

// hasSeconds returns the partitions whose second place has enough free entries, as far as the choice knows.
func (s *packetSteering) hasSeconds() (has partitionSet) {
	for left := s.group.WithSecond; left != 0; left &= left - 1 {
		q := left.First() % maxPartitions
		if int(s.entries[q].all-s.seen[q]) >= s.group.Partitions[q].Free {
			has |= 1 << q
		}
	}
	return has
}

// place adds an operation with a set of allowed partitions, if all operations of the cycle still find places.
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

// firsts removes the µops that take second places: the last ones of a kind if there are not enough first places for it, or the first one of a kind
// that leaves no place to others. If two of a kind are removed, the second one goes to the other partition. It returns the remaining µops and their
// first places.
func (s *packetSteering) firsts(m *members) (left claims, free partitionSet) {
	left, free = m.claims, allPartitions
	m.taken = 0
	for has := s.seconds; has != 0; has &= has - 1 {
		q := has.First()
		set := s.group.Second[q]
		n, size := int(m.count[set]), set.Size()
		switch {
		case n > size:
			m.take(second{int8(q), set, n - 1})
		case n > 0 && size > 1 && left.total() > len(s.group.Partitions):
			m.take(second{int8(q), set, 0})
			if n == 2 && size == 2 {
				other := set &^ (1 << q)
				m.take(second{int8(other.First()), set, 1})
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

// assignOperations gives the operations of a cycle their partitions, and returns the number of µops per partition. Of the sets of partitions that
// hold one of each operation without a second place it takes the set with the lowest occupancy. The operations get partitions in program order, each
// the lowest one that leaves places for all later ones.
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
		p.partition[i] = int8(q.First())
		got[p.partition[i]]++
	}
	return got
}

// assignAddresses gives partitions to the µops that compute addresses and have entries of their own: the partition with the lowest occupancy among
// those that accept one more µop in this cycle (machine.Steering.Addresses).
func (s *packetSteering) assignAddresses(got *[maxPartitions]int8) {
	p, seen := &s.present, s.seen
	for a := p.addresses; a != 0; a &= a - 1 {
		i := bits.TrailingZeros32(a)
		room := p.set[i]
		if room == s.group.AddressPartitions {
			for q, n := range got {
				if int(n) >= s.group.Addresses.Uops {
					room &^= 1 << q
				}
			}
		}
		if room == 0 {
			room = p.set[i]
		}
		q := s.fewest(room).First()
		p.partition[i] = int8(q)
		s.seen[q] += int32(s.group.AddressWeight)
		got[q]++
	}
	s.seen = seen
}

// take records the use of a second place.
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

// fewest returns the partition with the lowest occupancy in a set, the lowest-numbered of equal ones; 0 for an empty set.
func (s *packetSteering) fewest(among partitionSet) partitionSet {
	if among == 0 {
		return 0
	}
	best := int32(math.MaxInt32) // occupancy and number
	for x := among; x != 0; x &= x - 1 {
		q := x.First() % maxPartitions
		best = min(best, s.seen[q]*maxPartitions+int32(q))
	}
	return 1 << (uint32(best) % maxPartitions)
}

// full returns the reason why the packet has no partition for the next µop, none if it has one.
func (s *packetSteering) full(u *op) Reason {
	switch {
	case u.Follows != 0 || s.partitionFor(s.tail) != noPartition:
		return none
	case s.present.n > 0:
		return DispatchLimit
	}
	return SchedulerFull
}

// enter puts a µop into its partition: into the entry of an older µop of its instruction, or a new one.
func (s *packetSteering) enter(x *instance, u *uop, _ int) {
	q := s.partitionFor(x.seq)
	if u.Follows != 0 {
		q = s.core.PartitionOf[s.ring[(x.seq-u.Follows)&s.mask].port]
	}
	if u.Among != 0 {
		x.port = s.portIn(u, q)
	}
	if u.Holds != 0 {
		x.port = chosen - q
	}
	if u.Follows != 0 {
		return
	}
	s.entries[q].taken++
	s.received[q]++
	s.entered.add(int(q), s.group.Delay)
}

func (s *packetSteering) distribute(*pipeline) {}

// leave frees the entry of a µop that issues, some cycles later, unless a younger µop of its instruction holds it.
func (s *packetSteering) leave(x *instance, u *uop, _ int) {
	if u.Stays {
		return
	}
	q := chosen - x.port
	switch {
	case u.Follows != 0:
		q = s.core.PartitionOf[s.ring[(x.seq-u.Follows)&s.mask].port]
	case u.Holds == 0:
		q = s.core.PartitionOf[x.port]
	}
	s.sched.free(s.group, q)
	s.left.add(int(q), s.group.Hold+s.group.Delay)
}

// partitionFor returns the partition chosen for a µop, noPartition if it must wait.
func (s *packetSteering) partitionFor(seq seqNo) int8 {
	if i := seq - s.present.first; i < s.present.n {
		return s.present.partition[i]
	}
	return noPartition
}

// portIn returns the port of a µop in a partition.
func (s *packetSteering) portIn(u *uop, q int8) int8 {
	return int8(bits.Len64(uint64(u.Ports&s.group.Within[q])) - 1)
}

// packetMark is the part of the state that does not follow from the µops in flight.
type packetMark struct {
	entered, left delayed
	received      [maxPartitions]int8
	planned       [maxPacket]int8 // partitions of a packet that waits
}

// planned returns the partitions of a stalled packet.
func (s *packetSteering) planned() (q [maxPacket]int8) {
	if s.present.waits {
		q = s.present.partition
	}
	return q
}

func (s *packetSteering) mark(k int) {
	s.marks[k] = packetMark{s.entered, s.left, s.received, s.planned()}
}

func (s *packetSteering) recurs(k int) bool {
	m := &s.marks[k]
	return m.received == s.received && m.entered.same(&s.entered) && m.left.same(&s.left) && m.planned == s.planned()
}

// entryOf returns the kind of entry of a µop of the group.
func entryOf(u *op) entryKind {
	switch {
	case u.Follows != 0:
		return noEntry
	case u.Moves || u.Address() && !u.Works:
		return addressEntry
	}
	return ownEntry
}
