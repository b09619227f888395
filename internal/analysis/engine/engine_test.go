package engine_test

import (
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/kernels"
)

// TestBoth: what two layouts have in common is found once, and the answers are those of each alone.
func TestBoth(t *testing.T) {
	g := depgraph.Build(kernels.Parse(kernels.ISA("x86"), 4, "imul rax <- rax rbx : lat=3 p=01\nadd rcx <- rcx rax : lat=1 p=012:2\njne <- eflags : p=3"), depgraph.Options{})
	for _, second := range []engine.Layout{{Unrolled: true}, {Unrolled: true, FreePorts: true}, {Unrolled: true, Uniform: true}} {
		a, b := engine.Bounds.Both(g, engine.Layout{}, second)
		if want := engine.Bounds.Estimate(g, engine.Layout{}); a != want {
			t.Errorf("%+v, alone %+v", a, want)
		}
		if want := engine.Bounds.Estimate(g, second); b != want {
			t.Errorf("%+v: %+v, alone %+v", second, b, want)
		}
	}
}
