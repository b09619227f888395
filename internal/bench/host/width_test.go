package host

import (
	"math"
	"testing"
)

// TestExpectWidth: where the sibling thread is busy throughout, the model's rate keeps half a core from being taken for a core.
func TestExpectWidth(t *testing.T) {
	seen := quietWidth.Load()
	defer quietWidth.Store(seen)
	busy := []float64{2000, 2000, 2010, 2005, 2000, 1999, 2000}
	quietWidth.Store(0)
	if q := quietest(append([]float64(nil), busy...)); 2000 > sharedFraction*q {
		t.Errorf("without a model the quickest is taken for quiet, got %v", q)
	}
	quietWidth.Store(0)
	ExpectWidth(0) // no model
	if quietWidth.Load() != 0 {
		t.Error("a model without a rate says something")
	}
	ExpectWidth(float64(widthNops*Scale()) / 1000)
	if q := quietest(append([]float64(nil), busy...)); 2000 <= sharedFraction*q {
		t.Errorf("a busy core's windows count: quiet is %v", q)
	}
	if q := quietest([]float64{1000, 1000, 1001, 1002, 1000, 1003}); q > 1010 {
		t.Errorf("a quiet core's windows lower it: %v", q)
	}
	ExpectWidth(1)
	if q := math.Float64frombits(quietWidth.Load()); q > 1010 {
		t.Errorf("a model spoils what was seen: %v", q)
	}
}
