// Package describe turns the values of a report into sentences. Analyses compute values, package analyze stores them in a document under stable
// kinds, and only this package words them: a document keeps its meaning without any words.
package describe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"incore/internal/report"
)

// Document fills in the words of a document from its values.
func Document(d *report.Document) {
	for i := range d.Kernels {
		k := &d.Kernels[i]
		k.Notes = Statements(k.Remarks)
		for j := range k.Targets {
			target(&k.Targets[j], k.Loop)
		}
	}
	for i := range d.Others {
		d.Others[i].Limit = Bound(d.Others[i].Bound)
	}
	Diagnostics(d.Diagnostics)
	for _, why := range d.Cut() {
		for i := range d.Kernels {
			for j := range d.Kernels[i].Targets {
				d.Kernels[i].Targets[j].Prediction.Text += "; " + why
			}
		}
	}
}

// target fills in the words about a kernel on one machine.
func target(t *report.Target, loop bool) {
	prediction(t, loop)
	if t.Assumptions = Statements(t.Basis); t.Assumptions == nil {
		t.Assumptions = []string{}
	}
	for i := range t.Advice {
		advice(&t.Advice[i])
	}
	Diagnostics(t.Diagnostics)
}

// Statements fills in the words of statements, and returns them alone.
func Statements(list []report.Statement) (words []string) {
	for i := range list {
		s := &list[i]
		s.Text = statement(s.Kind, &s.Values)
		words = append(words, s.Text)
	}
	return words
}

// Deps fills in the words of a document of dependences.
func Deps(d *report.Deps) {
	for i := range d.Kernels {
		k := &d.Kernels[i]
		k.Notes = Statements(k.Remarks)
		Diagnostics(k.Diagnostics)
	}
	Diagnostics(d.Diagnostics)
}

// Loops fills in the words of a list of loops.
func Loops(l *report.Loops) {
	for i := range l.Loops {
		x := &l.Loops[i]
		x.Limit = Bound(x.Bound)
		if x.InOrder && x.Bound == report.BoundScheduling {
			x.Limit = inOrder
		}
		if x.Lacks != "" {
			x.Limit = "cannot be executed: no " + x.Lacks
		}
		if x.Reserved != "" {
			x.Limit = "reserved by the specification"
		}
		if m := l.Loops[i].Measured; m != nil && m.Ratio > report.MeasuredMore {
			m.Lacks = lacks(&l.Loops[i])
		}
	}
	Diagnostics(l.Diagnostics)
}

// UopsFor describes n µops that need certain ports.
func UopsFor(n int, ports string) string { return fmt.Sprintf("%d µops for %s", n, ports) }

// number writes cycles with one or two decimals.
func number(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 2, 64), "0")
}

// span writes an interval, "3.0 to 5.0".
func span(r report.Range) string {
	if r.Low == r.High {
		return number(r.Low)
	}
	return number(r.Low) + " to " + number(r.High)
}

// count writes a number that is mostly whole.
func count(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// several returns the plural ending of "line" for lines of a source, "5-9,14".
func several(lines string) string {
	if strings.ContainsAny(lines, "-,") {
		return "s"
	}
	return ""
}

// gains reports whether the kernel would be noticeably faster if a cost were zero.
func gains(p *report.Prediction, free string) bool {
	return slices.ContainsFunc(p.IfFree, func(r report.Rung) bool { return r.Free == free && r.Cycles < p.Cycles*(1-report.Noticed) })
}

// Lacking says that a core lacks an extension that an instruction needs.
func Lacking(core, extension string) string {
	return fmt.Sprintf("By LLVM's description %s does not have %s.", core, extension)
}

// Least says that an instruction's figures are no upper bounds, and why.
func Least(why string) string { return "Lower bound only: it " + why + "." }

// lacks says what the prediction of a loop does not count, where it takes longer: first what the profile has seen.
func lacks(x *report.LoopInfo) string {
	const notable = 0.005 // mispredicted branches per iteration
	var seen []string
	if m := x.Measured.Mispredicted; m >= notable {
		seen = append(seen, fmt.Sprintf("%.3f mispredicted branches per iteration", m))
	}
	for _, e := range x.Events {
		if e.Share >= 0.01 {
			seen = append(seen, fmt.Sprintf("%.0f %% of the samples of %s", 100*e.Share, e.Event))
		}
	}
	s := "the prediction counts no misses of caches and TLBs, no mispredictions, and no loads that wait for a store 4 KiB away"
	if len(seen) > 0 {
		s += "; the profile has " + strings.Join(seen, ", ")
	}
	return s
}
