package analyze

import (
	"incore/internal/analyze/predict"
	"incore/internal/base/source"
	"incore/internal/isa"
)

// Prediction is the headline prediction of a kernel on a machine.
type Prediction struct {
	Arch      string
	Cycles    float64
	Low, High float64
	Bound     string
	Engine    string
	Unrolled  float64 // cycles of the kernel unrolled without end, without its branch
	Unknown   int     // instructions without cost data
}

// Kernels returns the kernels of a text that o selects, and the machines to predict them for.
func Kernels(f *source.File, o *Options) ([]*isa.Kernel, []Target, error) {
	p, targets, err := Read(f, o)
	if err != nil {
		return nil, nil, err
	}
	found, _, err := p.Kernels(o.Select)
	if err != nil {
		return nil, nil, err
	}
	out := make([]*isa.Kernel, len(found))
	for i := range found {
		out[i] = p.Build(&found[i])
	}
	return out, targets, nil
}

// Predict predicts the first kernel of a text on all machines of the options.
func Predict(f *source.File, o Options) ([]Prediction, error) {
	p, targets, err := Read(f, &o)
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(o.Select)
	if err != nil {
		return nil, err
	}
	if err := o.Questions.check(&o, targets); err != nil {
		return nil, err
	}
	return estimates(p.Build(&found[0]), targets, &o)
}

// PredictCode predicts machine code at an address, as one kernel, on all machines of the options.
func PredictCode(code []byte, addr uint64, o Options) ([]Prediction, error) {
	targets, a, err := Targets(&o, nil)
	if err != nil {
		return nil, err
	}
	k, err := (&predict.Reader{ISA: a}).Code(code, addr)
	if err != nil {
		return nil, err
	}
	return estimates(k, targets, &o)
}

// estimates predicts a kernel on machines.
func estimates(k *isa.Kernel, targets []Target, o *Options) ([]Prediction, error) {
	out := make([]Prediction, len(targets))
	for i, t := range targets {
		if err := o.interrupted(); err != nil {
			return nil, err
		}
		a := Kernel(k, t.Model, o)
		x := &out[i]
		x.Arch = t.Model.Name
		e := a.Estimate(o)
		x.Cycles, x.Bound, x.Engine, x.Unrolled = e.Cycles, e.Limit, e.Engine, a.unrolled(o).Cycles
		low, high := a.Bracket()
		x.Low, x.High = min(low, x.Cycles), max(high, x.Cycles)
		x.Unknown = a.Bound.Unknown()
	}
	return out, nil
}
