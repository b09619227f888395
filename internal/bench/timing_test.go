package bench

import (
	"math"
	"testing"

	"incore/internal/bench/host"
)

// TestUneven tells reciprocal throughputs that units allow from those of units that were assigned unevenly.
func TestUneven(t *testing.T) {
	for each, want := range map[float64]bool{0.25: false, 0.333: false, 0.499: false, 0.665: false, 1.002: false, 1.33: false, 0.397: true, 0.618: true, 0.933: true, 0.274: true, 0.21: false, 12.7: false} {
		if got := uneven(each); got != want {
			t.Errorf("%g cycles: %v", each, got)
		}
	}
}

// TestWhole tells chains that take whole or half cycles from those that noise, or something else, is in the way of.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		cycles, uncertainty float64
		want                bool
	}{{3.01, 0.01, true}, {2.49, 0.01, true}, {3.1, 0.01, false}, {3, 0.05, false}, {31, 0.01, false}} {
		if got := whole(&host.Result{Cycles: c.cycles, Uncertainty: c.uncertainty}); got != c.want {
			t.Errorf("%g ± %g: %v", c.cycles, c.uncertainty, got)
		}
	}
}

// TestFastest finds times that come out rarely: one that comes out twice far apart, the second of three, and none that
// came out once only or is hardly faster.
func TestFastest(t *testing.T) {
	for _, c := range []struct {
		name  string
		took  map[int]float64 // by measurement, from 0; 1 else
		want  float64
		calls int // at most
	}{
		{"twice, far apart", map[int]float64{5: 0.66, 40: 0.662}, 0.66, 96 + 6},
		{"third assignment", map[int]float64{3: 0.8, 4: 0.8, 10: 0.66, 12: 0.66}, 0.66, 40},
		{"once", map[int]float64{5: 0.66}, 1, 96 + 3},
		{"hardly", map[int]float64{5: 0.98, 6: 0.98}, 1, 72},
		{"never", nil, 1, 72},
		{"always", map[int]float64{0: 0.5, 1: 0.5, 2: 0.5}, 0.5, 17},
		{"no loop can be measured", map[int]float64{0: math.NaN(), 1: math.NaN()}, 1, 72},
	} {
		n := 0
		least, spread := fastest(1, 96, 72, func(int) float64 {
			v, ok := c.took[n]
			if n++; !ok {
				v = 1
			}
			return v
		})
		if least != c.want || spread < 0 || spread > 0.02 {
			t.Errorf("%s: %g ± %g, want %g", c.name, least, spread, c.want)
		}
		if n > c.calls {
			t.Errorf("%s: %d measurements", c.name, n)
		}
	}
}
