package sim

import (
	"math"
	"math/bits"
)

// This file keeps the µops that wait for a port, apart by the ports that they can use: where all ports of a set are busy, none of its
// µops is looked at.

// queue holds the ready µops that wait for one set of ports, by number in age order.
type queue struct {
	ports uint64 // 0: they need resources alone, or are of several sets
	seqs  []int32
	head  int // the first one in seqs
	next  int // the first one that issue has not looked at in this cycle
}

// insert adds a µop, which is mostly among the youngest.
func (q *queue) insert(seq int32) {
	if q.head > 0 && len(q.seqs) == cap(q.seqs) {
		q.seqs, q.head = q.seqs[:copy(q.seqs, q.seqs[q.head:])], 0
	}
	q.seqs = append(q.seqs, seq)
	k := len(q.seqs) - 1
	for ; k > q.head && q.seqs[k-1] > seq; k-- {
		q.seqs[k] = q.seqs[k-1]
	}
	q.seqs[k] = seq
}

// take removes the µop that was looked at last.
func (q *queue) take() {
	at := q.next - 1
	if at == q.head {
		if q.head++; q.head == len(q.seqs) {
			q.seqs, q.head, q.next = q.seqs[:0], 0, 0
		}
		return
	}
	q.seqs = append(q.seqs[:at], q.seqs[at+1:]...)
	q.next = at
}

// partition makes a queue for each set of ports that µops of the body wait for.
func (e *engine) partition() {
	old := e.queues
	e.queues, e.waiting = e.queues[:0], 0
	add := func(ports uint64) int32 {
		for k := range e.queues {
			if e.queues[k].ports == ports {
				return int32(k)
			}
		}
		if len(e.queues) == maxQueues {
			e.queues[maxQueues-1].ports = 0
			return maxQueues - 1
		}
		q := queue{ports: ports}
		if k := len(e.queues); k < len(old) {
			q.seqs = old[k].seqs[:0]
		}
		e.queues = append(e.queues, q)
		return int32(len(e.queues) - 1)
	}
	if e.core.PortChoice.AtRename { // by the port that was chosen
		for p := range e.core.Ports {
			add(1 << p)
		}
	}
	for i := range e.body {
		u := &e.body[i]
		u.entry = u.entryOf()
		switch {
		case u.idle:
		case u.among != 0 || u.queued:
			for s := u.ports; s != 0; s &= s - 1 {
				e.ofPort[bits.TrailingZeros64(s)] = add(s & -s)
			}
		case u.ports == 0 || !e.core.PortChoice.AtRename:
			u.queue = add(u.ports)
		}
	}
}

// maxQueues is how many queues there may be: a word has a bit for each. What is beyond shares the last one.
const maxQueues = 64

// insert adds a µop to those that are ready.
func (e *engine) insert(x *instance, u *uop) {
	k := u.queue
	switch {
	case u.among != 0 || u.queued:
		k = e.ofPort[x.port]
	case x.port >= 0:
		k = int32(x.port)
	}
	e.queues[k].insert(x.seq)
	e.ready |= 1 << k
	e.waiting++
}

// look begins to go through the ready µops of some queues. It returns the queues that hold some.
func (e *engine) look(queues uint64) uint64 {
	for s := e.ready & queues; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		q := &e.queues[k]
		if q.next = q.head; q.head == len(q.seqs) {
			e.ready &^= 1 << k
			continue
		}
		e.fronts[k] = int64(q.seqs[q.head])*maxQueues + int64(k)
	}
	return e.ready & queues
}

// oldest returns the one among some queues whose next µop is the oldest.
func (e *engine) oldest(among uint64) int {
	least := int64(math.MaxInt64)
	for s := among; s != 0; s &= s - 1 {
		least = min(least, e.fronts[bits.TrailingZeros64(s)])
	}
	return int(least % maxQueues)
}

// advance notes that the next µop of a queue is another one now. It returns the queues that are left to look at.
func (e *engine) advance(k int, left uint64) uint64 {
	q := &e.queues[k]
	if q.next == len(q.seqs) {
		return left &^ (1 << k)
	}
	e.fronts[k] = int64(q.seqs[q.next])*maxQueues + int64(k)
	return left
}

// youngest is the number of the youngest ready µop, -1 without any.
func (e *engine) youngest() int32 {
	last := int32(-1)
	for k := range e.queues {
		if q := &e.queues[k]; q.head < len(q.seqs) {
			last = max(last, q.seqs[len(q.seqs)-1])
		}
	}
	return last
}
