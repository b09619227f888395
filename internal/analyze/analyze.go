// Package analyze is the pipeline from assembly text to a report: read the text, find its
// kernels, bind each to machines, run the analyses, describe the results.
package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"incore/internal/analysis/baseline"
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
	"incore/internal/asm"
	"incore/internal/catalog"
	"incore/internal/describe"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/source"
)

// Options of Run. The zero value detects and chooses everything.
type Options struct {
	// Context, if not nil, ends an analysis: within simulations, between kernels and between questions. The error is then the context's.
	Context context.Context
	ISA     string           // name, alias or target triple; "": from Machines, else detected
	Syntax  string           // "att", "intel"; "": detected
	Archs   []string         // names of machines; none: Models, else this machine or the ISA's default
	Models  []*machine.Model // the user's own machines, in addition
	Select  asm.Select
	Kernel  string  // only the kernels of this name
	Unroll  float64 // high-level iterations in one pass, 0: 1
	Policy  throughput.Policy
	NoFlags bool // leave out dependences through condition flags
	Memory  MemoryOptions
	// Engine makes the headline figures of the kernels reported in full; "": the simulator where it knows the core.
	Engine engine.Choice
	// Questions are answered of every kernel reported in full or, where incore chose these itself, of the first Asked if that is not 0.
	Questions Questions
	Asked     int
	Full      int  // kernels that are described in full where incore chose them; 0: 64
	NoAdvice  bool // do not look for what would make kernels faster
	// Listing has the lines of the source program that debug information names; nil: reports name lines and have no text of them. Made is when the code
	// was made of it; zero: not known.
	Listing *source.Listing
	Made    time.Time
	Version string
}

// maxFull is the number of kernels that are reported in full where incore found them itself.
const maxFull = 64

// full is how many kernels are described in full where incore chose them.
func (o *Options) full() int { return cmp.Or(o.Full, maxFull) }

// Target is a machine to analyse for, the name it was asked for by and, where the user didn't name it, why it was taken.
type Target struct {
	Model      *machine.Model
	Why, Named string
	Host       bool // it is the machine that incore runs on
}

// Run analyses a text. Errors are unusable input: a source.Diagnostic, a source.ErrorList or an
// error about a machine. Errors of usage are of type UsageError.
func Run(f *source.File, o Options) (*report.Document, error) {
	p, targets, err := Read(f, &o)
	if err != nil {
		return nil, err
	}
	if _, err := o.Memory.Aliases(p.Language.ISA); err != nil {
		return nil, err
	}
	if err := o.Questions.check(&o, targets); err != nil {
		return nil, err
	}
	found, marks, chosen, err := choose(p, &o)
	if err != nil {
		return nil, err
	}
	doc := &report.Document{Schema: report.Schema, Version: o.Version, Input: input(p, chosen)}
	if !chosen {
		o.Asked = 0
	}
	d := &describer{doc: doc, program: p, options: &o}
	full, listed := len(found), len(found)
	if chosen {
		full, listed = min(full, o.full()), min(listed, o.full()+maxListed)
	}
	if err := d.kernels(found[:full], targets); err != nil {
		return nil, err
	}
	if err := d.candidates(found[full:listed], targets[0]); err != nil {
		return nil, err
	}
	if n := len(found) - o.full() - maxListed; n > 0 && chosen {
		doc.Diagnostics = append(doc.Diagnostics, report.Diagnostic{Kind: report.LoopsLeftOut, Severity: "note", File: f.Name, Values: report.Values{Count: n}})
	}
	doc.Diagnostics = append(append(append(doc.Diagnostics, diagnostics(marks)...), diagnostics(p.Notes)...), d.elsewhere()...)
	describe.Document(doc)
	return doc, d.err
}

// ofMachine is why a text is taken to be of an instruction set where the user named a machine.
const ofMachine = "the instruction set of the machine"

// choose finds the kernels to analyse; chosen tells that incore chose them, not the user.
func choose(p *asm.Program, o *Options) (found []asm.Kernel, marks source.ErrorList, chosen bool, err error) {
	if found, marks, err = p.Kernels(o.Select); err != nil {
		return nil, nil, false, err
	}
	for i := range found {
		if err := readable(p, &found[i]); err != nil {
			return nil, nil, false, err
		}
	}
	if o.Kernel != "" {
		found, err = Named(found, o.Kernel)
		return found, marks, false, err
	}
	return found, marks, o.Select.Label == "" && len(o.Select.Lines) == 0 && len(found) > 1 && found[0].Depth > 0, nil
}

