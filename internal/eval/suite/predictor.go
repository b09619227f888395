package suite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"incore/internal/machine"
)

// Predictor is a way to say how many cycles a benchmark takes. Each is a file predict_*.go that lists itself in Predictors.
type Predictor struct {
	Name    string
	Lifting string // what is predicted: "block" (equation 1 of CesASMe), "path" (not of code that was only counted) or "whole"
	About   string
	// Sample is how many benchmarks a slow predictor is asked for at most, drawn by their names, and of how many it is asked for one; 0: all.
	Sample, Every int
	// Alone says that it measures, so that nothing else may run.
	Alone bool
	// Native says that it is for this machine's code alone.
	Native bool
	// Open prepares it for a machine. The error says what is missing.
	Open func(ctx context.Context, e *Env) (Predict, error)
}

// sample is how many of n benchmarks the predictor is asked for.
func (p *Predictor) sample(n int) int {
	if p.Sample == 0 {
		return n
	}
	return min(p.Sample, (n+p.Every-1)/p.Every)
}

// Predict says what a run costs. What it cannot predict is a *FailError; any other error ends all.
type Predict func(ctx context.Context, s *Subject) (*Prediction, error)

// Env is what predictors know of the machine.
type Env struct {
	Model *machine.Model
	CPU   int // on which measurements run, -1: any
}

// Subject is a benchmark that is to be predicted.
type Subject struct {
	run    *run
	block_ []Piece
	path_  []Piece
	known  map[string]*Prediction
}

// once makes a prediction that several predictors begin with. Each of them has its cost.
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

// Blocks are the basic blocks that were executed.
func (s *Subject) Blocks() []Piece {
	if s.block_ == nil {
		s.block_ = s.run.blocks()
	}
	return s.block_
}

// Paths are the ways through the loops.
func (s *Subject) Paths() []Piece {
	if s.path_ == nil {
		s.path_ = s.run.paths()
	}
	return s.path_
}

// recorded are the paths, where they are known.
func (s *Subject) recorded() ([]Piece, error) {
	if s.path_ == nil && s.run.trace == nil {
		return nil, &FailError{"the run is too long for its paths to be recorded"}
	}
	return s.Paths(), nil
}

// FailError is why a predictor says nothing of a benchmark.
type FailError struct{ Why string }

func (e *FailError) Error() string { return e.Why }

// Predictors are all that there are, in the order of reports.
func Predictors() []Predictor {
	return slices.Concat(simulators(), measuredBlocks(), foreign())
}

// Choose finds predictors by their names; "none" alone is none, for who only measures.
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
