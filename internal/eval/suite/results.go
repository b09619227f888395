package suite

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"incore/internal/report"
)

// Layout implements report.Result.
func (*Made) Layout() string { return "incore.eval-make/1" }

// Text says how many benchmarks there are, and which variants became none.
func (m *Made) Text(w io.Writer, _ report.TextOptions) error {
	_, err := fmt.Fprintf(w, "%s in %s, %d of them new; variants dropped: %s\n",
		report.Counted(m.Benchmarks, "benchmark"), m.Dir, m.New, Reasons(m.Dropped))
	return err
}

// Layout implements report.Result.
func (*Summary) Layout() string { return "incore.eval-run/1" }

// Text says what a run measured and predicted.
func (s *Summary) Text(w io.Writer, _ report.TextOptions) error {
	why := ""
	if s.Dropped > 0 {
		why = " (" + Reasons(s.Reasons) + ")"
	}
	_, err := fmt.Fprintf(w, "%s measured, %d dropped%s, %s made; 'incore eval report %s' shows them\n",
		report.Counted(s.Measured, "benchmark"), s.Dropped, why, report.Counted(s.Predicted, "prediction"), s.Dir)
	return err
}

// Layout implements report.Result.
func (*Added) Layout() string { return "incore.eval-program/1" }

// Text says which executions of a region became a benchmark.
func (a *Added) Text(w io.Writer, _ report.TextOptions) error {
	of := fmt.Sprint(a.Entered)
	if a.More {
		of += " or more"
	}
	which := fmt.Sprintf("execution %d", a.First)
	if a.Last > a.First {
		which = fmt.Sprintf("executions %d to %d", a.First, a.Last)
	}
	length := ""
	if a.Cycles > 0 {
		length = fmt.Sprintf(", about %.0f cycles", a.Cycles)
	}
	_, err := fmt.Fprintf(w, "%s in %s: %s of %s%s; 'incore eval run %s' measures and predicts it\n",
		a.ID, a.Dir, which, of, length, a.Dir)
	return err
}

// Layout implements report.Result.
func (*Exports) Layout() string { return "incore.eval-export/1" }

// Text says how many benchmarks were written, and how many were not.
func (x *Exports) Text(w io.Writer, _ report.TextOptions) error {
	left := ""
	if x.Long > 0 {
		left = fmt.Sprintf("; %d were left out, whose lines are longer than --longest %d KiB", x.Long, x.Longest>>10)
	}
	_, err := fmt.Fprintf(w, "%s written to %s%s\n", report.Counted(x.Benchmarks, "benchmark"), x.File, left)
	return err
}

// Reasons lists counts, the greatest first.
func Reasons(counts map[string]int) string {
	if len(counts) == 0 {
		return "none"
	}
	var names []string
	for n := range counts {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, n := range names {
		names[i] = fmt.Sprintf("%d %s", counts[n], n)
	}
	return strings.Join(names, ", ")
}
