package analyze

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/base/symname"
	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// CodeSelect chooses code of an object file.
type CodeSelect struct {
	Function string // only the loops of this function, or the whole function if it has no loop
	Loop     int    // only this loop of the function, counted from 1 in the order of addresses; 0: the innermost loops
	Path     int    // the path through the loop, counted from 1 for the likeliest; 0: the likeliest
}

// loop is a loop of machine code to analyse.
type loop struct {
	name   string
	member string // the member of a library that contains the loop
	fn     *object.Function
	insts  int
	depth  int
	heat   float64
	why    string
	kernel *isa.Kernel // nil before build
	marked bool        // IACA's markers enclose it

	from        *object.Loop // the loop in the object file; nil if kernel is given
	index, path int          // number of the loop in its function, number of the path through it
}

// build makes the loop's kernel when it is first needed. A kernel also holds the code before and around its loop, so that the kernels of all
// loops of a file would need many copies of the same code.
func (l *loop) build(o *Options) (*isa.Kernel, error) {
	if l.kernel == nil {
		k, err := l.from.Kernel(object.KernelOptions{Path: l.path, Syntax: o.Syntax})
		if err != nil {
			return nil, UsageError{err}
		}
		l.kernel, l.why = k, fmt.Sprintf("%s (loop %d of the function)", k.Why, l.index+1)
	}
	return l.kernel, nil
}

// maxListed is the number of loops of a file that a report lists in addition to the loops that it describes in full.
const maxListed = 200

// RunBinary analyses the code of an object file: the regions between IACA's markers, or the loops of
// a function or of the whole file, the likely hottest first.
func RunBinary(f *object.File, o Options, sel CodeSelect) (*report.Document, error) {
	targets, a, err := Targets(&o, f.ISA)
	if err != nil {
		return nil, err
	}
	if err := checkSyntax(o.Syntax, a); err != nil {
		return nil, err
	}
	if _, err := o.Memory.Aliases(a); err != nil {
		return nil, err
	}
	if err := o.Questions.check(&o, targets); err != nil {
		return nil, err
	}
	found, chosen, err := chooseLoops(f, &o, sel)
	if err != nil {
		return nil, err
	}
	doc := &report.Document{Schema: report.Schema, Version: o.Version, Input: report.Input{File: f.Path, ISA: a.Name, Syntax: o.syntaxOf(a), Compiler: f.Compiler, Why: f.Format, Reason: reason(report.FileFormat, f.Format, report.Values{Reason: f.Format}), Chosen: chosen}}
	if !chosen {
		o.Asked = 0
	}
	d := &describer{doc: doc, options: &o}
	var sizes []int
	for i := range found[:min(len(found), o.full())] {
		sizes = append(sizes, found[i].insts)
	}
	full, err := o.fit(doc, sizes, len(targets), chosen)
	if err != nil {
		return nil, err
	}
	for i := range found {
		if err := o.interrupted(); err != nil {
			return nil, err
		}
		doc.Input.Instructions += found[i].insts
		if i >= o.full()+maxListed {
			continue
		}
		if _, err := found[i].build(&o); err != nil {
			return nil, err
		}
		switch {
		case i < full:
			doc.Kernels = append(doc.Kernels, d.binary(&found[i], targets))
		default:
			doc.Others = append(doc.Others, d.brief(&found[i], targets[0]))
			found[i].kernel = nil
		}
	}
	if n := len(found) - o.full() - maxListed; n > 0 {
		doc.Diagnostics = append(doc.Diagnostics, report.Diagnostic{Kind: report.FileLoopsLeftOut, Severity: "note", File: f.Path, Values: report.Values{Count: n}})
	}
	doc.Diagnostics = append(doc.Diagnostics, warnings(f)...)
	describe.Document(doc)
	return doc, d.err
}

// chooseLoops finds the code to analyse; chosen reports that incore chose it, not the user.
func chooseLoops(f *object.File, o *Options, sel CodeSelect) (found []loop, chosen bool, err error) {
	if found, err = code(f, o, sel); err != nil {
		return nil, false, err
	}
	if o.Kernel != "" {
		found, err = namedLoops(found, o.Kernel)
		return found, false, err
	}
	return found, len(found) > 1 && sel.Loop == 0, nil
}

