package bench

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/machine"
)

// repeated is the dependence graph of instructions as the body of a loop.
func repeated(set *isa.ISA, m *machine.Model, insts []isa.Inst) *depgraph.Graph {
	k := &isa.Kernel{ISA: set, Loop: true}
	for i := range insts {
		k.Lines = append(k.Lines, isa.Line{Inst: insts[i], No: i + 1})
	}
	return depgraph.Build(m.Bind(k), depgraph.Options{})
}

// Expected is about how many cycles instructions that are repeated take by a model's bounds.
func Expected(set *isa.ISA, m *machine.Model) func(insts []isa.Inst) float64 {
	return func(insts []isa.Inst) float64 {
		return engine.Bounds.Estimate(repeated(set, m, insts), engine.Layout{Unrolled: true}).Cycles
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
		r, err := sim.Run(repeated(set, m, insts), core, sim.Options{Unrolled: unrolled})
		if err != nil {
			return 0, err
		}
		return r.Cycles, nil
	}, nil
}
