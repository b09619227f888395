package machine

import (
	"slices"
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
)

// TestFirestormMeasured checks how much of the instructions that Apple's M1 has rests on what was measured on it.
func TestFirestormMeasured(t *testing.T) {
	has := []string{"HasFPARMv8", "HasNEON", "HasFullFP16", "HasDotProd", "HasAES", "HasSHA2", "HasSHA3", "HasCRC", "HasLSE", "HasRDM", "HasComplxNum", "HasFP16FML", "HasJS", "HasFlagM", "HasAltNZCV", "HasFRInt3264"}
	m, err := Get("apple-m1")
	if err != nil {
		t.Fatal(err)
	}
	a := aarch64.ISA()
	c := m.compile(a)
	measured, all := 0, 0
	var rest []string
	for id := isa.FormID(1); int(id) < a.Forms.Len(); id++ {
		if a.Forms.Flags(id)&(isa.Pseudo|isa.SideEffects) != 0 || slices.ContainsFunc(a.Forms.Predicates(id), func(p string) bool { return !slices.Contains(has, p) }) {
			continue
		}
		all++
		if r := c.lookup(&isa.Inst{Form: id}); r.uops != nil && r.uops.origin() == Measured {
			measured++
		} else {
			rest = append(rest, a.Forms.Name(id))
		}
	}
	share := float64(measured) / float64(all)
	t.Logf("%d of %d forms (%.1f %%); others: %s", measured, all, 100*share, strings.Join(rest, " "))
	if share < 0.93 {
		t.Errorf("%.1f %% of the forms rest on measurements, want 93 %%", 100*share)
	}
}
