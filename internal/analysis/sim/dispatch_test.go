package sim_test

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// limited is a core that dispatches eight instructions a cycle, of which two may need A and three B.
const limited = `name: limited
title: A core with limits of dispatch
isa: aarch64
ports: A0 A1 A2 A3 B0 B1 B2 B3 C
group A: A0 A1 A2 A3
group B: B0 B1 B2 B3
param dispatch-width: 8  # test
param rob: 64  # test
param load-latency: 4  # test
param dispatch-limit-a: 2 A  # test
param dispatch-limit-b: 3 B  # test
param dispatch-uops: 6  # test
source: test
ADDXrs | A | 1
SUBXrs | B | 1
EORXrs | A0+A1+A2+A3+B0+B1+B2+B3 | 1
ORNXrs | 3*A | 1 | slots=1
CBNZX  | C | 1
`

// TestDispatchLimits checks kernels whose cycles follow from the limits by hand.
func TestDispatchLimits(t *testing.T) {
	m, err := machine.Load(strings.NewReader(limited), "limited.model")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text  string
		want  float64
		limit string
	}{
		{"add x1, x8, x9; add x2, x8, x9; add x3, x8, x9", 1.5, "A"},
		{"sub x1, x8, x9; sub x2, x8, x9; sub x3, x8, x9; sub x4, x8, x9", 4. / 3, "B"},
		{"add x1, x8, x9; add x2, x8, x9; sub x3, x8, x9; sub x4, x8, x9; sub x5, x8, x9", 1, "A"},
		{"add x1, x8, x9; add x2, x8, x9; sub x3, x8, x9; sub x4, x8, x9; sub x5, x8, x9; eor x6, x8, x9", 1.2, "A or B"}, // five places for six
		{"orn x1, x8, x9", 1.5, "A"}, // three µops of one slot
		{"add x1, x8, x9; cbnz x1, 0", 1, ""},
	} {
		g := depgraph.Build(uops.Bind(m, kernelOf(t, "aarch64", c.text)), depgraph.Options{})
		tp := throughput.Analyze(g.Bound, throughput.Optimal)
		if want := c.want; c.limit != "" && (math.Abs(tp.Dispatch-want) > 1e-9 || tp.Limit.Name != c.limit) {
			t.Errorf("%s: bound %.3f by %q, want %.3f by %q", c.text, tp.Dispatch, tp.Limit.Name, want, c.limit)
		}
		p := sim.Predict(g, sim.Options{})
		if p.Engine != "simulator" || math.Abs(p.Cycles-c.want) > 0.01*c.want {
			t.Errorf("%s: %.3f cycles by the %s, want %.3f", c.text, p.Cycles, p.Engine, c.want)
		}
		if c.want > 1 && p.Result.Stalls[sim.DispatchLimit] < 0.5 {
			t.Errorf("%s: dispatch ends %.2f cycles at a limit", c.text, p.Result.Stalls[sim.DispatchLimit])
		}
	}
}

// slots is Skylake with a limit of six slots of vector instructions a cycle, which minds loads, and wide enough to show it.
const slots = `name: slots
base: skylake
param dispatch-width: 8 # test
param fetch-width: 16 # test
param fetch-queue: 64 # test
param retire-width: 8 # test
param dispatch-limit-v: 6 slots loads 0 1 5 2 3 # test
`

