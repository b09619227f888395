package analyze

import (
	"incore/internal/analysis/advice"
	"incore/internal/analysis/depgraph"
	"incore/internal/machine"
	"incore/internal/report"
)

// advice finds the changes of the code that would make the kernel faster.
func (w *writer) advice(p *report.Prediction) (out []report.Advice) {
	if w.options.NoAdvice || p.Partial || p.AtLeast || w.options.choice() != w.options.Engine {
		return nil
	}
	base := w.base()
	found := advice.Find(w.a.Graph, w.a.Loop, w.estimate(), advice.Options{Engine: base.Engine, Layout: base.Layout,
		Graph: func(b *machine.Bound) *depgraph.Graph { return graph(b, w.options) }})
	for i := range found {
		a := &found[i]
		r := report.Advice{Kind: a.Kind, What: a.What, Operands: notNil(a.Operands), Count: a.Count, Accumulators: a.Accumulators, Instructions: notNil(a.Insts), Before: report.Round(a.Before), After: report.Round(a.After),
			Gain: report.Round(a.Gain()), Bound: a.Limit, Iterations: a.Iterations, Assumes: notNil(a.Assumes), Conditional: a.Conditional}
		r.Code, r.Front, r.Behind = adviceLines(a.Lines), adviceLines(a.Front), adviceLines(a.Behind)
		out = append(out, r)
	}
	return out
}

func notNil[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

func adviceLines(l []advice.Line) []report.AdviceLine {
	out := make([]report.AdviceLine, len(l))
	for i := range l {
		out[i] = report.AdviceLine(l[i])
	}
	return out
}
