package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/uops"
	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// DepsOptions selects the dependences that Deps lists in addition to true (read-after-write) dependences.
type DepsOptions struct {
	WAR, WAW bool // write-after-read and write-after-write dependences
	May      bool // also the possible dependences through memory
}

// Deps finds the dependences of the kernels of a text, on one machine. It returns the same errors as Run.
func Deps(f *source.File, o Options, d DepsOptions) (*report.Deps, error) {
	p, targets, err := Read(f, &o)
	if err != nil {
		return nil, err
	}
	r, err := newResolver(&o, d, p.Language.ISA, targets)
	if err != nil {
		return nil, err
	}
	found, marks, chosen, err := choose(p, &o)
	if err != nil {
		return nil, err
	}
	r.doc.Input = input(p, chosen)
	for i := range found {
		if k := &found[i]; i < maxFull || !chosen {
			out := r.kernel(p.Build(k))
			out.Function, out.Lines, out.Depth, out.Why, out.Remarks = k.Function, p.LineNumbers(k).String(), k.Depth, k.Why, remarks(k.Notes)
			nested(&out)
			r.doc.Kernels = append(r.doc.Kernels, out)
		}
	}
	r.more(f.Name, len(found))
	r.doc.Diagnostics = append(r.doc.Diagnostics, append(diagnostics(marks, nil), diagnostics(p.Notes, nil)...)...)
	describe.Deps(r.doc)
	return r.doc, nil
}

// nested adds a remark to a loop inside a loop: the dependences through memory across the outer loop are left out.
func nested(k *report.DepsKernel) {
	if k.Depth > 1 {
		k.Remarks = append(k.Remarks, report.Statement{Kind: report.OuterMemory})
	}
}

// DepsBinary finds the dependences of loops and functions of an object file.
func DepsBinary(f *object.File, o Options, sel CodeSelect, d DepsOptions) (*report.Deps, error) {
	targets, a, err := Targets(&o, f.ISA)
	if err != nil {
		return nil, err
	}
	r, err := newResolver(&o, d, a, targets)
	if err != nil {
		return nil, err
	}
	if err := checkSyntax(o.Syntax, a); err != nil {
		return nil, err
	}
	found, chosen, err := chooseLoops(f, &o, sel)
	if err != nil {
		return nil, err
	}
	r.doc.Input = report.Input{File: f.Path, ISA: a.Name, Syntax: o.syntaxOf(a), Why: f.Format, Chosen: chosen}
	for i := range found {
		l := &found[i]
		if r.doc.Input.Instructions += l.insts; i >= maxFull {
			continue
		}
		if _, err := l.build(&o); err != nil {
			return nil, err
		}
		out := r.kernel(l.kernel)
		out.Lines, out.Address, out.Depth, out.Why = sourceLines(l.kernel.Lines), addresses(l.kernel.Lines), l.depth, cmp.Or(l.why, l.kernel.Why)
		nested(&out)
		if l.fn != nil {
			out.Function = l.fn.Name
		}
		for i := range out.Instructions {
			out.Instructions[i].Address = fmt.Sprintf("%#x", l.kernel.Lines[i].Addr)
		}
		r.doc.Kernels = append(r.doc.Kernels, out)
	}
	r.more(f.Path, len(found))
	r.doc.Diagnostics = append(r.doc.Diagnostics, warnings(f)...)
	describe.Deps(r.doc)
	return r.doc, nil
}

// input describes a text that has been read.
func input(p *asm.Program, chosen bool) report.Input {
	return report.Input{File: p.File.Name, ISA: p.Language.ISA.Name, Syntax: p.Language.Syntax, Why: p.Language.Why, Reason: language(&p.Language, p.Language.Why == ofMachine), Instructions: p.Len(), Unresolved: p.Unresolved, Chosen: chosen}
}

// resolver finds the dependences of kernels and describes them.
type resolver struct {
	doc    *report.Deps
	target Target
	o      *Options
	deps   DepsOptions
}

func newResolver(o *Options, d DepsOptions, a *isa.ISA, targets []Target) (*resolver, error) {
	if len(targets) > 1 {
		return nil, UsageError{fmt.Errorf("dependences are those of one machine; %d are named", len(targets))}
	}
	if _, err := o.Memory.Aliases(a); err != nil {
		return nil, err
	}
	t := targets[0]
	return &resolver{doc: &report.Deps{Schema: report.DepsSchema, Version: o.Version, Arch: t.Model.Name, Title: t.Model.Title, Why: t.Why, Kernels: []report.DepsKernel{}}, target: t, o: o, deps: d}, nil
}

// more adds a note with the number of kernels that are left out.
func (r *resolver) more(file string, found int) {
	if n := found - len(r.doc.Kernels); n > 0 {
		r.doc.Diagnostics = append(r.doc.Diagnostics, report.Diagnostic{Kind: report.DepsLeftOut, Severity: "note", File: file, Values: report.Values{Count: n}})
	}
}

