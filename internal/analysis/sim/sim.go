// Package sim simulates a core running a kernel in steady state, cycle by cycle, with all data in the L1 cache.
package sim

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
