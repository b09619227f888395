package mcp

import (
	"fmt"
	"strings"

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
	Cycles   *float64 `json:"cycles" jsonschema:"predicted cycles per iteration; null: they depend on costs that are not known and lie between low and high"`
	AtLeast  bool     `json:"at_least,omitempty" jsonschema:"cycles is only a lower bound"`
	Refused  string   `json:"cannot_execute,omitempty" jsonschema:"why the machine cannot execute the code; the figures are as if it could"`
	Unknown  int      `json:"unknown_costs,omitempty" jsonschema:"instructions without cost data"`
	Open     []string `json:"open,omitempty" jsonschema:"instructions whose cost has no upper bound, and why"`
	Low      float64  `json:"low" jsonschema:"cycles if only ports, dispatch and dependences limit"`
	High     *float64 `json:"high" jsonschema:"cycles if iterations do not overlap; null: there is no upper bound"`
	Bound    string   `json:"bound" jsonschema:"latency, ports, dispatch, front end, branch, cache, scheduling or unknown"`
	Limit    string   `json:"limit" jsonschema:"what limits the loop, in words"`
	Headroom string   `json:"headroom,omitempty" jsonschema:"cycles without the limit that costs most"`
	Trust    string   `json:"trust" jsonschema:"error of such predictions on this machine against measurements"`
	Advice   []Advice `json:"advice" jsonschema:"changes that make the loop faster, the greatest gain first"`
	Notes    []string `json:"notes,omitempty"`
	Entered  *Entered `json:"entered,omitempty" jsonschema:"with iterations: cycles from one entry of the loop to the next"`

	text string // the cycles with their doubt
}

// Entered is what a loop takes that is entered anew each time.
type Entered struct {
	Iterations int      `json:"iterations"`
	Cycles     float64  `json:"cycles" jsonschema:"where the branch predictor knows the last iteration, so that entries overlap"`
	Missed     *float64 `json:"mispredicted" jsonschema:"where it does not; null: the loop ends in no conditional branch"`
	Penalty    int      `json:"mispredict_penalty"`
	AtLeast    bool     `json:"at_least,omitempty" jsonschema:"the cycles are only lower bounds"`
	Unknown    int      `json:"unknown_costs,omitempty" jsonschema:"instructions without cost data, for which the cycles assume one"`

	text string
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

// figure formats cycles that are known.
func figure(v float64) string { return report.Cycles(v) }

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
	r := Result{Machine: t.Arch, AtLeast: p.AtLeast, Open: p.Open, Low: p.Low, Bound: p.Bound, Limit: p.Cause, Headroom: t.Words.Headroom, Trust: t.Words.Trust, Advice: []Advice{}, Notes: notes(t.Diagnostics), Refused: t.Refused(), text: p.Figure()}
	cycles, high := p.Least(), p.High
	if u := p.UnknownCosts; u != nil {
		r.Unknown, r.Low, high = u.Instructions, u.Low, u.High
	}
	if p.AtLeast || r.Unknown == 0 || r.Low == high {
		r.Cycles = &cycles
	}
	if !p.AtLeast {
		r.High = &high
	}
	if p.AtLeast || r.Cycles == nil {
		r.Headroom = "" // of cycles that include assumed costs
	}
	if x := t.Entered; x != nil {
		r.Entered = &Entered{x.Iterations, x.Cycles, x.Missed, x.Penalty, x.AtLeast, x.Unknown, x.Text()}
	}
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
		l.add("loop %s, %s (%s)", k.Name, report.Counted(k.Instructions, "instruction"), a.ISA)
		for j := range k.Results {
			k.Results[j].lines(l, i == 0 && len(k.Results) == 1)
		}
	}
	if a.Others > 0 {
		l.add("not described: %s", report.Counted(a.Others, "other loop"))
	}
	for _, n := range a.Notes {
		l.add("note: %s", n)
	}
	return l
}

