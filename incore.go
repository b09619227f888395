// Package incore predicts how many cycles a loop takes on a CPU core and says why.
//
// It is the Go interface to the analyses of the incore command; its document types are those of the command's JSON output
// (docs/json.md). A Predictor holds options and machine models for many calls; several goroutines may use one:
//
//	p, err := incore.NewPredictor(incore.Options{Archs: []string{"zen4"}})
//	doc, err := p.Analyze(ctx, "triad.s", text)
//	fmt.Println(doc.Kernels[0].Targets[0].Prediction.Cycles)
//
// Analyze and Predict do the same for one text. A document holds every result as typed values; its sentences are made from these values, so
// that programs need not parse English.
package incore

import (
	"context"
	"fmt"
	"io"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/throughput"
	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/page"
)

// Options configures predictions. The zero value detects instruction set and syntax, selects the
// machine that the program runs on (or a default machine if the code is for another instruction
// set) and finds marked regions or innermost loops.
type Options struct {
	Archs    []string // machines by name or alias ("zen4", "skx"); see Machines
	Models   []*Model // the caller's own machines, in addition to Archs; see LoadModel
	ISA      string   // "x86-64", "aarch64", "riscv64", or a target triple
	Syntax   string   // x86: "att", "intel"
	Lines    string   // only these lines: "1,2,8-18"
	Label    string   // only the loop at this label
	Function string   // only the loops of this function
	Unroll   float64  // high-level iterations in one pass of the loop; 0 means 1
	Uniform  bool     // spread µops over their ports with fixed probabilities, not optimally
	NoFlags  bool     // leave out dependences through condition flags
	Engine   Engine   // the engine that makes the prediction; "" means EngineAuto
	// These ask Analyze for more: WhatIf for the cycles on a changed core ("ports.load+1", "rob=2x"; docs/usage.md has the
	// grammar), Sensitivity for the cycles with each resource doubled and unlimited, Timeline for the µops of that number of iterations.
	WhatIf      []string
	Sensitivity bool
	Timeline    int
}

// Engine names a method of prediction.
type Engine string

// The engines. EngineAuto selects the simulator if the model describes the whole core, otherwise the bounds.
const (
	EngineAuto      Engine = "auto"
	EngineSimulator Engine = "sim"
	EngineBounds    Engine = "bounds"
)

// Bound names the limit that determines a prediction.
type Bound string

// The bounds.
const (
	BoundLatency    Bound = engine.Latency    // the slowest loop-carried dependency
	BoundPorts      Bound = engine.Ports      // the busiest execution ports
	BoundDispatch   Bound = engine.Dispatch   // the allocate/rename width
	BoundFrontEnd   Bound = engine.FrontEnd   // fetching and decoding
	BoundBranch     Bound = engine.Branch     // one taken branch per cycle
	BoundCache      Bound = engine.Cache      // banks, lines and ports of the first-level data cache
	BoundScheduling Bound = engine.Scheduling // the simulator predicts more cycles than the largest bound
	BoundUnknown    Bound = engine.Unknown    // the model has no bound for the code
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

// Model is a machine model that the caller loaded.
type Model struct{ model *machine.Model }

// LoadModel reads a model in the format of docs/model-format.md. The model may be based on a built-in one; name names it in error messages.
func LoadModel(r io.Reader, name string) (*Model, error) {
	m, err := machine.Load(r, name)
	if err != nil {
		return nil, err
	}
	return &Model{m}, nil
}

// Name returns the model's name.
func (m *Model) Name() string { return m.model.Name }

// Predictor analyses code for the machines of its options and reads their models only once. Its methods are safe for concurrent use.
// When the context of a call ends, the analysis stops and returns the context's error.
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

// with returns the options for one call.
func (p *Predictor) with(ctx context.Context) analyze.Options {
	o := p.options
	o.Context = ctx
	return o
}

// Analyze analyses assembly text; name names it in messages. The error lists the
// mistakes of the input, one per line.
func (p *Predictor) Analyze(ctx context.Context, name, text string) (*Document, error) {
	f, err := source.New(name, []byte(text))
	if err != nil {
		return nil, err
	}
	return analyze.Run(f, p.with(ctx))
}

// AnalyzeObject analyses the loops of an executable, an object file or a static library. data is the file's content; Options.Function, if set,
// selects the loops of one function.
func (p *Predictor) AnalyzeObject(ctx context.Context, name string, data []byte) (*Document, error) {
	f, err := object.Read(data, catalog.ISAs()...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.Path = name
	o := p.with(ctx)
	return analyze.RunBinary(f, o, analyze.CodeSelect{Function: o.Select.Function})
}

// AnalyzeCode analyses bare machine code that starts at the address addr: its innermost loops, or the whole code if it has no loop. Options.ISA
// or the machines give the instruction set.
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

// Predict returns the predicted cycles per iteration of the first kernel of a text, one Estimate for each
// machine of the options (for the default machine if the options name none), without the rest of the report.
func (p *Predictor) Predict(ctx context.Context, text string) ([]Estimate, error) {
	f, err := source.New("text", []byte(text))
	if err != nil {
		return nil, err
	}
	return estimates(analyze.Predict(f, p.with(ctx)))
}

// PredictCode does the same for machine code at the address addr, taken as the body of a loop or, if it does not branch to its beginning, as code that
// runs again and again. It reads no text, so that a search or a corpus may ask for many pieces of code. Options.ISA or the machines give the
// instruction set.
func (p *Predictor) PredictCode(ctx context.Context, code []byte, addr uint64) ([]Estimate, error) {
	return estimates(analyze.PredictCode(code, addr, p.with(ctx)))
}

// estimates returns predictions as the library gives them.
func estimates(list []analyze.Prediction, err error) ([]Estimate, error) {
	if err != nil {
		return nil, err
	}
	out := make([]Estimate, len(list))
	for i, x := range list {
		out[i] = Estimate{Arch: x.Arch, Cycles: x.Cycles, Low: x.Low, High: x.High, Bound: Bound(x.Bound), Engine: x.Engine, Unrolled: x.Unrolled, Unknown: x.Unknown}
	}
	return out, nil
}

// Analyze analyses assembly text; name names it in messages.
func Analyze(ctx context.Context, name, text string, o Options) (*Document, error) {
	p, err := NewPredictor(o)
	if err != nil {
		return nil, err
	}
	return p.Analyze(ctx, name, text)
}

// Predict returns the predicted cycles per iteration of the first kernel of a text; see Predictor.Predict.
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
	Low, High float64 // the interval that contains the run time, in cycles per iteration
	Bound     Bound
	Engine    string  // "simulator", "bounds"
	Unrolled  float64 // cycles per iteration of the loop unrolled without end, without its branch
	Unknown   int     // instructions without a known cost
}

// Format names an output format of documents.
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

// Render writes a document in a format; o applies to Text only.
func Render(w io.Writer, d *Document, f Format, o TextOptions) error {
	format := page.FormatNamed(string(f))
	if format == nil {
		return fmt.Errorf("unknown format %q", f)
	}
	return format.Write(w, d, o)
}

// Machines lists the built-in machine models.
func Machines() []MachineInfo { return analyze.Machines() }

// internal converts the options to those of package analyze.
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
