package core

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"incore/internal/report"
)

// Findings are those of a probe.
type Findings []Finding

// Layout implements report.Result.
func (Findings) Layout() string { return "incore.core/1" }

// Value is an object with the list, without figures that are not finite.
func (list Findings) Value() any {
	out := make([]Finding, len(list))
	for i, f := range list {
		if math.IsInf(f.Doubt, 0) || math.IsNaN(f.Doubt) {
			f.Doubt = 0
		}
		f.Curves = slices.Clone(f.Curves)
		for j := range f.Curves {
			f.Curves[j].Points = slices.DeleteFunc(slices.Clone(f.Curves[j].Points), func(p Point) bool {
				return math.IsNaN(p.Cycles+p.Doubt) || math.IsInf(p.Cycles+p.Doubt, 0)
			})
		}
		out[i] = f
	}
	return struct {
		Findings []Finding `json:"findings"`
	}{out}
}

// Text lists the findings, one a line.
func (list Findings) Text(w io.Writer, _ report.TextOptions) error {
	for _, f := range list {
		value := f.Value
		switch {
		case value == "":
			value = "not found"
		case f.Doubt >= 1:
			value += fmt.Sprintf(" ± %g", math.Ceil(f.Doubt))
		}
		if _, err := fmt.Fprintf(w, "%-18s %-16s %s\n", f.Name, value, f.How); err != nil {
			return err
		}
	}
	return nil
}

// CSV writes a row for each finding.
func (list Findings) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"name", "value", "uncertainty", "how"}); err != nil {
		return err
	}
	for _, f := range list {
		if err := out.Write([]string{f.Name, f.Value, strconv.FormatFloat(f.Doubt, 'g', 4, 64), f.How}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
