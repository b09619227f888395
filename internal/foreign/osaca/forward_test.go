package osaca

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"incore/internal/isa/x86"
)

// TestForward: OSACA counts a store, the forwarding and a load one after the other. Their sum is the time of a vector that is stored
// and loaded again, in exported files as in imported ones.
func TestForward(t *testing.T) {
	for arch, want := range map[string]float64{
		"zen4":    9, // measured: movaps %xmm0, (%rdi); movaps (%rdi), %xmm0
		"zen5":    9, // measured: with addsd 12
		"haswell": 6, // Agner Fog: 3 for the store and 3 for the load
	} {
		text, f := export(t, x86.ISA(), arch)
		i := slices.IndexFunc(f.Forms, func(e form) bool {
			return fmt.Sprint(e.Name) == "movaps" && len(e.Operands) == 2 && e.Operands[1]["class"] == "memory"
		})
		if i < 0 || f.Forms[i].Latency == nil {
			t.Fatalf("%s: no store", arch)
		}
		if got := f.Loads["xmm"] + *f.Forms[i].Latency + f.Forward; got != want {
			t.Errorf("%s: %g cycles, want %g", arch, got, want)
		}
		m, _ := imported(t, text)
		if m.Params.StoreForward != want {
			t.Errorf("%s, imported again: %g cycles, want %g", arch, m.Params.StoreForward, want)
		}
	}
	for line, want := range map[string]float64{
		"store_to_load_forward_latency: 5.0\n": 10, // beside a load of 5
		"store_to_load_forward_latency: 0.0\n": 5,
		"":                                     0, // not stated
	} {
		text := strings.Replace(small, "store_to_load_forward_latency: 5.0\n", line, 1)
		if m, _ := imported(t, text); m.Params.StoreForward != want {
			t.Errorf("%q: store-forward %g, want %g", line, m.Params.StoreForward, want)
		}
	}
}
