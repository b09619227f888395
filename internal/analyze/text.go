package analyze

import (
	"io"
	"slices"
	"strings"

	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// Text is an assembly text whose kernels are described one by one, as an editor needs them. It doesn't change; several goroutines may use it.
type Text struct {
	Program *asm.Program
	Target  Target
	Kernels []asm.Kernel        // the likely hottest first; none if the text has no loop and no mark
	Marks   []report.Diagnostic // marks without a partner
	options Options
}

// ReadText parses a text. Of the machines of the options it takes the first of the text's instruction set, or the default machine of that set if there is none.
func ReadText(f *source.File, o Options) (*Text, error) {
	named, err := asked(&o)
	if err != nil {
		return nil, err
	}
	if o.ISA == "" && len(named) > 0 {
		got, err := asm.NewInput(f).Detect(catalog.ISAs())
		if err != nil {
			return nil, err
		}
		o.ISA = got.ISA.Name
	}
	if a := catalog.ISA(o.ISA); a != nil {
		o.Archs = slices.DeleteFunc(slices.Clone(o.Archs), func(name string) bool {
			m, err := machine.GetFor(a.Name, name)
			return err != nil || m.ISA != a.Name
		})
	}
	p, targets, err := read(f, &o)
	if err != nil {
		return nil, err
	}
	t := &Text{Program: p, Target: targets[0], options: o}
	found, marks, err := p.Kernels(o.Select)
	if err != nil {
		t.Marks = marksOnly(Diagnostics(err, nil))
		return t, nil
	}
	t.Kernels, t.Marks = found, diagnostics(marks, nil)
	return t, nil
}

// marksOnly leaves out the message that a text has neither loops nor marks: an editor shows that by showing none.
func marksOnly(l []report.Diagnostic) []report.Diagnostic {
	return slices.DeleteFunc(l, func(d report.Diagnostic) bool { return d.Line == 0 })
}

// Build resolves the instructions of kernel i.
func (t *Text) Build(i int) *isa.Kernel { return t.Program.Build(&t.Kernels[i]) }

// Readable returns the error with which Describe refuses kernel i before it is built, nil if it does not. A kernel that is too long takes gigabytes to build.
func (t *Text) Readable(i int) error { return readable(t.Program, &t.Kernels[i]) }

// Describe analyses kernel i, and looks for changes that make it faster if advice is set. o.Context can stop it.
func (t *Text) Describe(o Options, i int, advice bool) (*report.Document, error) {
	k := &t.Kernels[i]
	if err := t.Readable(i); err != nil {
		return nil, err
	}
	with := t.options
	with.Context, with.NoAdvice, with.Version = o.Context, !advice, o.Version
	doc := &report.Document{Schema: report.Schema, Version: o.Version, Input: input(t.Program, false)}
	d := &describer{doc: doc, program: t.Program, options: &with}
	if err := d.kernels([]asm.Kernel{*k}, []Target{t.Target}); err != nil {
		return nil, err
	}
	describe.Document(doc)
	return doc, d.err
}

// ExplainText writes what Explain says of an instruction of the text.
func (t *Text) ExplainText(w io.Writer, instruction string, o report.TextOptions) error {
	l := t.Program.Language
	x, err := Explain(instruction, Options{ISA: l.ISA.Name, Syntax: l.Syntax, Models: []*machine.Model{t.Target.Model}})
	if err != nil {
		return err
	}
	return report.ExplainText(w, x, o)
}

// CompilerName sets the machine or the instruction set that -mcpu, -march or -mtune of compilers names. The first machine counts.
func CompilerName(o *Options, name string) error {
	if name == "native" {
		return nil // the default
	}
	name, _, _ = strings.Cut(name, "+") // extensions
	isaName := ""
	if a := catalog.ISA(o.ISA); o.ISA != "" && a != nil {
		isaName = a.Name
	}
	if _, err := machine.GetFor(isaName, name); err != nil {
		a := catalog.Architecture(name)
		if a == nil {
			return err
		}
		if o.ISA == "" && len(o.Archs) == 0 {
			o.ISA = a.Name
		}
		return nil
	}
	if len(o.Archs) == 0 {
		o.Archs = []string{name}
	}
	return nil
}
