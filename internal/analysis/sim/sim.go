// Package sim simulates a core running a kernel in steady state, cycle by cycle, with all
// data in the L1 cache. docs/simulator.md describes the units and where their rules are from.
package sim

import (
	"errors"
	"math"

	"incore/internal/machine"
)

// Core is what the simulator needs to know of a core.
type Core struct {
	machine.Core
	Width       int // slots dispatched per cycle
	RetireWidth int // slots retired per cycle
	ROB         int // slots in flight
	LoadQueue   int // 0: unlimited
	StoreQueue  int
	IssueQueue  int               // instructions of an in-order core that wait for their turn to issue
	Ports       int               // ports and resources; bit i of a port set is port i
	InOrder     bool              // instructions issue in program order
	FreePorts   bool              // every µop finds a port, however many there are: what a kernel would take if ports were free
	demand      [maxPorts]float64 // port → how much the kernel needs it (weigh)
	stalled     cycle             // nothing issues before (startCycles)
	buses       portSet           // ports that write back one result a cycle

	groups      []group        // of partitions that µops are steered to (steering.go)
	steered     []int          // partition that µops are steered to, by its number → index into Schedulers
	groupOf     [maxPorts]int8 // port → its group, from 1; 0: none
	partitionOf [maxPorts]int8 // port → its partition in the group
}

// startCycles is for how many cycles nothing issues at the start on a core with speculative wake-up, or with steering by how full partitions are: that µops had to wait
// makes others wait, so that a core that is loaded to the full stays behind once it is. An empty pipeline would take long to get there; code that has run for a while
// is there (on Zen 4 a loop of three lea, one on another, inc, cmp and jne takes 1.04 cycles in its first 3,000 iterations from an empty pipeline, later 1.2 to 2.0). In so
// many cycles dispatch fills the partitions.
const startCycles = 20

// ErrParameters says that a model lacks what the simulator needs.
var ErrParameters = errors.New("the model does not say how wide or deep the core is")

// Available returns the simulator's view of a model's core, or why there is none.
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

// Reason is why a slot was not dispatched or a µop waited.
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
	OlderStores   // whose addresses a load waits for
	DispatchLimit // so many µops of these ports are dispatched per cycle (DispatchLimits)
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
	// Held is why it was not dispatched in the cycle before the one it was dispatched in.
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

// limitsOf returns the limits of dispatch that a µop with these ports counts for: those of all ports that it may go to.
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
