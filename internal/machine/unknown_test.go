package machine_test

import (
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestUnknownInterval checks that a row can say between what an unknown latency lies, and that a plain '?' spans one to ten cycles.
func TestUnknownInterval(t *testing.T) {
	for _, c := range []struct {
		row       string
		low, high float64
	}{{"?4-14", 4, 14}, {"?", 1, 10}} {
		m, err := machine.Load(strings.NewReader("name: t\nisa: aarch64\nports: A\nparam dispatch-width: 1  # test\n\nsource: test\nADDXrr ADDXrs | A | "+c.row+"\n"), "t.model")
		if err != nil {
			t.Fatal(err)
		}
		in := &bind(m, kernel(t, "aarch64", "add x0, x1, x2")).Insts[0]
		if in.Flags&machine.Unknown == 0 || in.LowLatency != c.low || in.HighLatency != c.high || in.Latency < c.low || in.Latency > c.high {
			t.Errorf("%s: latency %v in %v to %v, want %v to %v", c.row, in.Latency, in.LowLatency, in.HighLatency, c.low, c.high)
		}
	}
	for _, bad := range []string{"?4-", "?-4", "?9-4", "?a-b"} {
		if _, err := machine.Load(strings.NewReader("name: t\nisa: aarch64\nports: A\n\nsource: test\nADDXrr | A | "+bad+"\n"), "t.model"); err == nil {
			t.Errorf("'%s' is taken for a latency", bad)
		}
	}
}

// TestAtomicsAreNoLoads checks that no model takes an atomic operation of which it knows nothing for a load because its name begins like one's (LDADD, LDAR).
func TestAtomicsAreNoLoads(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil || m.ISA != "aarch64" {
			continue
		}
		b := bind(m, kernel(t, "aarch64", "ldadd x0, x1, [x2]\nldaddal x0, x1, [x2]\nswpal x0, x1, [x2]\ncasal x0, x1, [x2]"))
		for i := range b.Insts {
			if in := &b.Insts[i]; strings.Contains(in.Source, "LDA*") {
				t.Errorf("%s: '%s' has its figures from %s", name, in.Line.Text, in.Source)
			}
		}
	}
}

// TestAnyForm: what nothing is known of is between the costs that most forms of the model have; the sample of forms that these are taken from has about the
// percentiles of all (in brackets: those of all forms).
func TestAnyForm(t *testing.T) {
	for name, want := range map[string]struct{ lat, high, slots float64 }{
		"zen4":        {7, 13, 2}, // (7, 13, 2)
		"skylake":     {7, 15, 3}, // (7, 15, 3)
		"neoverse-v2": {3, 8, 2},  // (3, 8, 2)
		"thunderx2":   {7, 8, 4},  // (7, 8, 4)
	} {
		m := model(t, name)
		in := &bind(m, kernel(t, m.ISA, "frobnicate %rax")).Insts[0]
		about := func(got, want float64) bool { return got >= want-2 && got <= want+2 }
		if in.Flags&machine.Unknown == 0 || in.Source != "any form of the model" || in.LowLatency != 1 || !about(in.Latency, want.lat) || !about(in.HighLatency, want.high) || !about(in.HighSlots, want.slots) {
			t.Errorf("%s: latency %v in %v to %v, %v to %v slots (%s), want about %v", name, in.Latency, in.LowLatency, in.HighLatency, in.LowSlots, in.HighSlots, in.Source, want)
		}
	}
}
