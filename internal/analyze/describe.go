package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/asm"
	"incore/internal/base/parallel"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/machine/accuracy"
	"incore/internal/report"
)

// describer writes the results of the analyses into a document, as values.
type describer struct {
	doc     *report.Document
	program *asm.Program
	options *Options
	shown   []int // lines whose diagnostics stand with a kernel
	// described counts the kernels: questions are answered for the first Options.Asked kernels only.
	described int
	warned    map[string]bool // source files that are newer than the code
	err       error           // the first question that could not be answered
}

// optionsFor returns the options for the kernel that is described now.
func (d *describer) optionsFor() *Options {
	if n := d.options.Asked; n == 0 || d.described <= n {
		return d.options
	}
	o := *d.options
	o.Questions, o.NoAdvice = Questions{}, true
	return &o
}

// kernels analyses and describes kernels in parallel.
func (d *describer) kernels(found []asm.Kernel, targets []Target) error {
	type part struct {
		describer
		kernel report.Kernel
		at     []source.Pos // source positions of its instructions; nil: not known
	}
	return parallel.Ordered(context.Background(), runtime.GOMAXPROCS(0), len(found), func(_ context.Context, _, i int) (*part, error) {
		if err := d.options.interrupted(); err != nil {
			return nil, err
		}
		x := &part{describer: describer{program: d.program, options: d.options, described: i + 1}}
		x.kernel, x.at = x.describer.kernel(&found[i], targets)
		return x, nil
	}, func(_ int, x *part) error {
		if x.at != nil {
			d.origins(&x.kernel, x.at)
		}
		d.doc.Kernels = append(d.doc.Kernels, x.kernel)
		d.shown = append(d.shown, x.shown...)
		d.err = cmp.Or(d.err, x.err)
		return nil
	})
}

// kernel analyses and describes a kernel on all machines. at holds the source positions of its instructions, nil if they are not known.
func (d *describer) kernel(k *asm.Kernel, targets []Target) (out report.Kernel, at []source.Pos) {
	ik := d.program.Build(k)
	out = report.Kernel{Name: k.Name, Function: k.Function, Lines: d.program.LineNumbers(k).String(), Unroll: max(1, d.options.Unroll),
		Loop: k.Loop, Depth: k.Depth, Why: k.Why, Reason: foundBy(k), Remarks: remarks(k.Notes)}
	for _, l := range d.program.LabelsIn(k) {
		out.Labels = append(out.Labels, report.Label{Name: l.Name, Line: l.Line, Before: indexOfLine(ik, l.Statement), Source: l.Source})
	}
	d.targets(&out, ik, targets)
	if at = d.program.Origins(k); at != nil {
		at = byInstruction(ik, at)
	}
	return out, at
}

// byInstruction converts source positions by statement to positions by instruction; a pseudo-instruction is one statement of several instructions.
func byInstruction(k *isa.Kernel, of []source.Pos) []source.Pos {
	out, at := make([]source.Pos, len(k.Lines)), -1
	for i := range k.Lines {
		if k.Lines[i].Part == 0 {
			at++
		}
		if at >= 0 && at < len(of) {
			out[i] = of[at]
		}
	}
	return out
}

// targets analyses a kernel on each machine.
func (d *describer) targets(out *report.Kernel, k *isa.Kernel, targets []Target) {
	for i, t := range targets {
		if err := d.options.interrupted(); err != nil {
			d.err = err
			return
		}
		target, a := d.target(k, t)
		if err := d.options.interrupted(); err != nil { // the figures of an interrupted simulation are wrong
			d.err = err
			return
		}
		out.Targets = append(out.Targets, target)
		if i == 0 {
			out.Work, _ = work(a.Bound, 0) // of all machines
			out.DataBranches = dataBranches(a)
		}
	}
}

// indexOfLine returns the index of the first instruction of statement number n of a kernel.
func indexOfLine(k *isa.Kernel, n int) int {
	at := -1
	for i := range k.Lines {
		if k.Lines[i].Part == 0 {
			at++
		}
		if at == n {
			return i
		}
	}
	return len(k.Lines)
}

// candidates analyses kernels and describes them in brief.
func (d *describer) candidates(found []asm.Kernel, t Target) error {
	list := make([]report.Candidate, len(found))
	parallel.For(len(found), func(i int) {
		if d.options.interrupted() != nil {
			return
		}
		k, c := &found[i], &list[i]
		*c = report.Candidate{Name: k.Name, Function: k.Function, Lines: d.program.LineNumbers(k).String(), Depth: k.Depth, Instructions: k.Len(), Arch: t.Model.Name, Engine: engine.NameBounds}
		figures(c, Kernel(d.program.Build(k), t.Model, d.options))
	})
	if len(list) > 0 {
		d.doc.Others = list
	}
	return d.options.interrupted()
}

