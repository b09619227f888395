package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// slotted is a core of two schedulers behind a queue, with four pipes as a Zen 4 has them: multiplication on the first two, addition on the others,
// shuffles on the second and third, logic on all.
const slotted = `name: slotted
title: A core with a distributed scheduler
isa: aarch64
ports: V0 V1 V2 V3
group V: V0 V1 V2 V3
group V01: V0 V1
group V23: V2 V3
group V12: V1 V2
param dispatch-width: 6  # test
param rob: 320  # test
param retire-width: 8  # test
param load-latency: 4  # test
param scheduler-v0: 32 V0 V2  # test
param scheduler-v1: 32 V1 V3  # test
param steering-v: turns v0 v1 hold=5 delay=2 queue=64 imbalance=9  # test
source: test
ADDXrs | V | 1
SUBXrs | V23 | 3
EORXrs | V12 | 1
MADDXrrr | V01 | 3
`

// TestTurns checks what kernels take whose µops are unevenly given to the schedulers, to 8 %: the figures are those of a Zen 4. Were there one
// scheduler, they would take the cycles in the last column.
func TestTurns(t *testing.T) {
	m, err := machine.Load(strings.NewReader(slotted), "slotted.model")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(slotted, "param scheduler-v0")
	_, rest, _ = strings.Cut(rest, "source:")
	one, err := machine.Load(strings.NewReader(head+"param scheduler-v: 64 V  # test\nsource:"+rest), "one.model")
	if err != nil {
		t.Fatal(err)
	}
	insts := map[byte]string{'A': "sub xD, x8, xS", 'L': "add xD, x8, xS", 'P': "eor xD, x8, xS", 'M': "mul xD, x8, xS"}
	for _, c := range []struct {
		kernel string
		chain  bool
		want   float64
		free   float64
	}{
		{"MA", false, 0.5, 0.5}, {"PPLL", false, 1, 1}, {"PMAL", false, 1, 1},
		{"PLM", false, 0.8, 0.75},
		{strings.Repeat("M", 32), true, 24.4, 19}, {strings.Repeat("MA", 12), true, 13.5, 12},
		{"MMMM", true, 2, 2}, {"LLLLLLLL", true, 2.2, 2}, {"MMMMAAAA", true, 2.35, 2}, {"LLLLLLLLLLLLLLLL", true, 4.65, 4},
	} {
		text := ""
		for k, op := range []byte(c.kernel) {
			to, from := k%8, 9
			if c.chain {
				to = 0
				if k > 0 {
					from = 0
				}
			}
			text += strings.NewReplacer("D", string('0'+byte(to)), "S", string('0'+byte(from))).Replace(insts[op]) + ";"
		}
		k := kernelOf(t, "aarch64", strings.TrimSuffix(text, ";"))
		for m, want := range map[*machine.Model]float64{m: c.want, one: c.free} {
			p := sim.Predict(depgraph.Build(uops.Bind(m, k), depgraph.Options{}), sim.Options{})
			if p.Engine != "simulator" || math.Abs(p.Cycles-want) > 0.08*want {
				t.Errorf("%s on %s: %.3f cycles by the %s, want %.3f", c.kernel, m.Title, p.Cycles, p.Engine, want)
			}
		}
	}
}

// TestIndependentChains holds chains of vector operations that fill the pipes to measurements of a Zen 4: whatever is known late of what waits, these lose nothing.
func TestIndependentChains(t *testing.T) {
	chains := func(operation string, n int) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, "%s %%ymm15, %%ymm%d, %%ymm%[2]d; ", operation, k)
		}
		return b.String()
	}
	merging := "" // chains of loads and operations, whose loads are complete long before they retire
	for k := range 8 {
		merging += fmt.Sprintf("vpermpd %d(%%rsi), %%zmm31, %%zmm%d{%%k1}; ", 64*k, k)
	}
	for text, want := range map[string]float64{
		merging:             8,
		chains("vpaddd", 4): 1, chains("vpaddd", 5): 1.25, chains("vpaddd", 6): 1.5, chains("vpand", 8): 1.98, chains("vpaddd", 12): 2.95,
		chains("vmulps", 6) + "vpshufd $1, %ymm6, %ymm6; vpshufd $1, %ymm7, %ymm7; vpshufd $1, %ymm8, %ymm8; vpshufd $1, %ymm9, %ymm9; vpshufd $1, %ymm10, %ymm10; vpshufd $1, %ymm11, %ymm11": 2.96,
	} {
		if p := sim.Predict(graph(t, "zen4", strings.TrimSuffix(text, "; ")), sim.Options{Unrolled: true}); math.Abs(p.Cycles-want) > 0.03*want {
			t.Errorf("%s: %.2f cycles, want %.2f", text, p.Cycles, want)
		}
	}
}
