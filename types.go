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

	// What is said of them, and the machines.
	Statement   = report.Statement
	Diagnostic  = report.Diagnostic
	Values      = report.Values
	Words       = report.Words
	Lack        = report.Lack
	MachineInfo = report.MachineInfo
	Fact        = report.Fact
	TextOptions = report.TextOptions
)
