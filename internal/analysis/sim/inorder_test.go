package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// TestDualIssue holds the in-order issue of Cortex-A55 to the pairs of its Software Optimization Guide.
func TestDualIssue(t *testing.T) {
	m, err := machine.Get("cortex-a55")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want float64
		why  string
	}{
		{"add x0, x1, x2; add x3, x4, x5", 1, "11 and 11"},
		{"fcsel d0, d1, d2, eq; add x3, x4, x5", 1, "01 as the first of two"},
		{"add x3, x4, x5; fcsel d0, d1, d2, eq; add x6, x7, x8", 2, "01 behind another waits for the next cycle"},
		{"ldp w0, w1, [x9]; add x3, x4, x5; add x6, x7, x8", 2, "00 alone"},
		{"ldr x0, [x9]; str x1, [x10]", 1, "a load and a store"},
		{"ldr x0, [x9]; ldr x1, [x10]", 2, "two loads"},
	} {
		b := uops.Bind(m, kernelOf(t, "aarch64", c.text))
		p := sim.Predict(depgraph.Build(b, depgraph.Options{NoMemory: true}), sim.Options{Copies: 50})
		if math.Abs(p.Cycles-c.want) > 0.05*c.want {
			t.Errorf("'%s': %v cycles, want %v (%s)", c.text, p.Cycles, c.want, c.why)
		}
	}
}

// TestUnitQueue computes by hand three vector operations of 4 cycles that depend on each other, before twelve additions: the core that holds everything behind what waits
// issues two additions with the third operation and three in each later cycle; where the operations wait in a queue, the additions issue beside them, and the next three follow
// from the cycle of the third on.
func TestUnitQueue(t *testing.T) {
	text := "fmul d1, d2, d3; fadd d4, d1, d1; fadd d5, d4, d4" + strings.Repeat("; add x1, x2, x3", 12)
	for queue, want := range map[string]float64{"": 12, "param unit-queue: 1 VALU VMAC VMC # test\n": 8, "param unit-queue: 4 VALU VMAC VMC # test\n": 8} {
		m, err := machine.Load(strings.NewReader("name: queue\nbase: llvm/CortexA510Model\n"+queue), "queue.model")
		if err != nil {
			t.Fatal(err)
		}
		p := sim.Predict(depgraph.Build(uops.Bind(m, kernelOf(t, "aarch64", text)), depgraph.Options{}), sim.Options{})
		if math.Abs(p.Cycles-want) > 0.01*want {
			t.Errorf("%q: %.2f cycles, want %v", queue, p.Cycles, want)
		}
	}
}

// TestVectorLength holds loops of memset to measurements of camel-cdr (rvv-bench-results): the store waits for the length of its vector.
func TestVectorLength(t *testing.T) {
	const set, store, rest = "vsetvli x5, x12, e8, m1, ta, ma", "vse8.v v0, (x13)", "sub x12, x12, x5; add x13, x13, x5; bne x12, x0, .-16"
	for _, c := range []struct {
		arch, text string
		lmul       uint8 // of 2
		want       float64
	}{
		{"spacemit-x60", set + ";" + store + ";" + rest, 0, 6}, {"spacemit-x60", set + ";" + store + ";" + rest, 1, 6}, {"xuantie-c908", set + ";" + store + ";" + rest, 1, 6},
		{"spacemit-x60", store + ";" + "sub x12, x12, x5; add x13, x13, x5; vsetvli x5, x0, e8, m1, ta, ma; bne x12, x0, .-16", 0, 6},
		{"andes-45", set + ";" + store + ";" + rest, 0, 3}, {"spacemit-x60", store + "; add x13, x13, x5; bltu x13, x14, .-8", 0, 3},
	} {
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		k := kernelOf(t, "riscv64", c.text)
		for i := range k.Lines {
			k.Lines[i].Inst.VType = isa.VType{SEW: 8, LMUL: c.lmul}
		}
		p := sim.Predict(depgraph.Build(uops.Bind(m, k), depgraph.Options{NoMemory: true}), sim.Options{})
		if math.Abs(p.Cycles-c.want) > 0.05*c.want {
			t.Errorf("%s: '%s' of %d registers: %.2f cycles, want %v", c.arch, c.text, 1<<c.lmul, p.Cycles, c.want)
		}
	}
}

