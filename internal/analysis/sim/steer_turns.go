package sim

import "incore/internal/machine"

// This file is a distributed scheduler behind a queue (Core.SlotQueues): µops wait there in program order until they are given one of several partitions, by the
// place of their slots in the cycle of dispatch: those of the first slot the first partition, of the second the second, and so on in turn. Where many more µops
// wait for the port there than for the µop's port of another partition, it gets that. A partition that is full holds up everything behind; what has issued keeps
// its entry for some cycles. (US patent 12,118,411 B2, Desai, Estlick, Swanson and Ranganagoudra: an interleaving pattern, and other modes of allocation
// where there is an imbalance of queues or pipes. What pattern and which imbalance is measured, docs/simulator.md.)

const (
	maxSlotPorts = machine.MaxSlotPorts
	noSlotPort   = int8(-1)              // of a port that is none of these
	inQueue      = int8(-2)              // instance.port of a µop in the queue: -2, -3 … by the partition that its slot gives it
	turnsAt      = machine.MaxPortQueues // the number of the first of these partitions among all that µops are steered to
)

// portWaits counts the µops that wait for each port of the partitions, which are numbered by Core.slotPort.
type portWaits [maxSlotPorts]int32

// turnSteering is the queue and what the choice of a partition depends on.
type turnSteering struct {
	*window
	sched   *scheduler
	line    []seqNo // the queue
	first   int     // of it in line
	next    int8    // the partition that the first µop to leave the queue gets
	waits   portWaits
	earlier [machine.MaxSlotDelay]portWaits // at the end of the cycle before, and of those before that
}

func (t *turnSteering) reset(w *window, s *scheduler) {
	*t = turnSteering{window: w, sched: s, line: t.line[:0]}
}

// slotPorts numbers the ports of the partitions.
func (c *Core) slotPorts() {
	for p := range c.slotPort {
		c.slotPort[p], c.slotQueue[p] = noSlotPort, noSlotPort
	}
	n := int8(0)
	for q, at := range c.SlotQueues.Schedulers {
		c.steered[turnsAt+q] = at
		k := 0 // which of the partition's
		for s := portSet(c.Schedulers[at].Ports); s != 0 && n < maxSlotPorts; s &= s - 1 {
			p := s.first()
			c.slotPort[p], c.slotQueue[p] = n, int8(q)
			c.slotted |= 1 << p
			c.slotTwins[k] |= 1 << p
			n, k = n+1, k+1
		}
	}
}

// slots reports whether a µop with these ports waits in one of the partitions.
func (c *Core) slots(ports portSet) bool { return ports != 0 && ports&^c.slotted == 0 }

// waiting is how many µops the queue holds.
func (t *turnSteering) waiting() int { return len(t.line) - t.first }

// enter puts a µop that is dispatched in some slot of the cycle into the queue. Of several µops of a slot each counts.
func (t *turnSteering) enter(x *instance, u *uop, slot int) {
	if n := len(t.line); u.slots == 0 && n > t.first && t.line[n-1] == x.seq-1 {
		slot = int(inQueue-t.ring[t.line[n-1]&t.mask].port) + 1
	}
	x.port = inQueue - int8(max(0, slot)%len(t.core.SlotQueues.Schedulers))
	x.pending++ // on the partition
	if t.first > 0 && len(t.line) == cap(t.line) {
		t.line, t.first = t.line[:copy(t.line, t.line[t.first:])], 0
	}
	t.line = append(t.line, x.seq)
}

// steer gives the first µop of the queue its partition and port, the nth to leave in a cycle: those that were in the queue before this cycle get the partitions
// in turn. It reports whether there was room.
func (t *turnSteering) steer(x *instance, nth int) bool {
	all, u := t.core.SlotQueues.Schedulers, &t.body[x.uop]
	own := int(inQueue - x.port)
	if x.alloc < t.now {
		own = (int(t.next) + nth) % len(all)
	}
	if to := t.relief(u.ports); to >= 0 {
		own = to
	}
	p := t.portOf(u, own)
	s := all[t.core.slotQueue[p]]
	if t.sched.taken[s] >= t.core.Schedulers[s].Entries {
		return false
	}
	t.sched.taken[s]++
	t.waits[t.core.slotPort[p]]++
	x.port = p
	x.ready = max(x.ready, t.now+cycle(t.core.IssueDelay))
	t.first++
	return true
}

// end ends a cycle. older: µops of earlier cycles left the queue, so that the next cycle begins with the next partition.
func (t *turnSteering) end(older bool) {
	if older {
		t.next = int8(int(t.next+1) % len(t.core.SlotQueues.Schedulers))
	}
	copy(t.earlier[1:t.core.SlotQueues.Delay], t.earlier[:]) // what is older is of no use, and would tell states apart
	t.earlier[0] = t.waits
}

// leave frees the entry of a µop that issues to a port, some cycles later.
func (t *turnSteering) leave(port int) {
	t.sched.leaving.add(turnsAt+int(t.core.slotQueue[port]), t.core.SlotQueues.Hold)
	t.waits[t.core.slotPort[port]]--
}

// portOf chooses the port of a µop that an imbalance or its slot gives a partition: there the one for which the fewest wait.
func (t *turnSteering) portOf(u *uop, own int) int8 {
	best := noSlotPort
	for s := u.ports; s != 0; s &= s - 1 {
		p := int8(s.first())
		better := best < 0 || t.waits[t.core.slotPort[p]] < t.waits[t.core.slotPort[best]]
		if here, there := int(t.core.slotQueue[p]) == own, best >= 0 && int(t.core.slotQueue[best]) == own; here && !there || here == there && better {
			best = p
		}
	}
	return best
}

// relief is the partition to which all imbalances of pipes point that concern a µop with these ports, -1 if there are none or they disagree. The first
// pipes of the partitions are compared with each other, the second, and so on; an imbalance concerns µops that may go to the most crowded.
func (t *turnSteering) relief(ports portSet) int {
	to := -1
	for k := range t.core.slotTwins {
		switch q := t.imbalance(ports, t.core.slotTwins[k]); {
		case q < 0:
		case to < 0:
			to = q
		case to != q:
			return -1
		}
	}
	return to
}

// imbalance is the partition of the pipe among twins for which the fewest wait, if many more do for the one for which the most wait, which is one of some
// ports; else -1.
func (t *turnSteering) imbalance(ports, twins portSet) int {
	if ports&twins == 0 {
		return -1
	}
	seen := &t.earlier[t.core.SlotQueues.Delay-1]
	most := twins.first()
	least := most
	for s := twins & (twins - 1); s != 0; s &= s - 1 {
		p := s.first()
		if n := seen[t.core.slotPort[p]]; n > seen[t.core.slotPort[most]] {
			most = p
		} else if n < seen[t.core.slotPort[least]] {
			least = p
		}
	}
	if !ports.has(most) || int(seen[t.core.slotPort[most]]-seen[t.core.slotPort[least]]) < t.core.SlotQueues.Difference {
		return -1
	}
	return int(t.core.slotQueue[least])
}

// turnOutline is the state beside what the µops in flight tell.
type turnOutline struct {
	waiting int
	next    int8
	waits   portWaits
	earlier [machine.MaxSlotDelay]portWaits
}

func (t *turnSteering) outline() turnOutline {
	return turnOutline{waiting: t.waiting(), next: t.next, waits: t.waits, earlier: t.earlier}
}