// figures fills in the bounds of a loop that is described in brief.
func figures(c *report.Candidate, a *Analysis) {
	cycles, bound := a.Cycles()
	c.Cycles, c.Bound = cycles, report.Bound(bound)
	c.Unknown = a.Bound.Unknown()
	c.AtLeast = a.Graph.AtLeast() && c.Unknown == 0
}

// target analyses and describes a kernel on one machine.
func (d *describer) target(k *isa.Kernel, t Target) (report.Target, *Analysis) {
	out := report.Target{Arch: t.Model.Name, Title: t.Model.Title, Why: t.Why, Reason: t.taken(), LoopCarried: []report.Chain{}, Dependencies: []report.Dependency{}, Diagnostics: []report.Diagnostic{}}
	o := d.optionsFor()
	a := Kernel(k, t.Model, o)
	w := &writer{a: a, k: k, unknown: unknowns(a.Bound), options: o}
	out.Throughput = w.throughput()
	out.CriticalPath = w.path()
	for i := range a.Loop.Chains {
		out.LoopCarried = append(out.LoopCarried, w.chain(&a.Loop.Chains[i]))
	}
	out.Prediction = w.prediction(&out)
	out.Baseline = report.Round(a.Baseline.Loop)
	out.Instructions = w.instructions()
	out.Dependencies = w.dependencies()
	out.Memory = w.memory(o)
	out.Advice = w.advice(&out.Prediction)
	w.questions(&out)
	out.Accuracy = accuracyOf(t.Model.Name, w.estimate().Engine)
	out.Basis = w.basis(&out.Prediction)
	out.Prediction.Likely = likely(&out, k)
	out.Diagnostics = append(out.Diagnostics, d.unresolved(w, t.Named)...)
	out.Lacks = w.lacks
	if l, why := w.a.Bound.Reserved(); l != nil {
		out.Reserved = report.ReservedText(l.Text, why)
	}
	var err error
	if out.Timeline, err = w.timeline(); errors.Is(err, sim.ErrTooLong) {
		out.Diagnostics = append(out.Diagnostics, report.Diagnostic{Severity: "warning", Message: err.Error()})
	} else if err != nil && d.err == nil {
		d.err = fmt.Errorf("timeline of %s on %s: %w", k.Name, t.Model.Name, err)
	} else if tl := out.Timeline; tl != nil && tl.Iterations < o.Questions.Timeline {
		out.Diagnostics = append(out.Diagnostics, report.Diagnostic{Severity: "warning", Message: fmt.Sprintf("a timeline of %d iterations is too long: %d are shown", o.Questions.Timeline, tl.Iterations)})
	}
	return out, a
}

// unknowns lists the instructions without cost data.
func unknowns(b *machine.Bound) (list []int) {
	for i := range b.Insts {
		if b.Insts[i].Flags&machine.Unknown != 0 {
			list = append(list, i)
		}
	}
	return list
}

// writer describes the analysis of one kernel on one machine.
type writer struct {
	a       *Analysis
	k       *isa.Kernel
	unknown []int
	options *Options
	made    *engine.Estimate
	least   *engine.Estimate // of a lower bound, with the unknown costs at their lower ends; nil: the prediction is estimate's
	lacks   []report.Lack
}

// estimate returns the headline prediction; it is computed once.
func (w *writer) estimate() *engine.Estimate {
	if w.made == nil {
		e := w.a.Estimate(w.options)
		w.made = &e
	}
	return w.made
}

func (w *writer) throughput() report.Throughput {
	r, m := w.a.Throughput, w.a.Bound.Model
	policy := "optimal"
	if r.Policy == throughput.Uniform {
		policy = "uniform"
	}
	var limit *report.DispatchLimit
	if r.Limit.Uops > 0 {
		limit = &report.DispatchLimit{Ports: r.Limit.Name, Uops: r.LimitUops, PerCycle: r.Limit.Uops}
	}
	about := map[string]string{}
	for i, p := range m.Ports {
		if p.About != "" && r.Bottleneck&(1<<i) != 0 {
			about[p.Name] = p.About
		}
	}
	return report.Throughput{DispatchLimit: limit, About: about, Cycles: report.Round(r.Cycles), Low: report.Round(r.Low), High: report.Round(r.High), Policy: policy, Ports: w.ports(r.Ports),
		Bottleneck: append([]string{}, m.PortNames(r.Bottleneck)...), Slots: report.Round(r.Slots), Dispatch: report.Round(r.Dispatch), Width: m.Params.DispatchWidth}
}

