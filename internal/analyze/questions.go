package analyze

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/fewtrips"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/whatif"
	"incore/internal/base/source"
	"incore/internal/report"
)

// Questions are predictions to make in addition to that of the unchanged kernel.
type Questions struct {
	WhatIf      []string // changes of the core (package whatif has the grammar); several are predicted each alone, then together
	Sensitivity bool     // predict with every resource doubled, and with every resource unlimited
	// Timeline is the number of iterations in the timeline of µops, 0: no timeline. TimelineFrom is the first of these iterations, below 0: one in
	// the steady state.
	Timeline     int
	TimelineFrom int
	// Iterations is the number of iterations of a loop that is entered anew each time, up to MaxIterations; 0: not asked.
	Iterations int

	parsed []whatif.Question
}

// MaxIterations bounds Questions.Iterations.
const MaxIterations = 1_000_000

// check parses the questions and returns an error for a question that none of the machines can answer.
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
			return UsageError{source.About(fmt.Errorf("%w; the bounds predict it", err), "engine")}
		}
		if q.Iterations > 0 {
			if o.Engine == engine.Bounds {
				return UsageError{source.About(errors.New("a few iterations are predicted by the simulator, not by the bounds"), "iterations", "engine")}
			}
			if err := engine.Simulator.Available(t.Model); err != nil {
				return UsageError{source.About(fmt.Errorf("a few iterations need the simulator: %w", err), "iterations")}
			}
		}
		if q.Timeline > 0 {
			if err := engine.Simulator.Available(t.Model); err != nil {
				return UsageError{fmt.Errorf("a timeline needs the simulator: %w", err)}
			}
		}
	}
	for i := range q.parsed {
		if err := checkAll(&q.parsed[i], targets); err != nil {
			return UsageError{source.About(fmt.Errorf("what if %s: %w", q.parsed[i].Text, err), "what-if")}
		}
	}
	if len(q.parsed) > 1 {
		q.parsed = append(q.parsed, whatif.Together(q.parsed))
	}
	return nil
}

// Listing is the answer to the what-if question "list": the list of possible questions, returned as an error in place of a report.
type Listing string

func (l Listing) Error() string { return string(l) }

// checkAll returns an error if no machine can answer a question; if only some machines can't, their reports say so.
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

// questions adds the answers to the questions to the report.
func (w *writer) questions(t *report.Target) {
	q := &w.options.Questions
	base := w.base()
	now := t.Prediction.Cycles
	w.entered(t)
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
	t.WhatIf = append(t.WhatIf, w.asAnnotated(base, now)...)
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
	if len(w.k.Lines) <= maxShared && w.options.interrupted() == nil {
		t.Shares = shares(base.Attribution())
	}
}

// maxShared is the number of instructions of a kernel whose cycles are divided among the limits: that takes a prediction for each set of limits.
const maxShared = 500

// shares sorts the shares, with what is left of the cycles as "rest".
func shares(list []whatif.Share, left float64) (out []report.Share) {
	if len(list) == 0 {
		return nil
	}
	for _, s := range append(list, whatif.Share{Free: "rest", Cycles: left}) {
		out = append(out, report.Share{Limit: s.Free, Cycles: report.Round(s.Cycles)})
	}
	slices.SortStableFunc(out, func(a, b report.Share) int { return cmp.Compare(b.Cycles, a.Cycles) })
	return out
}

func answer(question string, e engine.Estimate, now float64) report.WhatIf {
	x := report.WhatIf{Question: question, Cycles: report.Round(e.Cycles), Bound: report.Bound(e.Limit)}
	if now > 0 {
		x.Gain = report.Round(1 - e.Cycles/now)
	}
	return x
}

// maxForms is the number of instruction forms whose latency the sensitivity table changes.
const maxForms = 8

// chainForms lists the forms on the slowest loop-carried chain and on the critical path: changing their latencies can change the prediction.
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

// entered adds what the loop takes that is entered anew each time for some iterations.
func (w *writer) entered(t *report.Target) {
	n := w.options.Questions.Iterations
	if n == 0 {
		return
	}
	penalty, source := sim.Penalty(w.a.Bound.Model)
	x, err := fewtrips.Predict(w.a.Graph, n, penalty, w.options.done())
	if errors.Is(err, sim.ErrStopped) {
		return // the analysis ends with the context's error
	}
	if err != nil {
		t.Diagnostics = append(t.Diagnostics, report.Diagnostic{Severity: "warning", Message: fmt.Sprintf("%d iterations: %v", n, err)})
		return
	}
	t.Entered = &report.Entered{Iterations: n, Cycles: report.Round(x.Predicted), Penalty: penalty, PenaltySource: source}
	t.Entered.Doubt(&t.Prediction)
	if x.Missed > 0 {
		missed := report.Round(x.Missed)
		t.Entered.Missed = &missed
	}
}
