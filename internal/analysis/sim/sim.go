// Package sim simulates a core running a kernel in steady state, cycle by cycle, with all data in the L1 cache.
package sim

import (
	"math/bits"

	"incore/internal/machine"
)

// Core is what the simulator needs to know of a core.
type Core struct {
	Width       int // slots dispatched per cycle
	RetireWidth int // slots retired per cycle
	ROB         int // slots in flight
	LoadQueue   int // 0: unlimited
	StoreQueue  int
	Ports       int // ports and resources; bit i of a port set is port i
	Sched       []Scheduler
	// BindAtRename: a µop's port is fixed when it is renamed (Intel); else the scheduler
	// picks the oldest ready µop for each free port.
	BindAtRename bool
	IssueDelay   int // cycles from dispatch to the earliest issue
	FetchWidth   int // slots that the µop cache or loop buffer delivers per cycle, up to a taken branch; 0: no limit beyond Width
	Queue        int // slots of the queue between fetch and dispatch
	demand       [64]float64
}

// Scheduler is one partition of the scheduler.
type Scheduler struct {
	Name  string
	Ports uint64
	Size  int
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
	numReasons
)

// Event is the life of one dynamic µop, in cycles since the start.
type Event struct {
	Iteration, Uop, Inst                     int
	Dispatched, Ready, Issued, Done, Retired int64
	Port                                     int // -1 none
}

// schedulerOf returns the partition that a µop with these ports waits in, -1 if none is known.
func (c *Core) schedulerOf(ports uint64) int8 {
	if ports == 0 {
		return -1
	}
	for i := range c.Sched {
		if c.Sched[i].Ports&ports != 0 {
			return int8(i)
		}
	}
	return -1
}

// prepared returns a copy of the core with the kernel's demand for each port, which
// decides between free ports.
func (c *Core) prepared(b *machine.Bound) *Core {
	p := *c
	p.Ports = len(b.Model.Ports)
	for i := range b.Insts {
		for _, u := range b.Insts[i].Uops {
			n := bits.OnesCount64(uint64(u.Ports))
			for s := uint64(u.Ports); s != 0; s &= s - 1 {
				p.demand[bits.TrailingZeros64(s)] += u.Cycles / float64(n)
			}
		}
	}
	return &p
}