// TestSlotLimit checks kernels on a core that limits the slots of vector instructions: eliminated moves and zero idioms count, and an operation with
// its load counts once. A cycle with a load has a slot fewer, unless loads or the width of dispatch limit the kernel anyhow.
func TestSlotLimit(t *testing.T) {
	m, err := machine.Load(strings.NewReader(slots), "slots.model")
	if err != nil {
		t.Fatal(err)
	}
	n := func(k int, text string) string {
		return strings.TrimSuffix(strings.Repeat(strings.TrimSuffix(text, "; ")+"; ", k), "; ")
	}
	for _, c := range []struct {
		text        string
		bound, want float64
	}{
		{n(12, "vmovaps %ymm1, %ymm2"), 2, 2},
		{n(12, "vxorps %xmm1, %xmm1, %xmm1"), 2, 2},
		{n(12, "nop"), 1.5, 1.5},
		{n(12, "xorl %eax, %eax"), 1.5, 1.5},
		{n(6, "vmovaps %ymm1, %ymm2; nop"), 1.5, 1.5},
		{n(2, "vaddps (%rsi), %ymm1, %ymm2; "+n(5, "vmovaps %ymm1, %ymm3")), 2, 2.4},   // the load is minded
		{n(2, "vmovaps (%rsi), %ymm2; "+n(5, "vmovaps %ymm1, %ymm3")), 2, 2.4},         // likewise
		{n(2, "vmovaps (%rsi), %ymm2; "+n(2, "vmovaps %ymm1, %ymm3")), 1, 1},           // two loads a cycle
		{n(2, "vmovaps (%rsi), %ymm2; nop; nop; "+n(5, "vmovaps %ymm1, %ymm3")), 2, 2}, // eight slots a cycle
		{n(6, "vmovaps %ymm2, 64(%rdi)"), 6, 6},                                        // one store a cycle
		{n(2, "vmovaps (%rsi), %ymm2; "+n(11, "vmovaps %ymm1, %ymm3")), 4, 4.4},        // one load in two or three cycles
	} {
		g := depgraph.Build(uops.Bind(m, kernelOf(t, "x86-64", c.text)), depgraph.Options{})
		tp := throughput.Analyze(g.Bound, throughput.Optimal)
		if b := max(tp.Dispatch, tp.Cycles); math.Abs(b-c.bound) > 1e-9 {
			t.Errorf("%s: bound %.3f, want %.3f", c.text, b, c.bound)
		}
		if p := sim.Predict(g, sim.Options{}); p.Engine != "simulator" || math.Abs(p.Cycles-c.want) > 0.03*c.want {
			t.Errorf("%s: %.3f cycles by the %s, want %.3f", c.text, p.Cycles, p.Engine, c.want)
		}
	}
}

// TestLimitWait checks that a timeline names the limit that a µop waited for.
func TestLimitWait(t *testing.T) {
	m, err := machine.Load(strings.NewReader(limited), "limited.model")
	if err != nil {
		t.Fatal(err)
	}
	g := depgraph.Build(uops.Bind(m, kernelOf(t, "aarch64", "sub x1, x8, x9; add x2, x8, x9; add x3, x8, x9; add x4, x8, x9")), depgraph.Options{})
	tl, err := sim.Trace(g, sim.Options{}, -1, 4)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, l := range tl.Lives {
		for _, w := range l.Waits {
			if w.For == sim.ForDispatch && w.Reason == sim.DispatchLimit {
				if found++; w.Limit < 0 || tl.Core.DispatchLimits[w.Limit].Name != "A" || l.Inst == 0 {
					t.Errorf("instruction %d waits for limit %d", l.Inst, w.Limit)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no µop waits for a limit of dispatch")
	}
}

// TestIssueQueue checks that the cycles of in-order cores do not depend on how many instructions wait to issue, and that no more do.
func TestIssueQueue(t *testing.T) {
	rng := rand.New(rand.NewSource(21))
	cores := 0
	for _, arch := range machine.Names() {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		core, err := sim.Available(m)
		if err != nil || !core.InOrder {
			continue
		}
		cores++
		endless, err := m.With(machine.Fact{Name: "issue-queue", Value: "4000", Source: "test"})
		if err != nil {
			t.Fatal(err)
		}
		for range 25 {
			parts := make([]string, 1+rng.Intn(12))
			for i := range parts {
				parts[i] = pools[m.ISA][rng.Intn(len(pools[m.ISA]))]
			}
			text := strings.Join(parts, ";")
			k := kernelOf(t, m.ISA, text)
			short := sim.Predict(depgraph.Build(uops.Bind(m, k), depgraph.Options{}), sim.Options{})
			long := sim.Predict(depgraph.Build(uops.Bind(endless, k), depgraph.Options{}), sim.Options{})
			if math.Abs(short.Cycles-long.Cycles) > 0.002*long.Cycles {
				t.Errorf("%s: %s: %.3f cycles with a queue of %d, %.3f without a limit", arch, text, short.Cycles, core.IssueQueue, long.Cycles)
			}
		}
		g := depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, pools[m.ISA][0]+";"+pools[m.ISA][1])), depgraph.Options{})
		tl, err := sim.Trace(g, sim.Options{}, -1, 20)
		if err != nil {
			t.Fatal(err)
		}
		waiting(t, arch, tl)
	}
	if cores < 5 {
		t.Errorf("%d in-order cores", cores)
	}
}

