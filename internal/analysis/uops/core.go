package uops

import (
	"errors"
	"math"
	"math/bits"
	"slices"

	"incore/internal/machine"
)

// This file is a core as programs see it: which partition, group and limits the ports of a µop belong to.

// Core holds the simulator's parameters of a core.
type Core struct {
	machine.Core
	Width       int // slots dispatched per cycle
	Wide        int // an instruction of more slots waits for this many: the width, also where a simulation has none
	RetireWidth int // slots retired per cycle
	ROB         int // slots in flight
	LoadQueue   int // 0: unlimited
	StoreQueue  int
	IssueQueue  int               // instructions of an in-order core between dispatch and issue
	Ports       int               // ports and resources; bit i of a port set is port i
	InOrder     bool              // instructions issue in program order
	FreePorts   bool              // a free port for every µop, as if there were any number of ports
	Demand      [MaxPorts]float64 // port → demand of the kernel (weigh)
	ranks       [MaxPorts]uint16  // port → the number of ports that go before it, times MaxPorts (rank)
	Stalled     Cycle             // no issue before this cycle (startCycles)
	Buses       PortSet           // ports that write back one result per cycle

	Groups      []Group        // groups of partitions with steering (steering.go)
	Steered     []int          // number of a partition with steering → index into Schedulers
	Chance      bool           // some group has the policy SteerChance, so that a short pattern of retirement may end
	Turned      PortSet        // ports of the groups with the policy SteerTurns
	groupOf     [MaxPorts]int8 // port → its group, from 1; 0: none
	PartitionOf [MaxPorts]int8 // port → its partition in the group
}

// startCycles is the number of cycles without issue at the start, on cores with speculative wake-up or with steering by the occupancy of the
// partitions. On such cores waiting µops make others wait, so that a core under full load stays slower than after a start with an empty pipeline. (On
// Zen 4 a loop of three lea, one on another, inc, cmp and jne takes 1.04 cycles in the first 3,000 iterations from an empty pipeline, later 1.2 to
// 2.0.) In this number of cycles dispatch fills the partitions.
const startCycles = 20

// ErrParameters says that a model lacks parameters that the simulator needs.
var ErrParameters = errors.New("the model does not say how wide or deep the core is")

// Available returns the simulator's parameters of a model's core, or the reason why there are none.
func Available(m *machine.Model) (*Core, error) {
	p := &m.Params
	if p.DispatchWidth <= 0 || p.ROB <= 0 && !p.InOrder {
		return nil, ErrParameters
	}
	out := &Core{Core: *m.Core(), Width: p.DispatchWidth, Wide: p.DispatchWidth, RetireWidth: max(p.RetireWidth, p.DispatchWidth), ROB: p.ROB,
		LoadQueue: p.LoadQueue, StoreQueue: p.StoreQueue, Ports: len(m.Ports)}
	if p.RetireWidth > 0 {
		out.RetireWidth = p.RetireWidth
	}
	if p.InOrder {
		out.inOrder()
	}
	out.Regroup()
	if out.Buses = PortSet(out.ResultBus.Ports); out.WritebackConflicts {
		out.Buses = math.MaxUint64
	}
	if out.SpeculativeWakeup || out.packets() {
		out.Stalled = startCycles
	}
	if out.IssueDelay == 0 {
		out.IssueDelay = 1
	}
	if len(out.Schedulers) == 0 && p.Scheduler > 0 {
		all := machine.PortSet(0)
		for i, q := range m.Ports {
			if !q.Resource {
				all |= 1 << i
			}
		}
		out.Schedulers = []machine.Scheduler{{Name: "all", Entries: p.Scheduler, Ports: all}}
	}
	return out, nil
}

// inOrderCycles is the size of the window of an in-order core, in cycles' worth of slots: a short pipeline and its instruction queue. It does not
// limit anything, because an instruction that waits at issue stalls all later ones, unless it waits in the queue of its unit: each entry makes the window larger.
const inOrderCycles = 16

// issueQueueCycles is the number of instructions that wait to issue, in cycles' worth of the core's width: twice the least necessary number. It
// determines when instructions are dispatched, and so the timeline; cycles do not depend on it (TestIssueQueue).
const issueQueueCycles = 2

// inOrder makes a core issue in program order.
func (c *Core) inOrder() {
	c.InOrder = true
	if c.ROB == 0 {
		c.ROB = inOrderCycles * c.Width * (1 + c.UnitQueue.Entries)
	}
	if c.FetchWidth == 0 {
		c.FetchWidth = c.Width // instructions after a taken branch are fetched in the next cycle
	}
	c.Schedulers = nil
	c.IssueQueue = issueQueueCycles * c.Width
}

// atDispatch separates the resources that a dispatch limit counts, which rename takes, from those that a µop takes when it issues.
func (c *Core) atDispatch(held []hold) (issue []hold, limits uint64) {
	for i := range held {
		if l := c.limitsOf(held[i].Units); l != 0 {
			limits |= l
			continue
		}
		issue = append(issue, held[i])
	}
	return issue, limits
}

// NeedsLeast picks the free port with the lowest demand of the loop, so that a µop with a choice leaves the contended port to others.
func (c *Core) NeedsLeast(ports PortSet) int {
	if ports&(ports-1) == 0 {
		return ports.First()
	}
	best := uint16(math.MaxUint16)
	for s := ports; s != 0; s &= s - 1 {
		p := s.First() % MaxPorts
		best = min(best, c.ranks[p]+uint16(p))
	}
	return int(best % MaxPorts)
}

