package sim

import (
	"math/bits"

	"incore/internal/machine"
)

// This file is the choice of a scheduler at dispatch, on cores that give each µop one of several (Core.PortQueues). The queues of a cycle's µops
// are chosen together: each queue has a place for one of them, some a second place for certain ones. Of the queues that µops may go to, those in which the
// fewest wait are taken, as many as there are µops, and the µops get them in the order of the queues; those that may go to few queues
// come first. What was dispatched of late is not counted. (US patent 11,294,678 B2, Sobel, Priore and Garg: of the permutations of so many operations, no more
// than one per queue, one is selected each cycle by how full the queues are. The rest is measured, docs/simulator.md.)

// queueDelay is for how many cycles the choice does not know of what has been dispatched to a queue (what has left it, it knows at once).
const queueDelay = 2

// addressStays is for how many cycles behind its issue a µop that computes an address still counts as waiting.
const addressStays = 4

const (
	maxPortQueues = 4                   // queues (machine.PortQueue)
	queueSets     = 1 << maxPortQueues  // sets of them
	maxPacket     = 32                  // µops of a cycle
	allQueues     = queueSets - 1       // the set of all
	noQueue       = int8(maxPortQueues) // of µops that get none
)

// packet is what may be dispatched in a cycle.
type packet struct {
	first int32                      // number of its first µop
	n     int32                      // µops
	queue [maxPacket]int8            // that each goes to
	seen  [maxPortQueues]int16       // queue → µops that wait in it, as far as the choice knows
	room  [maxPortQueues]int16       // queue → free entries
	count [queueSets]uint8           // set of queues → µops that may go to these
	part  [queueSets]uint8           // and those that may go to no others
	get   [queueSets][maxPacket]int8 // set of queues → those that its µops get, in turn
}

// recall counts the µops in each queue when a cycle's dispatch begins, and those that the choice knows of.
func (e *engine) recall() {
	copy(e.came[1:], e.came[:queueDelay])
	e.came[0] = [maxPortQueues]int16{}
	copy(e.left[1:], e.left[:addressStays])
	e.left[0] = [maxPortQueues]int16{}
	for q := range e.core.PortQueues {
		s := &e.core.PortQueues[q]
		n := e.schedN[s.Scheduler]
		e.packet.room[q] = int16(e.core.Schedulers[s.Scheduler].Entries - n)
		e.packet.seen[q] = int16(n)
		for k := range queueDelay {
			e.packet.seen[q] -= e.came[1+k][q]
		}
		for k := range addressStays {
			e.packet.seen[q] += e.left[1+k][q]
		}
	}
}

// plan chooses queues for the next µops, up to one that finds no place. Where a queue has too few entries left for those that it gets, it plans
// for none: what goes to queues is dispatched together.
func (e *engine) plan(width int) {
	p := &e.packet
	p.first, p.n = e.tail, 0
	p.count, p.part = [queueSets]uint8{}, [queueSets]uint8{}
	for k, slots := e.nextUop, 0; p.n < maxPacket; p.n++ {
		u := &e.body[k]
		if slots += int(u.slots); slots > width && slots > int(u.slots) || u.among != 0 && !u.address() && !e.place(u.among) {
			break
		}
		if k++; k == e.n {
			k = 0
		}
	}
	e.give()
	for _, q := range p.queue[:p.n] {
		if q == noQueue {
			continue
		}
		if p.room[q]--; p.room[q] < 0 {
			p.n = 0
			return
		}
	}
}

// address reports whether a µop computes an address: it has a place in a queue of its own.
func (u *uop) address() bool { return u.kind == kindLoad || u.kind == kindStoreAddr }

// place adds a µop that may go to a set of queues, if all of the cycle's find places then: of those that may go to any set of queues and no others,
// there must be no more than it has places (Hall 1935).
func (e *engine) place(set uint8) bool {
	p := &e.packet
	p.count[set]++
	fits := true
	for x := set; x < queueSets; x = (x + 1) | set {
		p.part[x]++
		fits = fits && int(p.part[x]) <= bits.OnesCount8(x)+e.seconds(x)
	}
	if fits {
		return true
	}
	p.count[set]--
	for x := set; x < queueSets; x = (x + 1) | set {
		p.part[x]--
	}
	return false
}

// seconds is how many second places the µops of a cycle take that may go to a set of queues and no others. µops that may go to one queue alone take its
// second place only beside another of them; a queue whose second place is taken needs two free entries.
func (e *engine) seconds(set uint8) (n int) {
	for q := range e.core.PortQueues {
		if s := e.core.second[q]; s != 0 && s&^set == 0 && e.packet.room[q] > 1 && int(e.packet.count[s]) > 2-min(2, bits.OnesCount8(s)) {
			n++
		}
	}
	return n
}

