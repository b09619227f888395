package core

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// effect is a microbenchmark of a feature that models state as an option of the core. It consists of code, and of similar code in which the feature
// does not occur. Without the second one, the cycles of the code alone decide.
type effect struct {
	option string // option of machine.Core that it tests
	what   string
	code   []string
	plain  [][]string // the mean of their cycles is compared with the code's
}

// effects test options of the core one by one: whether the option is true for this machine, and whether a model's simulator shows it.
func effects() Probe {
	return Probe{Name: "effects", Doc: "microbenchmarks of what single options of models say", run: func(ctx context.Context, s *session) (out []Finding, err error) {
		for i := range s.t.effects {
			f, err := s.effect(ctx, &s.t.effects[i])
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
		return out, nil
	}}
}

// effect runs one test.
func (s *session) effect(ctx context.Context, e *effect) (f Finding, err error) {
	f = Finding{Name: e.option + " (" + e.what + ")"}
	v, d, err := s.cycles(ctx, each(e.code))
	if err == errNoFigure {
		f.How = "no figure"
		return f, nil
	} else if err != nil {
		return f, err
	}
	f.How = fmt.Sprintf("%s: %.2f cycles", brief(e.code), v)
	f.Curves = []Curve{{f.Name, "cycles", []Point{{1, v, d}}}}
	mean := 0.0
	for _, p := range e.plain {
		other, _, err := s.cycles(ctx, each(p))
		if err == errNoFigure {
			f.How += "; no figure of " + brief(p)
			return f, nil
		} else if err != nil {
			return f, err
		}
		mean += other / float64(len(e.plain))
		f.How += fmt.Sprintf("; %s: %.2f", brief(p), other)
	}
	f.Number, f.Doubt = v-mean, d
	f.Value = fmt.Sprintf("%.2f", f.Number)
	if len(e.plain) > 0 {
		f.Value = fmt.Sprintf("%+.2f", f.Number)
	}
	return f, nil
}

// brief returns the code in one line, shortened if it is long.
func brief(code []string) string {
	const most = 6
	if len(code) > most {
		return fmt.Sprintf("%s; … (%d)", strings.Join(code[:most], "; "), len(code))
	}
	return strings.Join(code, "; ")
}

// pairs finds how many pairs of a store and a load are predicted, so that the load has no latency. Its code is a chain through several words of memory, whose stores
// and loads use different registers, in a body that is too long to be repeated.
func pairs() Probe {
	return Probe{Name: "renaming-entries", Doc: "pairs of a store and a load that are predicted in a loop", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "renaming entries"}
		if s.t.pair == nil {
			f.How = fmt.Sprintf("no pairs of %s are known", s.t.ISA.Name)
			return []Finding{f}, nil
		}
		c := Curve{Name: "renaming-entries", X: "pairs"}
		last, first := 0, math.NaN()
		for k := 4; k <= mostPairs; k += 2 {
			v, d, err := s.cycles(ctx, s.t.chained(k))
			if err == errNoFigure {
				continue
			} else if err != nil {
				return nil, err
			}
			c.Points = append(c.Points, Point{k, v / float64(k), d / float64(k)})
			if math.IsNaN(first) {
				first = v / float64(k)
			}
			if v/float64(k) < renamedPair {
				last = k
			}
		}
		f.Curves, f.Number = []Curve{c}, float64(last)
		switch {
		case last == 0:
			f.Value, f.How = "none", fmt.Sprintf("of %s each takes %.2f cycles", "4 pairs", first)
		case last >= mostPairs-1:
			f.How = fmt.Sprintf("%d pairs and less take %.2f cycles each", last, first)
		default:
			f.Value, f.How = fmt.Sprint(last), fmt.Sprintf("%d pairs take less than %.1f cycles each, more of them longer", last, renamedPair)
		}
		return []Finding{f}, nil
	}}
}

const (
	mostPairs   = 40
	renamedPair = 2.5 // cycles of a pair: one that is renamed takes none but its stores' and loads', another at least as long as a load
)

// chained returns a chain through pairs words of memory, in code of as many instructions as a measured loop
// has.
func (t *Target) chained(pairs int) (p Program) {
	p = each(t.pairSetup)
	for k := range pairs {
		p = append(p, each(t.pair(k))...)
	}
	if n := len(p); n < longBody {
		p = append(p, rep(t.nop, longBody-n))
	}
	return p
}

// longBody is a number of instructions that is not repeated in a measured loop (block.BodyInsts).
const longBody = 100

// repeated returns a statement n times.
func repeated(text string, n int) []string { return slices.Repeat([]string{text}, n) }
