package analyze

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// unresolved tells of the instructions of a kernel that have no form or no cost.
func (d *describer) unresolved(w *writer, named string) []report.Diagnostic {
	if d.shown == nil {
		d.shown = map[int]bool{}
	}
	lacking := w.lacking(named)
	for _, n := range lacking {
		w.lacks = append(w.lacks, report.Lack{Extension: n.Name, Instructions: len(n.insts)})
	}
	out := foreign(lacking, len(w.k.Lines))
	for _, i := range w.unknown {
		l := &w.k.Lines[i]
		d.shown[l.No] = true
		if l.Err == nil && slices.ContainsFunc(lacking, func(n need) bool { return slices.Contains(n.insts, i) }) {
			continue // said once, for all of them
		}
		x := report.Diagnostic{Severity: "warning", File: l.File, Line: l.No}
		x.Message, x.Hint = problem(l, &w.a.Bound.Insts[i], w.k.ISA, w.a.Bound.Model)
		out = append(out, x)
	}
	for i := range w.k.Lines {
		l, in := &w.k.Lines[i], &w.a.Bound.Insts[i]
		if why := in.Unbounded(); why != "" && in.Flags&machine.Unknown == 0 {
			out = append(out, report.Diagnostic{Severity: "warning", File: l.File, Line: l.No,
				Message: fmt.Sprintf("'%s' %s: it is counted with what it takes at least, a latency of %s cycles and %s µops", isa.Brief(l.Text), why, number(in.Latency), number(in.Slots))})
		}
	}
	return out
}

// foreign tells of extensions that instructions need and the core does not have: what figures there are for them are no core's.
func foreign(lacking []need, of int) (out []report.Diagnostic) {
	for _, n := range lacking {
		x := report.Diagnostic{Severity: "warning", File: n.first.File, Line: n.first.No,
			Message: fmt.Sprintf("by LLVM's description %s does not have %s, which %s", n.Core, n.Name, n.needing(of))}
		if len(n.Elsewhere) > 0 {
			x.Hint = "machines that have it: " + strings.Join(n.Elsewhere[:min(len(n.Elsewhere), maxElsewhereModels)], ", ")
			if more := len(n.Elsewhere) - maxElsewhereModels; more > 0 {
				x.Hint += fmt.Sprintf(" and %d more", more)
			}
		}
		out = append(out, x)
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

// needing says how many instructions need it.
func (n *need) needing(of int) string {
	if len(n.insts) == 1 {
		return fmt.Sprintf("1 of %d instructions needs", of)
	}
	return fmt.Sprintf("%d of %d instructions need", len(n.insts), of)
}

// maxElsewhereModels is the number of other models that a hint names.
const maxElsewhereModels = 8

// problem says why the cost of an instruction is not known.
func problem(l *isa.Line, in *machine.Inst, a *isa.ISA, m *machine.Model) (msg, hint string) {
	if l.Err == nil {
		msg = fmt.Sprintf("the cost of '%s' (%s) on %s is not known", isa.Brief(l.Text), a.FormName(&l.Inst), m.Name)
		if why := in.Unbounded(); why != "" {
			msg += ", as it " + why
		}
		return msg + "; it is " + interval(in), ""
	}
	msg, hint = unread(l)
	return msg + "; it is " + interval(in), hint
}

// interval says what an instruction of unknown cost is counted as.
func interval(in *machine.Inst) string {
	s := fmt.Sprintf("counted with a latency of %s cycles and %s µops", span(in.LowLatency, in.HighLatency), span(in.LowSlots, in.HighSlots))
	if in.Unbounded() != "" {
		s += ", and may take longer"
	}
	return s
}

// span writes an interval, "3.0 to 5.0".
func span(low, high float64) string {
	if low == high {
		return number(low)
	}
	return number(low) + " to " + number(high)
}

// unread says why an instruction has no form.
func unread(l *isa.Line) (msg, hint string) {
	var syn *isa.SyntaxError
	if !errors.As(l.Err, &syn) {
		return l.Err.Error(), ""
	}
	if len(syn.Nearest) > 0 {
		hint = "nearest known: " + strings.Join(syn.Nearest, ", ")
	}
	return fmt.Sprintf("%s in '%s'", syn.Msg, isa.Brief(syn.Stmt)), hint
}

// maxElsewhere is the number of unresolved instructions outside the kernels that are shown one by one.
const maxElsewhere = 3

// elsewhere tells of instructions outside the kernels that could not be resolved: they don't
// change the figures, but may be the sign of a wrong instruction set or syntax.
func (d *describer) elsewhere() []report.Diagnostic {
	p := d.program
	var out []report.Diagnostic
	left := 0
	for _, x := range diagnostics(p.Errors) {
		if d.shown[x.Line] {
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
		out = append(out, report.Diagnostic{Severity: "note", File: p.File.Name, Message: fmt.Sprintf("%d further statements outside of the kernels are not known instructions", left),
			Hint: "'incore forms' lists them"})
	}
	return out
}
