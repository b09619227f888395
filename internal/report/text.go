package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"incore/internal/base/symname"
)

// TextOptions configures the text report.
type TextOptions struct {
	Width int  // columns of the terminal; 0: as wide as needed
	Color bool // ANSI colours
	All   bool // write every kernel in full; otherwise, if incore chose the kernels, only the first
	// Verbose adds the details: the engine, the accuracy on every corpus, all chains and the critical path, all assumptions, long paths in full and all other loops.
	Verbose bool
	// Columns are additional columns of the table of instructions, from ExtraColumns.
	Columns []string
	Advice  bool // all advice, with the changed code
	Most    int  // rows of a list of loops or dependences; 0: all
}

// ExtraColumns lists the possible columns in TextOptions.Columns: the latency of each instruction and its reciprocal throughput.
var ExtraColumns = []string{"latency", "throughput"}

// extra is an additional column with one figure per instruction.
type extra struct {
	head, legend string
	of           func(in *Instruction) float64
}

// extras returns the additional columns of the options.
func (p *painter) extras() (out []extra) {
	for _, name := range p.Columns {
		switch name {
		case "latency":
			out = append(out, extra{"lat", "lat: latency", func(in *Instruction) float64 { return in.Latency }})
		case "throughput":
			out = append(out, extra{"rtp", "rtp: reciprocal throughput, alone", func(in *Instruction) float64 { return in.Throughput }})
		}
	}
	return out
}

func (p *painter) columnLegend() string {
	s := ""
	for _, x := range p.extras() {
		s += x.legend + "; "
	}
	return s
}

// painter writes text, in colour if the options ask for it.
type painter struct {
	strings.Builder
	TextOptions
}

// The colours, as SGR parameters.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"

	busiest = "1;31" // the cells of the busiest ports
)

