package hunt

import (
	"fmt"
	"io"
	"strings"

	"incore/internal/report"
)

// Report are the discoveries of a hunt, ranked.
type Report struct {
	A, B        string // the predictors
	Discoveries []Discovery
}

// Layout implements report.Result.
func (*Report) Layout() string { return "incore.hunt/1" }

// Value is an object with the list of discoveries.
func (r *Report) Value() any {
	return struct {
		Discoveries []Discovery `json:"discoveries"`
	}{r.Discoveries}
}

// Text lists the first o.Most discoveries.
func (r *Report) Text(w io.Writer, o report.TextOptions) error {
	list, a, b := r.Discoveries, r.A, r.B
	var out strings.Builder
	fmt.Fprintf(&out, "%d kinds of blocks on which %s and %s disagree; the most general and the worst first.\n", len(list), a, b)
	for i, d := range list[:min(o.Most, len(list))] {
		fmt.Fprintf(&out, "\n%d. %s\n   %.1f forms an instruction; %.0f %% of the blocks are disagreed on, by %.0f %% on average; %s is %.2f times %s\n", i+1, d.Kind, d.General, 100*d.Share, 100*d.Mean, a, d.Ratio, b)
		for _, e := range d.Examples {
			fmt.Fprintf(&out, "   %8.2f %8.2f  %s\n", e.A, e.B, e.Text)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}
