package report

// Bound names the limit that determines a prediction.
type Bound string

// The bounds.
const (
	BoundLatency    Bound = "latency"    // the slowest loop-carried dependency
	BoundPorts      Bound = "ports"      // the busiest execution ports
	BoundDispatch   Bound = "dispatch"   // the allocate/rename width
	BoundFrontEnd   Bound = "front end"  // fetching and decoding
	BoundBranch     Bound = "branch"     // one taken branch per cycle
	BoundCache      Bound = "cache"      // banks, lines and ports of the first-level data cache
	BoundScheduling Bound = "scheduling" // the simulator predicts more cycles than the largest bound
	BoundUnknown    Bound = "unknown"    // the model has no bound for the code
)

// Engine names a method of prediction.
type Engine string

// The engines.
const (
	EngineSimulator Engine = "simulator"
	EngineBounds    Engine = "bounds"
)
