// Package incore predicts how many cycles a loop takes on a CPU core and says why.
//
// It is the public interface to what the incore command does; the document types are those of its JSON output
// (docs/json.md). A Predictor holds options and machine models for many calls, from several goroutines too:
//
//	p, err := incore.NewPredictor(incore.Options{Archs: []string{"zen4"}})
//	doc, err := p.Analyze(ctx, "triad.s", text)
//	fmt.Println(doc.Kernels[0].Targets[0].Prediction.Cycles)
//
// Analyze and Predict do the same for one text. A document holds values; what it says in words is made of them, so that programs
// need not read English.
package incore

import (
	"context"
	"fmt"
	"io"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/throughput"
	"incore/internal/analyze"
	"incore/internal/catalog"
	"incore/internal/machine"
	"incore/internal/object"
	"incore/internal/page"
	"incore/internal/report"
	"incore/internal/source"
)

// Options of predictions. The zero value detects instruction set and syntax, takes the
// machine that the program runs on (or a default one if the code is for another instruction
// set) and finds marked regions or innermost loops.
type Options struct {
	Archs    []string // machines by name or alias ("zen4", "skx"); see Machines
	Models   []*Model // machines of the caller's own, in addition; see LoadModel
	ISA      string   // "x86-64", "aarch64", "riscv64", or a target triple
	Syntax   string   // x86: "att", "intel"
	Lines    string   // only these lines: "1,2,8-18"
	Label    string   // only the loop at this label
	Function string   // only the loops of this function
	Unroll   float64  // high-level iterations in one pass of the loop; 0 means 1
	Uniform  bool     // spread µops over their ports with fixed probabilities, not optimally
	NoFlags  bool     // leave out dependences through condition flags
	Engine   Engine   // what makes the prediction; "" means EngineAuto
	// Beside the kernel as it is, Analyze predicts it with changes of the core ("ports.load+1", "rob=2x";
	// docs/usage.md has the grammar), with each resource doubled and free, and follows the µops of so many iterations.
	WhatIf      []string
	Sensitivity bool
	Timeline    int
}

// Engine is what makes a prediction.
type Engine string

// The engines. EngineAuto is the simulator where it knows the core, else the bounds.
const (
	EngineAuto      Engine = "auto"
	EngineSimulator Engine = "sim"
	EngineBounds    Engine = "bounds"
)

// Bound is what a prediction comes from.
type Bound string

// The bounds.
const (
	BoundLatency    Bound = engine.Latency    // the slowest loop-carried dependency
	BoundPorts      Bound = engine.Ports      // the busiest execution ports
	BoundDispatch   Bound = engine.Dispatch   // the allocate/rename width
	BoundFrontEnd   Bound = engine.FrontEnd   // fetching and decoding
	BoundBranch     Bound = engine.Branch     // one taken branch per cycle
	BoundCache      Bound = engine.Cache      // banks, lines and ports of the first-level data cache
	BoundScheduling Bound = engine.Scheduling // the simulator finds more than any bound explains
	BoundUnknown    Bound = engine.Unknown    // nothing in the model bounds it
)

// Kinds of what limits a figure (Limit.Kind). Kinds of statements and diagnostics are listed in docs/json.md.
const (
	LimitBound        = report.LimitBound        // Limit.Bound explains the figure
	LimitSeveral      = report.LimitSeveral      // Limit.Bound explains most of it
	LimitUnexplained  = report.LimitUnexplained  // Limit.Bound, the greatest, is less than half of it
	LimitForwarding   = report.LimitForwarding   // failed store-to-load forwarding
	LimitBuffer       = report.LimitBuffer       // Limit.Buffer is full most of the time
	LimitProgramOrder = report.LimitProgramOrder // an in-order core waits for older instructions
	LimitNone         = report.LimitNone         // nothing in the model bounds it
)

// The result of an analysis; see docs/json.md.
type (
	Document    = report.Document
	Kernel      = report.Kernel
	Target      = report.Target
	Prediction  = report.Prediction
	Limit       = report.Limit
	Statement   = report.Statement
	Values      = report.Values
	WhatIf      = report.WhatIf
	Sensitivity = report.Sensitivity
	Timeline    = report.Timeline
	Chain       = report.Chain
	Instruction = report.Instruction
	Diagnostic  = report.Diagnostic
	MachineInfo = report.MachineInfo
	TextOptions = report.TextOptions
)

// Model is a machine model of the caller's own.
type Model struct{ model *machine.Model }

// LoadModel reads a model in the format of docs/model-format.md, which may build on one that is built in; name stands for it in messages.
func LoadModel(r io.Reader, name string) (*Model, error) {
	m, err := machine.Load(r, name)
	if err != nil {
		return nil, err
	}
	return &Model{m}, nil
}

// Name is the model's name.
func (m *Model) Name() string { return m.model.Name }

// Predictor analyses code for the machines of its options, whose models are read once. Its methods may be called from several goroutines at
// a time. A context that ends stops an analysis; the error is the context's.
type Predictor struct{ options analyze.Options }

// NewPredictor reads the models that the options name and checks the options.
func NewPredictor(o Options) (*Predictor, error) {
	opts, err := o.internal()
	if err != nil {
		return nil, err
	}
	isaName := ""
	if o.ISA != "" {
		a := catalog.ISA(o.ISA)
		if a == nil {
			return nil, fmt.Errorf("unknown instruction set %q; known are %v", o.ISA, catalog.ISANames())
		}
		isaName = a.Name
	}
	for _, name := range o.Archs {
		if _, err := machine.GetFor(isaName, name); err != nil {
			return nil, err
		}
	}
	return &Predictor{opts}, nil
}

