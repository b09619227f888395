package sim_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestOracle holds the simulator to one that is slow and obvious (reference_test.go): on random kernels, on cores of every kind but those that steer µops, every µop is
// dispatched, becomes ready, issues by the same port and retires in the same cycle.
func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	retired := 0
	for _, arch := range []string{"skylake", "haswell", "emeraldrapids", "icelake-client", "core2", "zen2", "gracemont", "silvermont", "neoverse-n1", "neoverse-v2", "cortex-a55", "apple-m1", "a64fx", "sifive-7", "xuantie-c910", "rocket"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		retired += oracle(t, rng, m, pools[m.ISA], 12)
	}
	if retired < 10000 {
		t.Errorf("only %d µops were compared", retired)
	}
}

// TestOracleReads does so on a core whose multiply-adds and multiplications share reads of registers, which no core that the oracle plays has.
func TestOracleReads(t *testing.T) {
	m, err := machine.Load(strings.NewReader("name: reads\nbase: zen2\nresources: READ0 READ1\nsource: test\n"+
		"VFMADD231PDYr | FPU01 READ0+READ1/read | 5\nVMULPDYrr | FPU23 READ0 READ1 | 3\n"), "reads.model")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"vmulpd %ymm1, %ymm2, %ymm10", "vmulpd %ymm3, %ymm2, %ymm3", "addq %rax, %rbx", "movaps %xmm1, %xmm5"}
	for k := 4; k < 10; k++ {
		texts = append(texts, fmt.Sprintf("vfmadd231pd %%ymm1, %%ymm2, %%ymm%d", k), fmt.Sprintf("vfmadd231pd %%ymm3, %%ymm10, %%ymm%d", k))
	}
	if retired := oracle(t, rand.New(rand.NewSource(9)), m, texts, 200); retired < 10000 {
		t.Errorf("only %d µops were compared", retired)
	}
}

// TestOracleWakeUp does so on a core whose µops wake their consumers while they wait for a port, as Zen 5's do, whose vector units are steered.
func TestOracleWakeUp(t *testing.T) {
	m, err := machine.Load(strings.NewReader("name: wakeup\nbase: zen2\nfeature speculative-wakeup: true # test\n"), "wakeup.model")
	if err != nil {
		t.Fatal(err)
	}
	if retired := oracle(t, rand.New(rand.NewSource(13)), m, pools[m.ISA], 70); retired < 10000 {
		t.Errorf("only %d µops were compared", retired)
	}
}

// TestOracleSlots does so on a core that limits the slots of vector instructions, with and without loads among them.
func TestOracleSlots(t *testing.T) {
	m, err := machine.Load(strings.NewReader(slots), "slots.model")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"vmovaps %ymm1, %ymm2", "vmovaps %ymm2, %ymm3", "vxorps %xmm4, %xmm4, %xmm4", "vaddps (%rsi), %ymm2, %ymm2", "vmovaps 64(%rsi), %ymm5", "vmulps %ymm5, %ymm5, %ymm6",
		"vmovaps %ymm6, 128(%rdi)", "addq $1, %rax", "nop", "movq (%rsi), %rbx", "vptest %ymm2, %ymm2", "vcvtsi2sd %rax, %xmm7, %xmm7"}
	if retired := oracle(t, rand.New(rand.NewSource(17)), m, texts, 200); retired < 10000 {
		t.Errorf("only %d µops were compared", retired)
	}
}

// turns is a core with two dividers that take operations in turn.
const turns = "name: turns\nbase: zen2\nresources: DIV0 DIV1\ngroup DIVS: DIV0 DIV1\nparam unit-turns: DIVS # test\nsource: test\nVDIVPSYrr | FPU23 DIVS:5 | 10\nVSQRTPSYr | FPU23 DIVS:9 | 14\n"

// TestOracleTurns does so on a core with units that take operations in turn.
func TestOracleTurns(t *testing.T) {
	m, err := machine.Load(strings.NewReader(turns), "turns.model")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"vdivps %ymm1, %ymm2, %ymm3", "vsqrtps %ymm1, %ymm4", "vdivps %ymm3, %ymm2, %ymm3", "addq %rax, %rbx", "vmulps %ymm4, %ymm4, %ymm5"}
	if retired := oracle(t, rand.New(rand.NewSource(19)), m, texts, 200); retired < 2000 {
		t.Errorf("only %d µops were compared", retired)
	}
}

