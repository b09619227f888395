package report

// Timeline lists the simulated events of the µops of some iterations. Cycles count from the first
// dispatch in the list.
type Timeline struct {
	First      int           `json:"first"`      // first iteration of the list, counted from 0 at the start of the simulation
	Iterations int           `json:"iterations"` // number of iterations in the list
	Steady     bool          `json:"steady"`     // the iterations are in the steady state
	Uops       []TimelineUop `json:"uops"`
}

// TimelineUop is one µop of one iteration.
type TimelineUop struct {
	Iteration   int    `json:"iteration"`
	Instruction int    `json:"instruction"` // index
	Uop         int    `json:"uop"`         // number within the instruction
	Kind        string `json:"kind"`        // "execute", "load", "store address", "store data", "loaded value", "result", "stack pointer"
	Port        string `json:"port"`        // "" if it needs no port
	// The cycles of its events: it enters the schedulers, its last operand is ready, it issues to a port, its
	// result is ready, it leaves the reorder buffer.
	Dispatched int64  `json:"dispatched"`
	Ready      int64  `json:"ready"`
	Issued     int64  `json:"issued"`
	Done       int64  `json:"done"`
	Retired    int64  `json:"retired"`
	Left       int64  `json:"left,omitempty"` // of a store that stays in the store queue after it has retired: it leaves
	Waits      []Wait `json:"waits"`
}

// Wait is a time in which a µop waited.
type Wait struct {
	For    string `json:"for"` // "dispatch", "operand", "port", "retirement"
	Cycles int64  `json:"cycles"`
	// Reason is the cause of the wait: "front end", "reorder buffer full" …; "register", "memory" …; "port busy"; "order".
	Reason string `json:"reason"`
	// Via names the register or memory that carries the operand, the full scheduler, the limit of dispatch, or the busy ports.
	Via string `json:"via,omitempty"`
	// Instruction and Iteration identify the instruction that the µop waited for, -1 if there is none.
	Instruction int `json:"instruction"`
	Iteration   int `json:"iteration"`
}
