package suite

import (
	"context"
	"fmt"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/analyze/predict"
)

// simulators are incore's own engines.
func simulators() []Predictor {
	of := func(name, lifting, about string, choice engine.Choice, c predict.Conditions) Predictor {
		return Predictor{Name: name, Lifting: lifting, About: about, Open: func(_ context.Context, e *Env) (Predict, error) {
			if e.Model == nil {
				return nil, fmt.Errorf("there is no model of this machine")
			}
			c.Path = lifting == "path"
			p := &predict.Predictor{Model: e.Model, Engine: choice, Conditions: c}
			estimate := func(x *Piece) (*depgraph.Graph, engine.Estimate) { return p.Estimate(x.Kernel) }
			return func(ctx context.Context, s *Subject) (*Prediction, error) {
				pieces := s.Blocks()
				if lifting == "path" {
					var err error
					if pieces, err = s.recorded(); err != nil {
						return nil, err
					}
				}
				return s.once(fmt.Sprint(lifting, choice, c), func() (*Prediction, error) { return lift(ctx, estimate, pieces) })
			}, nil
		}}
	}
	none := predict.Conditions{NoMemdep: true}
	return []Predictor{
		of("sim", "block", "incore's simulator", engine.Auto, predict.Conditions{}),
		of("sim-path", "path", "incore's simulator, on the executed paths of loops", engine.Auto, predict.Conditions{}),
		recorded(), traced(),
		withBranches(of("", "path", "", engine.Auto, predict.Conditions{})),
		of("bounds", "block", "incore's static bounds", engine.Bounds, predict.Conditions{}),
		of("bounds-path", "path", "incore's static bounds, on the executed paths of loops", engine.Bounds, predict.Conditions{}),
		of("sim-no-memdep", "block", "incore's simulator without dependences through memory", engine.Auto, none),
		of("sim-no-memdep-path", "path", "the same, on the executed paths of loops", engine.Auto, none),
	}
}

// Limits on the predicted paths. Rare paths are not predicted; their time per instruction is assumed to be that of the other paths.
const (
	mostPaths = 400
	enough    = 0.995 // share of the instructions on predicted paths
	mostInsts = 20000 // greatest number of instructions of a path
)

// lift sums the predictions of pieces, weighted by their executions (equation 1).
func lift(ctx context.Context, estimate func(x *Piece) (*depgraph.Graph, engine.Estimate), pieces []Piece) (*Prediction, error) {
	out := &Prediction{Blocks: map[string]float64{}, Limits: map[string]float64{}}
	all, done := 0.0, 0.0
	for i := range pieces {
		all += float64(pieces[i].Count) * float64(pieces[i].Insts)
	}
	for i := range pieces {
		x := &pieces[i]
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		isPath := x.End == 0
		if isPath && (i >= mostPaths || done >= enough*all) {
			break
		}
		if x.Insts > mostInsts {
			return nil, &FailError{fmt.Sprintf("a path of %d instructions at %#x", x.Insts, x.Addr)}
		}
		for k := range x.Kernel.Lines {
			if err := x.Kernel.Lines[k].Err; err != nil {
				return nil, &FailError{fmt.Sprintf("%#x: %v", x.Kernel.Lines[k].Addr, err)}
			}
		}
		g, e := estimate(x)
		if n := g.Bound.Unknown(); n > 0 {
			return nil, &FailError{fmt.Sprintf("%d instructions of unknown cost at %#x", n, x.Addr)}
		}
		cycles := e.Cycles * float64(x.Count)
		out.Cycles += cycles
		out.Limits[e.Limit] += cycles
		done += float64(x.Count) * float64(x.Insts)
		if !isPath {
			out.Blocks[fmt.Sprintf("%x", x.Addr)] = e.Cycles
		}
	}
	if done == 0 {
		return nil, &FailError{"nothing was executed"}
	}
	out.Cycles *= all / done
	return out, nil
}

// withBranches adds the cost of mispredicted branches, which no single path shows, to the prediction of paths.
func withBranches(paths Predictor) Predictor {
	return Predictor{Name: "sim-path-branches", Lifting: "path", About: "sim-path, and mispredicted branches of the run", Open: func(ctx context.Context, e *Env) (Predict, error) {
		ask, err := paths.Open(ctx, e)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, s *Subject) (*Prediction, error) {
			out, err := ask(ctx, s)
			if err != nil {
				return nil, err
			}
			missed, _ := s.run.mispredictions()
			penalty, _ := sim.Penalty(e.Model)
			cycles := float64(penalty) * float64(missed)
			out.Cycles += cycles
			out.Limits["mispredicted branches"] = cycles
			return out, nil
		}, nil
	}}
}

// recorded simulates executed paths with the recorded dependences through memory, not with those derived from the code.
func recorded() Predictor {
	return Predictor{Name: "sim-recorded", Lifting: "path", About: "sim-path with the run's dependences through memory and its addresses", Open: func(_ context.Context, e *Env) (Predict, error) {
		if e.Model == nil {
			return nil, fmt.Errorf("there is no model of this machine")
		}
		return func(ctx context.Context, s *Subject) (*Prediction, error) {
			paths, err := s.recorded()
			if err != nil {
				return nil, err
			}
			return s.once("recorded", func() (*Prediction, error) {
				return lift(ctx, func(x *Piece) (*depgraph.Graph, engine.Estimate) {
					b := uops.Bind(e.Model, x.Kernel)
					g := depgraph.Build(b, depgraph.Options{Memory: x.Memory, Places: x.Places})
					return g, engine.Auto.Estimate(g, engine.Looped(b))
				}, paths)
			})
		}, nil
	}}
}
