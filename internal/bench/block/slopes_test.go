package block

import (
	"math"
	"testing"
)

// TestLengths: processes that run at another rate are a state of their own; lengths that end in a misprediction are none.
func TestLengths(t *testing.T) {
	for _, c := range []struct {
		name       string
		rate, more func(i int) float64 // of the i-th process: cycles per execution, cycles of a round besides
		cycles     float64
		other      State
	}{
		{"one rate", func(int) float64 { return 33 }, func(int) float64 { return 10 }, 33, State{}},
		{"mispredictions", func(int) float64 { return 33 }, func(i int) float64 { return map[int]float64{2: 30, 7: 30, 11: 30}[i] }, 33, State{}},
		{"one process of another rate", func(i int) float64 { return map[bool]float64{true: 28, false: 33}[i == 5] }, func(int) float64 { return 0 }, 33, State{}},
		{"two states", func(i int) float64 { return map[bool]float64{true: 28, false: 33}[i%4 == 1] }, func(int) float64 { return 5 }, 33, State{Cycles: 28, Seen: 4, Of: 15}},
		{"all different", func(i int) float64 { return 20 + float64(i*i%17) }, func(int) float64 { return 0 }, math.NaN(), State{}},
	} {
		var x, y []float64
		for i := range 15 {
			n := float64(7 + i)
			x, y = append(x, n), append(y, n*c.rate(i)+c.more(i))
		}
		var f Figure
		f.lengths(x, y)
		if !math.IsNaN(c.cycles) && math.Abs(f.Cycles-c.cycles) > 0.02*c.cycles {
			t.Errorf("%s: %.2f cycles, want %.2f", c.name, f.Cycles, c.cycles)
		}
		if o := f.Other; o.Seen != c.other.Seen || o.Of != c.other.Of || math.Abs(o.Cycles-c.other.Cycles) > 0.5 {
			t.Errorf("%s: other state %+v, want %+v", c.name, o, c.other)
		}
		if o := f.Other; o.Of > 0 && f.Uncertainty < math.Abs(o.Cycles-f.Cycles)-1e-9 {
			t.Errorf("%s: ± %.2f does not reach the other state", c.name, f.Uncertainty)
		}
	}
}