func (p *painter) paint(sgr, s string) string {
	if !p.Color || s == "" || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func (p *painter) line(format string, args ...any) {
	fmt.Fprintf(&p.Builder, format+"\n", args...)
}

// Text writes the report as text: a summary, the table of instructions and
// ports, the chains, then assumptions and diagnostics.
func (d *Document) Text(w io.Writer, o TextOptions) error {
	p := &painter{TextOptions: o}
	n := o.shown(len(d.Kernels), d.Input.Chosen)
	p.kernels(n, func(i int) { p.kernel(d, &d.Kernels[i]) })
	if others := others(d, n); len(others) > 0 {
		p.others(others, n > 0 && d.Kernels[0].Address != "")
	}
	p.diagnostics(d.Diagnostics)
	if !p.Verbose {
		p.legend(d.Kernels[:n])
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// kernel writes everything about one kernel.
func (p *painter) kernel(d *Document, k *Kernel) {
	if p.Verbose || len(k.Targets) != 1 {
		p.headline(d, k)
	} else {
		p.summary(d, k)
	}
	if len(k.Targets) > 1 {
		p.comparison(k)
	}
	if len(k.Targets) > 1 && !p.Verbose {
		p.eachHelp(k)
		for i := range k.Targets {
			t := &k.Targets[i]
			if t.Entered != nil {
				p.line("%s", p.wrap(t.Arch+": "+t.Entered.Text(), "  "))
			}
			if len(t.WhatIf)+len(t.Sensitivity) > 0 {
				p.line("")
				p.line("%s", p.paint(bold, t.Arch))
				p.whatIf(t)
				p.sensitivity(t)
			}
		}
		p.line("%s", p.paint(dim, "-v shows the table of each machine"))
	}
	for i := range k.Targets {
		t := &k.Targets[i]
		if len(k.Targets) > 1 && !p.Verbose {
			p.diagnostics(t.Diagnostics)
			continue
		}
		p.line("")
		if len(k.Targets) > 1 {
			p.line("%s", p.paint(bold, t.Arch+": "+t.Title))
			p.field("cycles", t.Prediction.Text)
			p.engine(t)
			p.entered(t)
			p.line("")
		}
		p.table(k, t)
		if p.Verbose {
			p.chains(k, t)
		}
		p.memory(t)
		if p.Advice {
			p.advised(t)
		}
		p.whatIf(t)
		p.sensitivity(t)
		p.shares(t)
		p.timeline(k, t)
		if p.Verbose {
			p.notes(k, t)
			p.adviceLines(t)
		} else {
			p.below(k, t)
		}
		p.diagnostics(t.Diagnostics)
	}
}

// headline writes the most important results.
func (p *painter) headline(d *Document, k *Kernel) {
	if len(k.Targets) == 1 {
		t := &k.Targets[0]
		p.line("%s", p.paint(bold, p.wrap(t.Prediction.Text, "")))
		if k.Unroll > 1 {
			v := cycles(t.Prediction.Cycles / k.Unroll)
			if len(t.Prediction.Open) > 0 {
				v = "at least " + cycles(t.Prediction.Least()/k.Unroll)
			} else if u := t.Prediction.UnknownCosts; u != nil {
				v = u.text(k.Unroll, " to ")
			}
			p.line("%s", p.paint(bold, fmt.Sprintf("%s cycles per high-level iteration (%s× unrolled)", v, figure(k.Unroll))))
		}
		p.field("machine", t.Arch+": "+t.Title+after(t.Why))
		p.engine(t)
		p.entered(t)
	}
	syntax := ""
	if d.Input.Syntax != "" {
		syntax = ", " + d.Input.Syntax + " syntax"
	}
	compiled := ""
	if d.Input.Compiler != "" {
		compiled = "; compiled with " + d.Input.Compiler
	}
	p.field("input", d.Input.File+", "+d.Input.ISA+syntax+after(d.Input.Why)+compiled)
	p.field("kernel", k.Name+k.place()+after(k.Why))
	for _, n := range k.Notes {
		p.field("", n)
	}
}

// entered writes what the loop takes for the number of iterations that the user names.
func (p *painter) entered(t *Target) {
	if x := t.Entered; x != nil {
		p.field("entered", x.Text())
	}
}

// Text words the answer, and says how sure it is.
func (x *Entered) Text() string {
	n, what := float64(x.Iterations), "iterations"
	if x.Iterations == 1 {
		what = "iteration"
	}
	brief := func(v float64) string { return Brief(v, x.AtLeast, x.Unknown) }
	text := fmt.Sprintf("for %d %s each time: %s cycles from entry to entry (%s an iteration)", x.Iterations, what, brief(x.Cycles), brief(x.Cycles/n))
	if x.Missed != nil {
		text += fmt.Sprintf(" where the branch predictor knows the last one, %s (%s) where it does not; a mispredicted branch costs %d cycles and what was not fetched (%s)",
			brief(*x.Missed), brief(*x.Missed/n), x.Penalty, x.PenaltySource)
	}
	if x.AtLeast {
		text += "; these are lower bounds"
	}
	if x.Unknown > 0 {
		text += "; they rest on assumed costs"
	}
	return text
}

// after returns a reason with the separator that joins it to the text before it.
func after(s string) string {
	if s == "" {
		return ""
	}
	return "; " + s
}

// field writes a named line of the headline.
func (p *painter) field(name, text string) {
	const width = 9
	p.line("%s%s", p.paint(dim, pad(name, width)), p.wrap(text, strings.Repeat(" ", width)))
}

// wrap breaks text into lines that fit the width, all but the first indented.
func (p *painter) wrap(text, indent string) string {
	if p.Width <= 0 {
		return Wrap(text, 120, indent)
	}
	return Wrap(text, p.Width, indent)
}

// Wrap breaks text into lines of at most width columns (at least 40), at blanks or within a longer list at its commas; the lines after the first are indented.
func Wrap(text string, width int, indent string) string {
	width = max(40, width) - len(indent)
	var b strings.Builder
	col := 0
	for i, w := range strings.Fields(text) {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
		case col+1+n > width:
			b.WriteString("\n" + indent)
			col = 0
		default:
			b.WriteByte(' ')
			col++
		}
		for n > width {
			cut := strings.LastIndexByte(string([]rune(w)[:width]), ',') + 1
			if cut == 0 {
				break
			}
			b.WriteString(w[:cut] + "\n" + indent)
			w = w[cut:]
			col, n = 0, utf8.RuneCountInString(w)
		}
		b.WriteString(w)
		col += n
	}
	return b.String()
}

// comparison writes one line per machine.
func (p *painter) comparison(k *Kernel) {
	p.line("")
	rows := [][]string{{"machine", "cycles", "ports", "dispatch", "LCD", "CP", "bound by"}}
	for i := range k.Targets {
		t := &k.Targets[i]
		rows = append(rows, []string{t.Arch, t.Prediction.figure(1), cycles(t.Throughput.Cycles), blankZero(t.Throughput.Dispatch), blankZero(lcd(t)), cycles(t.CriticalPath.Cycles), t.Words.Bound})
	}
	if k.Unroll > 1 {
		for i := range k.Targets {
			t := &k.Targets[i]
			rows = append(rows, []string{t.Arch + " /" + figure(k.Unroll), t.Prediction.figure(k.Unroll), cycles(t.Throughput.Cycles / k.Unroll), blankZero(t.Throughput.Dispatch / k.Unroll), blankZero(lcd(t) / k.Unroll), cycles(t.CriticalPath.Cycles / k.Unroll), "per high-level iteration"})
		}
	}
	p.columns(engines(rows, k))
}

// engines adds a column with the engine of each prediction to the comparison, if the engines differ.
func engines(rows [][]string, k *Kernel) [][]string {
	same := true
	for i := range k.Targets {
		same = same && k.Targets[i].Prediction.Engine == k.Targets[0].Prediction.Engine
	}
	if same {
		return rows
	}
	for i := range rows {
		name := "engine"
		if i > 0 {
			name = string(k.Targets[(i-1)%len(k.Targets)].Prediction.Engine)
		}
		rows[i] = slices.Insert(rows[i], 2, name)
	}
	return rows
}

// atLeast returns the sign before a figure that is a lower bound.
func atLeast(open bool) string {
	if open {
		return "≥"
	}
	return ""
}

// Brief formats the cycles of a loop in a list, with a "?" if costs are not known.
func Brief(v float64, least bool, unknown int) string {
	s := atLeast(least) + cycles(v)
	if unknown > 0 {
		s += "?"
	}
	return s
}

// Least returns the predicted cycles, or the low end of their interval if costs are not known.
func (x *Prediction) Least() float64 {
	if u := x.UnknownCosts; u != nil {
		return u.Low
	}
	return x.Cycles
}

// Figure formats the predicted cycles: "3.0", a lower bound as "≥3.0", an interval if costs are not known as "3.0…10.0".
func (x *Prediction) Figure() string { return x.figure(1) }

// figure formats the predicted cycles, divided by a number, for a table: an interval if costs are not known, a lower bound if there is no upper bound.
func (x *Prediction) figure(by float64) string {
	if len(x.Open) > 0 {
		return atLeast(true) + cycles(x.Least()/by)
	}
	if u := x.UnknownCosts; u != nil {
		return u.text(by, "…")
	}
	return cycles(x.Cycles / by)
}

// text formats an interval divided by a number; an interval of one value is a single figure.
func (u *Interval) text(by float64, to string) string {
	if u.Low == u.High {
		return cycles(u.Low / by)
	}
	return cycles(u.Low/by) + to + cycles(u.High/by)
}

func blankZero(v float64) string {
	if v == 0 {
		return ""
	}
	return cycles(v)
}

// Counted puts a number before the right form of its noun.
func Counted(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// columns writes a small table: the first and last columns flush left, the others flush right.
func (p *painter) columns(rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	for n, r := range rows {
		var b strings.Builder
		for i, c := range r {
			if i == 0 || i == len(r)-1 {
				c = pad(c, width[i])
			} else {
				c = padLeft(c, width[i])
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(c)
		}
		p.cells(b.String(), n == 0)
	}
}

// cells writes a line of a table, the first of which is its head.
func (p *painter) cells(s string, head bool) {
	s = strings.TrimRight(s, " ")
	if p.Width > 0 {
		s = clip(s, p.Width)
	}
	if head {
		s = p.paint(dim, s)
	}
	p.line("%s", s)
}

// kernels writes the first n parts of a report, with a line between two of them.
func (p *painter) kernels(n int, write func(i int)) {
	for i := range n {
		if i > 0 {
			p.line("")
		}
		write(i)
	}
}

// shown is the number of kernels that a text has, of so many: the first alone if incore chose it.
func (o TextOptions) shown(n int, chosen bool) int {
	if !o.All && chosen {
		return min(n, 1)
	}
	return n
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}

func padLeft(s string, n int) string {
	return strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s))) + s
}

// Cycles formats cycles as all reports do: "3.0", "1.25".
func Cycles(v float64) string { return cycles(v) }

// cycles formats a figure with two decimals at most and one at least.
func cycles(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 2, 64), "0")
}

