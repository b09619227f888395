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
//
// Packages incore/isa and incore/machine have single instructions and their costs.
package incore

import (
	"context"
	"errors"
	"fmt"
	"io"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/throughput"
	"incore/internal/analyze"
	"incore/internal/analyze/handle"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
	models "incore/internal/machine"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/page"
	"incore/machine"
)

// Options configures predictions. The zero value detects instruction set and syntax, selects the
// machine that the program runs on (or a default machine if the code is for another instruction
// set) and finds marked regions or innermost loops.
type Options struct {
	Archs    []string         // machines by name or alias ("zen4", "skx"); see machine.List
	Models   []*machine.Model // the caller's own machines, in addition to Archs; see machine.Load
	ISA      string           // "x86-64", "aarch64", "riscv64", or a target triple
	Syntax   string           // x86: "att", "intel"
	Lines    string           // only these lines: "1,2,8-18"
	Label    string           // only the loop at this label
	Function string           // only the loops of this function
	Unroll   float64          // high-level iterations in one pass of the loop; 0 means 1
	Uniform  bool             // spread µops over their ports with fixed probabilities, not optimally
	NoFlags  bool             // leave out dependences through condition flags
	Engine   Engine           // the engine that makes the prediction; "" means EngineAuto
	// These ask Analyze for more: WhatIf for the cycles on a changed core ("ports.load+1", "rob=2x"; docs/usage.md has the
	// grammar), Sensitivity for the cycles with each resource doubled and unlimited, Timeline for the µops of that number of iterations.
	WhatIf      []string
	Sensitivity bool
	Timeline    int
}

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
		if _, err := models.GetFor(isaName, name); err != nil {
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
		out[i] = Estimate(x)
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
	Engine    Engine
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
	return report.Write(w, page.Document{Document: d}, string(f), o)
}

// internal converts the options to those of package analyze.
func (o Options) internal() (analyze.Options, error) {
	out := analyze.Options{Archs: o.Archs, ISA: o.ISA, Syntax: o.Syntax, Unroll: o.Unroll, NoFlags: o.NoFlags, Version: report.Version}
	for _, m := range o.Models {
		if m == nil || (*handle.Model)(m).Model() == nil {
			return out, errors.New("a model that neither machine.Get nor machine.Load made")
		}
		out.Models = append(out.Models, (*handle.Model)(m).Model())
	}
	out.Select.Label, out.Select.Function = o.Label, o.Function
	out.Questions = analyze.Questions{WhatIf: o.WhatIf, Sensitivity: o.Sensitivity, Timeline: o.Timeline, TimelineFrom: -1}
	if o.Uniform {
		out.Policy = throughput.Uniform
	}
	if o.Unroll < 0 || o.Timeline < 0 {
		return out, fmt.Errorf("%g iterations in one pass, a timeline of %d: numbers from 0 are needed", o.Unroll, o.Timeline)
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
