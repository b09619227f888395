package sim_test

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
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
		g := depgraph.Build(m.Bind(kernelOf(t, "aarch64", c.text)), depgraph.Options{})
		tp := throughput.Analyze(g.Bound, throughput.Optimal)
		if want := c.want; c.limit != "" && (math.Abs(tp.Dispatch-want) > 1e-9 || tp.Limit.Name != c.limit) {
			t.Errorf("%s: bound %.3f by %q, want %.3f by %q", c.text, tp.Dispatch, tp.Limit.Name, want, c.limit)
		}
		p := sim.Predict(g, sim.Options{})
		if p.Engine != "simulator" || math.Abs(p.Cycles-c.want) > 0.01*c.want {
			t.Errorf("%s: %.3f cycles by the %s, want %.3f", c.text, p.Cycles, p.Engine, c.want)
		}
		if c.want > 1 && p.Result.Stalls[sim.Kinds] < 0.5 {
			t.Errorf("%s: dispatch ends %.2f cycles at a limit", c.text, p.Result.Stalls[sim.Kinds])
		}
	}
}

// TestLimitWait checks that a timeline names the limit that a µop waited for.
func TestLimitWait(t *testing.T) {
	m, err := machine.Load(strings.NewReader(limited), "limited.model")
	if err != nil {
		t.Fatal(err)
	}
	g := depgraph.Build(m.Bind(kernelOf(t, "aarch64", "sub x1, x8, x9; add x2, x8, x9; add x3, x8, x9; add x4, x8, x9")), depgraph.Options{})
	tl, err := sim.Trace(g, sim.Options{}, -1, 4)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, l := range tl.Lives {
		for _, w := range l.Waits {
			if w.For == sim.ForDispatch && w.Reason == sim.Kinds {
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
			short := sim.Predict(depgraph.Build(m.Bind(k), depgraph.Options{}), sim.Options{})
			long := sim.Predict(depgraph.Build(endless.Bind(k), depgraph.Options{}), sim.Options{})
			if math.Abs(short.Cycles-long.Cycles) > 0.002*long.Cycles {
				t.Errorf("%s: %s: %.3f cycles with a queue of %d, %.3f without a limit", arch, text, short.Cycles, core.IssueQueue, long.Cycles)
			}
		}
		g := depgraph.Build(m.Bind(kernelOf(t, m.ISA, pools[m.ISA][0]+";"+pools[m.ISA][1])), depgraph.Options{})
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
		if n > tl.Core.IssueQueue {
			t.Fatalf("%s: %d instructions wait to issue in cycle %d, of %d", arch, n, tl.Lives[i].Dispatched, tl.Core.IssueQueue)
		}
	}
}
