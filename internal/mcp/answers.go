package mcp

import (
	"fmt"
	"strconv"

	"incore/internal/report"
)

// This file has the answers' structured content, from whose types the library makes the output schemas, and their text.

// Analysis is the answer of analyze_loop.
type Analysis struct {
	ISA    string   `json:"isa"`
	Loops  []Loop   `json:"loops" jsonschema:"the likely hottest first"`
	Others int      `json:"other_loops,omitempty" jsonschema:"further loops that are not described"`
	Notes  []string `json:"notes,omitempty" jsonschema:"what could not be read or was assumed"`
}

// Loop is a loop on each machine.
type Loop struct {
	Name         string   `json:"name"`
	Lines        string   `json:"lines,omitempty"`
	Instructions int      `json:"instructions"`
	Results      []Result `json:"results"`
}

// Result is the prediction of a loop on a machine.
type Result struct {
	Machine  string   `json:"machine"`
	Cycles   float64  `json:"cycles" jsonschema:"predicted cycles per iteration"`
	AtLeast  bool     `json:"at_least,omitempty" jsonschema:"cycles is only a lower bound"`
	Low      float64  `json:"low" jsonschema:"cycles if only ports, dispatch and dependences limit"`
	High     float64  `json:"high" jsonschema:"cycles if iterations do not overlap"`
	Bound    string   `json:"bound" jsonschema:"latency, ports, dispatch, front end, branch, cache, scheduling or unknown"`
	Limit    string   `json:"limit" jsonschema:"what limits the loop, in words"`
	Headroom string   `json:"headroom,omitempty" jsonschema:"cycles without the limit that costs most"`
	Trust    string   `json:"trust" jsonschema:"error of such predictions on this machine against measurements"`
	Advice   []Advice `json:"advice" jsonschema:"changes that make the loop faster, the greatest gain first"`
	Notes    []string `json:"notes,omitempty"`
}

// Advice is a change of the code.
type Advice struct {
	Kind       string   `json:"kind"`
	Change     string   `json:"change" jsonschema:"the change in words"`
	Before     float64  `json:"before" jsonschema:"cycles per iteration as it is"`
	After      float64  `json:"after" jsonschema:"cycles for the same work after the change"`
	Conditions string   `json:"conditions,omitempty" jsonschema:"what must hold for the change to be correct"`
	Compiler   string   `json:"compiler,omitempty" jsonschema:"options by which a compiler does it"`
	Iterations float64  `json:"iterations" jsonschema:"iterations of the loop as it is whose work one iteration of the changed code does"`
	Front      []string `json:"before_loop,omitempty" jsonschema:"instructions in front of the loop"`
	Code       []string `json:"code,omitempty" jsonschema:"the changed loop"`
	Behind     []string `json:"after_loop,omitempty" jsonschema:"instructions behind the loop"`
}

// Bounds of an answer.
const (
	maxFull   = 4  // loops
	maxAdvice = 4  // of a loop on a machine
	maxCode   = 96 // instructions of a changed loop in the structured content
	shownCode = 16 // and in the text
	maxNotes  = 8
	textWidth = 120
	shown     = 2 // pieces of advice in the text
)

// figure formats cycles.
func figure(v float64) string { return strconv.FormatFloat(report.Round(v), 'g', 4, 64) }

func summarize(d *report.Document) *Analysis {
	a := &Analysis{ISA: d.Input.ISA, Loops: []Loop{}, Others: len(d.Others) + max(0, len(d.Kernels)-maxFull), Notes: notes(d.Diagnostics)}
	for i := range d.Kernels[:min(maxFull, len(d.Kernels))] {
		k := &d.Kernels[i]
		l := Loop{Name: k.Name, Lines: k.Lines, Results: []Result{}}
		for j := range k.Targets {
			l.Instructions = len(k.Targets[j].Instructions)
			l.Results = append(l.Results, result(k, &k.Targets[j]))
		}
		a.Loops = append(a.Loops, l)
	}
	return a
}

// notes returns warnings and errors in words.
func notes(list []report.Diagnostic) (out []string) {
	for i := range list {
		if d := &list[i]; d.Severity != "note" && len(out) < maxNotes {
			s := d.Message
			if d.Line > 0 {
				s = fmt.Sprintf("line %d: %s", d.Line, s)
			}
			out = append(out, s)
		}
	}
	return out
}

