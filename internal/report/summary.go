package report

import (
	"fmt"
	"slices"
	"strings"
)

// This file writes the summary above the table: the prediction, its limit, the next limit, the best improvement and the expected error.

// summary writes at most six short lines about a kernel on one machine.
func (p *painter) summary(d *Document, k *Kernel) {
	t := &k.Targets[0]
	x := &t.Prediction
	p.line("%s", p.paint(bold, p.wrap(strings.Join(append([]string{p.figureLine(k, t)}, d.Cut()...), "; "), "  ")))
	p.field("limit", limited(x.Cause))
	p.entered(t)
	p.help(t)
	p.field("trust", t.Words.Trust)
	why := after(t.Why)
	if t.Reason.Kind == ThisMachine {
		why = " (this machine)"
	}
	p.field("machine", t.Arch+": "+t.Title+why)
	place := k.Name + k.shortPlace()
	if !strings.HasPrefix(k.Name, d.Input.File) {
		place = d.Input.File + k.member() + ": " + place
	}
	if d.Input.Compiler != "" {
		place += "; compiled with " + d.Input.Compiler
	}
	p.field("kernel", place)
}

// limited returns a cause as it follows the word "limit".
func limited(cause string) string {
	if s, ok := strings.CutPrefix(cause, "bound by "); ok {
		return s
	}
	return strings.TrimPrefix(cause, "bound ")
}

// figureLine returns the predicted cycles and the work per cycle.
func (p *painter) figureLine(k *Kernel, t *Target) string {
	x := &t.Prediction
	s := t.Foreign() + x.span(1) + " cycles/iteration"
	if !k.Loop {
		s = t.Foreign() + "not a loop: " + x.span(1) + " cycles per pass if the code runs again and again"
	}
	if k.Unroll > 1 {
		s += fmt.Sprintf(", %s per high-level iteration (%s× unrolled)", x.span(k.Unroll), figure(k.Unroll))
	}
	var parts []string
	if x.IPC > 0 && x.UnknownCosts == nil {
		most := ""
		if len(x.Open) > 0 {
			most = "at most "
		}
		parts = append(parts, fmt.Sprintf("%s (IPC %s%s)", Counted(len(t.Instructions), "instruction"), most, cycles(x.IPC)), fmt.Sprintf("%s fused µop%s", figure(t.Throughput.Slots), pluralOf(t.Throughput.Slots)))
		if x.FlopsPerCycle > 0 && len(x.Open) == 0 {
			parts = append(parts, cycles(x.FlopsPerCycle)+" flop/cycle")
		}
		if x.BytesPerCycle > 0 && len(x.Open) == 0 {
			parts = append(parts, cycles(x.BytesPerCycle)+" B/cycle")
		}
		if x.VectorBits > 0 && len(x.Open) == 0 {
			parts[len(parts)-1] += fmt.Sprintf(" (full vectors of %d bits)", x.VectorBits)
		}
	} else {
		parts = append(parts, Counted(len(t.Instructions), "instruction"))
	}
	if u := x.UnknownCosts; u != nil {
		have := "have"
		if u.Instructions == 1 {
			have = "has"
		}
		parts = append(parts, fmt.Sprintf("of which %d %s no known cost", u.Instructions, have))
	}
	if n := len(x.Open); n > 0 {
		why := x.Open[0]
		if n > 1 {
			why += fmt.Sprintf(" (and %d more)", n-1)
		}
		return s + "; " + strings.Join(parts, ", ") + "; " + why
	}
	return s + "; " + strings.Join(parts, ", ")
}

// Foreign returns what stands before the figures of code that the core cannot execute; "" if it can.
func (t *Target) Foreign() string {
	if t.Reserved != "" {
		return t.Refused() + "; if a core did: "
	}
	if why := t.Refused(); why != "" {
		return why + "; if it had: "
	}
	return ""
}

// ReservedText names an instruction that the specification reserves, and says why.
func ReservedText(text, why string) string {
	return fmt.Sprintf("'%s': %s", strings.Join(strings.Fields(text), " "), why)
}

// Refused says why the core cannot execute the code; "" if it can.
func (t *Target) Refused() string {
	if t.Reserved != "" {
		return "no core need execute this: the specification reserves " + t.Reserved
	}
	if len(t.Lacks) == 0 {
		return ""
	}
	return fmt.Sprintf("%s cannot execute this: it has no %s", t.Arch, t.missing())
}

// missing lists the extensions that the core does not have.
func (t *Target) missing() string {
	var names []string
	for _, l := range t.Lacks {
		names = append(names, l.Extension)
	}
	return strings.Join(names, ", ")
}

// Limited is the limit of the figures in a cell of a table: bound, or that the core cannot execute the code.
func (t *Target) Limited(bound string) string {
	if t.Reserved != "" {
		return "reserved by the specification"
	}
	if len(t.Lacks) == 0 {
		return bound
	}
	return "cannot be executed: no " + t.missing()
}

// span formats the predicted cycles, or their interval or lower bound, divided by a number.
func (x *Prediction) span(by float64) string {
	switch u := x.UnknownCosts; {
	case len(x.Open) > 0:
		return "at least " + cycles(x.Least()/by)
	case u != nil:
		return u.text(by, " to ")
	}
	return cycles(x.Cycles / by)
}

// dataBranches names the branches whose outcome depends on loaded data.
func dataBranches(k *Kernel, t *Target) string {
	var parts []string
	for _, b := range k.DataBranches {
		in := &t.Instructions[b.Instruction]
		var loads []string
		for _, l := range b.Loads[:min(len(b.Loads), 3)] {
			loads = append(loads, t.Instructions[l].place())
		}
		if len(b.Loads) > 3 {
			loads = append(loads, "…")
		}
		parts = append(parts, fmt.Sprintf("%s %s (loaded at %s)", in.place(), mnemonic(in.Text), strings.Join(loads, ", ")))
	}
	return "branches that depend on loaded data, whose mispredictions are not counted: " + strings.Join(parts, ", ")
}

// below writes the lines below the table of a short report: the slowest chain, the circumstances that change the prediction, and how to see the rest.
func (p *painter) below(k *Kernel, t *Target) {
	if len(t.LoopCarried) > 0 {
		c := &t.LoopCarried[0]
		p.line("%s", p.wrapPath(fmt.Sprintf("slowest loop-carried dependency: %s cycles through %s: %s", cycles(c.Cycles), c.Via, p.steps(t, c.Instructions, c.Latencies)), 2))
	}
	p.moreHelp(t)
	if len(k.DataBranches) > 0 {
		p.line("%s", p.wrap("note: "+dataBranches(k, t), "  "))
	}
	for i := range t.Basis {
		if s := &t.Basis[i]; s.ChangesFigure() {
			p.line("%s", p.wrap("note: "+s.Text, "  "))
		}
	}
}

// legend explains, in the last lines of a report, the columns of the tables of kernels.
func (p *painter) legend(kernels []Kernel) {
	tables, chains := false, false
	for i := range kernels {
		if t := kernels[i].Targets; len(t) == 1 {
			tables = true
			chains = chains || slices.ContainsFunc(t[0].Instructions, func(in Instruction) bool { return in.LCD != nil })
		}
	}
	if !tables {
		return
	}
	text := "-v: all chains, the critical path, all assumptions"
	if chains {
		text = "LCD: cycles on the slowest loop-carried dependency; CP: on the critical path of one iteration; " + text
	}
	p.line("%s", p.paint(dim, p.wrap(p.columnLegend()+text, "  ")))
}
