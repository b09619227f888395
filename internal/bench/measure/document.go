package measure

import (
	"incore/internal/report"
	"incore/internal/report/describe"
)

// Document states the measurement and the prediction; unrolled: iterations were laid out one after another.
func (m *Block) Document(unrolled bool) *report.Measurement {
	f := m.figure
	out := &report.Measurement{Schema: report.MeasureSchema, Kernel: m.Kernel.Name, Cycles: f.Cycles, Uncertainty: f.Uncertainty, GHz: f.GHz, Instructions: m.n, Copies: f.Copies,
		Unrolled: unrolled, Pages: append([]uint64{}, f.Pages...), Physical: f.Physical, Least: f.Least, Others: m.Others, Chosen: m.chosen}
	if m.fromFile() {
		out.Why = m.Kernel.Why
	}
	if o := f.Other; o.Of > 0 {
		out.Unsteady = &report.OtherState{Cycles: o.Cycles, Seen: o.Seen, Of: o.Of}
	}
	if a := m.assembled; a != nil {
		out.Symbols, out.Branches, out.Relative, out.Jumps = a.Symbols, a.Branches, a.Relative, a.Jumps
	}
	if e := m.ended; e != nil {
		out.InPlace = &report.InPlace{Offset: m.place.Offset, Register: e.Register(Here()), Values: e.Values, Iterations: [2]int{e.Short, e.Long}, Rounds: f.Rounds}
		out.Instructions, out.Relative = m.place.N, m.place.Relative
	}
	if m.notPlaced != nil {
		out.NotInPlace = m.notPlaced.Error()
	}
	if p := m.prediction; p != nil {
		out.Prediction = &report.Expected{Arch: p.arch, Engine: report.Engine(p.Engine), Cycles: p.Cycles, Static: p.static, StaticBound: p.bound, Bound: report.Bound(p.Limit),
			Difference: 100 * (p.Cycles - f.Cycles) / f.Cycles, Sources: p.sources, Unmodelled: p.unknown}
	}
	describe.Measurement(out)
	return out
}
