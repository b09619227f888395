package core

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"incore/internal/base/stats"
)

// structure is a structure of limited size that instructions in flight occupy.
type structure struct {
	param   string   // its name in model files
	what    string   // its description
	fillers []string // instructions used alternately; each takes one entry
	// bridge moves the result of the first chain to the operand of fillers that wait for it.
	bridge []string
	most   int  // largest number of fillers
	fact   bool // a model has the parameter
	extra  int  // entries taken by other instructions before the second chain
}

// chainLengths are the numbers of links of the chains: the size must be the same with each. A core may have a queue for each pipe, of 16 entries on Cortex-A76, which a
// chain must not fill; and the links must take longer than the dispatch of all fillers.
var chainLengths = []int{8, 14}

// hiddenShare is the share of the second chain that must no longer be hidden by the first one before the limit counts as reached. It is large because
// already from half the size on the fillers of the next execution are not all in flight when the chains begin, and the time grows by their dispatch.
const hiddenShare = 0.5

// lineWindow is the number of single steps over which the line before a break is fitted.
const lineWindow = 16

// breakOff returns the last X before a curve permanently exceeds, by rise, the line through its earlier points. The dispatch of the fillers, and
// stores that wait to be written, are part of the line: at most a cycle per filler, much less than a link. ok is false if there is no such X.
func breakOff(points []Point, rise float64) (last int, ok bool) {
	for i := lineWindow / 2; i+coarseStep/2 <= len(points); i++ {
		line := through(points[max(0, i-lineWindow):i])
		left := true
		for _, p := range points[i:] {
			left = left && p.Cycles > line(p.X)+rise
		}
		if left {
			return points[i-1].X, true
		}
	}
	return 0, false
}

// through returns a line through points that does not fall, with the median slope between two of them (Theil, 1950, and Sen, 1968), so that single
// outliers do not matter.
func through(points []Point) func(x int) float64 {
	var slopes, at []float64
	for i, p := range points {
		for _, q := range points[:i] {
			slopes = append(slopes, (p.Cycles-q.Cycles)/float64(p.X-q.X))
		}
	}
	slope := 0.0
	if len(slopes) > 0 {
		slope = math.Max(0, stats.Median(slopes))
	}
	for _, p := range points {
		at = append(at, p.Cycles-slope*float64(p.X))
	}
	from := stats.Median(at)
	return func(x int) float64 { return from + slope*float64(x) }
}

// settle repeats points that are slower, by more than rise, than a point with more fillers, and keeps the minimum: more
// fillers never take less time, but a sibling thread can slow any point down, by the whole second chain if it takes
// half of a shared structure.
func (s *session) settle(ctx context.Context, c *Curve, rise float64, code func(int) Program) error {
	least := math.Inf(1)
	for i := len(c.Points) - 1; i >= 0; i-- {
		p := &c.Points[i]
		for try := 0; try < settleTries && p.Cycles > least+rise; try++ {
			v, d, err := s.cycles(ctx, code(p.X))
			if err == nil && v < p.Cycles {
				p.Cycles, p.Doubt = v, d
			} else if err != nil && err != errNoFigure {
				return err
			}
		}
		least = math.Min(least, p.Cycles)
	}
	return nil
}

// settleTries is the number of repetitions for a point that contradicts another.
const settleTries = 3

// hidden returns the program whose second chain runs in parallel with the first: chains of k links with n fillers between them, joined at their ends,
// so that the next execution begins with both.
func (s *session) hidden(t *structure, k, n int) Program {
	return s.chained(k, k, append(each(t.bridge), inTurn(t.fillers, n)...))
}

// inTurn returns n statements, taken alternately from several.
func inTurn(texts []string, n int) (p Program) {
	if len(texts) == 1 {
		return Program{rep(texts[0], n)}
	}
	for i := range n {
		p = append(p, rep(texts[i%len(texts)], 1))
	}
	return p
}

// chained returns links of both chains, with other statements between them.
func (s *session) chained(first, second int, between Program) Program {
	p := append(Program{rep(s.chains.first, first)}, between...)
	return append(append(p, rep(s.chains.second, second)), each(s.chains.join)...)
}

// Steps of the search for a size.
const (
	coarseStep = 16
	keepCoarse = 3
)