// lines adds the text of a result; full has the code of the advice, too.
func (r *Result) lines(l *lines, full bool) {
	var doubts []string
	if r.Unknown > 0 {
		doubts = append(doubts, fmt.Sprintf("instructions without a known cost: %d", r.Unknown))
	}
	doubt := ""
	if doubts = append(doubts, r.Open...); len(doubts) > 0 {
		doubt = " (" + strings.Join(doubts, "; ") + ")"
	}
	if r.Refused != "" {
		l.add("%s; the figures are as if it had", r.Refused)
	}
	l.add("%s: %s cycles/iteration%s, bound by %s", r.Machine, r.text, doubt, r.Bound)
	l.add("  limit: %s", r.Limit)
	if r.Headroom != "" {
		l.add("  headroom: %s", r.Headroom)
	}
	if r.Entered != nil {
		l.add("  entered: %s", r.Entered.text)
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
		l.add("  … %s in the structured content", report.Counted(n, "more remedy"))
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
	Only  []OnlyLoop     `json:"only,omitempty" jsonschema:"loops of one version without a counterpart in the other"`
}

// OnlyLoop is a loop that one version has and the other lacks.
type OnlyLoop struct {
	Version string  `json:"version" jsonschema:"before or after"`
	Loop    string  `json:"loop"`
	Machine string  `json:"machine"`
	Cycles  float64 `json:"cycles"`
	AtLeast bool    `json:"at_least,omitempty" jsonschema:"cycles is only a lower bound"`
}

// ComparedLoop is a loop in both versions on a machine.
type ComparedLoop struct {
	Loop         string   `json:"loop"`
	Machine      string   `json:"machine"`
	Verdict      string   `json:"verdict" jsonschema:"faster, slower or equal; unclear: there are only lower bounds; incomparable: the work differs"`
	Before       float64  `json:"before" jsonschema:"cycles per iteration of the first version"`
	LeastBefore  bool     `json:"before_at_least,omitempty" jsonschema:"before is only a lower bound"`
	After        float64  `json:"after" jsonschema:"cycles of the second version for the same work"`
	LeastAfter   bool     `json:"after_at_least,omitempty" jsonschema:"after is only a lower bound"`
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
			l.add("loop %s on %s: cannot be compared: %s", x.Loop, x.Machine, x.Incomparable)
			continue
		}
		bounds := ""
		if x.Verdict == unclear {
			bounds = ", of lower bounds"
		}
		l.add("loop %s on %s: %s: %s → %s cycles for the same work (%+.1f %%%s)", x.Loop, x.Machine, x.Verdict,
			report.Brief(x.Before, x.LeastBefore, 0), report.Brief(x.After, x.LeastAfter, 0), 100*x.Change, bounds)
		if x.Work != 1 {
			l.add("  one iteration after does the work of %s before", figure(x.Work))
		}
		l.add("  limit before: %s", x.LimitBefore)
		l.add("  limit after: %s", x.LimitAfter)
		for _, w := range x.Why {
			l.add("  why: %s", w)
		}
	}
	for i := range c.Only {
		x := &c.Only[i]
		l.add("only in the code %s: %s, %s cycles on %s", x.Version, x.Loop, report.Brief(x.Cycles, x.AtLeast, 0), x.Machine)
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
	Machine    string   `json:"machine"`
	Latency    *float64 `json:"latency" jsonschema:"cycles; null: not known, between latency_low and latency_high"`
	Low        float64  `json:"latency_low"`
	High       *float64 `json:"latency_high" jsonschema:"null: there is no upper bound"`
	Throughput *float64 `json:"throughput" jsonschema:"reciprocal throughput in cycles; null: not known"`
	Open       string   `json:"open,omitempty" jsonschema:"why latency and throughput are only lower bounds"`
	Uops       *float64 `json:"uops" jsonschema:"null: not known"`
	Ports      string   `json:"ports" jsonschema:"of each µop; if unknown is true, of a similar instruction"`
	Source     string   `json:"source"`
	Unknown    bool     `json:"unknown,omitempty" jsonschema:"no data: the figures are an interval of similar instructions"`
}

func form(x *report.Explored) Form {
	f := Form{Name: x.Form, Reads: append([]string{}, x.Reads...), Writes: append([]string{}, x.Writes...), Costs: []Cost{}}
	for i := range x.Costs {
		c := &x.Costs[i]
		y := Cost{Machine: c.Arch, Low: c.LatencyLow, Open: c.Open, Ports: report.UopText(c.Uops), Source: c.Source, Unknown: c.Unknown()}
		if !y.Unknown {
			y.Latency, y.Throughput, y.Uops = &c.Latency, &c.Throughput, &c.Slots
		}
		if c.Open == "" {
			y.High = &c.LatencyHi
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
	AtLeast      bool    `json:"at_least,omitempty" jsonschema:"cycles is only a lower bound"`
	Unknown      int     `json:"unknown_costs,omitempty" jsonschema:"instructions without cost data, for which cycles assumes one"`
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

// measurementLines are the text of a measurement, with all that casts doubt on it.
func measurementLines(m *report.Measurement) *lines {
	l := &lines{}
	l.add("%.2f ± %.2f cycles per iteration, measured on this machine at %.2f GHz", m.Cycles, m.Uncertainty, m.GHz)
	if o := m.Unsteady; o != nil {
		l.add("unsteady: %d of %d processes took %.2f cycles", o.Seen, o.Of, o.Cycles)
	}
	if m.Least > 0 {
		l.add("another thread of the core left it less room; it may take as little as %.2f cycles", m.Least)
	}
	if m.NotInPlace != "" {
		l.add("measured as copies, not with its own closing branch: %s", m.NotInPlace)
	}
	if p := m.Prediction; p != nil {
		l.add("predicted for %s: %s cycles, bound by %s (%+.1f %%)", p.Arch, figure(p.Cycles), p.Bound, p.Difference)
		for _, s := range p.Explained {
			l.add("  %s", s)
		}
	}
	return l
}
