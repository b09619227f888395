package results

import (
	"math"
	"testing"
)

// TestWithin: figures agree within an error of measurement; with an infinite one, or one that is not known, nothing agrees.
func TestWithin(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		a, b, absolute float64
		want           bool
	}{
		{4, 4.4, 0.5, true}, {4, 4.6, 0.5, false}, {100, 104, 0.5, true}, {0, 0, 0.1, true}, {0.25, 0.3, 0.1, true},
		{4, inf, 0.5, false}, {inf, 4, 0.5, false}, {inf, inf, 0.5, false}, {4, -inf, 0.5, false}, {nan, 4, 0.5, false}, {4, nan, 0.5, false},
	} {
		if got := within(c.a, c.b, c.absolute); got != c.want {
			t.Errorf("within(%v, %v, %v) = %v", c.a, c.b, c.absolute, got)
		}
	}
}
