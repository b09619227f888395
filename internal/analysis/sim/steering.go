package sim

import (
	"incore/internal/machine"
)

// This file is the common part of all steering policies (machine.Steering): the partitions of a group, their entries, and when these become free. A
// policy chooses the partition of a µop: steer_packet.go for all µops of a cycle together, steer_turns.go for one µop after another from a queue,
// steer_chance.go for each by chance.

const (
	maxSteered = machine.MaxGroups * maxPartitions // largest number of steered partitions; a word has a byte for each
	delays     = 16                                // cycles ahead in which entries become free, a power of two above machine.MaxSteeringCycles and every `hold`

	countBits = 8 // of the events of a partition in a cycle (delayed)
	countMask = 1<<countBits - 1

	noPartition = int8(-1) // marks ports and µops without a partition
	// chosen is the instance.port of a µop with a partition but no port yet: chosen minus the number of its partition.
	chosen = int8(-2)
	// drawn is likewise, for a µop that may issue to all ports of its partition, and to no others.
	drawn = int8(-32)
)

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
	chance chanceSteering
}

// reset prepares for a group of the core.
func (s *steered) reset(w *window, sched *scheduler, g *group) {
	switch g.Policy {
	case machine.SteerPackets:
		s.steering = &s.packet
	case machine.SteerTurns:
		s.steering = &s.turns
	case machine.SteerChance:
		s.steering = &s.chance
	}
	s.steering.reset(w, sched, g)
}

// delayed counts events of steered partitions that take effect in one of the next cycles.
type delayed struct {
	counts [delays]uint64 // by cycle, modulo delays: one byte per partition
	at     int            // the next cycle
}

// add counts an event of a partition, some cycles on. A byte holds 255 events, more than a core has in a cycle; if ports are free (package whatif) there may be
// more, and the rest takes effect a cycle later.
func (d *delayed) add(partition, after int) {
	shift := uint(countBits*partition) % 64
	for range delays - 1 {
		if d.counts[uint(d.at+after)%delays]>>shift&countMask < countMask {
			break
		}
		after = (after + 1) % delays
	}
	d.counts[uint(d.at+after)%delays] += 1 << shift
}

// pass returns the events of the next cycle, and advances to it.
func (d *delayed) pass() uint64 {
	now := d.counts[d.at%delays]
	d.counts[d.at%delays] = 0
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
