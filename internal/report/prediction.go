package report

import (
	"fmt"
	"math"
	"strings"
)

// engine writes the lines about the engine of the prediction and its accuracy.
func (p *painter) engine(t *Target) {
	for _, l := range []struct{ name, text string }{{"engine", t.Words.Engine}, {"trust", t.Words.Trust}, {"accuracy", t.Words.Accuracy}, {"if free", t.Words.IfFree}, {"gap", t.Prediction.Gap}} {
		if l.text != "" {
			p.field(l.name, l.text)
		}
	}
}

// differ is the relative difference above which two figures are both shown.
const differ = 0.005

func different(a, b float64) bool { return math.Abs(a-b) > differ*max(a, b) }

// whatIf writes the answers to the questions.
func (p *painter) whatIf(t *Target) {
	if len(t.WhatIf) == 0 {
		return
	}
	p.line("")
	p.title("what if", "")
	rows := [][]string{{"cycles", "gain", "bound by", "change"}, {cycles(t.Prediction.Cycles), "", string(t.Prediction.Bound), "(as it is" + t.Prediction.median() + ")"}}
	var refused []string
	for _, a := range t.WhatIf {
		if a.Note != "" {
			rows = append(rows, []string{"-", "", "", a.Question})
			if !strings.Contains(a.Note, a.Question) {
				a.Note = a.Question + ": " + a.Note
			}
			refused = append(refused, a.Note)
			continue
		}
		rows = append(rows, []string{cycles(a.Cycles), percent(a.Gain), string(a.Bound), a.Question})
	}
	p.answers(rows)
	for _, note := range refused {
		p.line("%s", p.wrap(note, "  "))
	}
}

// median returns a remark on a reference figure that assumes unknown costs at their median; "" if all costs are known.
func (x *Prediction) median() string {
	if !x.Partial {
		return ""
	}
	return ", unknown costs at their median"
}

// sensitivity writes the gain from more of each resource, the greatest first.
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

// shares writes the cycles divided among the limits.
func (p *painter) shares(t *Target) {
	var parts []string
	for _, s := range t.Shares {
		if s.Cycles >= Noticed*t.Prediction.Cycles {
			parts = append(parts, fmt.Sprintf("%s %s", s.Limit, cycles(s.Cycles)))
		}
	}
	if len(parts) > 0 {
		p.line("%s", p.wrap("shares of the "+cycles(t.Prediction.Cycles)+" cycles, divided fairly where limits overlap: "+strings.Join(parts, ", "), "  "))
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

// percent formats a gain; a loss is negative.
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