// others lists the loops that the report does not show in full.
func others(d *Document, shown int) []Candidate {
	var out []Candidate
	for i := shown; i < len(d.Kernels); i++ {
		k := &d.Kernels[i]
		t := &k.Targets[0]
		least, unknown := t.Prediction.Doubt()
		out = append(out, Candidate{Name: k.Name, Lines: k.Lines, Depth: k.Depth, Instructions: len(t.Instructions), Arch: t.Arch, Cycles: t.Prediction.Cycles, Bound: t.Prediction.Bound, Limit: t.Words.Bound, Engine: t.Prediction.Engine, AtLeast: least, Unknown: unknown})
	}
	return append(out, d.Others...)
}

// Doubt returns what casts doubt on a figure of the prediction: that it is a lower bound, or the number of instructions without cost data.
func (x *Prediction) Doubt() (atLeast bool, unknown int) {
	if u := x.UnknownCosts; u != nil {
		return len(x.Open) > 0, u.Instructions
	}
	return len(x.Open) > 0, 0
}

// Doubt sets what casts doubt on the cycles: with unknown costs they rest on what stands in for these, and are no
// lower bound.
func (x *Entered) Doubt(p *Prediction) {
	x.AtLeast, x.Unknown = p.Doubt()
	x.AtLeast = x.AtLeast && x.Unknown == 0
}