// maxKernel is the greatest number of instructions of a kernel.
const maxKernel = 30_000

// maxUnknown is the number of unknown instructions above which a kernel that consists mostly of them is refused.
const maxUnknown = 50

// readable refuses a kernel that is too long, or hardly code of the instruction set and syntax it was read in: an
// interval for each of its instructions would say nothing.
func readable(p *asm.Program, k *asm.Kernel) error {
	if n := k.Len(); n > maxKernel {
		return source.Diagnostic{Pos: source.Pos{File: p.File.Name, Line: p.LineNumbers(k)[0].First}, Hint: "choose a part of it with --lines, --label or --function",
			Msg: fmt.Sprintf("kernel %s has %d instructions: more than %d are no loop body that a core could hold", k.Name, n, maxKernel)}
	}
	n := p.UnresolvedIn(k)
	if n <= maxUnknown || 2*n <= k.Len() {
		return nil
	}
	l := p.Language
	return source.Diagnostic{Pos: source.Pos{File: p.File.Name, Line: p.LineNumbers(k)[0].First}, Hint: "is it " + l.ISA.Name + " code? --isa, --syntax and --arch override what was detected",
		Msg: fmt.Sprintf("%d of the %d instructions of kernel %s are not known in %s; the first: %s", n, k.Len(), k.Name, strings.TrimSpace(l.ISA.Name+" "+l.Syntax), p.Errors[0].Msg)}
}

// interrupted is the error of a context that has ended.
func (o *Options) interrupted() error {
	if o.Context == nil {
		return nil
	}
	return context.Cause(o.Context)
}

