package sim

import (
	"math/bits"
	"slices"

	"incore/internal/machine"
)

// This file is what all policies of steering share (machine.Steering): the partitions of a group, their entries, and when these are free again. A policy chooses
// the partition of a µop: steer_packet.go those of a cycle's µops together, steer_turns.go one after the other behind a queue.

const (
	maxSteered = machine.MaxGroups * maxPartitions // partitions that µops are steered to; a word has a byte for each
	delays     = 16                                // cycles ahead in which entries become free, a power of two above machine.MaxSteeringCycles

	countBits = 8 // of the events of a partition in a cycle (delayed)
	countMask = 1<<countBits - 1

	noPartition = int8(-1) // of ports and µops that have none
	// chosen is instance.port of a µop that has a partition and no port yet: chosen, chosen-1 … by its partition.
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
	offset int     // number of its first partition among all that µops are steered to
	ports  portSet // of all its partitions

	// SteerPackets
	second    [maxPartitions]partitionSet // partition → the partitions to which those µops may go that its second place is for
	seconds   partitionSet                // the partitions that have one
	addresses partitionSet                // the partitions of those µops that Addresses is about
	most      int32                       // how many µops a partition gets in a cycle at most

	// SteerTurns
	number [maxPorts]int8                // port → its number among those of the group
	twins  [machine.MaxTurnPorts]portSet // the first ports of each partition, the second …
}

// steering is the state of a policy. In a cycle its methods are called in this order, those of µops for those of its group alone.
type steering interface {
	reset(w *window, s *scheduler, g *group)
	observe()                            // a cycle's dispatch begins: what is known of the partitions is brought up to date
	plan(next uopIndex, width int)       // so many slots are dispatched at most, from this µop on
	full(u *op) Reason                   // why the next µop finds no entry
	enter(x *instance, u *uop, slot int) // a µop is dispatched, in a slot of its cycle
	distribute(p *pipeline)              // dispatch has ended
	leave(x *instance, u *uop, port int) // a µop issues

	remember(k int)    // as mark k: the state beside what the µops in flight tell
	recurs(k int) bool // it is the state of mark k again
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
	counts [delays]uint64 // by cycle, modulo delays: a byte for each partition
	at     int            // the cycle that comes next
}

// add counts an event of a partition, some cycles on.
func (d *delayed) add(partition, after int) {
	d.counts[(d.at+after)%delays] += 1 << (countBits * partition)
}

// pass returns the events of the next cycle and goes on to it.
func (d *delayed) pass() uint64 {
	now := d.counts[d.at]
	d.counts[d.at] = 0
	d.at = (d.at + 1) % delays
	return now
}

// same reports whether the events of the coming cycles are those that were to come at another time.
func (d *delayed) same(then *delayed) bool {
	for k := range d.counts {
		if d.counts[(d.at+k)%delays] != then.counts[(then.at+k)%delays] {
			return false
		}
	}
	return true
}

// group finds out to which partition of which group each port belongs.
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

// steeredTo is the group of partitions of which a µop with these ports gets one, from 1, and the set of these; 0 if not all of the ports are of one group.
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

// inPackets reports whether a group is steered to in packets.
func (c *Core) inPackets(group int8) bool {
	return group > 0 && c.groups[group-1].Policy == machine.SteerPackets
}

// packets reports whether the core steers the µops of a cycle together.
func (c *Core) packets() bool {
	return slices.ContainsFunc(c.groups, func(g group) bool { return g.Policy == machine.SteerPackets })
}
