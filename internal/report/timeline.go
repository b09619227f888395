package report

// Timeline is the life of the µops of some iterations, as the simulator saw it. Cycles count from the first
// dispatch that is shown.
type Timeline struct {
	First      int           `json:"first"`      // iteration, from 0 at the start of the simulation
	Iterations int           `json:"iterations"` // shown
	Steady     bool          `json:"steady"`     // from there on, iterations repeat
	Uops       []TimelineUop `json:"uops"`
}

// TimelineUop is one µop of one iteration.
type TimelineUop struct {
	Iteration   int    `json:"iteration"`
	Instruction int    `json:"instruction"` // index
	Uop         int    `json:"uop"`         // number within the instruction
	Kind        string `json:"kind"`        // "execute", "load", "store address", "store data", "loaded value", "result", "stack pointer"
	Port        string `json:"port"`        // "" if it needs none
	// The moments of its life, in cycles: it enters the schedulers, its last operand is there, it leaves for a port, its
	// result is there, it leaves the reorder buffer.
	Dispatched int64  `json:"dispatched"`
	Ready      int64  `json:"ready"`
	Issued     int64  `json:"issued"`
	Done       int64  `json:"done"`
	Retired    int64  `json:"retired"`
	Waits      []Wait `json:"waits"`
}

// Wait is a time in which a µop was held up.
type Wait struct {
	For    string `json:"for"` // "dispatch", "operand", "port", "retirement"
	Cycles int64  `json:"cycles"`
	// Reason says more: "front end", "reorder buffer full" …; "register", "memory" …; "port busy"; "order".
	Reason string `json:"reason"`
	// Via is what the operand goes through, the scheduler that is full, the limit of dispatch, or the ports that are taken.
	Via string `json:"via,omitempty"`
	// Instruction and Iteration name the instruction that was waited for, -1 where it is none.
	Instruction int `json:"instruction"`
	Iteration   int `json:"iteration"`
}