// Named keeps the kernels of a name; "function:label" may be given by either part.
func Named(found []asm.Kernel, name string) ([]asm.Kernel, error) {
	var out []asm.Kernel
	for _, k := range found {
		function, label, _ := strings.Cut(k.Name, ":")
		if k.Name == name || function == name || label == name {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return nil, noKernel(name, len(found), func(i int) string { return found[i].Name })
	}
	return out, nil
}

// noKernel says that n kernels have other names than that asked for, and which.
func noKernel(name string, n int, named func(i int) string) error {
	var names []string
	for i := range min(n, maxNamed) {
		names = append(names, named(i))
	}
	if n > maxNamed {
		names = append(names, "…")
	}
	return fmt.Errorf("no kernel %q; kernels are %s", name, strings.Join(names, ", "))
}

// maxNamed is how many kernels an error lists.
const maxNamed = 12

// UsageError is a mistake in how incore was called.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

// Read parses a text for the machines asked for.
func Read(f *source.File, o *Options) (*asm.Program, []Target, error) {
	in := asm.NewInput(f)
	parse := asm.Options{ISAs: catalog.ISAs(), Syntax: o.Syntax}
	targets, err := asked(o)
	if err != nil {
		return nil, nil, err
	}
	if o.ISA != "" {
		if parse.ISA = catalog.ISA(o.ISA); parse.ISA == nil {
			return nil, nil, UsageError{fmt.Errorf("unknown instruction set %q; known are %s", o.ISA, strings.Join(catalog.ISANames(), ", "))}
		}
	} else if name := commonISA(targets); name != "" {
		if err := checkISA(f, in, catalog.ISA(name), targets); err != nil {
			return nil, nil, err
		}
		parse.ISA = catalog.ISA(name)
	}
	if err := checkSyntax(o.Syntax, parse.ISA); err != nil {
		return nil, nil, err
	}
	p, err := in.Parse(parse)
	if err != nil {
		return nil, nil, err
	}
	if parse.ISA != nil && o.ISA == "" {
		p.Language.Why = ofMachine
	}
	if len(targets) == 0 {
		t, err := defaultTarget(p.Language.ISA)
		if err != nil {
			return nil, nil, err
		}
		targets = []Target{t}
	}
	for _, t := range targets {
		if t.Model.ISA != p.Language.ISA.Name {
			return nil, nil, wrongISA(f, p.Language.ISA.Name, t.Model)
		}
	}
	return p, targets, nil
}

// asked loads the machines that the user named.
func asked(o *Options) ([]Target, error) {
	isaName := ""
	if a := catalog.ISA(o.ISA); o.ISA != "" && a != nil {
		isaName = a.Name
	}
	var out []Target
	for _, name := range o.Archs {
		m, err := machine.GetFor(isaName, name)
		if err != nil {
			return nil, UsageError{err}
		}
		out = append(out, Target{Model: m, Named: name})
	}
	for _, m := range o.Models {
		out = append(out, Target{Model: m})
	}
	return out, nil
}

// commonISA returns the instruction set of all targets, "" if there is none or it differs.
func commonISA(targets []Target) string {
	name := ""
	for _, t := range targets {
		if name != "" && t.Model.ISA != name {
			return ""
		}
		name = t.Model.ISA
	}
	return name
}

// checkISA compares what a text looks like with the instruction set of the machines.
func checkISA(f *source.File, in *asm.Input, want *isa.ISA, targets []Target) error {
	if want == nil {
		return fmt.Errorf("machine %s is of instruction set %q, which this build does not know", targets[0].Model.Name, targets[0].Model.ISA)
	}
	got, err := in.Detect(catalog.ISAs())
	if err != nil {
		return err
	}
	if got.ISA != want {
		return wrongISA(f, got.ISA.Name, targets[0].Model)
	}
	return nil
}

func wrongISA(f *source.File, got string, m *machine.Model) error {
	return source.Diagnostic{Pos: source.Pos{File: f.Name}, Msg: fmt.Sprintf("is %s assembly, but %s is a machine for %s", got, m.Name, m.ISA),
		Hint: "leave --arch out, or name a machine of that instruction set ('incore archs' lists them); --isa overrides the detection"}
}

func checkSyntax(syntax string, a *isa.ISA) error {
	if syntax == "" {
		return nil
	}
	var known []string
	for _, x := range catalog.ISAs() {
		if a == nil || a == x {
			known = append(known, x.Syntaxes...)
		}
	}
	for _, k := range known {
		if k == syntax {
			return nil
		}
	}
	return UsageError{fmt.Errorf("unknown syntax %q; known are %s", syntax, strings.Join(known, " "))}
}

// Analysis is one kernel on one machine: the numbers.
type Analysis struct {
	Bound      *machine.Bound
	Throughput *throughput.Result
	Graph      *depgraph.Graph
	Loop       *latency.Loop
	Path       *latency.Path
	Baseline   baseline.Result
}

// Kernel runs the analyses on a kernel.
func Kernel(k *isa.Kernel, m *machine.Model, o *Options) *Analysis {
	b := m.Bind(k)
	a := &Analysis{Bound: b, Throughput: throughput.Analyze(b, o.Policy)}
	a.Graph = graph(b, o)
	a.Loop = latency.LoopCarried(a.Graph)
	a.Path = latency.CriticalPath(a.Graph)
	a.Baseline = baseline.Analyze(b)
	return a
}

// Cycles is the greatest of the static bounds, the slowest loop-carried chain, the busiest port, the dispatch width and
// the taken branch, and which it is. Estimate is the prediction by the best engine.
func (a *Analysis) Cycles() (cycles float64, bound string) {
	e := a.static()
	return e.Cycles, e.Limit
}

// Bracket is the interval that the run time lies in, costs that are not known included.
func (a *Analysis) Bracket() (low, high float64) {
	low = max(a.Throughput.Low, a.Throughput.DispatchLow, a.Loop.Low)
	c, _ := a.Cycles()
	_, high = latency.Bracket(max(c, a.Throughput.High, a.Throughput.DispatchHigh), a.Loop.High, a.Path.High)
	return low, high
}

// diagnostics turns what reading found into the report's form.
func diagnostics(l source.ErrorList) []report.Diagnostic {
	var out []report.Diagnostic
	for _, d := range l {
		out = append(out, report.Diagnostic{Kind: report.FromInput, Severity: d.Severity.String(), File: d.Pos.File, Line: d.Pos.Line, Col: d.Pos.Col, Message: d.Msg, Hint: d.Hint})
	}
	return out
}

// Diagnostics turns an error into diagnostics.
func Diagnostics(err error) []report.Diagnostic {
	var list source.ErrorList
	var one source.Diagnostic
	switch {
	case errors.As(err, &list):
		return diagnostics(list)
	case errors.As(err, &one):
		return diagnostics(source.ErrorList{one})
	}
	return []report.Diagnostic{{Severity: "error", Message: err.Error()}}
}