// with are the options for a call.
func (p *Predictor) with(ctx context.Context) analyze.Options {
	o := p.options
	o.Context = ctx
	return o
}

// Analyze analyses assembly text; name stands for it in messages. The error lists
// what is wrong with the input, a line each.
func (p *Predictor) Analyze(ctx context.Context, name, text string) (*Document, error) {
	f, err := source.New(name, []byte(text))
	if err != nil {
		return nil, err
	}
	return analyze.Run(f, p.with(ctx))
}

// AnalyzeObject analyses the loops of an executable, an object file or a static library, which data holds; of Options.Function if it is set.
func (p *Predictor) AnalyzeObject(ctx context.Context, name string, data []byte) (*Document, error) {
	f, err := object.Read(data, catalog.ISAs()...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.Path = name
	o := p.with(ctx)
	return analyze.RunBinary(f, o, analyze.CodeSelect{Function: o.Select.Function})
}

// AnalyzeCode analyses bare machine code, located at an address: its innermost loops, or all of it if it has none. Options.ISA, or the
// machines, say what instruction set it is of.
func (p *Predictor) AnalyzeCode(ctx context.Context, code []byte, addr uint64) (*Document, error) {
	o := p.with(ctx)
	_, a, err := analyze.Targets(&o, nil)
	if err != nil {
		return nil, err
	}
	f, err := object.Raw(code, addr, a)
	if err != nil {
		return nil, err
	}
	f.Path = "code"
	return analyze.RunBinary(f, o, analyze.CodeSelect{})
}

// Predict returns the predicted cycles per iteration of the first kernel of a text on each of
// the machines (one, if none is named), without the rest of the report.
func (p *Predictor) Predict(ctx context.Context, text string) ([]Estimate, error) {
	f, err := source.New("text", []byte(text))
	if err != nil {
		return nil, err
	}
	list, err := analyze.Predict(f, p.with(ctx))
	if err != nil {
		return nil, err
	}
	out := make([]Estimate, len(list))
	for i, x := range list {
		out[i] = Estimate{Arch: x.Arch, Cycles: x.Cycles, Low: x.Low, High: x.High, Bound: Bound(x.Bound), Engine: x.Engine, Unrolled: x.Unrolled, Unknown: x.Unknown}
	}
	return out, nil
}

// Analyze analyses assembly text; name stands for it in messages.
func Analyze(ctx context.Context, name, text string, o Options) (*Document, error) {
	p, err := NewPredictor(o)
	if err != nil {
		return nil, err
	}
	return p.Analyze(ctx, name, text)
}

// Predict predicts the first kernel of a text in brief.
func Predict(ctx context.Context, text string, o Options) ([]Estimate, error) {
	p, err := NewPredictor(o)
	if err != nil {
		return nil, err
	}
	return p.Predict(ctx, text)
}

// Estimate is a prediction in brief.
type Estimate struct {
	Arch      string
	Cycles    float64 // per iteration
	Low, High float64 // the interval that the run time lies in
	Bound     Bound
	Engine    string  // "simulator", "bounds"
	Unrolled  float64 // cycles per iteration laid out again and again without the loop's branch
	Unknown   int     // instructions without a known cost
}

// Format is a rendering of a document.
type Format string

// The formats.
const (
	Text Format = "text"
	JSON Format = "json"
	YAML Format = "yaml"
	CSV  Format = "csv"
	HTML Format = "html"
	DOT  Format = "dot" // the dependence graph, for Graphviz
	SVG  Format = "svg" // the dependence graph, drawn
)

// renderings write a document in each format but Text, which has options.
var renderings = map[Format]func(io.Writer, *Document) error{
	JSON: func(w io.Writer, d *Document) error { return report.JSON(w, d) },
	YAML: report.YAML, CSV: report.CSV, HTML: page.HTML, DOT: report.DOT, SVG: report.SVG,
}

// Render writes a document in a format; the options are for Text.
func Render(w io.Writer, d *Document, f Format, o TextOptions) error {
	if f == Text {
		return report.Text(w, d, o)
	}
	write, ok := renderings[f]
	if !ok {
		return fmt.Errorf("unknown format %q", f)
	}
	return write(w, d)
}

// Machines lists the machine models that are built in.
func Machines() []MachineInfo { return analyze.Machines() }

// internal translates the options.
func (o Options) internal() (analyze.Options, error) {
	out := analyze.Options{Archs: o.Archs, ISA: o.ISA, Syntax: o.Syntax, Unroll: o.Unroll, NoFlags: o.NoFlags, Version: report.Version}
	for _, m := range o.Models {
		out.Models = append(out.Models, m.model)
	}
	out.Select.Label, out.Select.Function = o.Label, o.Function
	out.Questions = analyze.Questions{WhatIf: o.WhatIf, Sensitivity: o.Sensitivity, Timeline: o.Timeline, TimelineFrom: -1}
	if o.Uniform {
		out.Policy = throughput.Uniform
	}
	var err error
	if o.Engine != "" {
		if out.Engine, err = engine.Parse(string(o.Engine)); err != nil {
			return out, err
		}
	}
	if o.Lines != "" {
		out.Select.Lines, err = source.ParseRanges(o.Lines)
	}
	return out, err
}
