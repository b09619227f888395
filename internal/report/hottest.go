package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"incore/internal/base/symname"
)

// HottestSchema names the layout of Hottest.
const HottestSchema = "incore.top/1"

// Hottest are the loops in which a program spends most of its time, with a report on each.
type Hottest struct {
	Schema  string    `json:"schema"`
	Profile string    `json:"profile"` // how it was taken
	Loops   []HotLoop `json:"loops"`
}

// HotLoop is a loop with its report.
type HotLoop struct {
	File   string    `json:"file"`
	Loop   LoopInfo  `json:"loop"`
	Report *Document `json:"report,omitempty"`
	Error  string    `json:"error,omitempty"` // why there is no report
}

// Layout implements Result.
func (*Hottest) Layout() string { return HottestSchema }

// Text writes the reports, each below a line about its loop.
func (h *Hottest) Text(w io.Writer, o TextOptions) error {
	if _, err := fmt.Fprintf(w, "profile  %s\n", h.Profile); err != nil {
		return err
	}
	for i := range h.Loops {
		x := &h.Loops[i]
		if _, err := fmt.Fprintf(w, "\n== %d. %s\n", i+1, x.title()); err != nil {
			return err
		}
		if x.Report == nil {
			if _, err := fmt.Fprintln(w, x.Error); err != nil {
				return err
			}
		} else if err := x.Report.Text(w, o); err != nil {
			return err
		}
	}
	return nil
}

// title says which loop it is, its share of the samples, and what was measured of it.
func (x *HotLoop) title() string {
	var b strings.Builder
	function := symname.Fit([]string{x.Loop.Function}, symname.Short)[0]
	fmt.Fprintf(&b, "%.1f %% of the samples: loop %d of %s, %s", 100*x.Loop.Share, x.Loop.Number, function, filepath.Base(x.File))
	if m := x.Loop.Measured; m != nil {
		fmt.Fprintf(&b, "; measured %.2f cycles/iteration", m.Cycles)
		if m.Ratio > 0 {
			fmt.Fprintf(&b, ", %.2f times the prediction", m.Ratio)
		}
		if m.Lacks != "" {
			fmt.Fprintf(&b, " (%s)", m.Lacks)
		}
	}
	return b.String()
}
