package analyze

import (
	"errors"
	"fmt"
	"strings"

	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// unresolved tells of the instructions of a kernel that have no form or no cost.
func (d *describer) unresolved(w *writer) []report.Diagnostic {
	if d.shown == nil {
		d.shown = map[int]bool{}
	}
	var out []report.Diagnostic
	for _, i := range w.unknown {
		l := &w.k.Lines[i]
		d.shown[l.No] = true
		x := report.Diagnostic{Severity: "warning", File: l.File, Line: l.No}
		x.Message, x.Hint = problem(l, &w.a.Bound.Insts[i], w.k.ISA, w.a.Bound.Model)
		out = append(out, x)
	}
	return out
}

// problem says why the cost of an instruction is not known.
func problem(l *isa.Line, in *machine.Inst, a *isa.ISA, m *machine.Model) (msg, hint string) {
	if l.Err == nil {
		return fmt.Sprintf("the cost of '%s' (%s) on %s is not known; it is %s", isa.Brief(l.Text), a.FormName(&l.Inst), m.Name, interval(in)), ""
	}
	msg, hint = unread(l)
	return msg + "; it is " + interval(in), hint
}

// interval says what an instruction of unknown cost is counted as.
func interval(in *machine.Inst) string {
	return fmt.Sprintf("counted with a latency of %s cycles and %s µops", span(in.LowLatency, in.HighLatency), span(in.LowSlots, in.HighSlots))
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
