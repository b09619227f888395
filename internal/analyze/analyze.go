// Package analyze is the pipeline from assembly text or an object file to a report: it reads the input, finds its
// kernels, binds each kernel to the machine models, runs the analyses and describes the results.
package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"incore/internal/analysis/baseline"
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/base/symname"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// Options of Run. The zero value detects and chooses everything.
type Options struct {
	// Context, if not nil, can stop an analysis: within simulations, between kernels and between questions. The error is then the context's.
	Context context.Context
	ISA     string           // name, alias or target triple; "": from Archs, else detected
	Syntax  string           // "att", "intel"; "": detected
	Archs   []string         // names of machines; none: Models, else this machine or the ISA's default
	Models  []*machine.Model // the user's own machines, in addition to Archs
	Select  asm.Select
	Kernel  string  // only the kernels of this name
	Unroll  float64 // source-level iterations in one pass; 0: 1
	Policy  throughput.Policy
	NoFlags bool // leave out dependences through condition flags
	Memory  MemoryOptions
	// Engine predicts the cycles of the kernels that are described in full; "": the simulator if the model describes the whole core, otherwise the bounds.
	Engine engine.Choice
	// Questions are answered for every kernel that is described in full. If incore itself chose the kernels and Asked is not 0, only the first Asked
	// kernels get answers.
	Questions Questions
	Asked     int
	Full      int // number of kernels described in full if incore chose them; 0: 64
	// Most, if not 0, bounds the memory of an analysis: the number of instructions of the kernels that are described in full, counted for each machine. Kernels
	// beyond it that incore chose are described in brief, others are refused; a timeline has as many iterations as fit.
	Most     int
	NoAdvice bool // do not look for changes that would make kernels faster
	// Listing reads the source lines that debug information names; nil: reports give line numbers without the text. Made is the time at which the
	// source was compiled; zero: not known.
	Listing *source.Listing
	Made    time.Time
	Version string

	annotated *annotated // what the comments of the text say of loads
}

// maxFull is the default of Options.Full.
const maxFull = 64

// full returns the number of kernels that are described in full if incore chose them.
func (o *Options) full() int { return cmp.Or(o.Full, maxFull) }

// Target is a machine to analyse for. Named is the name that the user gave; if the user named no machine, Why is the reason for the choice.
type Target struct {
	Model      *machine.Model
	Why, Named string
	Host       bool // it is the machine that incore runs on
}

