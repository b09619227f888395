package core

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"incore/internal/bench"
	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/object"
)

// loopCode is the machine code of a loop in place.
type loopCode struct {
	insts         []isa.Inst // with the closing ones, as they lie in memory
	body, closing []byte
}

// placed encodes a loop whose first instruction has an address.
func (t *Target) placed(body []isa.Inst, addr uint64) (c loopCode, err error) {
	at := addr
	add := func(code []byte, in isa.Inst) ([]byte, error) {
		n := len(code)
		if t.ISA.Flow(&in).Kind == isa.FlowCond {
			for i := range int(in.NOps) { // the first number is the target, another one the condition
				if in.Ops[i].Kind == isa.OpImm {
					in.Ops[i].Imm = int64(addr)
					break
				}
			}
		}
		code, err := t.ISA.Encode(code, &in, at)
		if forms := t.ISA.Forms; err != nil { // with 32 bits of distance, not 8
			if in.Form = forms.Named(strings.TrimSuffix(forms.Name(in.Form), "_1") + "_4"); in.Form == isa.NoForm {
				return nil, err
			}
			if code, err = t.ISA.Encode(code[:n], &in, at); err != nil {
				return nil, err
			}
		}
		in.Size = uint8(len(code) - n)
		at += uint64(in.Size)
		c.insts = append(c.insts, in)
		return code, nil
	}
	for i := range body {
		if c.body, err = add(c.body, body[i]); err != nil {
			return c, err
		}
	}
	for _, text := range t.closing {
		in, err := t.parse(text)
		if err == nil {
			c.closing, err = add(c.closing, in)
		}
		if err != nil {
			return c, fmt.Errorf("%s: %w", text, err)
		}
	}
	return c, nil
}

// loopHere runs loops in place on this machine.
func loopHere(t *Target) func(context.Context, []isa.Inst, int) (float64, float64, error) {
	return func(ctx context.Context, body []isa.Inst, offset int) (float64, float64, error) {
		c, err := t.placed(body, uint64(offset))
		if err != nil {
			return 0, 0, err
		}
		loop := block.Looped{Code: c.body, Closing: c.closing, Offset: offset}
		return figure(loop.Measure(ctx, block.Setup{Windows: 24, Values: t.Values}))
	}
}

// figure returns the cycles of a measurement, or its error as a runner's.
func figure(f *block.Figure, err error) (float64, float64, error) {
	if why := new(host.Reason); errors.As(err, &why) && why.Kind != "unsupported" {
		return 0, 0, &Unmeasurable{why.Msg, why.Kind == "unstable"}
	} else if err != nil {
		return 0, 0, err
	}
	return f.Cycles, f.Uncertainty, nil
}

// loopPlayed returns a model's cycles of loops in place.
func loopPlayed(t *Target, m *machine.Model) (func(body []isa.Inst, offset int) (float64, error), error) {
	run, err := bench.PlayedLoop(t.ISA, m)
	if err != nil {
		return nil, err
	}
	return func(body []isa.Inst, offset int) (float64, error) {
		addr := object.PlacedBase + uint64(offset)
		c, err := t.placed(body, addr)
		if err != nil {
			return 0, err
		}
		return run(c.insts, addr)
	}, nil
}