// TestEarlyALU: on Cortex-A55 a simple operation and one that needs its result issue together if the first one's operands were there a cycle before (LLVM's tests of
// llvm-mca, A55-2.s: two instructions a cycle on hardware). Shifts need a result of the first ALU a cycle later, one of the second two. A chain of operations takes a
// cycle for each.
func TestEarlyALU(t *testing.T) {
	m, err := machine.Get("cortex-a55")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]float64{
		"add w8, w8, #1; add w10, w8, #1; add w12, w8, #1":                               1.5,
		"eor x0, x1, x2; eor x3, x0, x2":                                                 1,
		"eor x0, x1, x2; ror x0, x0, #3; eor x4, x1, x2; ror x4, x4, #3":                 2,
		"eor x0, x1, x2; eor x3, x0, x2; eor x5, x1, x2; eor x6, x5, x2":                 2,
		"add x8, x8, #1; add x8, x8, #1; add x8, x8, #1":                                 3,
		"eor x8, x8, x9; ror x8, x8, #3":                                                 3,
		"eor x0, x1, x2, ror #3; eor x3, x0, x2; eor x4, x1, x2, ror #3; eor x5, x4, x2": 2,
	} {
		b := uops.Bind(m, kernelOf(t, "aarch64", text))
		p := sim.Predict(depgraph.Build(b, depgraph.Options{NoMemory: true}), sim.Options{Copies: 50})
		if math.Abs(p.Cycles-want) > 0.05*want {
			t.Errorf("'%s': %v cycles, want %v", text, p.Cycles, want)
		}
	}
}

// TestBesideMultiplyAdds holds Cortex-A53 and A55 to what ncnn's developer guide ("arm a53 a55 dual issue") measured beside twelve independent multiply-adds of 128 bits, one a cycle.
func TestBesideMultiplyAdds(t *testing.T) {
	for _, c := range []struct {
		text     string
		a53, a55 float64 // cycles that it costs
	}{
		{"ldr q0, [x0]", 2, 2},
		{"ldr d0, [x0]", 1, 0},
		{"ldr x1, [x0]", 0, 0},
		{"add x0, x0, 16", 0, 0},
		{"ins v0.d[1], x2", 1, 0},
		{"ldr d1, [x0]; ins v0.d[1], x2", 1, 1}, // A53 issues the two together, and A55 each with a multiply-add if one stood between them
	} {
		var lines []string
		for i := range 12 {
			if i == 5 {
				lines = append(lines, c.text)
			}
			lines = append(lines, fmt.Sprintf("fmla v%d.4s, v28.4s, v29.4s", 8+i))
		}
		for _, x := range []struct {
			name string
			cost float64
		}{{"cortex-a53", c.a53}, {"cortex-a55", c.a55}} {
			m, err := machine.Get(x.name)
			if err != nil {
				t.Fatal(err)
			}
			b := uops.Bind(m, kernelOf(t, "aarch64", strings.Join(lines, "; ")))
			p := sim.Predict(depgraph.Build(b, depgraph.Options{NoMemory: true}), sim.Options{Copies: 30})
			if want := 12 + x.cost; math.Abs(p.Cycles-want) > 0.03*want {
				t.Errorf("%s, '%s': %v cycles, want %v", x.name, c.text, p.Cycles, want)
			}
		}
	}
}

// TestForwarding holds chains of integer operations of several kinds to GCC's description of Cortex-A53 (cortex-a53.md, written by Arm, by
// which it schedules A55, too), and to the guide of A55: what one kind waits for another.
func TestForwarding(t *testing.T) {
	for _, c := range []struct {
		text     string
		a53, a55 float64
	}{
		{"sbfx w2, w0, 0, 1; and w2, w2, w1; eor w0, w2, w0, lsr 1", 4, 4}, // a step of a CRC: 2 (shifted late) + 1 + 1
		{"add x0, x1, x0, lsl 2; add x0, x0, x1", 3, 3},                    // 1 + 2
		{"add x0, x0, x1, lsl 2; add x0, x0, x1", 2, 2},                    // the operand that is not shifted
		{"cmp x0, x1; csel x0, x2, x0, eq", 2, 2},
		{"eor x0, x0, x1; mul w0, w0, w2", 4, 4},  // 2 + 2: a multiplication begins a cycle earlier and takes 4
		{"add x0, x0, 8; ldr x0, [x0]", 6, 6},     // the addition's 3, the load's 3
		{"subs x0, x0, 1; b.ne .L1", 1, 1},        // in one cycle
		{"add x0, x0, x1; str x0, [x9]", 1, 1},    // likewise
		{"ldr w2, [x0], 4; add x3, x3, x4", 3, 1}, // an update takes 3 cycles (H. Suzuki) on A53
	} {
		for _, x := range []struct {
			name string
			want float64
		}{{"cortex-a53", c.a53}, {"cortex-a55", c.a55}} {
			m, err := machine.Get(x.name)
			if err != nil {
				t.Fatal(err)
			}
			b := uops.Bind(m, kernelOf(t, "aarch64", c.text))
			if p := sim.Predict(depgraph.Build(b, depgraph.Options{NoMemory: true}), sim.Options{}); math.Abs(p.Cycles-x.want) > 0.01*x.want {
				t.Errorf("%s, '%s': %v cycles, want %v", x.name, c.text, p.Cycles, x.want)
			}
		}
	}
}
