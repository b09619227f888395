// Package incore predicts how many cycles a loop takes on a CPU core and says why.
//
// It is the small public interface to what the incore command does; the document types are
// those of its JSON output (docs/json.md).
//
//	doc, err := incore.Analyze("triad.s", text, incore.Options{Archs: []string{"zen4"}})
//	fmt.Println(doc.Kernels[0].Targets[0].Prediction.Text)
package incore

import (
	"incore/internal/analysis/engine"
	"incore/internal/analysis/throughput"
	"incore/internal/analyze"
	"incore/internal/report"
	"incore/internal/source"
)

// Options of Analyze and Predict. The zero value detects instruction set and syntax, takes the
// machine that the program runs on (or a default one if the code is for another instruction
// set) and finds marked regions or innermost loops.
type Options struct {
	Archs    []string // machines by name or alias ("zen4", "skx"); see Machines
	ISA      string   // "x86-64", "aarch64", "riscv64", or a target triple
	Syntax   string   // x86: "att", "intel"
	Lines    string   // only these lines: "1,2,8-18"
	Label    string   // only the loop at this label
	Function string   // only the loops of this function
	Unroll   float64  // high-level iterations in one pass of the loop; 0 means 1
	Uniform  bool     // spread µops over their ports with fixed probabilities, not optimally
	NoFlags  bool     // leave out dependences through condition flags
	Engine   string   // "auto" (or ""): the simulator where it knows the core, else bounds; "sim", "bounds"
	// Beside the kernel as it is, Analyze predicts it with changes of the core ("ports.load+1", "rob=2x";
	// docs/usage.md has the grammar), with each resource doubled and free, and follows the µops of so many iterations.
	WhatIf      []string
	Sensitivity bool
	Timeline    int
}

// The result of an analysis; see docs/json.md.
type (
	Document    = report.Document
	Kernel      = report.Kernel
	Target      = report.Target
	Prediction  = report.Prediction
	WhatIf      = report.WhatIf
	Sensitivity = report.Sensitivity
	Timeline    = report.Timeline
	Chain       = report.Chain
	Instruction = report.Instruction
	Diagnostic  = report.Diagnostic
	MachineInfo = report.MachineInfo
)

// Analyze analyses assembly text; name stands for it in messages. The error lists
// what is wrong with the input, a line each.
func Analyze(name, text string, o Options) (*Document, error) {
	f, err := source.New(name, []byte(text))
	if err != nil {
		return nil, err
	}
	opts, err := o.internal()
	if err != nil {
		return nil, err
	}
	return analyze.Run(f, opts)
}

// Predict returns the predicted cycles per iteration of the first kernel of a text on each of
// the machines asked for (one, if none is named), without the rest of the report.
func Predict(text string, o Options) ([]Estimate, error) {
	f, err := source.New("text", []byte(text))
	if err != nil {
		return nil, err
	}
	opts, err := o.internal()
	if err != nil {
		return nil, err
	}
	list, err := analyze.Predict(f, opts)
	if err != nil {
		return nil, err
	}
	out := make([]Estimate, len(list))
	for i, p := range list {
		out[i] = Estimate(p)
	}
	return out, nil
}

// Estimate is a prediction in brief.
type Estimate struct {
	Arch      string
	Cycles    float64 // per iteration
	Low, High float64 // the interval that the run time lies in
	Bound     string  // "latency", "ports", "dispatch", "front end", "branch", "scheduling", "unknown"
	Engine    string  // "simulator", "bounds"
	Unrolled  float64 // cycles per iteration laid out again and again without the loop's branch
	Unknown   int     // instructions without a known cost
}

// Machines lists the machine models that are built in.
func Machines() []MachineInfo { return analyze.Machines() }

// internal translates the options.
func (o Options) internal() (analyze.Options, error) {
	out := analyze.Options{Archs: o.Archs, ISA: o.ISA, Syntax: o.Syntax, Unroll: o.Unroll, NoFlags: o.NoFlags, Version: report.Version}
	out.Select.Label, out.Select.Function = o.Label, o.Function
	out.Questions = analyze.Questions{WhatIf: o.WhatIf, Sensitivity: o.Sensitivity, Timeline: o.Timeline, TimelineFrom: -1}
	if o.Uniform {
		out.Policy = throughput.Uniform
	}
	var err error
	if o.Engine != "" {
		if out.Engine, err = engine.Parse(o.Engine); err != nil {
			return out, err
		}
	}
	if o.Lines != "" {
		out.Select.Lines, err = source.ParseRanges(o.Lines)
	}
	return out, err
}
