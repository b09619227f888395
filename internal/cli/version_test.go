package cli

import (
	"regexp"
	"testing"

	"incore/internal/analyze"
	"incore/internal/machine"
)

// TestVersionReads: the version alone reads no model, so that it starts as fast as the rest.
func TestVersionReads(t *testing.T) {
	if b := thisProgram(); b.Models != nil {
		t.Errorf("%d models were read", len(b.Models))
	}
}

// TestVersionModels: each machine is listed once, with the latest date that a description of it in detail names.
func TestVersionModels(t *testing.T) {
	date, dated := regexp.MustCompile(`\b20\d\d-[01]\d-[0-3]\d\b`), 0
	list := datedModels()
	if len(list) != len(machine.Names()) {
		t.Errorf("%d of %d machines", len(list), len(machine.Names()))
	}
	for _, m := range list {
		full, err := analyze.Machine(m.Name)
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		for _, f := range full.Facts {
			for _, d := range date.FindAllString(f.Source, -1) {
				want = max(want, d)
			}
		}
		if m.Date != want || m.ISA != full.ISA {
			t.Errorf("%s: %s of %s, want %s of %s", m.Name, m.Date, m.ISA, want, full.ISA)
		}
		if want != "" {
			dated++
		}
	}
	if dated == 0 {
		t.Error("no model is dated")
	}
}

// TestDescribedOnce: the descriptions of the models are read once, and the list may be changed by who has it.
func TestDescribedOnce(t *testing.T) {
	a, b := machine.All(), machine.All()
	if a[0] != b[0] {
		t.Error("the models are read again")
	}
	if a[0] = nil; machine.All()[0] == nil {
		t.Error("the list is shared")
	}
}
