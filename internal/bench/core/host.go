package core

import (
	"context"
	"errors"
	"slices"

	"incore/internal/bench"
	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Here returns a runner on this machine.
func Here(t *Target) Runner {
	return func(ctx context.Context, insts []isa.Inst) (float64, float64, error) {
		var code []byte
		var err error
		for i := range insts {
			if code, err = t.ISA.Encode(code, &insts[i], 0); err != nil {
				return 0, 0, err
			}
		}
		f, err := block.Measure(ctx, code, len(insts), block.Setup{Windows: 24, Values: t.Values})
		if why := new(host.Reason); errors.As(err, &why) && why.Kind != "unsupported" {
			return 0, 0, &Unmeasurable{why.Msg, why.Kind == "unstable"}
		} else if err != nil {
			return 0, 0, err
		}
		return f.Cycles, f.Uncertainty, nil
	}
}

// Played returns a runner on a model's simulator; programs are copies in a loop, as in block.Measure.
func Played(t *Target, m *machine.Model) (Runner, error) {
	run, err := bench.Played(t.ISA, m, false)
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, insts []isa.Inst) (float64, float64, error) {
		copies := max(1, block.BodyInsts/max(1, len(insts)))
		v, err := run(slices.Repeat(insts, copies))
		return v / float64(copies), 0, err
	}, nil
}
