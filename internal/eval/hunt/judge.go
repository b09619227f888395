package hunt

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/analyze/predict"
	"incore/internal/bench/block"
	"incore/internal/eval"
	"incore/internal/eval/suite"
	"incore/internal/isa"
	"incore/internal/machine"
)

func pow(x, y float64) float64 { return math.Pow(x, y) }

// Judge predicts or measures the cycles of a block that is repeated without end. It returns an error if it has no figure for the block.
type Judge func(ctx context.Context, insts []isa.Inst, code []byte) (float64, error)

// Judges lists the names that NewJudge accepts.
var Judges = []string{"sim", "bounds", "sim-no-memdep", "llvm-mca", "measure"}

// NewJudge prepares a predictor by its name, a tool as NAME=COMMAND (suite.NewCommand), or the machine.
func NewJudge(name string, m *machine.Model, set *isa.ISA) (Judge, error) {
	switch name {
	case "measure":
		if _, err := block.Native(); err != nil {
			return nil, err
		}
		return func(ctx context.Context, insts []isa.Inst, code []byte) (float64, error) {
			f, err := block.Measure(ctx, code, len(insts), block.Setup{Windows: 40})
			if err != nil {
				return 0, err
			}
			return f.Cycles, nil
		}, nil
	case "sim", "bounds", "sim-no-memdep":
		if m == nil {
			return nil, errors.New("there is no model of this machine; --arch names one")
		}
		p := &predict.Predictor{Model: m, Engine: engine.Auto}
		if name == "bounds" {
			p.Engine = engine.Bounds
		}
		if err := p.Conditions.Measure("net", "distinct", 1); err != nil {
			return nil, err
		}
		p.NoMemdep = name == "sim-no-memdep"
		return func(_ context.Context, insts []isa.Inst, code []byte) (float64, error) {
			r := predict.Reader{ISA: set}
			k, err := r.Code(code, 0)
			if err != nil {
				return 0, err
			}
			g, e := p.Estimate(k)
			if g.Bound.Unknown() > 0 {
				return 0, errors.New("an instruction's cost is not known")
			}
			return e.Cycles, nil
		}, nil
	case "llvm-mca":
		return mca(set)
	}
	if strings.Contains(name, "=") {
		return command(name, set)
	}
	return nil, fmt.Errorf("unknown predictor %q; known are %s, or NAME=COMMAND", name, strings.Join(Judges, ", "))
}

// command predicts blocks with a tool.
func command(spec string, set *isa.ISA) (Judge, error) {
	c, err := suite.NewCommand(spec)
	if err == nil {
		err = c.Find()
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, insts []isa.Inst, code []byte) (float64, error) {
		return c.Cycles(ctx, code, textOf(set, insts, '\n'))
	}, nil
}

// textOf is the text of instructions, each before a separator.
func textOf(set *isa.ISA, insts []isa.Inst, separator byte) string {
	var text strings.Builder
	for i := range insts {
		text.Write(set.Print(nil, &insts[i], set.Syntaxes[0]))
		text.WriteByte(separator)
	}
	return text.String()
}

// mca predicts blocks with llvm-mca for this machine's CPU.
func mca(set *isa.ISA) (Judge, error) {
	path, err := eval.NewestLLVM("llvm-mca")
	if err != nil {
		return nil, errors.New("llvm-mca is not installed (Debian: llvm)")
	}
	peer := eval.PeerNamed("llvm-mca")
	return func(ctx context.Context, insts []isa.Inst, _ []byte) (float64, error) {
		answers, err := peer.Predict(ctx, path, "native", []eval.Block{{Kernel: &isa.Kernel{ISA: set}, Text: textOf(set, insts, ';')}}, func(int) {})
		switch {
		case err != nil:
			return 0, err
		case math.IsNaN(answers[0].Cycles):
			return 0, errors.New(answers[0].Why)
		}
		return answers[0].Cycles, nil
	}, nil
}