func namedLoops(found []loop, name string) (out []loop, err error) {
	for _, l := range found {
		if symname.Same(l.name, name) {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return nil, noKernel(name, len(found), func(i int) string { return found[i].name })
	}
	return out, nil
}

// code finds the loops or marked regions to analyse, the likely hottest first.
func code(f *object.File, o *Options, sel CodeSelect) ([]loop, error) {
	if sel.Function != "" {
		fn, addr := f.Place(sel.Function)
		if fn == nil {
			return nil, noFunction(f, sel.Function)
		}
		if addr != 0 && addr != fn.Addr && sel.Loop == 0 {
			if sel.Loop = loopAt(f.Loops(fn), addr); sel.Loop == 0 && strings.Contains(sel.Function, "+0x") {
				return nil, noLoop(fn, f.Loops(fn), addr)
			}
		}
		return inFunction(f, fn, o, sel)
	}
	if sel.Loop != 0 || sel.Path != 0 {
		return nil, UsageError{source.About(errors.New("a loop or path is given, but not its function"), "function")}
	}
	marked, err := f.Marked()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	var out []loop
	for _, k := range marked {
		out = append(out, loop{kernel: k, name: k.Name, insts: len(k.Lines), fn: f.At(k.Lines[0].Addr), why: k.Why, marked: true})
	}
	if len(out) > 0 {
		return out, nil
	}
	for _, fn := range f.Functions() {
		for i, l := range f.Loops(fn) {
			if l.Innermost {
				out = append(out, found(l, i))
			}
		}
	}
	if all, notes := f.Functions(), f.Warnings(); len(all) == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("%s: no functions in it; %s", f.Path, notes[0])
	} else if len(out) == 0 && f.Bare() {
		return inFunction(f, all[0], o, sel)
	} else if len(out) == 0 {
		return nil, source.About(fmt.Errorf("%s: no loops in its %d functions; choose a function", f.Path, len(f.Functions())), "function")
	}
	sortByHeat(out)
	return out, nil
}

// loopAt returns the number of the loop that begins at an address, counted from 1; 0 if none does.
func loopAt(loops []*object.Loop, addr uint64) int {
	return 1 + slices.IndexFunc(loops, func(l *object.Loop) bool { return l.Addr() == addr })
}

// noLoop returns the error that no loop of a function begins at an address, and lists where they do.
func noLoop(fn *object.Function, loops []*object.Loop, addr uint64) error {
	var at []string
	for i, l := range loops {
		if at = append(at, fmt.Sprintf("+%#x", l.Addr()-fn.Addr)); i == maxNamedLoops-1 && i < len(loops)-1 {
			at = append(at, "…")
			break
		}
	}
	if len(at) == 0 {
		return fmt.Errorf("no loop of %s begins at +%#x; it has none", fn.Name, addr-fn.Addr)
	}
	return fmt.Errorf("no loop of %s begins at +%#x; its loops begin at %s", fn.Name, addr-fn.Addr, strings.Join(at, ", "))
}

// maxNamedLoops is the number of loops that an error names.
const maxNamedLoops = 8

// noFunction returns the error that a file lacks a function, and lists functions with similar names.
func noFunction(f *object.File, name string) error {
	if like := f.Similar(name, 5); len(like) > 0 {
		return fmt.Errorf("%s: no function %q; similar are %s", f.Path, name, strings.Join(like, ", "))
	}
	return source.About(fmt.Errorf("%s: no function %q; the list of loops has those with loops", f.Path, name), "loops")
}

// inFunction finds the loops of a function.
func inFunction(f *object.File, fn *object.Function, o *Options, sel CodeSelect) ([]loop, error) {
	loops := f.Loops(fn)
	switch {
	case sel.Loop > len(loops) || sel.Loop < 0:
		return nil, UsageError{source.About(fmt.Errorf("%s has %d loop%s; there is no loop %d", fn.Name, len(loops), plural(len(loops)), sel.Loop), "loop")}
	case sel.Loop > 0:
		x := found(loops[sel.Loop-1], sel.Loop-1)
		x.path = max(0, sel.Path-1)
		k, err := x.build(o)
		if err == nil {
			x.insts = len(k.Lines)
		}
		return []loop{x}, err
	case len(loops) == 0:
		k, err := straight(f, fn, o)
		if err != nil {
			return nil, err
		}
		return []loop{{kernel: k, name: k.Name, insts: len(k.Lines), fn: fn}}, nil
	}
	var out []loop
	for i, l := range loops {
		if !l.Innermost {
			continue
		}
		x := found(l, i)
		x.path = max(0, sel.Path-1)
		if x.path > 0 {
			if _, err := x.build(o); err != nil {
				return nil, err
			}
		}
		out = append(out, x)
	}
	sortByHeat(out)
	return out, nil
}

func sortByHeat(l []loop) {
	slices.SortStableFunc(l, func(a, b loop) int {
		return cmp.Or(last(a.fn.OfRuntime(), b.fn.OfRuntime()), cmp.Compare(b.heat, a.heat))
	})
}

// found describes a loop by its likeliest path; its kernel is not built yet.
func found(l *object.Loop, index int) loop {
	k, _ := l.Body(nil)
	x := loop{name: l.Name(), member: l.Func.Member(), fn: l.Func, insts: len(k.Lines), depth: l.Depth, from: l, index: index}
	x.heat, x.why = asm.Heat(k.ISA, k.Lines, l.Depth)
	return x
}

