package analyze

import (
	"errors"
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// unresolved returns diagnostics about the instructions of a kernel that have no form or no cost.
func (d *describer) unresolved(w *writer, named string) []report.Diagnostic {
	lacking := w.lacking(named)
	for _, n := range lacking {
		w.lacks = append(w.lacks, report.Lack{Extension: n.Name, Instructions: len(n.insts)})
	}
	out := append(foreign(lacking, len(w.k.Lines)), w.reserved()...)
	for _, i := range w.unknown {
		l := &w.k.Lines[i]
		d.shown = append(d.shown, l.No)
		if l.Err == nil && slices.ContainsFunc(lacking, func(n need) bool { return slices.Contains(n.insts, i) }) {
			continue // said once, for all of them
		}
		out = append(out, problem(l, &w.a.Bound.Insts[i], w.k.ISA, w.a.Bound.Model))
	}
	for i := range w.k.Lines {
		l, in := &w.k.Lines[i], &w.a.Bound.Insts[i]
		if why := in.Unbounded(); why != "" && in.Flags&machine.Unknown == 0 {
			out = append(out, report.Diagnostic{Kind: report.LowerBound, Severity: "warning", File: l.File, Line: l.No,
				Values: report.Values{Instruction: isa.Brief(l.Text), Reason: why, Latency: &report.Range{Low: in.Latency, High: in.Latency}, Uops: &report.Range{Low: in.Slots, High: in.Slots}}})
		}
	}
	return out
}

// reserved returns diagnostics about the instructions that the specification reserves.
func (w *writer) reserved() (out []report.Diagnostic) {
	if w.k.ISA.Reserved == nil {
		return nil
	}
	for _, lines := range [][]isa.Line{w.k.Entry, w.k.Lines} {
		for i := range lines {
			if l := &lines[i]; w.k.ISA.Reserved(&l.Inst) != "" {
				out = append(out, report.Diagnostic{Kind: report.Reserved, Severity: "error", File: l.File, Line: l.No,
					Values: report.Values{Instruction: isa.Brief(l.Text), Reason: w.k.ISA.Reserved(&l.Inst)}})
			}
		}
	}
	return out
}

// foreign returns diagnostics about extensions that instructions need and the core does not have: no core measures their costs.
func foreign(lacking []need, of int) (out []report.Diagnostic) {
	for _, n := range lacking {
		shown := n.Elsewhere[:min(len(n.Elsewhere), maxElsewhereModels)]
		out = append(out, report.Diagnostic{Kind: report.MissingExtension, Severity: "error", File: n.first.File, Line: n.first.No,
			Values: report.Values{Core: n.Core, Extension: n.Name, Instructions: len(n.insts), Of: of, Machines: shown, More: len(n.Elsewhere) - len(shown)}})
	}
	return out
}

// need is an extension that instructions of the kernel need.
type need struct {
	machine.Extension
	first *isa.Line
	insts []int
}

// lacking lists the extensions that instructions need and the core does not have.
func (w *writer) lacking(named string) (out []need) {
	cores := w.a.Bound.Model.Cores(w.k.ISA, named)
	for i := range w.k.Lines {
		e, ok := cores.Lacks(w.k.Lines[i].Inst.Form)
		if !ok {
			continue
		}
		at := slices.IndexFunc(out, func(n need) bool { return n.Name == e.Name })
		if at < 0 {
			at = len(out)
			out = append(out, need{e, &w.k.Lines[i], nil})
		}
		out[at].insts = append(out[at].insts, i)
	}
	return out
}

// maxElsewhereModels is the number of other models that a hint names.
const maxElsewhereModels = 8

// problem returns the diagnostic that explains why the cost of an instruction is not known, and the assumed cost.
func problem(l *isa.Line, in *machine.Inst, a *isa.ISA, m *machine.Model) report.Diagnostic {
	x := report.Diagnostic{Kind: report.UnknownCost, Severity: "warning", File: l.File, Line: l.No}
	if l.Err != nil {
		x.Kind, x.Values = report.Unread, unread(l)
	} else {
		x.Values = report.Values{Instruction: isa.Brief(l.Text), Form: a.FormName(&l.Inst), Core: m.Name, Reason: in.Unbounded()}
	}
	x.Values.Latency, x.Values.Uops = &report.Range{Low: in.LowLatency, High: in.HighLatency}, &report.Range{Low: in.LowSlots, High: in.HighSlots}
	return x
}

// unread returns the reason for which an instruction has no form.
func unread(l *isa.Line) report.Values {
	var syn *isa.SyntaxError
	if !errors.As(l.Err, &syn) {
		return report.Values{Reason: l.Err.Error()}
	}
	return report.Values{Reason: syn.Msg, Instruction: isa.Brief(syn.Stmt), Nearest: syn.Nearest}
}

// maxElsewhere is the number of unresolved instructions outside the kernels that are shown one by one.
const maxElsewhere = 3

// elsewhere returns diagnostics about instructions outside the kernels that could not be resolved: they don't
// change the predictions, but may indicate a wrong instruction set or syntax.
func (d *describer) elsewhere() []report.Diagnostic {
	p := d.program
	var out []report.Diagnostic
	left := 0
	shown := map[int]bool{}
	for _, line := range d.shown {
		shown[line] = true
	}
	for _, x := range diagnostics(p.Errors, nil) {
		if shown[x.Line] {
			continue
		}
		if len(out) < maxElsewhere {
			x.Severity = "note"
			out = append(out, x)
		} else {
			left++
		}
	}
	if left += p.Unresolved - min(p.Unresolved, len(p.Errors)); left > 0 {
		out = append(out, report.Diagnostic{Kind: report.UnreadElsewhere, Severity: "note", File: p.File.Name, Values: report.Values{Count: left}})
	}
	return out
}
