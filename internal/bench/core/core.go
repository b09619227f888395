// Package core measures parameters of this machine's core: its width, the number of instructions in flight, and properties of its renamer and front
// end.
//
// Sizes are found by hiding latency, after Henry Wong (Measuring Reorder Buffer Capacity, 2013; the store, load and register variants are from his
// and from Chips and Cheese's tests). Between two chains of long latency are instructions that fill one structure of the core. As long as the
// structure has room, both chains run in parallel; with one instruction too many, the second chain waits. Wong's chains are cache misses; here they
// are dependent square roots or divisions, which need no memory. The result is the point at which the time leaves its level; a curve without such a
// point gives no result.
package core

import (
	"context"
	"errors"

	"incore/internal/base/stats"
	"incore/internal/isa"
	"incore/internal/machine"
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

// Program is straight code that is repeated.
type Program []Step

// Runner returns the cycles of one execution of repeated instructions: on this machine, or by a model.
type Runner func(ctx context.Context, insts []isa.Inst) (cycles, doubt float64, err error)

// Machine is what probes measure: this machine, or one that a model plays.
type Machine struct {
	Straight Runner
	// Loop measures a loop in place: instructions that do not jump, whose first one lies at an offset in a page, closed by Target.closing. It returns the cycles of an
	// iteration. nil: loops cannot be placed.
	Loop func(ctx context.Context, body []isa.Inst, offset int) (cycles, doubt float64, err error)
	Base *machine.Model // the model that findings stand over; nil: none
}

// Unmeasurable is a runner's error for code without a figure; the measurement continues with other code.
type Unmeasurable struct {
	Why   string
	Noise bool // a repetition may succeed
}

func (e *Unmeasurable) Error() string { return e.Why }

// Point is a measurement of a curve.
type Point struct {
	X      int     `json:"x"`
	Cycles float64 `json:"cycles"`
	Doubt  float64 `json:"uncertainty,omitempty"`
}

// Curve is the measurement of a probe.
type Curve struct {
	Name   string  `json:"name"` // of the probe, and the parameters other than X
	X      string  `json:"unit"` // of X
	Points []Point `json:"points"`
}

// Finding is a parameter of the core, or the reason why it was not found.
type Finding struct {
	Name   string  `json:"name"`                  // in model files
	Value  string  `json:"value,omitempty"`       // "" if it was not found
	Number float64 `json:"-"`                     // the value, if it is a number
	Doubt  float64 `json:"uncertainty,omitempty"` // half the width of the interval that the curves allow
	How    string  `json:"how"`                   // the measurement in a few words, or the reason why nothing was found
	Fact   bool    `json:"-"`                     // a parameter for a model; else it is only reported
	// Feature: a named behaviour for a model.
	Feature bool    `json:"-"`
	Curves  []Curve `json:"curves,omitempty"`
	with    bool    // the links of the chains take entries as well
}

// Probe is a measurement of parameters.
type Probe struct {
	Name string
	Doc  string
	run  func(context.Context, *session) ([]Finding, error)
}

// session is the state that probes share.
type session struct {
	t      *Target
	m      *Machine
	parse  map[string]isa.Inst
	chains chainPair // of long latency
	lat    float64   // latency of a link of the faster chain in cycles, 0 if neither hides the other
	width  float64   // dispatch slots per cycle, 0 if not found
	slot   []string  // statements that, used alternately, take one dispatch slot each and need no free port
	free   []string  // statements that take one dispatch slot and no port
	rob    *Finding  // the reorder buffer, when it is known
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

// measured runs instructions, and repeats this after noise.
func (s *session) measured(ctx context.Context, in []isa.Inst) (float64, float64, error) {
	return persistent(ctx, func() (float64, float64, error) { return s.m.Straight(ctx, in) })
}

// persistent repeats a measurement after noise.
func persistent(ctx context.Context, run func() (cycles, doubt float64, err error)) (float64, float64, error) {
	for try := 1; ; try++ {
		v, d, err := run()
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

// noiseTries is the number of attempts to run a program despite noise.
const noiseTries = 3

// curve measures a program for several x, and omits those without a figure.
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

// level returns the cycles at the beginning of a curve: the median of its first points.
func level(p []Point, n int) float64 {
	var v []float64
	for _, q := range p[:min(n, len(p))] {
		v = append(v, q.Cycles)
	}
	return stats.Median(v)
}

// leave returns where a curve leaves its level: the last X before the cycles permanently exceed the level by rise, and the first X at which they do.
// If points in between lie on both sides, the two differ by more than a step. ok is false if the curve never leaves its level, or not for at least
// keep points.
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
