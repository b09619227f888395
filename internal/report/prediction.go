package report

import (
	"fmt"
	"math"
	"strings"
)

// engine says which engine made the figure and what it rests on.
func (p *painter) engine(t *Target) {
	x := &t.Prediction
	switch {
	case x.Steady == Recurs:
		p.field("engine", "simulator; the steady state repeats every "+iterations(x.Period)+unrolled(x))
	case x.Steady == Pattern || x.Steady == Average && x.Period > 0:
		p.field("engine", "simulator; steady state: "+pattern(x.Period)+unrolled(x))
	case x.Steady == Average:
		p.field("engine", "simulator; no steady state was found: an average over the last iterations"+unrolled(x))
	case x.Engine != "":
		why := ""
		if x.EngineWhy != "" {
			why = ", not the simulator: " + x.EngineWhy
		}
		p.field("engine", "the greatest of the bounds"+why+unrolled(x))
	}
	p.field("accuracy", accuracy(t.Accuracy))
	if len(x.IfFree) > 0 {
		p.field("if free", ladder(x))
	}
	if x.Gap != "" {
		p.field("gap", x.Gap)
	}
}

// pattern says after how many iterations their times repeat.
func pattern(n int) string {
	if n == 1 {
		return "every iteration takes the same time"
	}
	return fmt.Sprintf("the times of iterations repeat every %d iterations", n)
}

// iterations names so many, behind "every".
func iterations(n int) string {
	if n == 1 {
		return "iteration"
	}
	return fmt.Sprintf("%d iterations", n)
}

// published begins the names of corpora of others' figures (docs/accuracy.md).
const published = "published/"

// accuracy says in words how good predictions for a core were.
func accuracy(list []Accuracy) string {
	if len(list) == 0 {
		return "never held against measurements of this core"
	}
	var parts []string
	for _, a := range list {
		if strings.HasPrefix(a.Corpus, published) {
			parts = append(parts, fmt.Sprintf("%.0f\u00a0%% within 10\u00a0%% of %d published throughputs and latencies of single instructions, which rows of the model were taken from (%s); no larger loop held against a measurement", 100*a.Within10, a.Blocks, a.Corpus))
			continue
		}
		parts = append(parts, fmt.Sprintf("median error %.1f\u00a0%%, %.0f\u00a0%% within 10\u00a0%%, on %d blocks (%s)", 100*a.Median, 100*a.Within10, a.Blocks, a.Corpus))
	}
	return strings.Join(parts, "; ")
}

// differ is the relative difference above which two figures are both shown.
const differ = 0.005

func different(a, b float64) bool { return math.Abs(a-b) > differ*max(a, b) }

// unrolled tells the figure without the loop's branch, where it is another.
func unrolled(x *Prediction) string {
	if x.Unrolled == 0 || !different(x.Unrolled, x.Loop) {
		return ""
	}
	return fmt.Sprintf("; laid out unrolled (TP_U) %s, %s", cycles(x.Unrolled), x.UnrolledBound)
}

// FreeNames are what can be free, in words.
var freeNames = map[string]string{"frontend": "front end", "dispatch": "dispatch", "ports": "ports", "window": "buffers", "dependences": "dependences", "memory": "memory dependences"}

// ladder writes what the kernel would take if one thing were free: first what helps, then what doesn't, then what helps together.
func ladder(x *Prediction) string {
	var helps, not []string
	together := ""
	for i := range x.IfFree {
		r := &x.IfFree[i]
		names := strings.Split(r.Free, "+")
		for k := range names {
			names[k] = freeNames[names[k]]
		}
		switch {
		case len(names) > 1:
			together = "; " + strings.Join(names, ", ") + " together " + cycles(r.Cycles)
		case r.Cycles < x.Cycles && different(r.Cycles, x.Cycles):
			helps = append(helps, names[0]+" "+cycles(r.Cycles))
		default:
			not = append(not, names[0])
		}
	}
	switch {
	case len(helps) == 0:
		return "no change by any one of " + strings.Join(not, ", ") + together
	case len(not) == 0:
		return strings.Join(helps, ", ")
	}
	return strings.Join(helps, ", ") + "; no change by " + strings.Join(not, ", ")
}

// whatIf writes the answers to the questions.
func (p *painter) whatIf(t *Target) {
	if len(t.WhatIf) == 0 {
		return
	}
	p.line("")
	p.title("what if", "")
	rows := [][]string{{"cycles", "gain", "bound by", "change"}, {cycles(t.Prediction.Cycles), "", t.Prediction.Bound, "(as it is" + t.Prediction.median() + ")"}}
	for _, a := range t.WhatIf {
		if a.Note != "" {
			rows = append(rows, []string{"-", "", "", a.Question + ": " + a.Note})
			continue
		}
		rows = append(rows, []string{cycles(a.Cycles), percent(a.Gain), a.Bound, a.Question})
	}
	p.answers(rows)
}

// median says of a figure that others are compared with where it stands in the interval that unknown costs leave.
func (x *Prediction) median() string {
	if !x.Partial {
		return ""
	}
	return ", unknown costs at their median"
}

// sensitivity writes what more of each resource gains, the most first.
func (p *painter) sensitivity(t *Target) {
	if len(t.Sensitivity) == 0 {
		return
	}
	p.line("")
	p.title("sensitivity", fmt.Sprintf(" (%s cycles as it is%s; doubled: twice as much of it, or half the latency, in whole cycles)", cycles(t.Prediction.Cycles), t.Prediction.median()))
	rows := [][]string{{"doubled", "gain", "free", "gain", "resource"}}
	var without []string
	for _, s := range t.Sensitivity {
		if !s.matters(t) {
			without = append(without, s.Resource)
			continue
		}
		rows = append(rows, append(append(cells(s.Double), cells(s.Free)...), s.Resource))
	}
	if len(rows) > 1 {
		p.answers(rows)
	}
	if len(without) > 0 {
		p.line("%s", p.wrap("no change by: "+strings.Join(without, ", "), "  "))
	}
}

// matters reports whether some answer differs from the prediction.
func (s *Sensitivity) matters(t *Target) bool {
	for _, a := range []*WhatIf{s.Double, s.Free} {
		if a != nil && different(a.Cycles, t.Prediction.Cycles) {
			return true
		}
	}
	return false
}

func cells(a *WhatIf) []string {
	if a == nil {
		return []string{"", ""}
	}
	return []string{cycles(a.Cycles), percent(a.Gain)}
}

// percent writes a gain; what costs is negative.
func percent(gain float64) string {
	if math.Abs(gain) < differ {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*gain)
}

// answers writes a table: numbers flush right, the last column flush left.
func (p *painter) answers(rows [][]string) {
	for i := range rows {
		rows[i] = append([]string{" "}, rows[i]...)
	}
	p.columns(rows)
}
