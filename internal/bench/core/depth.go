package core

import (
	"context"
	"fmt"
	"math"
)

// structure is something of finite size that instructions in flight take up.
type structure struct {
	param  string // its name in model files
	what   string // in words
	filler string // takes one entry
	// waiting says that the filler waits for the end of the first chain, brought by bridge to where the filler reads it.
	waiting bool
	bridge  []string
	// shared says that the links of the chain take entries, too, which become free one by one; else all entries
	// of fillers become free at the end of the first chain only.
	shared bool
	most   int  // fillers tried
	fact   bool // a model has the parameter
	extra  int  // entries of other instructions in front of the second chain
}

// chainLengths are the numbers of links of the chains: with each the size must be the same.
var chainLengths = []int{16, 24}

// hiddenShare is the part of the second chain that must have come out from behind the first for the limit to be reached. It is large, as
// earlier, from half the size on, the next execution's fillers can't all be there when the chains begin, and the time grows by what their dispatch takes.
const hiddenShare = 0.5

// flat takes from the points at or beyond an X the line through the points in a range, so that what remains is the second chain alone.
func flat(points []Point, lo, hi, from int) (out []Point) {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		if x := float64(p.X); p.X >= lo && p.X <= hi {
			n, sx, sy, sxx, sxy = n+1, sx+x, sy+p.Cycles, sxx+x*x, sxy+x*p.Cycles
		}
	}
	slope, at := 0.0, 0.0
	if d := n*sxx - sx*sx; n > 2 && d > 0 {
		slope = math.Max(0, (n*sxy-sx*sy)/d)
	}
	if n > 0 {
		at = (sy - slope*sx) / n
	}
	for _, p := range points {
		if p.X >= from {
			out = append(out, Point{p.X, p.Cycles - at - slope*float64(p.X), p.Doubt})
		}
	}
	return out
}

// hidden is the program whose second chain is hidden behind the first: chains of k links with n fillers between, joined at their ends, so that the next
// execution begins with both.
func (s *session) hidden(t *structure, k, n int) Program {
	p := Program{rep(s.t.Chain, k)}
	for _, b := range t.bridge {
		p = append(p, rep(b, 1))
	}
	p = append(p, rep(t.filler, n), rep(s.t.Second, k))
	for _, j := range s.t.Join {
		p = append(p, rep(j, 1))
	}
	return p
}

// Steps of the search for a size.
const (
	coarseStep = 16
	keepCoarse = 3
)

// size finds how many fillers a structure holds: coarse steps until the time has left its level for good, single steps around that point.
func (s *session) size(ctx context.Context, t *structure) (Finding, error) {
	f := Finding{Name: t.param, Fact: t.fact}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, k := range chainLengths {
		name := fmt.Sprintf("%s, chains of %d", t.param, k)
		code := func(n int) Program { return s.hidden(t, k, n) }
		coarse, err := s.untilLeft(ctx, name, t.most, float64(k)*s.lat, code)
		if err != nil {
			return f, err
		}
		limit := level(coarse.Points, 4) + hiddenShare*float64(k)*s.lat
		last, _, ok := leave(coarse.Points, limit, 0, keepCoarse)
		if !ok {
			f.How = fmt.Sprintf("%s: up to %d times '%s' the second chain stays hidden", t.what, t.most, t.filler)
			f.Curves = append(f.Curves, coarse)
			return f, nil
		}
		fine, err := s.curve(ctx, name, "fillers", span(max(0, last-2*coarseStep), last+2*coarseStep, 1), code)
		if err != nil {
			return f, err
		}
		all := merge(coarse, fine)
		f.Curves = append(f.Curves, all)
		last, first, ok := leave(flat(all.Points, last-6*coarseStep, last-coarseStep, fine.Points[0].X), 0, 0.75*s.lat, coarseStep/2)
		if !ok {
			f.How = t.what + ": single steps do not show where the second chain comes out"
			return f, nil
		}
		own := t.extra
		if t.shared {
			own += k + 1 // the first link of the second chain needs an entry beside the links of the first
		}
		lo, hi = math.Min(lo, float64(min(last, first-1)+own)), math.Max(hi, float64(max(last, first-1)+own))
	}
	f.Number, f.Doubt = (lo+hi)/2, (hi-lo)/2
	if f.Doubt > math.Max(2, 0.04*f.Number) {
		f.How = fmt.Sprintf("%s: chains of different lengths give %g to %g", t.what, lo, hi)
		return f, nil
	}
	f.Value = fmt.Sprintf("%.0f", math.Floor(f.Number))
	f.How = fmt.Sprintf("%s: as many '%s' hide a second chain behind a first, ±%g", t.what, t.filler, math.Max(f.Doubt, 1))
	return f, nil
}

// untilLeft measures a coarse curve until the second chain, of a length in cycles, has come out.
func (s *session) untilLeft(ctx context.Context, name string, most int, long float64, code func(int) Program) (Curve, error) {
	c := Curve{Name: name, X: "fillers"}
	above := 0
	for n := 0; n <= most && above < keepCoarse+1; n += coarseStep {
		next, err := s.curve(ctx, name, c.X, []int{n}, code)
		if err != nil {
			return c, err
		}
		c.Points = append(c.Points, next.Points...)
		limit := level(c.Points, 4) + hiddenShare*long
		if len(c.Points) > 4 && len(next.Points) > 0 && next.Points[0].Cycles > limit {
			above++
		} else {
			above = 0
		}
	}
	return c, nil
}

// merge is the points of both curves in the order of X; the second one's count where both have one.
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

// depth is the probe of a structure.
func depth(t structure) Probe {
	return Probe{Name: t.param, Doc: t.what, run: func(ctx context.Context, s *session) ([]Finding, error) {
		if s.lat < minLink {
			return []Finding{{Name: t.param, How: "no chain hides behind one of long latency: " + s.t.Chain}}, nil
		}
		f, err := s.size(ctx, &t)
		return []Finding{f}, err
	}}
}

// minLink is the least latency, in cycles, that a link of the chain must have to stand out.
const minLink = 8
