package report

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
)

// TestMeasuredRatio: the ratio of a measurement to the prediction is shown where there is a prediction, and nothing where there is none.
func TestMeasuredRatio(t *testing.T) {
	for _, c := range []struct {
		measured *Measured
		want     [2]string // cycles and ratio in the table
	}{
		{nil, [2]string{"", ""}},
		{&Measured{Cycles: 6, Iterations: 30}, [2]string{"6.0", ""}},
		{&Measured{Cycles: 6, Iterations: 30, Ratio: 1.5}, [2]string{"6.0", "1.50"}},
		{&Measured{Cycles: 6, Iterations: 30, Ratio: 0.004}, [2]string{"6.0", "0.00"}},
	} {
		got := c.measured.cells()
		if got[0] != c.want[0] || got[1] != c.want[1] {
			t.Errorf("%+v: %q, want %q", c.measured, got, c.want)
		}
		var b bytes.Buffer
		l := &Loops{Loops: []LoopInfo{{Function: "f", Number: 1, Innermost: true, Measured: c.measured}}}
		if err := l.CSV(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%v: %q", err, rows)
		}
		if ratio := rows[1][len(rows[1])-1]; (ratio == "") != (c.want[1] == "") || strings.Trim(ratio, "0.") == "" && ratio != "" {
			t.Errorf("%+v: the column ratio is %q", c.measured, ratio)
		}
	}
}
