package bench

import (
	"context"
	"errors"
	"testing"

	"incore/internal/bench/feature"
	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
)

// measured measures a form until it is as expected, which noise may be in the way of.
func measured(t *testing.T, b *Bench, form string, expected func(*results.Form) bool) {
	t.Helper()
	var r *results.Form
	for range 8 {
		var err error
		r, err = b.Form(context.Background(), b.Target.ISA.Forms.Named(form), plan.Throughput|plan.Latency)
		if why := new(host.Reason); errors.As(err, &why) && why.Kind == "unsupported" {
			t.Skipf("cannot measure here: %v", err)
		} else if err != nil {
			t.Fatal(err)
		}
		if r.Reason != "" {
			t.Skipf("cannot measure here: %s", r.Reason)
		}
		if expected(r) {
			return
		}
	}
	t.Errorf("%s: latencies %v, throughput %.2f", form, r.Pairs, r.RThru)
}

// TestStackForms holds figures of x87 against what must be on any core: additions depend on their result, but not those
// of different registers.
func TestStackForms(t *testing.T) {
	native, err := plan.Native()
	if err != nil || native != plan.X86() {
		t.Skip("not on x86-64")
	}
	b := NewBench(native)
	for _, name := range []string{"ADD_FrST0", "MUL_FrST0", "ADD_FST0r"} {
		measured(t, b, name, func(r *results.Form) bool {
			return len(r.Pairs) == 1 && r.Pairs[0].Cycles >= 1.9 && r.RThru < 0.7*r.Pairs[0].Cycles
		})
	}
}

// TestTiles measures a product of tiles where the CPU has them: it depends on its operands for longer than it keeps its unit busy.
func TestTiles(t *testing.T) {
	native, err := plan.Native()
	if err != nil || native != plan.X86() || !feature.Here()["amx_int8"] {
		t.Skip("no AMX here")
	}
	measured(t, NewBench(native), "TDPBSSD", func(r *results.Form) bool {
		slowest := 0.0
		for _, p := range r.Pairs {
			slowest = max(slowest, p.Cycles)
		}
		return r.RThru > 4 && slowest > 1.5*r.RThru
	})
}
