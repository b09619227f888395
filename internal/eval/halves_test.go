package eval

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analyze/predict"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestForwardedHalves: Arm's cores forward a store's data from its first byte or its middle on, and two stores to the halves of a load of 8 bytes
// or more (Software Optimization Guides); other loads wait for the store, on a Graviton 2 for 10 cycles (D. Kutenin, store_forwarding).
func TestForwardedHalves(t *testing.T) {
	m, err := machine.Get("neoverse-n1")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]float64{
		"str x0,[x1]; ldr x0,[x1]":                             6,
		"str x0,[x1]; ldr w0,[x1,#4]":                          6,
		"str q0,[x1]; ldr d0,[x1,#8]":                          6,
		"stp x0,x0,[x1]; ldr x0,[x1,#8]":                       6,
		"str w0,[x1]; str w0,[x1,#4]; ldr x0,[x1]":             6,
		"str x0,[x1]; ldr x0,[x1,#4]":                          10,
		"str x0,[x1]; ldr w0,[x1,#2]":                          10,
		"str x0,[x1]; ldrb w0,[x1,#1]":                         10,
		"str w0,[x1]; ldr x0,[x1]":                             10,
		"str q0,[x1]; ldr s0,[x1,#4]":                          10,
		"strh w0,[x1]; strh w0,[x1,#2]; ldr w0,[x1]":           10,
		"str x0,[x1]; str w0,[x1,#8]; ldr q0,[x1]; fmov x0,d0": 12,
	} {
		blocks, bad, err := read(strings.NewReader("cycles\tasm\n1\t"+text+"\n"), nil, catalog.ISA("aarch64"))
		if err != nil || len(bad) > 0 || len(blocks) != 1 {
			t.Fatal(text, bad, err)
		}
		p := Predict(m, &blocks[0], predict.Conditions{})
		if got := p.Of("sim"); math.Abs(got-want) > 0.01 {
			t.Errorf("%q: %.2f cycles, want %g", text, got, want)
		}
	}
}
