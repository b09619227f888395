package block

import (
	"math"
	"slices"
	"testing"
)

// TestRoomiest: of runs on a core that is crowded now more, now less, those count that had most room, if they are enough for a slope; else the most that
// were alike.
func TestRoomiest(t *testing.T) {
	x := []float64{50, 60, 70, 80, 90, 100, 110, 120, 130, 140}
	time := func(crowded []float64) (y []float64) {
		for i, c := range crowded {
			y = append(y, 40+1.5*c*x[i])
		}
		return y
	}
	for _, tt := range []struct {
		name    string
		crowded []float64
		worst   float64
		n       int
	}{
		{"half of them quiet", []float64{1, 1.4, 1, 1.2, 1, 1.2, 1, 1.3, 1, 1}, 1, 6},
		{"two quiet", []float64{1, 1.4, 1.2, 1.2, 1.2, 1.2, 1, 1.3, 1.2, 1.5}, 1.2, 5},
		{"the quiet ones near each other", []float64{1, 1, 1.2, 1.2, 1.2, 1.2, 1.4, 1.2, 1.2, 1.5}, 1.2, 6},
		{"no two alike", []float64{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9}, 1.9, 10},
	} {
		xs, ys, worst := leastContended(x, time(tt.crowded), tt.crowded)
		if len(xs) != tt.n || worst != tt.worst {
			t.Errorf("%s: %d runs, crowded %v; want %d, %v", tt.name, len(xs), worst, tt.n, tt.worst)
		}
		if slope, _ := slopes(xs, ys); tt.n < len(x) && math.Abs(slope-1.5*worst) > 1e-9 {
			t.Errorf("%s: slope %v", tt.name, slope)
		}
	}
}

// TestBound: the uncertainty of a short loop on a crowded core reaches to what it may take on another.
func TestBound(t *testing.T) {
	for _, tt := range []struct {
		f      Figure
		copies int
		bound  bool
	}{
		{Figure{Cycles: 2, Crowded: 1.2}, 1, true},
		{Figure{Cycles: 2, Crowded: 1}, 1, false},
		{Figure{Cycles: 2, Crowded: 0}, 1, false}, // no probe here
		{Figure{Cycles: 2, Crowded: 1.2}, 50, false},
		{Figure{Cycles: 9, Crowded: 1.2}, 1, false},
	} {
		f := tt.f
		f.bound(tt.copies)
		if (f.Least > 0) != tt.bound || tt.bound && (f.Least >= f.Cycles || math.Abs(f.Uncertainty-(f.Cycles-f.Least)) > 1e-9) {
			t.Errorf("%+v, %d copies: %+v", tt.f, tt.copies, f)
		}
	}
	if got := sorted([]float64{3, 1, 2}); !slices.Equal(got, []float64{1, 2, 3}) {
		t.Error(got)
	}
}

// TestTogether: of several measurements of a loop those with most room count, and the uncertainty holds all of them.
func TestTogether(t *testing.T) {
	steady := together([]*Figure{{Cycles: 1.51, Uncertainty: 0.01, Crowded: 1}, {Cycles: 1.5, Uncertainty: 0.01, Crowded: 1}, {Cycles: 1.52, Uncertainty: 0.01, Crowded: 1}})
	if steady.Cycles != 1.51 || steady.Uncertainty > 0.021 || steady.Least != 0 {
		t.Errorf("three that agree: %+v", steady)
	}
	f := together([]*Figure{{Cycles: 2, Uncertainty: 0.4, Least: 1.6, Crowded: 1.2}, {Cycles: 1.5, Uncertainty: 0.02, Crowded: 1}, {Cycles: 1.7, Uncertainty: 0.02, Crowded: 1}})
	if f.Cycles != 1.5 || math.Abs(f.Uncertainty-0.22) > 1e-9 || f.Least != 0 {
		t.Errorf("two with room, one without: %+v", f)
	}
	f = together([]*Figure{{Cycles: 2, Uncertainty: 0.4, Least: 1.6, Crowded: 1.2}, {Cycles: 1.9, Uncertainty: 0.6, Least: 1.3, Crowded: 1.3}})
	if f.Cycles != 2 || math.Abs(f.Uncertainty-0.7) > 1e-9 || f.Least != 1.3 {
		t.Errorf("none with room: %+v", f)
	}
}
