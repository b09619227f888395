package analyze

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/whatif"
	"incore/internal/report"
)

// Questions are what is to be predicted beside the kernel as it is.
type Questions struct {
	WhatIf      []string // package whatif has the grammar; several are asked one by one, then together
	Sensitivity bool     // every resource doubled and made free
	// Timeline is the number of iterations whose µops are followed, 0: none; TimelineFrom the first of them, below 0: in
	// the steady state.
	Timeline     int
	TimelineFrom int

	parsed []whatif.Question
}

// check reads the questions and reports what no kernel on some machine could answer.
func (q *Questions) check(o *Options, targets []Target) error {
	q.parsed = nil
	if slices.Contains(q.WhatIf, "list") {
		var text []string
		for _, t := range targets {
			text = append(text, t.Model.Name+":")
			for _, line := range whatif.Known(t.Model) {
				text = append(text, "  "+line)
			}
		}
		return Listing(strings.Join(text, "\n"))
	}
	for _, text := range q.WhatIf {
		p, err := whatif.Parse(text)
		if err != nil {
			return UsageError{err}
		}
		q.parsed = append(q.parsed, p)
	}
	for _, t := range targets {
		if err := o.Engine.Available(t.Model); err != nil {
			return UsageError{fmt.Errorf("%w; --engine bounds predicts it", err)}
		}
		if q.Timeline > 0 {
			if err := engine.Simulator.Available(t.Model); err != nil {
				return UsageError{fmt.Errorf("a timeline needs the simulator: %w", err)}
			}
		}
	}
	for i := range q.parsed {
		if err := checkAll(&q.parsed[i], targets); err != nil {
			return UsageError{fmt.Errorf("--what-if '%s': %w", q.parsed[i].Text, err)}
		}
	}
	if len(q.parsed) > 1 {
		q.parsed = append(q.parsed, whatif.Together(q.parsed))
	}
	return nil
}

// Listing is the answer to the what-if question "list", in place of a report: what can be asked.
type Listing string

func (l Listing) Error() string { return string(l) }

// checkAll returns an error if no machine can answer a question; where only some can't, their reports say so.
func checkAll(q *whatif.Question, targets []Target) (err error) {
	for _, t := range targets {
		e := q.Check(t.Model)
		if e == nil {
			return nil
		}
		if err == nil {
			err = e
		}
	}
	return err
}

// questions answers what was asked.
func (w *writer) questions(t *report.Target) {
	q := &w.options.Questions
	base := w.base()
	now := t.Prediction.Cycles
	for _, p := range q.parsed {
		if w.options.interrupted() != nil {
			return
		}
		e, err := base.Ask(p)
		x := answer(p.Text, e, now)
		switch {
		case err != nil:
			x = report.WhatIf{Question: p.Text, Note: err.Error(), Reason: reason(report.Refused, err.Error(), report.Values{Reason: err.Error()})}
		case e.Engine == engine.NameBounds && p.OnlySimulated():
			const words = "only the simulator knows of it, and here the bounds answer"
			x = report.WhatIf{Question: p.Text, Note: words, Reason: reason(report.NotSimulatable, words, report.Values{})}
		}
		t.WhatIf = append(t.WhatIf, x)
	}
	if !q.Sensitivity || w.options.interrupted() != nil {
		return
	}
	for _, l := range base.Sensitivity(w.chainForms()) {
		s := report.Sensitivity{Resource: l.Resource}
		for _, x := range []struct {
			from *whatif.Answer
			to   **report.WhatIf
		}{{l.Double, &s.Double}, {l.Free, &s.Free}} {
			if x.from != nil {
				a := answer(x.from.Question, x.from.Estimate, now)
				*x.to = &a
			}
		}
		t.Sensitivity = append(t.Sensitivity, s)
	}
}

func answer(question string, e engine.Estimate, now float64) report.WhatIf {
	x := report.WhatIf{Question: question, Cycles: report.Round(e.Cycles), Bound: e.Limit}
	if now > 0 {
		x.Gain = report.Round(1 - e.Cycles/now)
	}
	return x
}

// maxForms is the number of forms whose latency the sensitivity table asks for.
const maxForms = 8

// chainForms lists the forms on the slowest loop-carried chain and on the critical path, which latencies are worth asking for.
func (w *writer) chainForms() []string {
	var out []string
	add := func(inst int) {
		in := &w.a.Bound.Insts[inst]
		if name := w.k.ISA.FormName(&w.k.Lines[inst].Inst); in.Latency > 0 && name != "?" && len(out) < maxForms && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if len(w.a.Loop.Chains) > 0 {
		for _, s := range w.a.Loop.Chains[0].Steps {
			add(s.Inst)
		}
	}
	for _, s := range w.a.Path.Steps {
		add(s.Inst)
	}
	return out
}
