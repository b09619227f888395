package machine_test

import "testing"

// TestSetOfTwoFlags: seta and setbe, which are two µops on Intel's cores, need the old register a cycle later than the flags (uops.info).
func TestSetOfTwoFlags(t *testing.T) {
	for _, name := range []string{"ivybridge", "haswell", "broadwell", "skylake", "skylake-server", "cascadelake", "alderlake-p"} {
		for text, want := range map[string]float64{"seta %al": 2, "setbe %al": 2, "setb %al": 1} {
			in := &bind(model(t, name), kernel(t, "x86-64", text)).Insts[0]
			for k := range in.Inputs() {
				least := want
				if k < len(in.Effects.Reads) && in.Effects.Reads[k].Op >= 0 { // the register; flags are implicit
					least = 1
				}
				if got, ok := in.Pair(k, 0); ok && got != least {
					t.Errorf("%s: %s: %g cycles from input %d, want %g", name, text, got, k, least)
				}
			}
		}
	}
}
