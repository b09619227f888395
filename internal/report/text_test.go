package report

import (
	"strings"
	"testing"
)

// TestWrapLists checks that a list without blanks is broken at its commas.
func TestWrapLists(t *testing.T) {
	list := strings.Repeat("1000-1002,", 30) + "7"
	got := Wrap("kernel f, lines "+list, 50, "  ")
	for _, line := range strings.Split(got, "\n") {
		if len(line) > 50 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if strings.Join(strings.Fields(got), "") != "kernelf,lines"+list {
		t.Error(got)
	}
}