func result(k *report.Kernel, t *report.Target) Result {
	p := &t.Prediction
	r := Result{Machine: t.Arch, Cycles: p.Cycles, AtLeast: p.AtLeast, Low: p.Low, High: p.High, Bound: p.Bound, Limit: p.Cause, Headroom: t.Words.Headroom, Trust: t.Words.Trust, Advice: []Advice{}, Notes: notes(t.Diagnostics)}
	for i := range t.Advice[:min(maxAdvice, len(t.Advice))] {
		x := &t.Advice[i]
		a := Advice{Kind: x.Kind, Change: x.Text, Before: x.Before, After: x.After, Conditions: x.Conditions, Compiler: x.Option, Iterations: x.Iterations}
		if len(x.Code) <= maxCode {
			a.Front, a.Code, a.Behind = code(x.Front), append(head(k), code(x.Code)...), code(x.Behind)
		}
		r.Advice = append(r.Advice, a)
	}
	return r
}

// head are the labels in front of a loop, to which its branch leads.
func head(k *report.Kernel) (out []string) {
	for i := range k.Labels {
		if l := &k.Labels[i]; l.Before == 0 && !l.Source {
			out = append(out, l.Name+":")
		}
	}
	return out
}

func code(list []report.AdviceLine) (out []string) {
	for i := range list {
		out = append(out, list[i].Text)
	}
	return out
}

func (a *Analysis) lines() *lines {
	l := &lines{}
	for i := range a.Loops {
		k := &a.Loops[i]
		l.add("loop %s, %d instructions (%s)", k.Name, k.Instructions, a.ISA)
		for j := range k.Results {
			k.Results[j].lines(l, i == 0 && len(k.Results) == 1)
		}
	}
	if a.Others > 0 {
		l.add("%d other loops are not described", a.Others)
	}
	for _, n := range a.Notes {
		l.add("note: %s", n)
	}
	return l
}

// lines adds the text of a result; full has the code of the advice, too.
func (r *Result) lines(l *lines, full bool) {
	least := ""
	if r.AtLeast {
		least = "at least "
	}
	l.add("%s: %s%s cycles/iteration (between %s and %s), bound by %s", r.Machine, least, figure(r.Cycles), figure(r.Low), figure(r.High), r.Bound)
	l.add("  limit: %s", r.Limit)
	if r.Headroom != "" {
		l.add("  headroom: %s", r.Headroom)
	}
	l.add("  trust: %s", r.Trust)
	for _, n := range r.Notes {
		l.add("  note: %s", n)
	}
	if len(r.Advice) == 0 {
		l.add("  advice: no change of the code is known that makes it faster")
	}
	for i := range r.Advice[:min(shown, len(r.Advice))] {
		r.Advice[i].lines(l, full)
	}
	if n := len(r.Advice) - shown; n > 0 {
		l.add("  … %d more pieces of advice in the structured content", n)
	}
}

func (a *Advice) lines(l *lines, full bool) {
	conditions := ""
	if a.Conditions != "" {
		conditions = " (" + a.Conditions + ")"
	}
	l.add("  advice: %s: %s → %s cycles%s", a.Change, figure(a.Before), figure(a.After), conditions)
	if !full {
		return
	}
	if a.Compiler != "" {
		l.add("    compiler: %s", a.Compiler)
	}
	if len(a.Code) == 0 || len(a.Front)+len(a.Code)+len(a.Behind) > shownCode {
		return // the structured content has it
	}
	for _, part := range []struct {
		name string
		code []string
	}{{"in front of the loop", a.Front}, {"", a.Code}, {"behind the loop", a.Behind}} {
		for _, c := range part.code {
			if part.name != "" {
				c += "    # " + part.name
			}
			l.add("      %s", c)
		}
	}
}

// Comparison is the answer of compare.
type Comparison struct {
	Loops []ComparedLoop `json:"loops"`
}

// ComparedLoop is a loop in both versions on a machine.
type ComparedLoop struct {
	Loop         string   `json:"loop"`
	Machine      string   `json:"machine"`
	Verdict      string   `json:"verdict" jsonschema:"faster, slower, equal or incomparable"`
	Before       float64  `json:"before" jsonschema:"cycles per iteration of the first version"`
	After        float64  `json:"after" jsonschema:"cycles of the second version for the same work"`
	Work         float64  `json:"iterations_in_one" jsonschema:"iterations of the first version whose work one iteration of the second does"`
	Change       float64  `json:"change" jsonschema:"relative change of the cycles; -0.5: half as many"`
	Incomparable string   `json:"incomparable,omitempty" jsonschema:"why the two cannot be compared"`
	LimitBefore  string   `json:"limit_before"`
	LimitAfter   string   `json:"limit_after"`
	Why          []string `json:"why"`
}