// waiting checks that no more instructions wait to issue at a time than the queue has room for.
func waiting(t *testing.T, arch string, tl *sim.Timeline) {
	t.Helper()
	for i := range tl.Lives {
		n := 0
		for k := i; k >= 0; k-- {
			if l := &tl.Lives[k]; l.Number == 0 && l.Port >= 0 && l.Issued > tl.Lives[i].Dispatched {
				n++
			}
		}
		if most := tl.Core.IssueQueue + tl.Core.UnitQueue.Entries; n > most {
			t.Fatalf("%s: %d instructions wait to issue in cycle %d, of %d", arch, n, tl.Lives[i].Dispatched, most)
		}
	}
}

// TestPairsWhole holds loops whose instructions of two slots are dispatched in one cycle to measurements of a Zen 4: no such instruction is split between two cycles,
// so that 7 and 9 slots take as long as 8 and 10 do, and a product of what an address of base and index holds fills one.
func TestPairsWhole(t *testing.T) {
	const moves = "movq %rbp, %r12; movq %rbp, %r13; movq %rbp, %r14; movq %rbp, %r12; movq %rbp, %r13; "
	for text, want := range map[string]float64{
		"xchgq %r8, %r9; xchgq %r10, %r11; xchgq %r12, %r13; ":                                               1.33,
		"xchgq %r8, %r9; xchgq %r10, %r11; xchgq %r12, %r13; xchgq %r14, %rbx; ":                             1.66,
		"movl %r8d, (%rsi,%rbp); " + moves:                                                                   1.33,
		moves + "movl %r8d, (%rsi,%rbp); ":                                                                   1.33,
		"movl %r8d, (%rsi); movq %rbp, %r14; " + moves:                                                       1.33,
		"movl %r8d, (%rsi); " + moves:                                                                        1.17,
		"addl (%rsi,%rbp), %r8d; addl (%rsi,%rbp), %r9d; addl (%rsi,%rbp), %r10d; addl (%rsi,%rbp), %r11d; ": 1.66,
		"leaq 8(%rsi,%rbp), %r8; " + moves:                                                                   1.33,
		"movl %r8d, (%rsi,%rbp); " + moves + moves + "movq %rbp, %r14; ":                                     2.33,
		"mulxq (%rsi,%rbp), %r8, %r9; movq %rdi, %r12; movq %rdi, %r13; ":                                    2.00, // a cycle of its own
		"mulxq (%rsi,%rbp), %r8, %r9; " + moves + moves:                                                      3.00,
		"shldl %cl, %esi, %r8d; shldl %cl, %esi, %r9d; shldl %cl, %esi, %r10d; shldl %cl, %esi, %r11d; ":     6.00, // microcode may go on in the next cycle
	} {
		if p := sim.Predict(graph(t, "zen4", text+"decl %ecx; jne 0"), sim.Options{}); math.Abs(p.Cycles-want) > 0.01*want {
			t.Errorf("%s: %.3f cycles, want %.2f", text, p.Cycles, want)
		}
	}
}

// TestStoredDataBeside checks how many stores that wait for a register may be dispatched before it is there: one whose address has an index as well has two
// entries of the three queues with ports for addresses. A Zen 4 takes 34 of these that wait for address and data, and of others as many as its store queue holds.
func TestStoredDataBeside(t *testing.T) {
	core := func() *sim.Core {
		m, err := machine.Get("zen4")
		if err != nil {
			t.Fatal(err)
		}
		c, err := sim.Available(m)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, c := range []struct {
		store  string
		stores int
		ahead  bool // the last one is dispatched before the register is there
	}{
		{"movq %r15, (%rsi,%r15)", 33, true}, {"movq %r15, (%rsi,%r15)", 37, false}, {"movq %r15, (%rsi)", 60, true}, {"movq %rdi, (%rsi,%r15)", 56, true},
	} {
		const chain = 30
		text := strings.Repeat("vmulpd %xmm0, %xmm0, %xmm0; ", chain) + "vmovq %xmm0, %r15; " + strings.Repeat(c.store+"; ", c.stores) + "lfence"
		var there, last int64
		if _, err := sim.Run(graph(t, "zen4", text), core(), sim.Options{Trace: func(e sim.Event) {
			switch {
			case e.Iteration > 0:
			case e.Inst == chain:
				there = e.Done
			case e.Inst == chain+c.stores:
				last = e.Dispatched
			}
		}}); err != nil {
			t.Fatal(err)
		}
		if (last < there) != c.ahead {
			t.Errorf("%d of %s: the last one is dispatched in cycle %d, the register is there in %d", c.stores, c.store, last, there)
		}
	}
}
