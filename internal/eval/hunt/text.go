package hunt

import (
	"fmt"
	"io"
	"strings"
)

// Text lists discoveries, ranked.
func Text(w io.Writer, list []Discovery, a, b string, top int) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%d kinds of blocks on which %s and %s disagree; the most general and the worst first.\n", len(list), a, b)
	for i, d := range list[:min(top, len(list))] {
		fmt.Fprintf(&out, "\n%d. %s\n   %.1f forms an instruction; %.0f %% of the blocks are disagreed on, by %.0f %% on average; %s is %.2f times %s\n", i+1, d.Kind, d.General, 100*d.Share, 100*d.Mean, a, d.Ratio, b)
		for _, e := range d.Examples {
			fmt.Fprintf(&out, "   %8.2f %8.2f  %s\n", e.A, e.B, e.Text)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}