// Run analyses a text. It returns a source.Diagnostic or a source.ErrorList for unusable input, an
// error about a machine, or a UsageError for wrong options.
func Run(f *source.File, o Options) (*report.Document, error) {
	p, targets, err := read(f, &o)
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
	o.annotated = annotations(f)
	doc := &report.Document{Schema: report.Schema, Version: o.Version, Input: input(p, chosen)}
	if !chosen {
		o.Asked = 0
	}
	d := &describer{doc: doc, program: p, options: &o}
	full, listed := len(found), len(found)
	if chosen {
		full, listed = min(full, o.full()), min(listed, o.full()+maxListed)
	}
	sizes := make([]int, full)
	for i := range sizes {
		sizes[i] = found[i].Len()
	}
	if full, err = o.fit(doc, sizes, len(targets), chosen); err != nil {
		return nil, err
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
	doc.Diagnostics = append(append(append(append(doc.Diagnostics, diagnostics(p.Cut, nil)...), diagnostics(marks, nil)...), diagnostics(p.Notes, nil)...), d.elsewhere()...)
	describe.Document(doc)
	return doc, d.err
}

// ofMachine is the reason for the choice of an instruction set if the user named a machine.
const ofMachine = "the instruction set of the machine"

// choose finds the kernels to analyse; chosen reports that incore chose them, not the user.
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

// readable returns an error for a kernel that is too long or whose instructions are mostly unknown: such a text is hardly
// code of the instruction set and syntax in which it was read, and its predicted interval would be meaningless.
func readable(p *asm.Program, k *asm.Kernel) error {
	if n := k.Len(); n > maxKernel {
		return source.Diagnostic{Pos: source.Pos{File: p.File.Name, Line: p.LineNumbers(k)[0].First}, Hint: "give a part of it alone", Settings: []string{"lines", "label", "function"},
			Msg: fmt.Sprintf("kernel %s has %d instructions: more than %d are no loop body that a core could hold", k.Name, n, maxKernel)}
	}
	n := p.UnresolvedIn(k)
	if n <= maxUnknown || 2*n <= k.Len() {
		return nil
	}
	l := p.Language
	return source.Diagnostic{Pos: source.Pos{File: p.File.Name, Line: p.LineNumbers(k)[0].First}, Hint: "is it " + l.ISA.Name + " code? What was detected can be overridden", Settings: asm.Detected,
		Msg: fmt.Sprintf("%d of the %d instructions of kernel %s are not known in %s; the first: %s", n, k.Len(), k.Name, strings.TrimSpace(l.ISA.Name+" "+l.Syntax), p.Errors[0].Msg)}
}

// interrupted returns the error of the context if the context has ended.
func (o *Options) interrupted() error {
	if o.Context == nil {
		return nil
	}
	return context.Cause(o.Context)
}

// Named returns the kernels with a name; either part of "function:label" also matches, and names that are shortened as reports shorten them.
func Named(found []asm.Kernel, name string) ([]asm.Kernel, error) {
	var out []asm.Kernel
	for _, k := range found {
		if symname.Same(k.Name, name) {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return nil, noKernel(name, len(found), func(i int) string { return found[i].Name })
	}
	return out, nil
}

// noKernel returns the error that none of n kernels has the name that the user asked for, and lists their names.
func noKernel(name string, n int, named func(i int) string) error {
	var names []string
	for i := range min(n, maxNamed) {
		names = append(names, named(i))
	}
	if n > maxNamed {
		names = append(names, "…")
	}
	return fmt.Errorf("no kernel %q; kernels are %s", name, strings.Join(symname.Fit(names, symname.Short), ", "))
}

// maxNamed is the number of kernels that an error lists.
const maxNamed = 12

// UsageError is an error in the options of a call.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

// Read parses a text and returns the machines to analyse it for.
func Read(f *source.File, o *Options) (*asm.Program, []Target, error) {
	p, targets, err := read(f, o)
	if err == nil {
		err = p.Cut.Err()
	}
	return p, targets, err
}

// read is Read for texts of which some repetitions are not expanded: p.Cut names these.
func read(f *source.File, o *Options) (*asm.Program, []Target, error) {
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

// asked loads the machines that the options name.
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

// commonISA returns the instruction set of all targets, "" if there are no targets or their instruction sets differ.
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

// checkISA returns an error if a text looks like code of another instruction set than the machines'.
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
		Hint: "name a machine of that instruction set, or none", Settings: []string{"arch", "machines", "isa"}}
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
	if slices.Contains(known, syntax) {
		return nil
	}
	known = slices.DeleteFunc(known, func(s string) bool { return s == "" }) // of an instruction set with one syntax
	if len(known) == 0 {
		return UsageError{fmt.Errorf("unknown syntax %q; %s has only one, without a name", syntax, a.Name)}
	}
	return UsageError{fmt.Errorf("unknown syntax %q; known are %s", syntax, strings.Join(known, ", "))}
}

// Analysis holds the results of the analyses of one kernel on one machine.
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
	b := uops.Bind(m, k)
	a := &Analysis{Bound: b, Throughput: throughput.Analyze(b, o.Policy)}
	a.Graph = graph(b, o)
	a.Loop = latency.LoopCarried(a.Graph)
	a.Path = latency.CriticalPath(a.Graph)
	a.Baseline = baseline.Analyze(b)
	return a
}

// Cycles returns the greatest static bound in cycles per iteration, and its name: the slowest loop-carried chain, the busiest port,
// the dispatch width or the taken branch. Estimate returns the prediction by the best engine.
func (a *Analysis) Cycles() (cycles float64, bound string) {
	e := a.static()
	return e.Cycles, e.Limit
}

// Bracket returns the interval that contains the run time, in cycles per iteration; it allows for the unknown costs.
func (a *Analysis) Bracket() (low, high float64) {
	low = max(a.Throughput.Low, a.Throughput.DispatchLow, a.Loop.Low)
	c, _ := a.Cycles()
	_, high = latency.Bracket(max(c, a.Throughput.High, a.Throughput.DispatchHigh), a.Loop.High, a.Path.High)
	return low, high
}

// diagnostics converts the errors of the parser to diagnostics of the report.
func diagnostics(l source.ErrorList, names source.Names) []report.Diagnostic {
	var out []report.Diagnostic
	for _, d := range l {
		out = append(out, report.Diagnostic{Kind: report.FromInput, Severity: d.Severity.String(), File: d.Pos.File, Line: d.Pos.Line, Col: d.Pos.Col, Message: d.Msg, Hint: d.Hint + names.Listed(d.Settings)})
	}
	return out
}

// Diagnostics converts an error to diagnostics of a report, which name settings in the words of the report's readers.
func Diagnostics(err error, names source.Names) []report.Diagnostic {
	var list source.ErrorList
	var one source.Diagnostic
	var several interface{ Unwrap() []error } // of errors.Join, which writes one a line
	switch {
	case errors.As(err, &several) && err.Error() == errors.Join(several.Unwrap()...).Error():
		var out []report.Diagnostic
		for _, e := range several.Unwrap() {
			out = append(out, Diagnostics(e, names)...)
		}
		return out
	case errors.As(err, &list):
		return diagnostics(list, names)
	case errors.As(err, &one):
		return diagnostics(source.ErrorList{one}, names)
	}
	return []report.Diagnostic{{Severity: "error", Message: names.Text(err)}}
}
