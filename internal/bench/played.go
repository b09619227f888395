package bench

import (
	"math"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/machine"
)

// repeated is the dependence graph of instructions as the body of a loop, with the lengths of their machine code, which
// the front end's work depends on. The error is of instructions that do not encode.
func repeated(set *isa.ISA, m *machine.Model, insts []isa.Inst) (*depgraph.Graph, error) {
	k := &isa.Kernel{ISA: set, Loop: true}
	var code []byte
	for i := range insts {
		in := insts[i]
		var err error
		if code, err = set.Encode(code[:0], &in, 0); err != nil {
			return nil, err
		}
		in.Size = uint8(len(code))
		k.Lines = append(k.Lines, isa.Line{Inst: in, No: i + 1})
	}
	return depgraph.Build(m.Bind(k), depgraph.Options{}), nil
}

// Expected is about how many cycles instructions that are repeated take by a model's bounds; NaN if that is not known.
func Expected(set *isa.ISA, m *machine.Model) func(insts []isa.Inst) float64 {
	return func(insts []isa.Inst) float64 {
		g, err := repeated(set, m, insts)
		if err != nil {
			return math.NaN()
		}
		return engine.Bounds.Estimate(g, engine.Layout{Unrolled: true}).Cycles
	}
}

// Played plays a machine by the simulator of a model, where there is none: cycles of one execution of instructions that
// are repeated, in a loop or laid out one behind another. The error is of models without a simulator.
func Played(set *isa.ISA, m *machine.Model, unrolled bool) (func(insts []isa.Inst) (float64, error), error) {
	core, err := sim.Available(m)
	if err != nil {
		return nil, err
	}
	return func(insts []isa.Inst) (float64, error) {
		g, err := repeated(set, m, insts)
		if err != nil {
			return 0, err
		}
		r, err := sim.Run(g, core, sim.Options{Unrolled: unrolled})
		if err != nil {
			return 0, err
		}
		return r.Cycles, nil
	}, nil
}
