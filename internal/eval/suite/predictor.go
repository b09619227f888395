package suite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"incore/internal/machine"
)

// Predictor is a method to predict the cycles of a benchmark. Each predictor is a file predict_*.go and is listed in Predictors.
type Predictor struct {
	Name    string
	Lifting string // the predicted unit: "block" (equation 1 of CesASMe), "path" (needs a record, not only counts) or "whole"
	About   string
	// Sample limits a slow predictor to a sample of the benchmarks, drawn by their names: the greatest number, and one out of how many, but leastSample of
	// them; 0: all.
	Sample, Every int
	// Alone states that the predictor measures, so that nothing else may run at the same time.
	Alone bool
	// Native states that the predictor works only for this machine's instruction set.
	Native bool
	// Open prepares the predictor for a machine. The error names what is missing.
	Open func(ctx context.Context, e *Env) (Predict, error)
}

// sample returns the number of benchmarks, out of n, that the predictor predicts.
func (p *Predictor) sample(n int) int {
	if p.Sample == 0 {
		return n
	}
	return min(p.Sample, max((n+p.Every-1)/p.Every, min(n, leastSample)))
}

// leastSample is the number of benchmarks up to which a sample is all of them.
const leastSample = 3

// Predict predicts the cost of a run. It returns a *FailError if it cannot predict the run; any other error ends the evaluation.
type Predict func(ctx context.Context, s *Subject) (*Prediction, error)

// Env describes the machine for predictors.
type Env struct {
	Model *machine.Model
	CPU   int // the CPU for measurements, -1: any
}

// Subject is a benchmark to predict.
type Subject struct {
	run    *run
	block_ []Piece
	path_  []Piece
	known  map[string]*Prediction
}

// once computes a prediction that several predictors share. Its time counts for each of them.
func (s *Subject) once(what string, ask func() (*Prediction, error)) (*Prediction, error) {
	if p := s.known[what]; p != nil {
		return p.clone(), nil
	}
	begun := cpuTime()
	p, err := ask()
	if err != nil {
		return nil, err
	}
	if s.known == nil {
		s.known = map[string]*Prediction{}
	}
	kept := p.clone()
	kept.Seconds += (cpuTime() - begun).Seconds()
	s.known[what] = kept
	return p, nil
}

func (p *Prediction) clone() *Prediction {
	c := *p
	c.Blocks, c.Limits = maps.Clone(p.Blocks), maps.Clone(p.Limits)
	return &c
}

// Blocks returns the executed basic blocks.
func (s *Subject) Blocks() []Piece {
	if s.block_ == nil {
		s.block_ = s.run.blocks()
	}
	return s.block_
}

// Paths returns the executed paths through the loops.
func (s *Subject) Paths() []Piece {
	if s.path_ == nil {
		s.path_ = s.run.paths()
	}
	return s.path_
}

// recorded returns the paths, or a FailError if they are not known.
func (s *Subject) recorded() ([]Piece, error) {
	if s.path_ == nil && s.run.trace == nil {
		return nil, &FailError{"the run is too long for its paths to be recorded"}
	}
	return s.Paths(), nil
}

// FailError is the reason for which a predictor has no figure for a benchmark.
type FailError struct{ Why string }

func (e *FailError) Error() string { return e.Why }

// Predictors lists all predictors, in the order of reports.
func Predictors() []Predictor {
	return slices.Concat(simulators(), measuredBlocks(), foreign())
}

// Choose returns predictors by their names; "none" returns none, to measure only.
func Choose(names []string) (out []Predictor, err error) {
	all := Predictors()
	if len(names) == 0 {
		return all, nil
	}
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == CoverageName })
	if len(names) == 0 || len(names) == 1 && names[0] == "none" {
		return nil, nil
	}
	for _, n := range names {
		i := slices.IndexFunc(all, func(p Predictor) bool { return p.Name == n })
		if i < 0 {
			var known []string
			for _, p := range all {
				known = append(known, p.Name)
			}
			return nil, fmt.Errorf("unknown predictor %q; known are %s", n, strings.Join(known, ", "))
		}
		out = append(out, all[i])
	}
	return out, nil
}
