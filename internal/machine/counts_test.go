package machine_test

import (
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestCounts: what a row says of slots holds for the µops that it leaves to earlier rows, and no longer than these.
func TestCounts(t *testing.T) {
	k := kernel(t, "x86-64", "addq %rax, %rbx")
	for rows, want := range map[string][2]float64{
		"":                             {1, 1},
		"ADD64rr | = | = | slots=3\n":  {3, 3},
		"ADD64rr | = | 2 | decode=2\n": {1, 2},
		"ADD64rr | = | = | slots=3\nADD64rr | = | = | decode=4\n": {3, 4},
		"ADD64rr | = | = | slots=3\nADD64rr | 0156 | 1\n":         {1, 1},
	} {
		m, err := machine.Load(strings.NewReader("name: counts\nbase: skylake\nsource: test\n"+rows), "counts.model")
		if err != nil {
			t.Fatal(err)
		}
		if in := bind(m, k).Insts[0]; in.Slots != want[0] || in.Decode != want[1] {
			t.Errorf("%q: %g slots, %g from the decoders, want %v", rows, in.Slots, in.Decode, want)
		}
	}
}