// size finds how many fillers a structure holds: coarse steps until the time has permanently left its level, then single steps around
// that point.
//
// If the links of the chains also take entries of the structure, these become free one by one, and there is room for fewer fillers. The
// two lengths of chain distinguish the cases: on a core with one scheduler for all instructions, links wait in it like the fillers; on a
// core with several schedulers, they do not.
func (s *session) size(ctx context.Context, t *structure) (Finding, error) {
	f := Finding{Name: t.param, Fact: t.fact}
	filler := strings.Join(t.fillers, "; ")
	var found []int
	for _, k := range chainLengths {
		name := fmt.Sprintf("%s, chains of %d", t.param, k)
		code := func(n int) Program { return s.hidden(t, k, n) }
		coarse, none, err := s.untilLeft(ctx, name, t.most, float64(k)*s.lat, code)
		if err != nil {
			return f, err
		}
		if none > len(coarse.Points)/2 {
			f.How = fmt.Sprintf("%s: %d of %d programs have no figure", t.what, none, none+len(coarse.Points))
			f.Curves = append(f.Curves, coarse)
			return f, nil
		}
		limit := level(coarse.Points, 4) + hiddenShare*float64(k)*s.lat
		last, _, ok := leave(coarse.Points, limit, 0, keepCoarse)
		if !ok {
			f.How = fmt.Sprintf("%s: up to %d times '%s' the second chain stays hidden", t.what, t.most, filler)
			f.Curves = append(f.Curves, coarse)
			return f, nil
		}
		fine, err := s.curve(ctx, name, "fillers", span(max(0, last-2*coarseStep), last+2*coarseStep, 1), code)
		if err != nil {
			return f, err
		}
		all := merge(coarse, fine)
		if err := s.settle(ctx, &all, 0.5*s.lat, code); err != nil {
			return f, err
		}
		f.Curves = append(f.Curves, all)
		last, ok = breakOff(slices.DeleteFunc(slices.Clone(all.Points), func(p Point) bool { return p.X < fine.Points[0].X }), 0.75*s.lat)
		if !ok {
			f.How = t.what + ": single steps do not show where the second chain comes out"
			return f, nil
		}
		found = append(found, last)
	}
	own := func(k int) int { return 0 }
	if step := chainLengths[1] - chainLengths[0]; found[0]-found[1] > step/2 {
		own = func(k int) int { return k + 1 } // the first link of the second chain needs an entry in addition to the links of the first
		f.with = true
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, k := range chainLengths {
		n := float64(found[i] + own(k) + t.extra)
		lo, hi = math.Min(lo, n), math.Max(hi, n)
	}
	f.Number, f.Doubt = (lo+hi)/2, (hi-lo)/2
	if f.Doubt > math.Max(2, 0.04*f.Number) {
		f.How = fmt.Sprintf("%s: chains of different lengths give %g to %g", t.what, lo, hi)
		return f, nil
	}
	f.Value = fmt.Sprintf("%.0f", math.Floor(f.Number))
	f.How = fmt.Sprintf("%s: as many '%s' hide a second chain behind a first, ±%g", t.what, filler, math.Max(f.Doubt, 1))
	if f.with {
		f.How += "; links of the chains take entries, too"
	}
	return f, nil
}

// untilLeft measures a coarse curve until the second chain, of long cycles, is no longer hidden; none counts programs without a figure.
func (s *session) untilLeft(ctx context.Context, name string, most int, long float64, code func(int) Program) (c Curve, none int, err error) {
	c = Curve{Name: name, X: "fillers"}
	above := 0
	for n := 0; n <= most && above < keepCoarse+1; n += coarseStep {
		next, err := s.curve(ctx, name, c.X, []int{n}, code)
		if err != nil {
			return c, none, err
		}
		if len(next.Points) == 0 {
			none++
		}
		c.Points = append(c.Points, next.Points...)
		limit := level(c.Points, 4) + hiddenShare*long
		if len(c.Points) > 4 && len(next.Points) > 0 && next.Points[0].Cycles > limit {
			above++
		} else {
			above = 0
		}
	}
	return c, none, nil
}

// merge returns the points of both curves in the order of X; if both have a point, the second one's counts.
func merge(a, b Curve) Curve {
	out := Curve{Name: a.Name, X: a.X}
	i := 0
	for _, q := range b.Points {
		for ; i < len(a.Points) && a.Points[i].X <= q.X; i++ {
			if a.Points[i].X < q.X {
				out.Points = append(out.Points, a.Points[i])
			}
		}
		out.Points = append(out.Points, q)
	}
	out.Points = append(out.Points, a.Points[i:]...)
	return out
}

// depth returns the probe of a structure.
func depth(t structure) Probe {
	return Probe{Name: t.param, Doc: t.what, run: func(ctx context.Context, s *session) ([]Finding, error) {
		if s.lat < minLink {
			return []Finding{{Name: t.param, How: "no chain hides behind one of long latency: " + s.t.tried()}}, nil
		}
		if t.param == robName {
			f, err := s.buffer(ctx, &t)
			return []Finding{f}, err
		}
		f, err := s.size(ctx, &t)
		if err == nil && t.param == schedulerName && !f.with && f.Value != "" {
			f.Fact = false // in models, this name means one scheduler for all
			f.How += "; links of the chains wait elsewhere, so that this is one of several"
		}
		if err != nil || f.Value == "" {
			return []Finding{f}, err
		}
		for i := range s.t.structures {
			if b := &s.t.structures[i]; b.param == robName {
				if _, err := s.buffer(ctx, b); err != nil {
					return nil, err
				}
			}
		}
		if b := s.rob; b != nil && b.Value != "" && f.Number > nearly*b.Number {
			f.Value, f.Number, f.Doubt = b.Value, b.Number, b.Doubt
			f.How += ", which is as many as the reorder buffer holds: no other limit shows"
		}
		return []Finding{f}, nil
	}}
}

// Parameters with special probes: the reorder buffer, and a unified scheduler.
const (
	robName       = "rob"
	schedulerName = "scheduler"
)

// nearly is the fraction of the reorder buffer from which on a size counts as the reorder buffer's, and not
// the structure's.
const nearly = 0.97

// buffer finds the size of the reorder buffer, once per session. Its fillers need no port. If NOPs share slots, other
// instructions without a port may share entries (Zen 4: 637 copies, 318 zeroed vectors), so that the smallest of
// several results counts.
func (s *session) buffer(ctx context.Context, t *structure) (Finding, error) {
	if s.rob != nil {
		return *s.rob, nil
	}
	f := Finding{Name: t.param, Fact: t.fact, How: "no instruction that takes a dispatch slot and no port is known"}
	var curves []Curve
	for _, x := range s.free {
		u := *t
		u.fillers = []string{x}
		g, err := s.size(ctx, &u)
		if err != nil {
			return f, err
		}
		curves = append(curves, g.Curves...)
		if f.Value == "" || g.Value != "" && g.Number < f.Number {
			f = g
		}
	}
	f.Curves = curves
	s.rob = &f
	return f, nil
}

// minLink is the least latency, in cycles, that a link of the chain must have to stand out.
const minLink = 8
