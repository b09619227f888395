package bench

import (
	"math"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// repeated returns the dependence graph of instructions as a loop body, with the lengths of their machine code, on which the front end depends. It
// returns an error for instructions without an encoding.
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
	return depgraph.Build(uops.Bind(m, k), depgraph.Options{}), nil
}

// Expected returns a model's estimate, by its bounds, of the cycles of repeated instructions; NaN if it is not known.
func Expected(set *isa.ISA, m *machine.Model) func(insts []isa.Inst) float64 {
	return func(insts []isa.Inst) float64 {
		g, err := repeated(set, m, insts)
		if err != nil {
			return math.NaN()
		}
		return engine.Bounds.Estimate(g, engine.Layout{Unrolled: true}).Cycles
	}
}

// Played replaces the machine by the simulator of a model: it returns the cycles of one execution of repeated instructions, in a loop or unrolled. It
// returns an error for models without a simulator.
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

// PlayedLoop replaces the machine by the simulator of a model: it returns the cycles of an iteration of a loop whose instructions lie one after another from an address.
func PlayedLoop(set *isa.ISA, m *machine.Model) (func(insts []isa.Inst, addr uint64) (float64, error), error) {
	core, err := sim.Available(m)
	if err != nil {
		return nil, err
	}
	return func(insts []isa.Inst, addr uint64) (float64, error) {
		k := &isa.Kernel{ISA: set, Loop: true, Latch: true}
		for i := range insts {
			k.Lines = append(k.Lines, isa.Line{Inst: insts[i], No: i + 1, Addr: addr})
			addr += uint64(insts[i].Size)
		}
		r, err := sim.Run(depgraph.Build(uops.Bind(m, k), depgraph.Options{}), core, sim.Options{})
		if err != nil {
			return 0, err
		}
		return r.Cycles, nil
	}, nil
}
