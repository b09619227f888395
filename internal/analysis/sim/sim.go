// Package sim simulates a core that runs a kernel in steady state, cycle by cycle, with all data in the L1 cache. docs/simulator.md describes the
// units and the sources of their rules.
package sim

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
	BranchesFull  // the taken branches in flight
	Fenced        // a fence waits for all older instructions, or younger ones for it
	numReasons
)

var reasonNames = [numReasons]string{"", "front end", "reorder buffer full", "scheduler full", "load queue full", "store queue full", "operands", "port busy", "order", "dispatch width", "older stores", "dispatch limit", "issue queue full", "registers full", "taken branches full", "fence"}

func (r Reason) String() string { return reasonNames[r] }

// Event is the life of one dynamic µop, in cycles since the start.
type Event struct {
	Iteration, Uop, Inst                     int
	Dispatched, Ready, Issued, Done, Retired int64
	Port                                     int   // -1 none
	Left                                     int64 // of the last µop of a store: when the store has left the store queue; else 0
	// Held is the reason why it was not dispatched one cycle earlier.
	Held Reason
}
