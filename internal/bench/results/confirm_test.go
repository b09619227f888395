package results

import (
	"fmt"
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

// TestConfirmForwarding: a latency that is shorter between instances of a form stays, unless the base has that, too.
func TestConfirmForwarding(t *testing.T) {
	const head = "name: measured\ntitle: here\nisa: x86-64\nbase: %s\n\nsource: measured\n"
	const row = "ADDPSrr | = | 3#64 r0-1#64 r1-1#64 | rthru=0.5\n"
	for base, want := range map[string]string{"llvm/Znver4Model": row, "zen5": "ADDPSrr | = | = | rthru=0.5\n"} {
		var b strings.Builder
		if err := Build(strings.NewReader(fmt.Sprintf(head, base)+row), &b, "m", "m"); err != nil {
			t.Fatal(err)
		}
		_, rows, _ := strings.Cut(b.String(), "source: measured\n")
		if rows, _, _ = strings.Cut(rows, "\n"+alikeSource); rows != want {
			t.Errorf("over %s: rows\n%swant\n%s", base, rows, want)
		}
	}
}
