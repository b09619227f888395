package report

import (
	"bytes"
	"strings"
	"testing"
)

// TestEntered: every text report, short or long and of one machine or several, shows what a loop takes that is entered anew, and whether that is sure.
func TestEntered(t *testing.T) {
	missed := 50.0
	for _, c := range []struct {
		open    []string
		unknown *Interval
		want    string
	}{
		{nil, nil, "for 10 iterations each time: 20.0 cycles from entry to entry (2.0 an iteration) where the branch predictor knows the last one, 50.0 (5.0) where it does not; " +
			"a mispredicted branch costs 9 cycles and what was not fetched (the machine model)"},
		{[]string{"call f calls a function"}, nil, "each time: ≥20.0 cycles from entry to entry (≥2.0 an iteration) where the branch predictor knows the last one, ≥50.0 (≥5.0) where it does not; " +
			"a mispredicted branch costs 9 cycles and what was not fetched (the machine model); these are lower bounds"},
		{nil, &Interval{Low: 1, High: 9, Instructions: 1}, "(the machine model); they rest on assumed costs"},
		{[]string{"rep movsb takes as long as rcx says"}, &Interval{Low: 1, High: 9, Instructions: 1}, "each time: 20.0? cycles"},
	} {
		for _, d := range []*Document{sample(), two()} {
			for i := range d.Kernels[0].Targets {
				x := &d.Kernels[0].Targets[i]
				x.Prediction.Open, x.Prediction.UnknownCosts, x.Prediction.Partial = c.open, c.unknown, c.unknown != nil
				x.Entered = &Entered{Iterations: 10, Cycles: 20, Missed: &missed, Penalty: 9, PenaltySource: "the machine model"}
				x.Entered.Doubt(&x.Prediction)
			}
			for _, verbose := range []bool{false, true} {
				var b bytes.Buffer
				if err := d.Text(&b, TextOptions{Verbose: verbose}); err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(strings.Fields(b.String()), " "); strings.Count(got, c.want) != len(d.Kernels[0].Targets) {
					t.Errorf("verbose %t: %q is not shown for each of %d machines:\n%s", verbose, c.want, len(d.Kernels[0].Targets), b.String())
				}
			}
		}
	}
}