func (w *writer) ports(loads []float64) report.Ports {
	out := make(report.Ports, len(loads))
	for i, l := range loads {
		out[i] = report.PortLoad{Name: w.a.Bound.Model.Ports[i].Name, Cycles: l, Resource: w.a.Bound.Model.Ports[i].Resource}
	}
	return out
}

func (w *writer) path() report.Path {
	p := w.a.Path
	out := report.Path{Cycles: report.Round(p.Cycles), Low: report.Round(p.Low), High: report.Round(p.High), Instructions: []int{}, Latencies: []float64{}}
	out.Instructions, out.Latencies = steps(p.Steps)
	return out
}

// steps returns the instructions of a chain and the cycles that each adds.
func steps(l []latency.Step) (insts []int, cycles []float64) {
	insts, cycles = []int{}, []float64{}
	for i := range l {
		insts = append(insts, l[i].Inst)
		cycles = append(cycles, report.Round(l[i].Cycles()))
	}
	return insts, cycles
}

func (w *writer) chain(c *latency.Chain) report.Chain {
	out := report.Chain{Cycles: report.Round(c.Cycles), Latency: report.Round(c.Latency), Distance: c.Distance}
	out.Instructions, out.Latencies = steps(c.Steps)
	var via []string
	for i := range c.Steps {
		if n := c.Steps[i].Edge; n >= 0 && w.a.Graph.Edges[n].Dist > 0 {
			if name := w.via(&w.a.Graph.Edges[n]); !slices.Contains(via, name) {
				via = append(via, name)
			}
		}
	}
	out.Via = strings.Join(via, ", ")
	return out
}

// via names the register, flag or memory operand that carries a dependence, as the source writes it.
func (w *writer) via(e *depgraph.Edge) string {
	switch e.Kind {
	case depgraph.Memory:
		return "memory"
	case depgraph.Flag:
		return "flags"
	}
	regs := w.k.ISA.Regs
	part := "" // or the operand that names a group of registers (v8 for v8 and v9)
	for _, i := range []int32{e.To, e.From} {
		for _, tok := range strings.FieldsFunc(w.k.Lines[i].Text, notWord) {
			tok = strings.ToLower(tok)
			r := regs.Spelled(tok)
			if r == isa.NoReg && w.k.ISA.Vector != nil {
				r = w.k.ISA.Vector(tok)
			}
			switch {
			case r == e.Reg:
				return tok
			case part == "" && r != isa.NoReg && regs.Overlap(r, e.Reg):
				part = tok
			}
		}
	}
	if part != "" {
		return part
	}
	return strings.ToLower(regs.Name(e.Reg))
}

func notWord(r rune) bool {
	return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_')
}

// flagNames are the names in the report of the flags of bound instructions.
var flagNames = []struct {
	bit  machine.InstFlags
	name string
}{
	{machine.Unknown, "unknown"}, {machine.ZeroIdiom, "zero-idiom"}, {machine.DepBreak, "dep-breaking"}, {machine.MoveElim, "move-eliminated"},
	{machine.FusedFirst, "fused-first"}, {machine.FusedSecond, "fused-second"}, {machine.Variant, "variant"}, {machine.SideEffect, "side-effect"}, {machine.Borrowed, "borrowed"},
	{machine.ReadsResult, "reads-result"}, {machine.StandIn, "stand-in"}, {machine.NoPorts, "no-ports"},
}

