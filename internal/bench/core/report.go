package core

import (
	"fmt"
	"io"
	"math"

	"incore/internal/report"
)

// Findings are those of a probe.
type Findings []Finding

// Layout implements report.Result.
func (Findings) Layout() string { return "incore.core/1" }

// Value is an object with the list.
func (list Findings) Value() any {
	return struct {
		Findings []Finding `json:"findings"`
	}{list}
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
