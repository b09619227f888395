package results

import (
	"strings"
	"testing"
)

// FuzzMeasured reads files of results that a run was stopped in: what is valid of them is valid again, with the same forms.
func FuzzMeasured(f *testing.F) {
	f.Add("# cpu: x microcode 1 y\nsource: measured\nADD64rr | = 1\n# SUB64rr: unstable\n")
	f.Add("source: x\n# memory: a: b\n")
	f.Add("none")
	f.Fuzz(func(t *testing.T, text string) {
		done, valid, err := Measured(strings.NewReader(text), "x microcode 2 y")
		if err != nil {
			return
		}
		if valid < 0 || valid > int64(len(text)) {
			t.Fatalf("%d of %d bytes are valid", valid, len(text))
		}
		again, n, err := Measured(strings.NewReader(text[:valid]), "x microcode 2 y")
		if err != nil || n != valid || len(again) != len(done) {
			t.Fatalf("the valid part: %d forms in %d bytes, %v; before %d in %d", len(again), n, err, len(done), valid)
		}
	})
}
