package eval

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/catalog"
	"incore/internal/machine"
	"incore/internal/predict"
)

// TestMicrocodedMemory: AMD's cores rename no memory of operations that microcode executes, so that those on one address take as long as a store and a load,
// whatever the width; operations of one or two slots on Zen 5 take a cycle. Measured on Zen 5, by uops.info on Zen 3.
func TestMicrocodedMemory(t *testing.T) {
	long := map[string]float64{"zen3": 8, "zen4": 8, "zen5": 9}
	for core, want := range long {
		m, err := machine.Get(core)
		if err != nil {
			t.Fatal(err)
		}
		x := predict.Predictor{Model: m}
		cycles := func(statement string) float64 {
			_, e := x.Estimate(parsed(t, catalog.ISA(m.ISA), strings.Split(statement, "; ")))
			return e.Cycles
		}
		for _, width := range []struct{ suffix, register string }{{"l", "%ebx"}, {"q", "%rbx"}} {
			for _, op := range []string{"bts%s $3, (%%rsi)", "btr%s $3, (%%rsi)", "btc%s $3, (%%rsi)", "shld%s $3, R, (%%rsi)", "shrd%s %%cl, R, (%%rsi)", "xadd%s R, (%%rsi)",
				"cmpxchg%s R, (%%rsi)", "rcl%s $3, (%%rsi)", "rcr%s %%cl, (%%rsi)"} {
				s := strings.ReplaceAll(fmt.Sprintf(op, width.suffix), "R", width.register)
				if got := cycles(s); math.Abs(got-want) > 2 {
					t.Errorf("%s: %s repeats every %.1f cycles, want %g", core, s, got, want)
				}
			}
			if core != "zen5" {
				continue
			}
			for _, op := range strings.Fields("add sub and or xor adc sbb shl shr sar rol ror") {
				s := fmt.Sprintf("%s%s $3, (%%rsi)", op, width.suffix)
				if got := cycles(s); got > 1.1 {
					t.Errorf("%s: %s repeats every %.1f cycles, want 1", core, s, got)
				}
			}
		}
		for s, want := range map[string]float64{"cmpxchg %rbx, %rcx": 3, "cmpxchg %rbx, %rcx; cmpxchg %rdi, %rdx": 6, "cmpxchg %rbx, %rcx; lodsq": 6, "rclq $3, %rdx; cmpxchg %rbx, %rcx": 7,
			"lodsb": 3, "lodsw": 3, "lodsl": 3, "lodsq": 3, "stosb": 3, "stosq": 3, "movsb": 3, "movsq": 3, "scasb": 3, "scasq": 3, "cmpsb": 3, "cmpsq": 3, "lodsq; stosq": 6} {
			if got := cycles(s); math.Abs(got-want) > 0.2 {
				t.Errorf("%s: %s takes %.2f cycles, want %g", core, s, got, want)
			}
		}
	}
}
