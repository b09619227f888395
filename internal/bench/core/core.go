// Package core measures parameters of the core under us: how wide it is, how many instructions it keeps in flight, what
// its renamer and its front end do.
//
// Sizes are found by hiding latency, after Henry Wong (Measuring Reorder Buffer Capacity, 2013; the store, load and
// register variants are from his and from Chips and Cheese's tests): between two chains of long latency stand
// instructions that fill one structure of the core. As long as it has room, the second chain begins beside the first;
// one instruction too many, and it waits. Where Wong's chains are cache misses, these are dependent square roots or
// divisions, which need no memory. The point where the time leaves its level is the result; a curve without one is
// none.
package core

import (
	"context"
	"errors"

	"incore/internal/isa"
	"incore/internal/stats"
)

// Step is a statement, repeated.
type Step struct {
	Text string
	N    int
}

// rep is a statement, repeated.
func rep(text string, n int) Step { return Step{text, n} }

// each is statements, one after another.
func each(texts []string) (p Program) {
	for _, s := range texts {
		p = append(p, rep(s, 1))
	}
	return p
}

// Program is straight code, run again and again.
type Program []Step

// Runner tells how many cycles one execution of instructions takes when repeated: the machine under us, or a model of one.
type Runner func(ctx context.Context, insts []isa.Inst) (cycles, doubt float64, err error)

// Unmeasurable is a runner's answer to code that has no figure: the code's fault, not the end.
type Unmeasurable struct {
	Why   string
	Noise bool // another time there may be one
}

func (e *Unmeasurable) Error() string { return e.Why }

// Point is a measurement of a curve.
type Point struct {
	X      int
	Cycles float64
	Doubt  float64
}

// Curve is what a probe measured.
type Curve struct {
	Name   string // of the probe, and what was varied beside X
	X      string // what X counts
	Points []Point
}

// Finding is a parameter of the core, or why there is none.
type Finding struct {
	Name   string  // as model files call it
	Value  string  // "" if it was not found
	Number float64 // where the value is one
	Doubt  float64 // half the width of the interval that the curves leave
	How    string  // what was measured, in a few words; why nothing was found
	Fact   bool    // goes into a model: a param; else it is only reported
	// Feature: goes into a model as a named behaviour.
	Feature bool
	Curves  []Curve
	with    bool // entries are taken by the links of the chains as well
}

// Probe finds parameters.
type Probe struct {
	Name string
	Doc  string
	run  func(context.Context, *session) ([]Finding, error)
}

// session is what probes share.
type session struct {
	t      *Target
	run    Runner
	parse  map[string]isa.Inst
	chains chainPair // of long latency
	lat    float64   // cycles of one link of the quicker of its chains, 0 if neither hides the other
	width  float64   // dispatch slots per cycle, 0 if not found
	slot   []string  // statements that, in turn, take one dispatch slot each and wait for no port
	free   []string  // statements that take one dispatch slot and no port
	rob    *Finding  // the reorder buffer, once it is known
}

// insts assembles a program.
func (s *session) insts(p Program) ([]isa.Inst, error) {
	var out []isa.Inst
	for _, st := range p {
		in, ok := s.parse[st.Text]
		if !ok {
			var err error
			if in, err = s.t.parse(st.Text); err != nil {
				return nil, err
			}
			s.parse[st.Text] = in
		}
		for range st.N {
			out = append(out, in)
		}
	}
	return out, nil
}

// errNoFigure is the error of programs without a figure.
var errNoFigure = errors.New("no figure")

// cycles measures a program.
func (s *session) cycles(ctx context.Context, p Program) (float64, float64, error) {
	in, err := s.insts(p)
	if err != nil {
		return 0, 0, err
	}
	return s.measured(ctx, in)
}

// measured runs instructions, again where noise has spoilt it.
func (s *session) measured(ctx context.Context, in []isa.Inst) (float64, float64, error) {
	for try := 1; ; try++ {
		v, d, err := s.run(ctx, in)
		if e := ctx.Err(); e != nil {
			return 0, 0, e
		}
		var no *Unmeasurable
		if !errors.As(err, &no) {
			return v, d, err
		} else if !no.Noise || try == noiseTries {
			return 0, 0, errNoFigure
		}
	}
}

// noiseTries is how often a program is run before noise has won.
const noiseTries = 3

// curve measures a program for several x; those without a figure are left out.
func (s *session) curve(ctx context.Context, name, what string, xs []int, make func(x int) Program) (Curve, error) {
	c := Curve{Name: name, X: what}
	for _, x := range xs {
		v, d, err := s.cycles(ctx, make(x))
		if err == errNoFigure {
			continue
		} else if err != nil {
			return c, err
		}
		c.Points = append(c.Points, Point{x, v, d})
	}
	return c, nil
}

// span lists lo, lo+step … up to hi.
func span(lo, hi, step int) (out []int) {
	for x := lo; x <= hi; x += step {
		out = append(out, x)
	}
	return out
}

// level is the cycles at which a curve begins: the median of its first points.
func level(p []Point, n int) float64 {
	var v []float64
	for _, q := range p[:min(n, len(p))] {
		v = append(v, q.Cycles)
	}
	return stats.Median(v)
}

// leave is where a curve leaves its level: the last X at which it is less than rise above it before it is more for
// good, and the first at which it is more. They differ by more than a step where points in between are on both sides.
// ok is false if it never leaves, or not for at least keep points.
func leave(p []Point, base, rise float64, keep int) (last, first int, ok bool) {
	end := len(p)
	for end > 0 && p[end-1].Cycles > base+rise {
		end--
	}
	if end == 0 || len(p)-end < keep {
		return 0, 0, false
	}
	first = p[end].X
	for i := range p[:end] {
		if p[i].Cycles > base+rise {
			first = min(first, p[i].X)
			break
		}
	}
	return p[end-1].X, first, true
}
