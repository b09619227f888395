package eval

import (
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestLockedOperations: a core executes no locked operation much faster than a locked addition, whatever it computes. A
// row that forgets the prefix gives it the figure of the plain operation, which memory renaming may serve.
func TestLockedOperations(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if m.ISA != "x86-64" || name == "generic" {
			continue
		}
		cycles := func(statement string) float64 { return repeats(t, m, statement) }
		for _, width := range []string{"l %ebx", "q %rbx"} {
			suffix, register, _ := strings.Cut(width, " ")
			least := 0.8 * cycles("lock add"+suffix+" "+register+", (%rsi)")
			for _, op := range strings.Fields("adc sub sbb and or xor xadd cmpxchg bts btr btc") {
				if s := "lock " + op + suffix + " " + register + ", (%rsi)"; cycles(s) < least {
					t.Errorf("%s: %s takes %.1f cycles, lock add %.1f", name, s, cycles(s), least/0.8)
				}
			}
			for _, op := range strings.Fields("adc sub sbb and or xor bts btr btc") {
				if s := "lock " + op + suffix + " $3, (%rsi)"; cycles(s) < least {
					t.Errorf("%s: %s takes %.1f cycles, lock add %.1f", name, s, cycles(s), least/0.8)
				}
			}
			for _, op := range strings.Fields("inc dec neg not") {
				if s := "lock " + op + suffix + " (%rsi)"; cycles(s) < least {
					t.Errorf("%s: %s takes %.1f cycles, lock add %.1f", name, s, cycles(s), least/0.8)
				}
			}
		}
		for _, s := range []string{"lock cmpxchg8b (%rsi)", "lock cmpxchg16b (%rsi)"} {
			if least := 0.8 * cycles("lock addq %rbx, (%rsi)"); cycles(s) < least {
				t.Errorf("%s: %s takes %.1f cycles, lock add %.1f", name, s, cycles(s), least/0.8)
			}
		}
	}
}