// give gives the µops of a cycle their queues.
func (e *engine) give() {
	p := &e.packet
	left, taken := int(p.part[allQueues]), uint8(0)
	anywhere := e.anywhere()
	taken |= anywhere
	left -= bits.OnesCount8(anywhere)
	for _, s := range bySize {
		if s == allQueues && anywhere != 0 {
			break
		}
		count := int(p.count[s])
		if count == 0 {
			continue
		}
		left -= count
		second, firsts := int8(-1), count
		for q := range e.core.PortQueues {
			if e.core.second[q] == s {
				second = int8(q)
			}
		}
		if second >= 0 && bits.OnesCount8(s) > 1 { // first places are left to those that have no second ones
			firsts = min(count, max(0, len(e.core.PortQueues)-bits.OnesCount8(taken)-left))
		}
		n := 0
		for own := e.fewest(s&^taken, firsts); own != 0; own &= own - 1 {
			q := bits.TrailingZeros8(own)
			taken |= 1 << q
			p.get[s][n] = int8(q)
			n++
		}
		for ; n < count; n++ {
			if p.get[s][n] = second; second < 0 {
				p.get[s][n] = int8(bits.TrailingZeros8(e.fewest(s, 1)))
			}
		}
	}
	var next [queueSets]uint8
	var got [maxPortQueues]int // queue → µops of the cycle that it gets
	k := e.nextUop
	for i := range p.n {
		u := &e.body[k]
		if k++; k == e.n {
			k = 0
		}
		p.queue[i] = noQueue
		if u.among == 0 || u.address() {
			continue
		}
		q := p.get[u.among][next[u.among]]
		next[u.among]++
		if p.queue[i] = q; !u.shares {
			got[q]++
		}
	}
	e.addresses(&got)
}

// anywhere gives the operations that may go to any queue theirs, if some of the cycle share an entry with an address and all find places: they
// come before those, which only leave out what these cannot do without.
func (e *engine) anywhere() (taken uint8) {
	p, with := &e.packet, e.core.addresses
	count := int(p.count[allQueues])
	room := bits.OnesCount8(with) - int(p.part[with])
	if with == 0 || p.count[with] == 0 || room < 0 || count+int(p.part[with]) > len(e.core.PortQueues) {
		return 0
	}
	for range count {
		from := allQueues &^ taken
		if room == 0 {
			from &^= with
		}
		q := e.fewest(from, 1)
		if q&with != 0 {
			room--
		}
		taken |= q
	}
	for n, own := 0, taken; own != 0; own &= own - 1 {
		p.get[allQueues][n] = int8(bits.TrailingZeros8(own))
		n++
	}
	return taken
}

// addresses gives queues to the µops of a cycle that compute addresses: that of the operation which shares the entry, else the one in which the
// fewest wait and that takes one more (Core.QueueAddresses) beside those it got.
func (e *engine) addresses(got *[maxPortQueues]int) {
	p := &e.packet
	k := e.nextUop
	for i := range p.n {
		at, u := k, &e.body[k]
		if k++; k == e.n {
			k = 0
		}
		if u.among == 0 || !u.address() {
			continue
		}
		q := e.sharing(i, at)
		if q == noQueue {
			left := u.among
			for q, n := range got {
				if u.among == e.core.addresses && n >= e.core.QueueAddresses.Uops {
					left &^= 1 << q
				}
			}
			if left == 0 {
				left = u.among
			}
			q = int8(bits.TrailingZeros8(e.fewest(left, 1)))
		}
		p.queue[i] = q
		p.seen[q]++
		got[q]++
	}
}

// sharing is the queue of the operation that shares the entry of µop i, the k-th of the body; noQueue if there is none among what is planned.
func (e *engine) sharing(i, k int32) int8 {
	p := &e.packet
	first := i
	for inst := e.body[k].inst; first > 0 && k > 0 && e.body[k-1].inst == inst; k-- {
		first--
	}
	for inst := e.body[k].inst; first < p.n && k < e.n && e.body[k].inst == inst; k++ {
		if e.body[k].shares {
			return p.queue[first]
		}
		first++
	}
	return noQueue
}

// bySize are the sets of queues, the smallest first.
var bySize = [...]uint8{1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15}

// fewest is the n of some queues in which the fewest µops wait, the first of those in which as many do.
func (e *engine) fewest(among uint8, n int) (chosen uint8) {
	for ; n > 0 && among != 0; n-- {
		best := bits.TrailingZeros8(among)
		for x := among; x != 0; x &= x - 1 {
			if q := bits.TrailingZeros8(x); e.packet.seen[q] < e.packet.seen[best] {
				best = q
			}
		}
		among &^= 1 << best
		chosen |= 1 << best
	}
	return chosen
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
	s := e.core.PortQueues[q].Scheduler
	return int8(bits.Len64(u.ports&uint64(e.core.Schedulers[s].Ports)) - 1)
}

// queuePorts finds out to which queue each port belongs and which µops second places are for.
func (c *Core) queuePorts() {
	for p := range c.queueAt {
		c.queueAt[p] = noQueue
	}
	for q := range c.PortQueues {
		for s := c.Schedulers[c.PortQueues[q].Scheduler].Ports; s != 0; s &= s - 1 {
			c.queueAt[bits.TrailingZeros64(uint64(s))] = int8(q)
		}
	}
	for q := range c.PortQueues {
		c.second[q] = c.queuesOf(c.PortQueues[q].Second)
	}
	c.addresses = c.queuesOf(c.QueueAddresses.Ports)
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
