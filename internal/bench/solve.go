package bench

import "math"

// system is a set of linear equations, sums of unknowns, solved by least squares.
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

// solve returns the unknowns in half cycles and the largest residual, in cycles; unknowns in no
// equation are NaN. Where only sums can be seen (there and back between two register files), the
// solution nearest to one cycle each is taken: half each.
func (s *system) solve() ([]float64, float64) {
	// normal equations with a weight towards the smallest solution that does not move what is determined
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
			x[i] = half(a[i][s.n])
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