// rank orders the ports by their demand, those of the same demand by number.
func (c *Core) rank() {
	var needed [MaxPorts]int8 // the ports with a demand, which go after all others
	n, others := 0, uint16(0)
	for p := range c.Ports {
		if c.Demand[p] > 0 {
			needed[n] = int8(p)
			n++
		} else {
			c.ranks[p] = others
			others += MaxPorts
		}
	}
	for k, p := range needed[:n] {
		c.ranks[p] = others
		for _, q := range needed[:k] {
			if c.Demand[p] < c.Demand[q] {
				c.ranks[q] += MaxPorts
			} else {
				c.ranks[p] += MaxPorts
			}
		}
	}
}

// schedulerOf returns the partition that a µop with these ports waits in, -1 if none is known.
func (c *Core) schedulerOf(ports PortSet) int8 {
	if ports == 0 {
		return -1
	}
	for i := range c.Schedulers {
		if PortSet(c.Schedulers[i].Ports)&ports != 0 {
			return int8(i)
		}
	}
	return -1
}

// limitsOf returns the dispatch limits that count a µop with these ports: those whose ports include all of them.
func (c *Core) limitsOf(ports PortSet) (limits uint64) {
	if ports == 0 {
		return 0
	}
	for i := range c.DispatchLimits {
		if !c.DispatchLimits[i].Slots && ports&^PortSet(c.DispatchLimits[i].Ports) == 0 {
			limits |= 1 << i
		}
	}
	return limits
}

// packets computes which µops second places accept, and the most µops per partition and cycle.
func (g *Group) packets(c *Core) {
	for q := range g.Partitions {
		if _, g.Second[q] = c.SteeredTo(PortSet(g.Partitions[q].Second)); g.Second[q] != 0 {
			g.WithSecond |= 1 << q
		}
	}
	_, g.AddressPartitions = c.SteeredTo(PortSet(g.Addresses.Ports))
	if g.Most = 1; g.WithSecond != 0 {
		g.Most = 2
	}
	g.Most = max(g.Most, int32(g.Addresses.Uops))
}

// inTurn numbers the ports of the partitions.
func (g *Group) inTurn(c *Core) {
	n := int8(0)
	for q := range g.Partitions {
		k := 0 // index of the port in the partition
		for s := g.Within[q]; s != 0; s &= s - 1 {
			p := s.First()
			g.Number[p] = n
			g.Twins[k] |= 1 << p
			n, k = n+1, k+1
		}
	}
}

// PartitionSet is a set of partitions of a group, by number.
type PartitionSet uint8

// First is the lowest partition of a set that is not empty.
func (s PartitionSet) First() int { return bits.TrailingZeros8(uint8(s)) }

// Size is the number of partitions of a set.
func (s PartitionSet) Size() int { return bits.OnesCount8(uint8(s)) }

// Group is a group of partitions as its policy sees it.
type Group struct {
	machine.Steering
	Offset int                            // number of its first partition among all steered partitions
	Within [machine.MaxPartitions]PortSet // ports of each partition
	Ports  PortSet                        // of all its partitions

	// SteerPackets
	Second            [machine.MaxPartitions]PartitionSet // partition → partitions usable by the µops that its second place accepts
	WithSecond        PartitionSet                        // partitions with a second place
	AddressPartitions PartitionSet                        // partitions of the µops that Addresses limits
	Most              int32                               // most µops per partition and cycle

	// SteerTurns
	Number [MaxPorts]int8                // port → its number among those of the group
	Twins  [machine.MaxTurnPorts]PortSet // the first ports of each partition, the second …
}

// Group computes the partition and the group of each port.
func (c *Core) Regroup() {
	for p := range c.PartitionOf {
		c.PartitionOf[p], c.groupOf[p] = -1, 0
	}
	c.Groups, c.Steered, c.Turned = make([]Group, len(c.Steering)), nil, 0
	for i := range c.Groups {
		g := &c.Groups[i]
		g.Steering, g.Offset = c.Steering[i], len(c.Steered)
		for q := range g.Partitions {
			at := g.Partitions[q].Scheduler
			c.Steered = append(c.Steered, at)
			g.Within[q] = PortSet(c.Schedulers[at].Ports)
			g.Ports |= g.Within[q]
			for s := g.Within[q]; s != 0; s &= s - 1 {
				c.PartitionOf[s.First()], c.groupOf[s.First()] = int8(q), int8(i+1)
			}
		}
		switch g.Policy {
		case machine.SteerPackets:
			g.packets(c)
		case machine.SteerTurns:
			g.inTurn(c)
			c.Turned |= g.Ports
		case machine.SteerChance:
			c.Chance = true
		}
	}
}

// SteeredTo returns the group, from 1, among whose partitions a µop with these ports is steered, and the set of these partitions; 0 if the ports are
// not all of one group. A group with the policy SteerChance needs no set.
func (c *Core) SteeredTo(ports PortSet) (group int8, set PartitionSet) {
	if ports == 0 {
		return 0, 0
	}
	at := c.groupOf[ports.First()]
	if at == 0 || ports&^c.Groups[at-1].Ports != 0 || c.FreePorts && c.Groups[at-1].Policy == machine.SteerPackets {
		return 0, 0
	}
	if c.Groups[at-1].Policy == machine.SteerChance { // whose partitions are not ports
		return at, 0
	}
	for s := ports; s != 0; s &= s - 1 {
		set |= 1 << c.PartitionOf[s.First()]
	}
	return at, set
}

// InPackets reports whether the group has the policy SteerPackets.
func (c *Core) InPackets(group int8) bool {
	return group > 0 && c.Groups[group-1].Policy == machine.SteerPackets
}

// packets reports whether a group of the core has the policy SteerPackets.
func (c *Core) packets() bool {
	return slices.ContainsFunc(c.Groups, func(g Group) bool { return g.Policy == machine.SteerPackets })
}
