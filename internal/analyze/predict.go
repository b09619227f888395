package analyze

import (
	"incore/internal/machine"
	"incore/internal/source"
)

// Prediction is the headline figure of a kernel on a machine.
type Prediction struct {
	Arch      string
	Cycles    float64
	Low, High float64
	Bound     string
	Unknown   int // instructions without cost data
}

// Predict analyses the first kernel of a text in brief on all machines asked for.
func Predict(f *source.File, o Options) ([]Prediction, error) {
	p, targets, err := Read(f, &o)
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(o.Select)
	if err != nil {
		return nil, err
	}
	k := p.Build(&found[0])
	out := make([]Prediction, len(targets))
	for i, t := range targets {
		a := Kernel(k, t.Model, &o)
		x := &out[i]
		x.Arch = t.Model.Name
		x.Cycles, x.Bound = a.Cycles()
		x.Low, x.High = a.Bracket()
		for j := range a.Bound.Insts {
			if a.Bound.Insts[j].Flags&machine.Unknown != 0 {
				x.Unknown++
			}
		}
	}
	return out, nil
}
