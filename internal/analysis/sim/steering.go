package sim

import (
	"math/bits"
	"slices"

	"incore/internal/machine"
)

// This file is the common part of all steering policies (machine.Steering): the partitions of a group, their entries, and when these become free. A
// policy chooses the partition of a µop: steer_packet.go for all µops of a cycle together, steer_turns.go for one µop after another from a queue.

const (
	maxSteered = machine.MaxGroups * maxPartitions // largest number of steered partitions; a word has a byte for each
	delays     = 16                                // cycles ahead in which entries become free, a power of two above machine.MaxSteeringCycles

	countBits = 8 // of the events of a partition in a cycle (delayed)
	countMask = 1<<countBits - 1

	noPartition = int8(-1) // marks ports and µops without a partition
	// chosen is the instance.port of a µop with a partition but no port yet: chosen minus the number of its partition.
	chosen = int8(-2)
)

// partitionSet is a set of partitions of a group, by number.
type partitionSet uint8

// first is the lowest partition of a set that is not empty.
func (s partitionSet) first() int { return bits.TrailingZeros8(uint8(s)) }

// size is the number of partitions of a set.
func (s partitionSet) size() int { return bits.OnesCount8(uint8(s)) }

// group is a group of partitions as its policy sees it.
type group struct {
	machine.Steering
	offset int     // number of its first partition among all steered partitions
	ports  portSet // of all its partitions

	// SteerPackets
	second    [maxPartitions]partitionSet // partition → partitions usable by the µops that its second place accepts
	seconds   partitionSet                // partitions with a second place
	addresses partitionSet                // partitions of the µops that Addresses limits
	most      int32                       // most µops per partition and cycle

	// SteerTurns
	number [maxPorts]int8                // port → its number among those of the group
	twins  [machine.MaxTurnPorts]portSet // the first ports of each partition, the second …
}

// steering is the state of a policy. In each cycle its methods are called in this order; those with a µop only for µops of its group.
type steering interface {
	reset(w *window, s *scheduler, g *group)
	observe()                            // a cycle's dispatch begins: updates the delayed occupancy that steering sees
	plan(next uopIndex, width int)       // dispatch takes at most width slots, beginning with this µop
	full(u *op) Reason                   // reason why the next µop finds no entry
	enter(x *instance, u *uop, slot int) // a µop is dispatched, in a slot of its cycle
	distribute(p *pipeline)              // dispatch has ended
	leave(x *instance, u *uop, port int) // a µop issues

	mark(k int)        // as of unit
	recurs(k int) bool // as of unit
}

// steered is a group of partitions with the state of its policy.
type steered struct {
	steering
	packet packetSteering
	turns  turnSteering
}

// reset prepares for a group of the core.
func (s *steered) reset(w *window, sched *scheduler, g *group) {
	switch g.Policy {
	case machine.SteerPackets:
		s.steering = &s.packet
	case machine.SteerTurns:
		s.steering = &s.turns
	}
	s.steering.reset(w, sched, g)
}

// delayed counts events of steered partitions that take effect in one of the next cycles.
type delayed struct {
	counts [delays]uint64 // by cycle, modulo delays: one byte per partition
	at     int            // the next cycle
}

// add counts an event of a partition, some cycles on.
func (d *delayed) add(partition, after int) {
	d.counts[(d.at+after)%delays] += 1 << (countBits * partition)
}

// pass returns the events of the next cycle, and advances to it.
func (d *delayed) pass() uint64 {
	now := d.counts[d.at]
	d.counts[d.at] = 0
	d.at = (d.at + 1) % delays
	return now
}

// event returns after how many cycles there is an event, never if there is none to come.
func (d *delayed) event() cycle {
	for k := range d.counts {
		if d.counts[(d.at+k)%delays] != 0 {
			return cycle(k)
		}
	}
	return never
}

// same reports whether the pending events are the same as those at another time.
func (d *delayed) same(then *delayed) bool {
	for k := range d.counts {
		if d.counts[(d.at+k)%delays] != then.counts[(then.at+k)%delays] {
			return false
		}
	}
	return true
}

// group computes the partition and the group of each port.
func (c *Core) group() {
	for p := range c.partitionOf {
		c.partitionOf[p], c.groupOf[p] = noPartition, 0
	}
	c.groups, c.steered = make([]group, len(c.Steering)), nil
	for i := range c.groups {
		g := &c.groups[i]
		g.Steering, g.offset = c.Steering[i], len(c.steered)
		for q := range g.Partitions {
			at := g.Partitions[q].Scheduler
			c.steered = append(c.steered, at)
			g.ports |= portSet(c.Schedulers[at].Ports)
			for s := portSet(c.Schedulers[at].Ports); s != 0; s &= s - 1 {
				c.partitionOf[s.first()], c.groupOf[s.first()] = int8(q), int8(i+1)
			}
		}
		switch g.Policy {
		case machine.SteerPackets:
			g.packets(c)
		case machine.SteerTurns:
			g.inTurn(c)
		}
	}
}

// steeredTo returns the group, from 1, among whose partitions a µop with these ports is steered, and the set of these partitions; 0 if the ports are
// not all of one group.
func (c *Core) steeredTo(ports portSet) (group int8, set partitionSet) {
	if ports == 0 {
		return 0, 0
	}
	at := c.groupOf[ports.first()]
	if at == 0 || ports&^c.groups[at-1].ports != 0 || c.FreePorts && c.groups[at-1].Policy == machine.SteerPackets {
		return 0, 0
	}
	for s := ports; s != 0; s &= s - 1 {
		set |= 1 << c.partitionOf[s.first()]
	}
	return at, set
}

// inPackets reports whether the group has the policy SteerPackets.
func (c *Core) inPackets(group int8) bool {
	return group > 0 && c.groups[group-1].Policy == machine.SteerPackets
}

// packets reports whether a group of the core has the policy SteerPackets.
func (c *Core) packets() bool {
	return slices.ContainsFunc(c.groups, func(g group) bool { return g.Policy == machine.SteerPackets })
}
