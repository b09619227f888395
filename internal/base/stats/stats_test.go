package stats

import (
	"math"
	"math/rand"
	"testing"
)

// TestTau holds the fast rank correlation to the definition.
func TestTau(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	for range 200 {
		n := 2 + rng.Intn(30)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(rng.Intn(8)), float64(rng.Intn(8))
		}
		con, tieX, tieY, pairs := 0.0, 0.0, 0.0, 0.0
		for i := range x {
			for k := range i {
				pairs++
				d := (x[i] - x[k]) * (y[i] - y[k])
				switch {
				case d > 0:
					con++
				case d < 0:
					con--
				}
				if x[i] == x[k] {
					tieX++
				}
				if y[i] == y[k] {
					tieY++
				}
			}
		}
		want := con / math.Sqrt((pairs-tieX)*(pairs-tieY))
		if got := Tau(x, y); math.Abs(got-want) > 1e-9 && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%v %v: %g, want %g", x, y, got, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		q, want float64
	}{{[]float64{3}, 0.25, 3}, {[]float64{4, 1}, 0.5, 2.5}, {[]float64{9, 1, 5}, 0.5, 5}, {[]float64{5, 3, 1, 2, 4}, 0.25, 2}, {[]float64{0, 10}, 0.75, 7.5}, {[]float64{1, 2}, 1, 2}, {[]float64{1, 2}, 0, 1}} {
		if got := Quantile(c.values, c.q); got != c.want {
			t.Errorf("%g of %v: %g, want %g", c.q, c.values, got, c.want)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("of nothing: %g", got)
	}
}
