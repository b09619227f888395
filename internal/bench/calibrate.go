package bench

import (
	"context"
	"errors"
	"math"

	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
)

// Calibrate measures the target's helpers: each equation gives the sum of the latencies of some of them.
func (b *Bench) Calibrate(ctx context.Context) error {
	t := b.Target
	equations, err := t.Calibration()
	if err != nil {
		return err
	}
	var s system
	s.init(len(t.Helpers()))
	for _, q := range equations {
		v, err := b.patiently(ctx, q.Plan)
		var why *host.Reason
		switch {
		case err == nil:
			s.add(q.Helpers, v)
		case !errors.As(err, &why) || why.Kind == "unsupported" || why.Kind == "unstable": // without this equation all latencies across register files would change
			return err
		}
	}
	b.helpers, b.Residual = s.solve()
	return b.calibrateClearing(ctx)
}

// calibrateClearing measures the latency of clear and step together, where it is not two cycles on every core of the instruction set.
func (b *Bench) calibrateClearing(ctx context.Context) error {
	b.clearing = 2
	plans, err := b.Target.Clearing()
	if err != nil {
		return err
	}
	for _, p := range plans {
		copied := b.helpers[p.Helpers[0]]
		if math.IsNaN(copied) {
			continue
		}
		if v, err := b.patiently(ctx, p); err == nil {
			b.clearing = results.Half(v - copied)
		} else if host.Unstable(err) {
			return err
		}
		return ctx.Err()
	}
	return nil
}

// patiently measures a plan on which many results depend, and repeats it if noise spoils it.
func (b *Bench) patiently(ctx context.Context, p *plan.Plan) (v float64, err error) {
	const tries = 20
	for range tries {
		if v, _, err = b.measure(ctx, p); !host.Unstable(err) {
			break
		}
	}
	return v, err
}

// system is a system of linear equations, sums of unknowns, solved by least squares.
type system struct {
	n    int
	rows [][]float64
	rhs  []float64
	used []bool
}

func (s *system) init(n int) { s.n, s.used = n, make([]bool, n) }

// add adds an equation: the sum of the unknowns is v.
func (s *system) add(unknowns []int, v float64) {
	row := make([]float64, s.n)
	for _, u := range unknowns {
		row[u]++
		s.used[u] = true
	}
	s.rows, s.rhs = append(s.rows, row), append(s.rhs, v)
}

// solve returns the unknowns in half cycles, and the largest residual in cycles; unknowns in no equation are NaN. If only sums are known (there and
// back between two register files), the solution nearest to one cycle each is used: half of the sum for each.
func (s *system) solve() ([]float64, float64) {
	// Normal equations with a small weight on the smallest solution, which does not change determined unknowns.
	const ridge = 1e-6
	a := make([][]float64, s.n)
	for i := range a {
		a[i] = make([]float64, s.n+1)
		a[i][i], a[i][s.n] = ridge, ridge
	}
	for k, row := range s.rows {
		for i, v := range row {
			if v == 0 {
				continue
			}
			for j, w := range row {
				a[i][j] += v * w
			}
			a[i][s.n] += v * s.rhs[k]
		}
	}
	eliminate(a)
	x := make([]float64, s.n)
	for i := range x {
		x[i] = math.NaN()
		if s.used[i] {
			x[i] = results.Half(a[i][s.n])
		}
	}
	worst := 0.0
	for k, row := range s.rows {
		r := -s.rhs[k]
		for i, v := range row {
			if v != 0 {
				r += v * x[i]
			}
		}
		worst = max(worst, math.Abs(r))
	}
	return x, worst
}

// eliminate solves a positive definite system in place: the last column becomes the solution.
func eliminate(a [][]float64) {
	n := len(a)
	for i := range n {
		p := i
		for k := i + 1; k < n; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[p][i]) {
				p = k
			}
		}
		a[i], a[p] = a[p], a[i]
		d := a[i][i]
		if d == 0 {
			continue
		}
		for j := i; j <= n; j++ {
			a[i][j] /= d
		}
		for k := range n {
			if f := a[k][i]; k != i && f != 0 {
				for j := i; j <= n; j++ {
					a[k][j] -= f * a[i][j]
				}
			}
		}
	}
}
