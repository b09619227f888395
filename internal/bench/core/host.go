package core

import (
	"context"
	"slices"

	"incore/internal/bench"
	"incore/internal/bench/block"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Here returns this machine, over a model.
func Here(t *Target, base *machine.Model) Machine {
	return Machine{Base: base, Loop: loopHere(t), Straight: func(ctx context.Context, insts []isa.Inst) (float64, float64, error) {
		var code []byte
		var err error
		for i := range insts {
			if code, err = t.ISA.Encode(code, &insts[i], 0); err != nil {
				return 0, 0, err
			}
		}
		f, err := block.Measure(ctx, code, len(insts), block.Setup{Windows: 24, Values: t.Values})
		return figure(f, err)
	}}
}

// Played returns a machine that a model plays, over a model; programs are copies in a loop, as in block.Measure.
func Played(t *Target, m, base *machine.Model) (Machine, error) {
	run, err := bench.Played(t.ISA, m, false)
	if err != nil {
		return Machine{}, err
	}
	loop, err := loopPlayed(t, m)
	if err != nil {
		return Machine{}, err
	}
	return Machine{Base: base, Straight: func(_ context.Context, insts []isa.Inst) (float64, float64, error) {
		copies := max(1, block.BodyInsts/max(1, len(insts)))
		v, err := run(slices.Repeat(insts, copies))
		return v / float64(copies), 0, err
	}, Loop: func(_ context.Context, body []isa.Inst, offset int) (float64, float64, error) {
		v, err := loop(body, offset)
		return v, 0, err
	}}, nil
}