// kernel finds and describes the dependences of one kernel.
func (r *resolver) kernel(k *isa.Kernel) report.DepsKernel {
	b := uops.Bind(r.target.Model, k)
	opt := r.o.Memory.memdep(k.ISA)
	n := storeLoadPairs(b)
	opt.WAR, opt.WAW, opt.May = r.deps.WAR, r.deps.WAW, r.deps.May && n <= maxPairs
	found := &memdep.Result{}
	if !r.o.Memory.Off {
		found = memdep.Analyze(b, opt)
	}
	g := graph(b, r.o)
	w := &writer{a: &Analysis{Bound: b, Graph: g, Loop: latency.LoopCarried(g), Path: latency.CriticalPath(g)}, k: k}
	out := report.DepsKernel{Name: k.Name, Loop: k.Loop, Memory: report.MemorySearch{Iterations: found.Iterations, Runs: found.Runs, Entry: found.Entry, Seed: r.o.Memory.Seed}}
	out.Instructions = w.listing()
	if r.deps.May && !opt.May {
		out.Diagnostics = append(out.Diagnostics, report.Diagnostic{Kind: report.PairsLeftOut, Severity: "note", Values: report.Values{Kernel: k.Name, Count: n}})
	}
	for i := range k.Lines {
		if l := &k.Lines[i]; l.Err != nil {
			out.Diagnostics = append(out.Diagnostics, report.Diagnostic{Kind: report.UnreadDependences, Severity: "warning", File: l.File, Line: l.No, Values: unread(l)})
		}
	}
	l := &dependencyList{}
	r.reads(l, w, found)
	r.orders(l, w)
	r.others(l, found)
	slices.SortStableFunc(l.list, func(a, b report.KernelDependency) int { return a.To - b.To })
	out.Dependencies = l.list
	return out
}

// listing lists the instructions.
func (w *writer) listing() []report.DepsInstruction {
	out := make([]report.DepsInstruction, len(w.k.Lines))
	for i := range out {
		l := &w.k.Lines[i]
		out[i] = report.DepsInstruction{Index: i, Line: l.No, Text: isa.Brief(l.Text)}
		if l.Part > 0 {
			out[i].Text = w.part(l)
		}
	}
	if len(w.a.Loop.Chains) > 0 {
		for _, s := range w.a.Loop.Chains[0].Steps {
			out[s.Inst].LCD = true
		}
	}
	for _, s := range w.a.Path.Steps {
		out[s.Inst].CP = true
	}
	return out
}

// dependencyList collects dependences and drops duplicates: dependences that differ only in their operands count as one.
type dependencyList struct {
	list []report.KernelDependency
	at   map[report.KernelDependency]int
}

func (l *dependencyList) add(d report.KernelDependency) {
	key := report.KernelDependency{Kind: d.Kind, From: d.From, To: d.To, Distance: d.Distance, Via: d.Via, Order: d.Order, Must: d.Must}
	if l.at == nil {
		l.at, l.list = map[report.KernelDependency]int{}, []report.KernelDependency{}
	}
	if n, seen := l.at[key]; seen {
		old := &l.list[n]
		if d.Latency != nil && (old.Latency == nil || *old.Latency < *d.Latency) {
			old.Latency = d.Latency
		}
		old.Address, old.LCD, old.CP = old.Address && d.Address, old.LCD || d.LCD, old.CP || d.CP
		return
	}
	l.at[key] = len(l.list)
	l.list = append(l.list, d)
}

// reads lists the true (read-after-write) dependences, the edges of the graph.
func (r *resolver) reads(l *dependencyList, w *writer, found *memdep.Result) {
	l.list = []report.KernelDependency{}
	edges := w.dependencies()
	for i := range edges {
		e := &w.a.Graph.Edges[i]
		d := report.KernelDependency{Kind: edges[i].Kind, From: edges[i].From, To: edges[i].To, Distance: edges[i].Distance, Via: edges[i].Via, Order: report.RAW,
			Latency: &edges[i].Latency, Must: true, LCD: edges[i].LCD, CP: edges[i].CP}
		switch e.Kind {
		case depgraph.Address:
			d.Kind, d.Address = "register", true
		case depgraph.Memory:
			evidence := evidenceOf(found, w.a.Graph.MemoryEdge(e))
			d.Evidence = &evidence
		}
		l.add(d)
	}
}

// orders lists the false dependences through registers: write after read and write after write.
func (r *resolver) orders(l *dependencyList, w *writer) {
	if !r.deps.WAR && !r.deps.WAW {
		return
	}
	for _, x := range depgraph.Orders(w.a.Bound, r.deps.WAR, r.deps.WAW) {
		e := depgraph.Edge{From: x.From, To: x.To, Dist: x.Dist, Reg: x.Reg}
		d := report.KernelDependency{Kind: "register", From: int(x.From), To: int(x.To), Distance: int(x.Dist), Order: report.WAR, Must: true}
		if x.Role == isa.RoleFlags {
			e.Kind, d.Kind = depgraph.Flag, "flag"
		}
		if x.AfterWrite {
			d.Order = report.WAW
		}
		if d.Via = w.via(&e); r.o.NoFlags && e.Kind == depgraph.Flag {
			continue
		}
		l.add(d)
	}
}

// others lists the dependences through memory that are not in the graph.
func (r *resolver) others(l *dependencyList, found *memdep.Result) {
	orders := map[memdep.Kind]string{memdep.RAW: report.RAW, memdep.WAR: report.WAR, memdep.WAW: report.WAW}
	for i := range found.Edges {
		e := &found.Edges[i]
		if e.Kind == memdep.RAW && e.Must() {
			continue
		}
		d := report.KernelDependency{Kind: "memory", From: int(e.From), To: int(e.To), Distance: int(e.Dist), Via: "memory", Order: orders[e.Kind], Must: e.Must(), Why: e.Why.String()}
		if e.Must() {
			d.Evidence = &report.Evidence{Method: report.Executed, Bytes: e.Bytes, Size: e.Size, Seen: e.Seen, Of: e.Of}
		}
		l.add(d)
	}
}
