package results

import (
	"strings"
	"testing"
)

// TestConfirmOthers: also on other instruction sets a latency that the base has, too, is left to it.
func TestConfirmOthers(t *testing.T) {
	const results = "name: measured\ntitle: here\nisa: aarch64\nbase: neoverse-v2\n\nsource: measured\nADDXri | = | 1\nFADDDrr | = | 3 | rthru=0.25\nMADDXrrr | = | 2#42 r2-1#42 | rthru=1\n"
	var b strings.Builder
	if err := Build(strings.NewReader(results), &b, "m", "m"); err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(b.String(), "source: measured\n")
	if want := "FADDDrr | = | 3 | rthru=0.25\nMADDXrrr | = | = | rthru=1\n"; rows != want {
		t.Errorf("rows\n%swant\n%s", rows, want)
	}
	err := Build(strings.NewReader(results+"NO ROW\n"), &b, "m", "m")
	if err == nil || !strings.HasPrefix(err.Error(), "line 10: not a row") {
		t.Errorf("%v", err)
	}
}