// syntaxOf returns the syntax for the printed code.
func (o *Options) syntaxOf(a *isa.ISA) string {
	if o.Syntax == "" && len(a.Syntaxes) > 0 {
		return a.Syntaxes[0]
	}
	return o.Syntax
}

// maxStraight is the greatest number of instructions of a function without loops that is analysed as a whole.
const maxStraight = 10000

// straight makes a kernel of a whole function without loops, as if it were the body of a loop.
func straight(f *object.File, fn *object.Function, o *Options) (*isa.Kernel, error) {
	k := &isa.Kernel{ISA: f.ISA, Name: fn.Name, Syntax: o.syntaxOf(f.ISA), Why: "all of the function, which has no loop"}
	err := f.Disassemble(fn.Addr, fn.End(), func(x *object.Line) error {
		if len(k.Lines) == maxStraight {
			return fmt.Errorf("function %s has no loop and more than %d instructions", fn.Name, maxStraight)
		}
		l := isa.Line{Inst: x.Inst, Addr: x.Addr, Err: x.Err, Text: "(bad)"}
		if x.Err == nil {
			l.Text = string(f.ISA.Print(nil, &x.Inst, k.Syntax))
		}
		if f.ISA.Canonical != nil {
			l.Inst.Form = f.ISA.Canonical(l.Inst.Form)
		}
		l.File, l.No = f.SourceLine(x.Addr)
		k.Lines = append(k.Lines, l)
		return nil
	})
	if err == nil && len(k.Lines) == 0 {
		err = fmt.Errorf("function %s has no code in the file", fn.Name)
	}
	return k, err
}

// binary analyses and describes a loop of machine code on all machines.
func (d *describer) binary(l *loop, targets []Target) report.Kernel {
	k := l.kernel
	d.described++
	out := report.Kernel{Name: k.Name, Member: l.member, Lines: sourceLines(k.Lines), Address: addresses(k.Lines), Unroll: max(1, d.options.Unroll), Loop: k.Loop, Depth: l.depth, Why: l.why}
	if l.fn != nil {
		out.Function = l.fn.Name
	}
	if out.Why == "" {
		out.Why = k.Why
	}
	out.Reason = l.reason(out.Why)
	file, line := "", 0
	for i := range k.Lines {
		if x := &k.Lines[i]; x.No > 0 && (x.No != line || x.File != file) {
			file, line = x.File, x.No
			out.Labels = append(out.Labels, report.Label{Name: fmt.Sprintf("%s:%d", filepath.Base(file), line), Before: i, Source: true})
		}
	}
	d.targets(&out, k, targets)
	at := make([]source.Pos, len(k.Lines))
	for i := range k.Lines {
		at[i] = source.Pos{File: k.Lines[i].File, Line: k.Lines[i].No}
	}
	d.origins(&out, at)
	for t := range out.Targets {
		for i := range out.Targets[t].Instructions {
			out.Targets[t].Instructions[i].Address = fmt.Sprintf("%#x", k.Lines[i].Addr)
		}
	}
	return out
}

// brief analyses a loop of machine code and describes it in brief.
func (d *describer) brief(l *loop, t Target) report.Candidate {
	k := l.kernel
	c := report.Candidate{Name: k.Name, Lines: sourceLines(k.Lines), Depth: l.depth, Instructions: len(k.Lines), Arch: t.Model.Name, Engine: engine.NameBounds}
	if l.fn != nil {
		c.Function = l.fn.Name
	}
	figures(&c, Kernel(k, t.Model, d.options))
	return c
}

// addresses returns the address range of code; the end is exclusive.
func addresses(code []isa.Line) string {
	lo, hi := code[0].Addr, uint64(0)
	for i := range code {
		lo, hi = min(lo, code[i].Addr), max(hi, code[i].Addr+uint64(max(1, code[i].Inst.Size)))
	}
	return fmt.Sprintf("%#x-%#x", lo, hi)
}

// sourceLines lists the source lines of code by file, "a.c:5-9 b.h:12"; "" if none is known.
func sourceLines(code []isa.Line) string {
	var files []string
	lines := map[string][]int{}
	for i := range code {
		if l := &code[i]; l.No > 0 {
			name := filepath.Base(l.File)
			if lines[name] == nil {
				files = append(files, name)
			}
			lines[name] = append(lines[name], l.No)
		}
	}
	for i, name := range files {
		slices.Sort(lines[name])
		files[i] = name + ":" + source.RangesOf(lines[name]).String()
	}
	return strings.Join(files, " ")
}

// warnings converts the warnings of the reader of object files to diagnostics.
func warnings(f *object.File) (out []report.Diagnostic) {
	for _, s := range f.Warnings() {
		out = append(out, report.Diagnostic{Kind: report.FromObject, Severity: "warning", File: f.Path, Message: s})
	}
	return out
}

// plural returns the ending of a noun after the number n, for errors.
func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