// maxOthers is the number of further loops listed unless everything is asked for.
const maxOthers = 12

// others lists further loops; of an object's, which can be run, it names the commands that know the hottest.
func (p *painter) others(list []Candidate, ofObject bool) {
	p.line("")
	more := " (--kernel NAME or --all-kernels shows them in full)"
	if slices.ContainsFunc(list, func(c Candidate) bool { return c.Engine == "bounds" }) {
		more = " (predicted by the bounds; --kernel NAME or --all-kernels shows them in full)"
	}
	p.title("other loops, in guessed order", more)
	rows := [][]string{{"cycles", "bound by", "instr.", "depth", "lines", "kernel"}}
	rest := 0
	if !p.Verbose && len(list) > maxOthers {
		rest = len(list) - maxOthers
		list = list[:maxOthers]
	}
	for _, c := range list {
		rows = append(rows, []string{Brief(c.Cycles, c.AtLeast, c.Unknown), c.Limit, strconv.Itoa(c.Instructions), strconv.Itoa(c.Depth), p.lines(c.Lines), c.Name})
	}
	p.fit(rows, len(rows[0])-1)
	p.columns(rows)
	if rest > 0 {
		p.line("… and %d more", rest)
	}
	if ofObject {
		p.line("%s", p.paint(dim, p.wrap("the order is guessed from the code alone: 'incore loops --perf FILE' takes a profile's, 'incore trace' simulates a run", "  ")))
	}
}

// fit shortens the names of functions in a column of a table, so that it is not wider than the page.
func (p *painter) fit(rows [][]string, column int) {
	const page = 120
	if width := cmp.Or(max(p.Width, 0), page); !p.Verbose {
		symname.FitColumn(rows, column, width)
	}
}

// lines shortens a list of lines, except in a verbose report.
func (p *painter) lines(list string) string {
	if p.Verbose {
		return list
	}
	return shortLines(list)
}

// title writes a heading and, if there is room, its explanation.
func (p *painter) title(text, more string) {
	if p.Width > 0 && utf8.RuneCountInString(text+more) > p.Width {
		more = ""
	}
	p.line("%s%s", p.paint(bold, text), more)
}

// chains writes the loop-carried chains and the critical path.
func (p *painter) chains(k *Kernel, t *Target) {
	p.line("")
	if len(t.LoopCarried) == 0 {
		p.title("loop-carried chains: none", "; no iteration waits for another")
	} else {
		p.title("loop-carried chains", " (cycles per iteration, carried by, lines)")
	}
	n := len(t.LoopCarried)
	if !p.Verbose {
		n = min(n, 4)
	}
	for i := range t.LoopCarried[:n] {
		c := &t.LoopCarried[i]
		s := fmt.Sprintf("%8s  %-10s ", cycles(c.Cycles), c.Via)
		if c.Distance > 1 {
			s += fmt.Sprintf("(%s over %d iterations) ", cycles(c.Latency), c.Distance)
		}
		s += p.steps(t, c.Instructions, c.Latencies)
		p.line("%s", p.wrapPath(s, 21))
	}
	if rest := len(t.LoopCarried) - n; rest > 0 {
		p.line("          … and %d more, none slower", rest)
	}
	if len(t.CriticalPath.Instructions) > 0 {
		p.title("critical path", " of one iteration")
		p.line("%s", p.wrapPath(fmt.Sprintf("%8s             %s", cycles(t.CriticalPath.Cycles), p.steps(t, t.CriticalPath.Instructions, t.CriticalPath.Latencies)), 21))
	}
}

