package roofline

import (
	"strings"
	"testing"

	"incore/internal/report"
)

// TestProfileTextOfNothing: a program that was ended before it did anything has a text.
func TestProfileTextOfNothing(t *testing.T) {
	for _, loops := range [][]LoopWork{nil, {{}}} {
		var out strings.Builder
		if err := (&Profile{Program: []string{"true"}, Loops: loops}).Text(&out, report.TextOptions{Verbose: true}); err != nil || !strings.HasPrefix(out.String(), "true: 0 instructions") {
			t.Errorf("%v: %q", err, out.String())
		}
	}
}
