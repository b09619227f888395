package sim

import "incore/internal/machine"

// This file is a distributed scheduler behind a queue (machine.SteerTurns): µops wait there in program order until they are given one of several partitions, by the
// place of their slots in the cycle of dispatch: those of the first slot the first partition, of the second the second, and so on in turn. Where many more µops
// wait for the port there than for the µop's port of another partition, it gets that. A partition that is full holds up everything behind; what has issued keeps
// its entry for some cycles. (US patent 12,118,411 B2, Desai, Estlick, Swanson and Ranganagoudra: an interleaving pattern, and other modes of allocation
// where there is an imbalance of queues or pipes. What pattern and which imbalance is measured, docs/simulator.md.)

const maxTurnPorts = machine.MaxTurnPorts

// portWaits counts the µops that wait for each port of the partitions, which are numbered by group.number.
type portWaits [maxTurnPorts]int32

// turnSteering is the queue and what the choice of a partition depends on.
type turnSteering struct {
	*window
	sched   *scheduler
	group   *group
	line    []seqNo // the queue
	first   int     // of it in line
	next    int8    // the partition that the first µop to leave the queue gets
	waits   portWaits
	earlier [machine.MaxTurnDelay]portWaits // at the end of the cycle before, and of those before that
	marks   [marks]turnMark
}

func (t *turnSteering) reset(w *window, s *scheduler, g *group) {
	*t = turnSteering{window: w, sched: s, group: g, line: t.line[:0]}
}

// inTurn numbers the ports of the partitions.
func (g *group) inTurn(c *Core) {
	n := int8(0)
	for q := range g.Partitions {
		k := 0 // which of the partition's
		for s := portSet(c.Schedulers[g.Partitions[q].Scheduler].Ports); s != 0; s &= s - 1 {
			p := s.first()
			g.number[p] = n
			g.twins[k] |= 1 << p
			n, k = n+1, k+1
		}
	}
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

// distribute gives partitions to the first µops of the queue, as many as are dispatched in a cycle.
func (t *turnSteering) distribute(p *pipeline) {
	older := 0 // of those that leave the queue: how many came to it in earlier cycles
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
			p.release(int32(i), x, &t.body[x.uop])
		}
	}
	t.end(older > 0)
}

// waiting is how many µops the queue holds.
func (t *turnSteering) waiting() int { return len(t.line) - t.first }

// enter puts a µop that is dispatched in some slot of the cycle into the queue. Of several µops of a slot each counts.
func (t *turnSteering) enter(x *instance, u *uop, slot int) {
	if n := len(t.line); u.slots == 0 && n > t.first && t.line[n-1] == x.seq-1 {
		slot = int(chosen-t.ring[t.line[n-1]&t.mask].port) + 1
	}
	x.port = chosen - int8(max(0, slot)%len(t.group.Partitions))
	x.pending++ // on the partition
	if t.first > 0 && len(t.line) == cap(t.line) {
		t.line, t.first = t.line[:copy(t.line, t.line[t.first:])], 0
	}
	t.line = append(t.line, x.seq)
}

// steer gives the first µop of the queue its partition and port, the nth to leave in a cycle: those that were in the queue before this cycle get the partitions
// in turn. It reports whether there was room.
func (t *turnSteering) steer(x *instance, nth int) bool {
	all, u := t.group.Partitions, &t.body[x.uop]
	own := int(chosen - x.port)
	if x.alloc < t.now {
		own = (int(t.next) + nth) % len(all)
	}
	if to := t.relief(u.ports); to >= 0 {
		own = to
	}
	p := t.portOf(u, own)
	s := all[t.core.partitionOf[p]].Scheduler
	if e := &t.sched.entries[s]; e.taken >= e.all {
		return false
	}
	t.sched.entries[s].taken++
	t.waits[t.group.number[p]]++
	x.port = p
	x.ready = max(x.ready, t.now+cycle(t.core.IssueDelay))
	t.first++
	return true
}

// end ends a cycle. older: µops of earlier cycles left the queue, so that the next cycle begins with the next partition.
func (t *turnSteering) end(older bool) {
	if older {
		t.next = int8(int(t.next+1) % len(t.group.Partitions))
	}
	copy(t.earlier[1:t.group.Delay], t.earlier[:]) // what is older is of no use, and would tell states apart
	t.earlier[0] = t.waits
}

// leave frees the entry of a µop that issues to a port, some cycles later.
func (t *turnSteering) leave(_ *instance, _ *uop, port int) {
	t.sched.free(t.group, t.core.partitionOf[port])
	t.waits[t.group.number[port]]--
}

// portOf chooses the port of a µop that an imbalance or its slot gives a partition: there the one for which the fewest wait.
func (t *turnSteering) portOf(u *uop, own int) int8 {
	best := noPartition
	for s := u.ports; s != 0; s &= s - 1 {
		p := int8(s.first())
		better := best < 0 || t.waits[t.group.number[p]] < t.waits[t.group.number[best]]
		if here, there := int(t.core.partitionOf[p]) == own, best >= 0 && int(t.core.partitionOf[best]) == own; here && !there || here == there && better {
			best = p
		}
	}
	return best
}

// relief is the partition to which all imbalances of pipes point that concern a µop with these ports, -1 if there are none or they disagree. The first
// pipes of the partitions are compared with each other, the second, and so on; an imbalance concerns µops that may go to the most crowded.
func (t *turnSteering) relief(ports portSet) int {
	to := -1
	for k := range t.group.twins {
		switch q := t.imbalance(ports, t.group.twins[k]); {
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
	seen := &t.earlier[t.group.Delay-1]
	most := twins.first()
	least := most
	for s := twins & (twins - 1); s != 0; s &= s - 1 {
		p := s.first()
		if n := seen[t.group.number[p]]; n > seen[t.group.number[most]] {
			most = p
		} else if n < seen[t.group.number[least]] {
			least = p
		}
	}
	if !ports.has(most) || int(seen[t.group.number[most]]-seen[t.group.number[least]]) < t.group.Imbalance {
		return -1
	}
	return int(t.core.partitionOf[least])
}

// turnMark is a state beside what the µops in flight tell.
type turnMark struct {
	waiting int
	next    int8
	waits   portWaits
	earlier [machine.MaxTurnDelay]portWaits
}

func (t *turnSteering) remember(k int) {
	t.marks[k] = turnMark{t.waiting(), t.next, t.waits, t.earlier}
}

func (t *turnSteering) recurs(k int) bool {
	m := &t.marks[k]
	return m.waiting == t.waiting() && m.next == t.next && m.waits == t.waits && m.earlier == t.earlier
}
