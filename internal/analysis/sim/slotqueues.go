package sim

import (
	"math/bits"

	"incore/internal/machine"
)

// This file is a distributed scheduler (Core.SlotQueues): µops wait in a queue in program order until they are given one of several schedulers, by the place of their
// slots in the cycle of dispatch: those of the first slot the first scheduler, of the second the second, and so on in turn. Where many more µops wait for
// the port there than for the µop's port of another scheduler, it gets that. A scheduler that is full holds up everything behind; what has issued keeps its
// entry for some cycles. (US patent
// 12,118,411 B2, Desai, Estlick, Swanson and Ranganagoudra: an interleaving pattern, and other modes of allocation where there is an imbalance
// of queues or pipes. What pattern and which imbalance is measured, docs/simulator.md.)

const (
	maxSlotPorts = machine.MaxSlotPorts
	noSlotPort   = int8(-1) // of a port that is none of these
	inOrder      = int8(-2) // instance.port of a µop that waits for a scheduler: -2, -3 … by the one that its slot gives it
)

// slotWaits counts the µops that wait for each port of the schedulers, which are numbered by Core.slotPort.
type slotWaits [maxSlotPorts]int32

// slotState is the distributed scheduler's state, other than what waits.
type slotState struct {
	turn    int8 // the scheduler that the first µop to leave the queue gets next
	waits   slotWaits
	earlier [machine.MaxSlotDelay]slotWaits // at the beginning of this cycle's dispatch, and of those before
	freeing [machine.MaxSlotQueues]uint64   // scheduler → entries that are free from this cycle on, from the next, and so on: a byte each
}

// slotPorts numbers the ports of the schedulers.
func (c *Core) slotPorts() {
	for p := range c.slotPort {
		c.slotPort[p], c.slotQueue[p] = noSlotPort, noSlotPort
	}
	n := int8(0)
	for q, at := range c.SlotQueues.Schedulers {
		k := 0 // which of the scheduler's
		for s := uint64(c.Schedulers[at].Ports); s != 0 && n < maxSlotPorts; s &= s - 1 {
			p := bits.TrailingZeros64(s)
			c.slotPort[p], c.slotQueue[p] = n, int8(q)
			c.slotted |= 1 << p
			c.slotTwins[k] |= 1 << p
			n, k = n+1, k+1
		}
	}
}

// inSlotQueues reports whether a µop with these ports waits in one of the schedulers.
func (c *Core) inSlotQueues(ports uint64) bool {
	return ports != 0 && ports&^uint64(c.slotted) == 0
}

// line puts a µop that is dispatched in some slot of the cycle into the queue before the schedulers. Of several µops of a slot each counts.
func (e *engine) line(x *instance, u *uop, slot int) {
	if n := len(e.lined); u.slots == 0 && n > e.lineHead && e.lined[n-1] == x.seq-1 {
		slot = int(inOrder-e.ring[e.lined[n-1]&e.mask].port) + 1
	}
	x.port = inOrder - int8(max(0, slot)%len(e.core.SlotQueues.Schedulers))
	x.pending++ // on the scheduler
	if e.lineHead > 0 && len(e.lined) == cap(e.lined) {
		e.lined, e.lineHead = e.lined[:copy(e.lined, e.lined[e.lineHead:])], 0
	}
	e.lined = append(e.lined, x.seq)
}

// allot gives µops of the queue their schedulers, as many a cycle as slots are dispatched. Those that were in the queue before this cycle get the schedulers
// in turn, the first the one behind that of the first before.
func (e *engine) allot() {
	all := e.core.SlotQueues.Schedulers
	for q, s := range all {
		e.schedN[s] -= int(e.slots.freeing[q] & 0xff)
		e.slots.freeing[q] >>= 8
	}
	before := 0 // those of earlier cycles that leave the queue
	for n := 0; n < e.core.Width && e.lineHead < len(e.lined); n++ {
		i := e.lined[e.lineHead] & e.mask
		x := &e.ring[i]
		u := &e.body[x.uop]
		own := int(inOrder - x.port)
		if x.alloc < e.cycle {
			own = (int(e.slots.turn) + n) % len(all)
			before = n + 1
		}
		if to := e.crowded(u.ports); to >= 0 {
			own = to
		}
		p := e.slotPortOf(u, own)
		s := all[e.core.slotQueue[p]]
		if e.schedN[s] >= e.core.Schedulers[s].Entries {
			before = min(before, n)
			break
		}
		e.schedN[s]++
		e.slots.waits[e.core.slotPort[p]]++
		x.port = p
		x.ready = max(x.ready, e.cycle+int32(e.core.IssueDelay))
		e.lineHead++
		if x.pending--; x.pending == 0 {
			e.release(i)
		}
	}
	if before > 0 {
		e.slots.turn = int8(int(e.slots.turn+1) % len(all))
	}
	copy(e.slots.earlier[1:e.core.SlotQueues.Delay], e.slots.earlier[:]) // what is older is of no use, and would tell states apart
	e.slots.earlier[0] = e.slots.waits
}

// slotPortOf chooses the port of a µop that an imbalance or its slot gives a scheduler: there the one for which the fewest wait.
func (e *engine) slotPortOf(u *uop, own int) int8 {
	best := noSlotPort
	for s := u.ports; s != 0; s &= s - 1 {
		p := int8(bits.TrailingZeros64(s))
		better := best < 0 || e.slots.waits[e.core.slotPort[p]] < e.slots.waits[e.core.slotPort[best]]
		if here, there := int(e.core.slotQueue[p]) == own, best >= 0 && int(e.core.slotQueue[best]) == own; here && !there || here == there && better {
			best = p
		}
	}
	return best
}

// crowded is the scheduler to which all imbalances of pipes point that concern a µop with these ports, -1 if there are none or they disagree. The first
// pipes of the schedulers are compared with each other, the second, and so on; an imbalance concerns µops that may go to the most crowded.
func (e *engine) crowded(ports uint64) int {
	to := -1
	for k := range e.core.slotTwins {
		switch q := e.imbalance(ports, e.core.slotTwins[k]); {
		case q < 0:
		case to < 0:
			to = q
		case to != q:
			return -1
		}
	}
	return to
}

// imbalance is the scheduler of the pipe among twins for which the fewest wait, if many more do for the one for which the most wait, which is one of some
// ports; else -1.
func (e *engine) imbalance(ports, twins uint64) int {
	if ports&twins == 0 {
		return -1
	}
	seen := &e.slots.earlier[e.core.SlotQueues.Delay-1]
	most := bits.TrailingZeros64(twins)
	least := most
	for s := twins & (twins - 1); s != 0; s &= s - 1 {
		p := bits.TrailingZeros64(s)
		if n := seen[e.core.slotPort[p]]; n > seen[e.core.slotPort[most]] {
			most = p
		} else if n < seen[e.core.slotPort[least]] {
			least = p
		}
	}
	if ports>>most&1 == 0 || int(seen[e.core.slotPort[most]]-seen[e.core.slotPort[least]]) < e.core.SlotQueues.Difference {
		return -1
	}
	return int(e.core.slotQueue[least])
}
