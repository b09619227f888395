package incore

import "incore/internal/report"

// The parts of the result of an analysis; docs/json.md describes their fields. TestTypes checks that every part has a name here.
type (
	// The input and its code.
	Document    = report.Document
	Input       = report.Input
	Kernel      = report.Kernel
	Target      = report.Target
	Instruction = report.Instruction
	Label       = report.Label
	SourceLine  = report.SourceLine
	Candidate   = report.Candidate

	// The prediction.
	Prediction    = report.Prediction
	Bounds        = report.Bounds
	Limit         = report.Limit
	Above         = report.Above
	Stall         = report.Stall
	DispatchLimit = report.DispatchLimit
	Share         = report.Share
	Rung          = report.Rung
	Likely        = report.Likely
	Interval      = report.Interval
	Range         = report.Range
	Accuracy      = report.Accuracy
	Alternative   = report.Estimate // the prediction under other assumptions

	// What it rests on.
	Throughput         = report.Throughput
	Ports              = report.Ports
	PortLoad           = report.PortLoad
	Path               = report.Path
	Chain              = report.Chain
	Dependency         = report.Dependency
	Memory             = report.Memory
	MemoryDependency   = report.MemoryDependency
	PossibleDependency = report.PossibleDependency
	Evidence           = report.Evidence
	Work               = report.Work
	Entered            = report.Entered
	DataBranch         = report.DataBranch

	// The answers to further questions.
	WhatIf      = report.WhatIf
	Sensitivity = report.Sensitivity
	Advice      = report.Advice
	AdviceLine  = report.AdviceLine
	Timeline    = report.Timeline
	TimelineUop = report.TimelineUop
	Wait        = report.Wait

	// What is said of them.
	Statement   = report.Statement
	Diagnostic  = report.Diagnostic
	Values      = report.Values
	Words       = report.Words
	Lack        = report.Lack
	TextOptions = report.TextOptions
)

// Engine names a method of prediction, in options and in results.
type Engine = report.Engine

// The engines. EngineAuto, an option only, selects the simulator if the model describes the whole core, otherwise the bounds.
const (
	EngineAuto      Engine = "auto"
	EngineSimulator        = report.EngineSimulator
	EngineBounds           = report.EngineBounds
)

// Bound names the limit that determines a prediction.
type Bound = report.Bound

// The bounds.
const (
	BoundLatency    = report.BoundLatency    // the slowest loop-carried dependency
	BoundPorts      = report.BoundPorts      // the busiest execution ports
	BoundDispatch   = report.BoundDispatch   // the allocate/rename width
	BoundFrontEnd   = report.BoundFrontEnd   // fetching and decoding
	BoundBranch     = report.BoundBranch     // one taken branch per cycle
	BoundCache      = report.BoundCache      // banks, lines and ports of the first-level data cache
	BoundScheduling = report.BoundScheduling // the simulator predicts more cycles than the largest bound
	BoundUnknown    = report.BoundUnknown    // the model has no bound for the code
)

// The values of Limit.Kind: how a limit explains the predicted cycles. The kinds of statements and diagnostics are listed in docs/json.md.
const (
	LimitBound        = report.LimitBound        // Limit.Bound explains the cycles
	LimitSeveral      = report.LimitSeveral      // Limit.Bound explains most of the cycles
	LimitUnexplained  = report.LimitUnexplained  // Limit.Bound, the greatest bound, is less than half of the cycles
	LimitForwarding   = report.LimitForwarding   // failed store-to-load forwarding
	LimitBuffer       = report.LimitBuffer       // Limit.Buffer is full most of the time
	LimitProgramOrder = report.LimitProgramOrder // an in-order core waits for older instructions
	LimitNone         = report.LimitNone         // the model has no bound for the code
)
