package sim

import "incore/internal/machine"

// This file is a distributed scheduler after a queue (machine.SteerTurns). µops wait in the queue in program order until they get one of several
// partitions by the position of their slots in the dispatch cycle: the first slot gets the first partition, the second slot the second one, and so on
// in rotation. If many more µops wait for the port there than for the µop's port in another partition, the µop gets the other partition. A full
// partition blocks the whole queue, and entries of issued µops stay taken for some cycles. (US patent 12,118,411 B2, Desai, Estlick, Swanson and
// Ranganagoudra: an interleaving pattern, and other modes of allocation for imbalances of queues or pipes. The pattern and the imbalance are
// measured, docs/simulator.md.)

const maxTurnPorts = machine.MaxTurnPorts

// portWaits counts the waiting µops of each port of the partitions; group.number numbers the ports.
type portWaits [maxTurnPorts]int32

// turnSteering is the queue and the state on which the choice of a partition depends.
type turnSteering struct {
	*window
	sched   *scheduler
	group   *group
	line    []seqNo // the queue
	first   int     // index of its first µop in line
	next    int8    // partition of the next µop that leaves the queue
	waits   portWaits
	earlier [machine.MaxTurnDelay]portWaits // waits at the end of the last cycle, and of earlier cycles
	uneven  []imbalance                     // of this cycle
	marks   [marks]turnMark
}

// imbalance says that far more µops wait for a port than for one of its twins.
type imbalance struct {
	most  portSet // the most crowded one
	least int     // partition of the least crowded one
}

func (t *turnSteering) reset(w *window, s *scheduler, g *group) {
	*t = turnSteering{window: w, sched: s, group: g, line: t.line[:0], uneven: t.uneven[:0]}
}

func (t *turnSteering) observe()           {}
func (t *turnSteering) plan(uopIndex, int) {}

// full reports that the queue has no entry for a µop.
func (t *turnSteering) full(*op) Reason {
	if t.waiting() >= t.group.Queue {
		return SchedulerFull
	}
	return none
}

// distribute gives partitions to the first µops of the queue, up to the dispatch width.
func (t *turnSteering) distribute(p *pipeline) {
	if t.waiting() > 0 {
		t.compare()
	}
	older := 0 // number of leaving µops, up to the last one that entered in an earlier cycle
	for n := 0; n < t.core.Width && t.waiting() > 0; n++ {
		i := t.line[t.first] & t.mask
		x := &t.ring[i]
		if !t.steer(x, n) {
			break
		}
		if x.alloc < t.now {
			older = n + 1
		}
		if x.pending--; x.pending == 0 {
			p.release(int32(i), x, p.of(x))
		}
	}
	t.end(older > 0)
}

// waiting returns the number of µops in the queue.
func (t *turnSteering) waiting() int { return len(t.line) - t.first }

// enter puts a dispatched µop with its slot of the cycle into the queue. Several µops of one slot count separately.
func (t *turnSteering) enter(x *instance, u *uop, slot int) {
	if n := len(t.line); u.Slots == 0 && n > t.first && t.line[n-1] == x.seq-1 {
		slot = int(chosen-t.ring[t.line[n-1]&t.mask].port) + 1
	}
	x.port = chosen - int8(max(0, slot)%len(t.group.Partitions))
	x.pending++ // on the partition
	if t.first > 0 && len(t.line) == cap(t.line) {
		t.line, t.first = t.line[:copy(t.line, t.line[t.first:])], 0
	}
	t.line = append(t.line, x.seq)
}

// steer gives the first µop of the queue, the nth to leave in this cycle, its partition and port. µops that entered in earlier cycles get the
// partitions in rotation. It returns false if there is no room.
func (t *turnSteering) steer(x *instance, nth int) bool {
	all, u := t.group.Partitions, t.of(x)
	own := int(chosen - x.port)
	if x.alloc < t.now {
		own = (int(t.next) + nth) % len(all)
	}
	if to := t.relief(u.Ports); to >= 0 {
		own = to
	}
	p := t.portOf(u, own)
	s := all[t.core.PartitionOf[p]].Scheduler
	if e := &t.sched.entries[s]; e.taken >= e.all {
		return false
	}
	t.sched.entries[s].taken++
	t.waits[t.group.Number[p]]++
	x.port = p
	x.ready = max(x.ready, t.now+cycle(t.core.IssueDelay))
	t.first++
	return true
}

// end ends a cycle. older: µops of earlier cycles left the queue, so the rotation advances by one partition.
func (t *turnSteering) end(older bool) {
	if older {
		t.next = int8(int(t.next+1) % len(t.group.Partitions))
	}
	copy(t.earlier[1:t.group.Delay], t.earlier[:]) // older values are not used, and would make equal states differ
	t.earlier[0] = t.waits
}

// leave frees the entry of a µop that issues to a port, after some cycles.
func (t *turnSteering) leave(_ *instance, _ *uop, port int) {
	t.sched.free(t.group, t.core.PartitionOf[port])
	t.waits[t.group.Number[port]]--
}

// portOf chooses the port of a µop in the partition given by an imbalance or by its slot, if it has one there: the
// port with the fewest waiting µops.
func (t *turnSteering) portOf(u *uop, own int) int8 {
	among := u.Ports & t.group.Within[own]
	if among == 0 {
		among = u.Ports
	}
	best := among.First()
	for s := among & (among - 1); s != 0; s &= s - 1 {
		if p := s.First(); t.waits[t.group.Number[p]] < t.waits[t.group.Number[best]] {
			best = p
		}
	}
	return int8(best)
}

// relief returns the partition that all imbalances relevant to a µop with these ports agree on, -1 if there are none
// or they disagree. An imbalance is relevant if the µop can use the most crowded pipe.
func (t *turnSteering) relief(ports portSet) int {
	to := -1
	for i := range t.uneven {
		switch q := t.uneven[i].least; {
		case t.uneven[i].most&ports == 0:
		case to < 0:
			to = q
		case to != q:
			return -1
		}
	}
	return to
}

// compare finds the imbalances of a cycle, among the first pipes of all partitions, then among the second ones, and
// so on.
func (t *turnSteering) compare() {
	t.uneven = t.uneven[:0]
	seen := &t.earlier[t.group.Delay-1]
	for _, twins := range t.group.Twins {
		if twins == 0 {
			break
		}
		most := twins.First()
		least := most
		for s := twins & (twins - 1); s != 0; s &= s - 1 {
			p := s.First()
			if n := seen[t.group.Number[p]]; n > seen[t.group.Number[most]] {
				most = p
			} else if n < seen[t.group.Number[least]] {
				least = p
			}
		}
		if int(seen[t.group.Number[most]]-seen[t.group.Number[least]]) >= t.group.Imbalance {
			t.uneven = append(t.uneven, imbalance{1 << most, int(t.core.PartitionOf[least])})
		}
	}
}

// turnMark is the part of the state that does not follow from the µops in flight.
type turnMark struct {
	waiting int
	next    int8
	waits   portWaits
	earlier [machine.MaxTurnDelay]portWaits
}

func (t *turnSteering) mark(k int) {
	t.marks[k] = turnMark{t.waiting(), t.next, t.waits, t.earlier}
}

func (t *turnSteering) recurs(k int) bool {
	m := &t.marks[k]
	return m.waiting == t.waiting() && m.next == t.next && m.waits == t.waits && m.earlier == t.earlier
}
