// Package sim simulates a core that runs a kernel in steady state, cycle by cycle, with all data in the L1 cache. docs/simulator.md describes the
// units and the sources of their rules.
package sim

import (
	"errors"
	"math"

	"incore/internal/machine"
)

// Core holds the simulator's parameters of a core.
type Core struct {
	machine.Core
	Width       int // slots dispatched per cycle
	RetireWidth int // slots retired per cycle
	ROB         int // slots in flight
	LoadQueue   int // 0: unlimited
	StoreQueue  int
	IssueQueue  int               // instructions of an in-order core between dispatch and issue
	Ports       int               // ports and resources; bit i of a port set is port i
	InOrder     bool              // instructions issue in program order
	FreePorts   bool              // a free port for every µop, as if there were any number of ports
	demand      [maxPorts]float64 // port → demand of the kernel (weigh)
	stalled     cycle             // no issue before this cycle (startCycles)
	buses       portSet           // ports that write back one result per cycle

	groups      []group        // groups of partitions with steering (steering.go)
	steered     []int          // number of a partition with steering → index into Schedulers
	groupOf     [maxPorts]int8 // port → its group, from 1; 0: none
	partitionOf [maxPorts]int8 // port → its partition in the group
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
	out := &Core{Core: *m.Core(), Width: p.DispatchWidth, RetireWidth: max(p.RetireWidth, p.DispatchWidth), ROB: p.ROB,
		LoadQueue: p.LoadQueue, StoreQueue: p.StoreQueue, Ports: len(m.Ports)}
	if p.RetireWidth > 0 {
		out.RetireWidth = p.RetireWidth
	}
	if p.InOrder {
		out.inOrder()
	}
	out.group()
	if out.buses = portSet(out.ResultBus.Ports); out.WritebackConflicts {
		out.buses = math.MaxUint64
	}
	if out.SpeculativeWakeup || out.packets() {
		out.stalled = startCycles
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

// Reason tells why a slot was not dispatched or a µop waited.
type Reason uint8

// The reasons of waiting.
const (
	none Reason = iota
	FrontEnd
	ROBFull
	SchedulerFull
	LoadQueueFull
	StoreQueueFull
	Operands
	PortBusy
	InOrder
	Width         // the dispatch width is used up
	OlderStores   // a load waits for their addresses
	DispatchLimit // the µops of these ports that can be dispatched per cycle (DispatchLimits)
	IssueQueueFull
	RegistersFull // a file of physical registers
	numReasons
)

var reasonNames = [numReasons]string{"", "front end", "reorder buffer full", "scheduler full", "load queue full", "store queue full", "operands", "port busy", "order", "dispatch width", "older stores", "dispatch limit", "issue queue full", "registers full"}

func (r Reason) String() string { return reasonNames[r] }

// Event is the life of one dynamic µop, in cycles since the start.
type Event struct {
	Iteration, Uop, Inst                     int
	Dispatched, Ready, Issued, Done, Retired int64
	Port                                     int // -1 none
	// Held is the reason why it was not dispatched one cycle earlier.
	Held Reason
}

// schedulerOf returns the partition that a µop with these ports waits in, -1 if none is known.
func (c *Core) schedulerOf(ports portSet) int8 {
	if ports == 0 {
		return -1
	}
	for i := range c.Schedulers {
		if portSet(c.Schedulers[i].Ports)&ports != 0 {
			return int8(i)
		}
	}
	return -1
}

// limitsOf returns the dispatch limits that count a µop with these ports: those whose ports include all of them.
func (c *Core) limitsOf(ports portSet) (limits uint64) {
	if ports == 0 {
		return 0
	}
	for i := range c.DispatchLimits {
		if ports&^portSet(c.DispatchLimits[i].Ports) == 0 {
			limits |= 1 << i
		}
	}
	return limits
}

// weigh computes the kernel's demand for each port, which decides between free ports.
func (c *Core) weigh(b *machine.Bound) {
	c.demand = [maxPorts]float64{} // of the kernel before
	for i := range b.Insts {
		for _, u := range b.Insts[i].Uops {
			ports := portSet(u.Ports)
			for s := ports; s != 0; s &= s - 1 {
				c.demand[s.first()] += u.Cycles / float64(ports.size())
			}
		}
	}
}
