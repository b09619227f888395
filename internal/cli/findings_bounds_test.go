package cli

import (
	"strings"
	"testing"

	"incore/internal/report"
	"incore/internal/report/compare"
)

// TestFindingsBounds: the message about a loop marks each of its two figures that is a lower bound, and no other.
func TestFindingsBounds(t *testing.T) {
	of := func(least bool) *report.Document {
		x := report.Target{Arch: "m", Prediction: report.Prediction{Cycles: 4, AtLeast: least}}
		if least {
			x.Prediction.Open = []string{"call f calls a function whose cycles are not counted"}
		}
		return &report.Document{Kernels: []report.Kernel{{Name: "f:.L1", Function: "f", Targets: []report.Target{x}}}}
	}
	for _, before := range []bool{false, true} {
		for _, after := range []bool{false, true} {
			docs := []*report.Document{of(before), of(after)}
			list := compared(compare.Of([]string{"a", "b"}, docs, 2), docs).Findings
			if len(list) != 1 {
				t.Fatalf("%+v", list)
			}
			m := list[0].Message
			if strings.Contains(m, "≥ 4 cycles") != after || strings.Contains(m, "≥ 4 before") != before {
				t.Errorf("bounds %v, %v: %s", before, after, m)
			}
		}
	}
}