func (c *Comparison) lines() *lines {
	l := &lines{}
	for i := range c.Loops {
		x := &c.Loops[i]
		if x.Incomparable != "" {
			l.add("%s on %s: cannot be compared: %s", x.Loop, x.Machine, x.Incomparable)
			continue
		}
		l.add("%s on %s: %s: %s → %s cycles for the same work (%+.1f %%)", x.Loop, x.Machine, x.Verdict, figure(x.Before), figure(x.After), 100*x.Change)
		if x.Work != 1 {
			l.add("  one iteration after does the work of %s before", figure(x.Work))
		}
		l.add("  limit before: %s", x.LimitBefore)
		l.add("  limit after: %s", x.LimitAfter)
		for _, w := range x.Why {
			l.add("  why: %s", w)
		}
	}
	return l
}

// Explanation is the answer of explain_instruction.
type Explanation struct {
	Instruction string `json:"instruction"`
	ISA         string `json:"isa"`
	Forms       []Form `json:"forms" jsonschema:"several for a pseudo-instruction"`
}

// Form is an instruction form with its costs.
type Form struct {
	Name   string   `json:"name" jsonschema:"LLVM opcode name"`
	Reads  []string `json:"reads"`
	Writes []string `json:"writes"`
	Costs  []Cost   `json:"costs"`
}

// Cost is the cost of a form on a machine.
type Cost struct {
	Machine    string  `json:"machine"`
	Latency    float64 `json:"latency" jsonschema:"cycles; where unknown, the middle of low and high"`
	Low        float64 `json:"latency_low"`
	High       float64 `json:"latency_high"`
	Throughput float64 `json:"throughput" jsonschema:"reciprocal throughput in cycles"`
	Uops       float64 `json:"uops"`
	Ports      string  `json:"ports"`
	Source     string  `json:"source"`
	Unknown    bool    `json:"unknown,omitempty" jsonschema:"no data: the figures are an interval of similar instructions"`
}

func form(x *report.Explored) Form {
	f := Form{Name: x.Form, Reads: append([]string{}, x.Reads...), Writes: append([]string{}, x.Writes...), Costs: []Cost{}}
	for i := range x.Costs {
		c := &x.Costs[i]
		y := Cost{Machine: c.Arch, Latency: c.Latency, Low: c.LatencyLow, High: c.LatencyHi, Throughput: c.Throughput, Uops: c.Slots, Source: c.Source}
		for j, u := range c.Uops {
			if j > 0 {
				y.Ports += " "
			}
			y.Ports += u.Ports
		}
		for _, flag := range c.Flags {
			y.Unknown = y.Unknown || flag == "unknown"
		}
		f.Costs = append(f.Costs, y)
	}
	return f
}

// LoopList is the answer of find_loops.
type LoopList struct {
	File    string      `json:"file"`
	Machine string      `json:"machine"`
	Count   int         `json:"count" jsonschema:"loops of the file"`
	Loops   []FoundLoop `json:"loops" jsonschema:"the first of them, the likely hottest first"`
}

// FoundLoop is a loop of a binary.
type FoundLoop struct {
	Function     string  `json:"function"`
	Loop         int     `json:"loop"`
	Address      string  `json:"address"`
	Lines        string  `json:"lines"`
	Instructions int     `json:"instructions"`
	Vector       string  `json:"vector" jsonschema:"vector instructions by width in bits"`
	Cycles       float64 `json:"cycles"`
	Limit        string  `json:"limit"`
}

// MachineList is the answer of list_machines.
type MachineList struct {
	Machines []Machine `json:"machines"`
}

// Machine is a CPU core.
type Machine struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	ISA      string   `json:"isa"`
	Aliases  []string `json:"aliases"`
	Accuracy string   `json:"accuracy"`
}

// Measurement is the answer of measure. Its fields are those of 'incore measure --format json'.
type Measurement struct {
	Cycles       float64    `json:"cycles"`
	Uncertainty  float64    `json:"uncertainty"`
	GHz          float64    `json:"ghz"`
	Instructions int        `json:"instructions"`
	Prediction   *Predicted `json:"prediction,omitempty"`
}

// Predicted is the prediction for the machine that was measured.
type Predicted struct {
	Machine    string  `json:"arch"`
	Cycles     float64 `json:"cycles"`
	Bound      string  `json:"bound"`
	Difference float64 `json:"difference_percent"`
}
