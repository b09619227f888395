package bench

import "testing"

// TestUneven tells reciprocal throughputs that units allow from those of units that were assigned unevenly.
func TestUneven(t *testing.T) {
	for each, want := range map[float64]bool{0.25: false, 0.333: false, 0.499: false, 0.665: false, 1.002: false, 1.33: false, 0.397: true, 0.618: true, 0.933: true, 0.274: true, 0.21: false, 12.7: false} {
		if got := uneven(each); got != want {
			t.Errorf("%g cycles: %v", each, got)
		}
	}
}