// maxSteps is the number of instructions of a path that the text report shows in full; of longer paths it
// shows the beginning and the end.
const maxSteps = 24

// steps writes a path as "12 fadd 6 → 14 fmul 6".
func (p *painter) steps(t *Target, insts []int, lat []float64) string {
	const tail = 8
	parts := make([]string, 0, min(len(insts), maxSteps+1))
	for i := 0; i < len(insts); i++ {
		if skip := len(insts) - maxSteps; skip > 1 && !p.Verbose && i == maxSteps-tail {
			parts = append(parts, fmt.Sprintf("…\u00a0%d\u00a0more\u00a0…", skip))
			i += skip
		}
		in := &t.Instructions[insts[i]]
		s := in.place() + "\u00a0" + mnemonic(in.Text)
		if i < len(lat) && lat[i] != 0 {
			s += "\u00a0" + figure(lat[i])
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " → ")
}

// wrapPath breaks a path at its arrows.
func (p *painter) wrapPath(s string, indent int) string {
	width := p.Width
	if width <= 0 {
		width = 120
	}
	var b strings.Builder
	col := 0
	for i, part := range strings.Split(s, " → ") {
		n := utf8.RuneCountInString(part)
		if i > 0 {
			if col+5+n > width {
				b.WriteString(" →\n" + strings.Repeat(" ", indent))
				col = indent
			} else {
				b.WriteString(" → ")
				col += 3
			}
		}
		b.WriteString(part)
		col += n
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ")
}

// mnemonic is an instruction's first word, with prefixes that belong to its meaning and without those that only choose an encoding, {evex}.
func mnemonic(text string) string {
	var m []string
	for _, w := range strings.Fields(text) {
		if strings.HasPrefix(w, "{") {
			continue
		}
		m = append(m, w)
		if w != "lock" && !strings.HasPrefix(w, "rep") {
			break
		}
	}
	return strings.Join(m, " ")
}

// notes writes the assumptions.
func (p *painter) notes(k *Kernel, t *Target) {
	if len(t.Assumptions) == 0 {
		return
	}
	p.line("%s", p.paint(bold, "assumptions"))
	if len(k.DataBranches) > 0 {
		p.line("  - %s", p.wrap(dataBranches(k, t), "    "))
	}
	for _, a := range t.Assumptions {
		p.line("  - %s", p.wrap(a, "    "))
	}
}

// diagnostics writes messages as compilers do.
func (p *painter) diagnostics(list []Diagnostic) {
	for i, d := range list {
		if i == 0 {
			p.line("")
		}
		p.line("%s", p.diagnostic(d))
	}
}

// position returns the file, line and column of a message with a colon behind each, "" if it has none.
func (d *Diagnostic) position() string {
	pos := d.File
	if d.Line > 0 {
		pos += ":" + strconv.Itoa(d.Line)
		if d.Col > 0 {
			pos += ":" + strconv.Itoa(d.Col)
		}
	}
	if pos != "" {
		pos += ": "
	}
	return pos
}

// severityColor is the colour of a message's severity.
var severityColor = map[string]string{"error": red, "warning": yellow, "note": cyan}

func (p *painter) diagnostic(d Diagnostic) string {
	s := p.paint(bold, d.position()) + p.paint(severityColor[d.Severity], d.Severity+":") + " " + printable(d.Message)
	if d.Hint != "" {
		s += "\n    " + p.paint(cyan, "hint:") + " " + printable(d.Hint)
	}
	return s
}

// printable replaces control characters, for example of a binary file, which a terminal would interpret.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

// Complaints writes messages of a command, without a report, one a line: "incore: FILE:LINE: what; hint". A message that is no error says what it is.
func Complaints(w io.Writer, list []Diagnostic, color bool) {
	p := &painter{TextOptions: TextOptions{Color: color}}
	for _, d := range list {
		s := "incore: "
		if d.Severity != "error" {
			s += p.paint(severityColor[d.Severity], d.Severity+":") + " "
		}
		message := strings.ReplaceAll(strings.TrimSpace(d.Message), bufio.ErrTooLong.Error(), "a line is too long")
		s += p.paint(bold, d.position()) + printable(message)
		if d.Hint != "" {
			s += "; " + printable(d.Hint)
		}
		fmt.Fprintln(w, s)
	}
}