// TestUnitTurns checks orders of short and long operations by hand: each divider takes every second one. Three chains take the latency of a division.
func TestUnitTurns(t *testing.T) {
	m, err := machine.Load(strings.NewReader(turns), "turns.model")
	if err != nil {
		t.Fatal(err)
	}
	const d, s = "vdivps %ymm1, %ymm2, %ymm3", "vsqrtps %ymm1, %ymm4"
	for text, want := range map[string]float64{d + ";" + d: 5, s + ";" + s: 9, d + ";" + s: 9, d + ";" + d + ";" + s + ";" + s: 14, d + ";" + d + ";" + d + ";" + s: 14,
		"vdivps %ymm1, %ymm2, %ymm2; vdivps %ymm1, %ymm3, %ymm3; vdivps %ymm1, %ymm4, %ymm4": 10} {
		if p := sim.Predict(depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, text)), depgraph.Options{}), sim.Options{}); math.Abs(p.Cycles-want) > 0.01*want {
			t.Errorf("%s: %.2f cycles, want %.0f", text, p.Cycles, want)
		}
	}
}

// TestOracleFlags does so on a core whose ALUs write back flags by a way of their own, as no core that the oracle plays.
func TestOracleFlags(t *testing.T) {
	m, err := machine.Load(strings.NewReader("name: flags\nbase: zen2\nfeature flags-apart: true # test\nparam result-ports: 3 ALU # test\nsource: test\n"+
		"UCOMISSrr | FPU2 ALU0/result | 5\nVMOVPDI2DIrr | FPU2 ALU03/result | 4\nPOPCNT64rr | ALU | 3\n"), "flags.model")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"ucomiss %xmm0, %xmm1", "vmovd %xmm0, %eax", "addq %rax, %rbx", "addq $1, %rdx", "cmpq %rdx, %rsi", "leaq 1(%rbx), %rcx", "popcntq %rcx, %rsi", "imulq %rbx, %rdi"}
	if retired := oracle(t, rand.New(rand.NewSource(11)), m, texts, 200); retired < 10000 {
		t.Errorf("only %d µops were compared", retired)
	}
}

// TestOracleQueue does so on in-order cores whose vector units have a queue, of one entry to eight.
func TestOracleQueue(t *testing.T) {
	rng, retired := rand.New(rand.NewSource(23)), 0
	texts := append(slices.Clone(pools["aarch64"]), "fmov x3, d1", "fmov d9, x5", "dup v9.2d, x1", "fadd d1, d1, d9", "str d5, [x6, #16]")
	for _, entries := range []string{"1", "2", "8"} {
		m, err := machine.Load(strings.NewReader("name: queue\nbase: cortex-a510\nparam unit-queue: "+entries+" VALU VMAC VMC # test\n"), "queue.model")
		if err != nil {
			t.Fatal(err)
		}
		retired += oracle(t, rng, m, texts, 100)
	}
	if retired < 10000 {
		t.Errorf("only %d µops were compared", retired)
	}
}

// oracle compares random kernels on a core, and returns how many µops it compared.
func oracle(t *testing.T, rng *rand.Rand, m *machine.Model, texts []string, kernels int) (retired int) {
	const cycles = 90
	core, err := sim.Available(m)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	for n := range kernels {
		text := random(rng, texts)
		g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, text)), depgraph.Options{})
		opt := sim.Options{Unrolled: n%3 == 0, Copies: 1 + n%4, Aligned: n%2 == 0}
		want, got := sim.Reference(g, core, opt, cycles), sim.Events(g, core, opt, cycles)
		retired += len(want)
		for i := range min(len(want), len(got)) {
			if got[i].Ready < got[i].Dispatched { // operands that were there before
				got[i].Ready = want[i].Ready
			}
			if want[i] != got[i] {
				t.Fatalf("%s: %s, %+v: µop %d: %+v; the reference has %+v", m.Name, text, opt, i, got[i], want[i])
			}
		}
		if len(want) != len(got) {
			t.Fatalf("%s: %s: %d µops retire; of the reference %d", m.Name, text, len(got), len(want))
		}
	}
	return retired
}

// random is a kernel of one to ten of the texts.
func random(rng *rand.Rand, texts []string) string {
	parts := make([]string, 1+rng.Intn(10))
	for i := range parts {
		parts[i] = texts[rng.Intn(len(texts))]
	}
	return strings.Join(parts, ";")
}

// TestSteeredEntries holds the entries of the partitions that µops are steered to, at dispatch and behind a queue, to the µops that have them.
func TestSteeredEntries(t *testing.T) {
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	core, err := sim.Available(m)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewSource(8))
	full := 0
	for range 40 {
		text := random(rng, pool)
		most, err := sim.SteeredEntries(depgraph.Build(uops.Bind(m, kernel(t, text)), depgraph.Options{}), core, 300)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if most > 16 {
			full++
		}
	}
	if full < 10 {
		t.Errorf("%d of 40 kernels fill a partition by more than half", full)
	}
}
