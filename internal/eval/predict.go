package eval

import (
	"math"

	"incore/internal/analysis/baseline"
	"incore/internal/analysis/engine"
	"incore/internal/analyze/predict"
	"incore/internal/machine"
)

// Prediction holds the predictions of all engines for a block, in cycles per iteration.
type Prediction struct {
	Baseline float64
	Bounds   float64 // maximum of the port, dispatch, front-end and dependence bounds
	Sim      float64 // the simulator, or the bounds if the model does not describe the whole core
	engine.Limits
	Engine  string // the engine of Sim
	Limit   string // the limit of Sim, as package engine names it
	Unknown int    // instructions without cost data
}

// Engines lists the names of the predictions that tables compare.
var Engines = []string{"baseline", "bounds", "sim"}

// Of returns the prediction of an engine.
func (p *Prediction) Of(engine string) float64 {
	switch engine {
	case "baseline":
		return p.Baseline
	case "bounds":
		return p.Bounds
	}
	return p.Sim
}

// Predict runs every engine on a block.
func Predict(m *machine.Model, b *Block, c predict.Conditions) Prediction {
	x := predict.Predictor{Model: m, Conditions: c}
	g, e := x.Estimate(b.Kernel)
	base := baseline.Analyze(g.Bound)
	p := Prediction{Baseline: base.Loop, Sim: e.Cycles, Engine: e.Engine, Limit: e.Limit, Limits: e.Limits, Unknown: g.Bound.Unknown()}
	if c.Unrolled || !b.Kernel.Loop {
		p.Baseline = unrolledBaseline(g.Bound, &base)
	}
	p.Bounds = max(p.Ports, p.Dispatch, p.FrontEnd, p.Chain, p.Cache)
	return p
}

// unrolledBaseline returns the baseline of straight code, max(n/i, loads/l, stores/s). The limit of one
// cycle per iteration of a loop does not apply to it.
func unrolledBaseline(b *machine.Bound, r *baseline.Result) float64 {
	w := float64(b.Model.Params.DispatchWidth)
	if w == 0 {
		return r.Unrolled
	}
	return math.Max(float64(r.Insts)/w, math.Max(r.LoadPorts, r.StorePorts))
}
