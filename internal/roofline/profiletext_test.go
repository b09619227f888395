package roofline

import (
	"strings"
	"testing"
)

// TestProfileTextOfNothing: a program that was ended before it did anything has a text.
func TestProfileTextOfNothing(t *testing.T) {
	for _, loops := range [][]LoopWork{nil, {{}}} {
		var out strings.Builder
		if err := ProfileText(&out, &Profile{Program: []string{"true"}, Loops: loops}, true); err != nil || !strings.HasPrefix(out.String(), "true: 0 instructions") {
			t.Errorf("%v: %q", err, out.String())
		}
	}
}