func (w *writer) instructions() []report.Instruction {
	lcd, cp := make([]*float64, len(w.k.Lines)), make([]*float64, len(w.k.Lines))
	if len(w.a.Loop.Chains) > 0 {
		contributions(lcd, w.a.Loop.Chains[0].Steps)
	}
	contributions(cp, w.a.Path.Steps)
	out := make([]report.Instruction, len(w.k.Lines))
	each := map[string]float64{} // reciprocal throughputs by text
	for i := range out {
		l, in := &w.k.Lines[i], &w.a.Bound.Insts[i]
		out[i] = report.Instruction{Index: i, Line: l.No, Text: isa.Brief(l.Text), Form: w.k.ISA.FormName(&l.Inst), Uops: report.Round(in.Slots), Latency: report.Round(in.Latency),
			LatencyMin: report.Round(in.LowLatency), LatencyMax: report.Round(in.HighLatency), Ports: used(w.ports(w.a.Throughput.Inst(i))), Source: in.Source,
			Flags: flags(in.Flags), LCD: lcd[i], CP: cp[i]}
		if l.Part > 0 {
			out[i].Text = w.part(l)
		}
		alone, known := each[l.Text]
		if !known || l.Part > 0 {
			one := uops.Bind(w.a.Bound.Model, &isa.Kernel{ISA: w.k.ISA, Syntax: w.k.Syntax, Lines: w.k.Lines[i : i+1]})
			tp := throughput.Analyze(one, throughput.Optimal)
			alone = report.Round(max(tp.Cycles, tp.Dispatch))
			each[l.Text] = alone
		}
		out[i].Throughput = alone
	}
	return out
}

// part returns the text of an instruction of a pseudo-instruction after the first.
func (w *writer) part(l *isa.Line) string {
	if w.k.ISA.Print != nil {
		if text := w.k.ISA.Print(nil, &l.Inst, w.k.Syntax); len(text) > 0 {
			return isa.Brief(string(text)) + " (of " + isa.Brief(l.Text) + ")"
		}
	}
	return w.k.ISA.FormName(&l.Inst) + " (of " + isa.Brief(l.Text) + ")"
}

// used drops the ports that an instruction does not use.
func used(p report.Ports) report.Ports {
	out := make(report.Ports, 0, 4)
	for _, l := range p {
		if l.Cycles > 1e-9 {
			out = append(out, l)
		}
	}
	return out
}

func flags(f machine.InstFlags) []string {
	out := []string{}
	for _, n := range flagNames {
		if f&n.bit != 0 {
			out = append(out, n.name)
		}
	}
	return out
}

func contributions(dst []*float64, l []latency.Step) {
	for i := range l {
		c := report.Round(l[i].Cycles())
		if p := dst[l[i].Inst]; p != nil {
			c += *p
		}
		dst[l[i].Inst] = &c
	}
}

func (w *writer) dependencies() []report.Dependency {
	onLCD, onCP := map[int]bool{}, map[int]bool{}
	if len(w.a.Loop.Chains) > 0 {
		for _, s := range w.a.Loop.Chains[0].Steps {
			onLCD[s.Edge] = true
		}
	}
	for _, s := range w.a.Path.Steps {
		onCP[s.Edge] = true
	}
	out := make([]report.Dependency, 0, len(w.a.Graph.Edges))
	for i := range w.a.Graph.Edges {
		e := &w.a.Graph.Edges[i]
		out = append(out, report.Dependency{From: int(e.From), To: int(e.To), Kind: kindNames[e.Kind], Via: w.via(e), Distance: int(e.Dist),
			Latency: report.Round(w.weight(e)), LCD: onLCD[i], CP: onCP[i]})
	}
	return out
}

// weight returns the latency of a dependence for graphs. It is the producer's latency from its register operands
// to the result, or from the address if it has no register operands (a load), plus store-to-load forwarding.
func (w *writer) weight(e *depgraph.Edge) float64 {
	in := &w.a.Bound.Insts[e.From]
	cycles, found, address := 0.0, false, false
	for i := range in.Effects.Reads {
		r := in.Effects.Reads[i].Role
		address = address || r == isa.RoleAddr
		if in.Load == 0 || r == isa.RoleAddr || r == isa.RoleControl {
			continue
		}
		if c, ok := in.Pair(i, int(e.Out)); ok {
			cycles, found = max(cycles, c), true
		}
	}
	switch {
	case !found && in.Load > 0 && !address: // from a fixed address
		cycles = in.Latency
	case !found:
		cycles = w.a.Graph.Produce(int(e.From), int(e.Out))
	}
	return cycles + e.Latency
}

// accuracyOf returns the measured accuracy of an engine's predictions for a core, one entry per corpus.
func accuracyOf(model, name string) []report.Accuracy {
	out := []report.Accuracy{}
	for _, r := range accuracy.Of(model, map[string]string{engine.NameSimulator: "sim", engine.NameBounds: "bounds"}[name]) {
		out = append(out, report.Accuracy{Corpus: r.Corpus, Blocks: r.Blocks, Unrolled: r.Notion == "unrolled", Mean: r.Mean, Median: r.Median, Within10: r.Within10, Tau: r.Tau})
	}
	return out
}
