package analyze

import (
	"slices"

	"incore/internal/analysis/engine"
	"incore/internal/isa"
	"incore/internal/machine/accuracy"
	"incore/internal/report"
)

// likely returns the interval in which the run time of such code lies, by the measurements of other code on this core.
func likely(t *report.Target, k *isa.Kernel) *report.Likely {
	p := &t.Prediction
	if p.Engine != engine.NameSimulator || p.Partial || p.AtLeast || p.Cycles <= 0 || mix(k).V512 > 0 { // few loops with vectors of 512 bits were measured
		return nil
	}
	if in := t.Limiting(); in != nil && slices.ContainsFunc([]string{"borrowed", "unknown"}, func(f string) bool { return slices.Contains(in.Flags, f) }) {
		return nil
	}
	s, ok := accuracy.SpanOf(t.Arch, k.Loop, string(p.Bound))
	if !ok {
		return nil
	}
	l := &report.Likely{Low: report.Round(p.Cycles * s.Low), High: report.Round(p.Cycles * s.High), Share: accuracy.Share, Limit: s.Bound, Measurements: s.N}
	if at := slices.IndexFunc(t.Basis, report.Statement.OfPlace); at >= 0 {
		v := &t.Basis[at].Values
		l.Low, l.High, l.Anywhere = min(l.Low, v.Low), max(l.High, v.High), true
	}
	return l
}
