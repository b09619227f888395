package sim_test

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

func kernel(t testing.TB, text string) *isa.Kernel {
	t.Helper()
	a := x86.ISA()
	k := &isa.Kernel{ISA: a, Loop: true}
	addr := uint64(0)
	for _, s := range strings.Split(text, ";") {
		insts, err := a.Parse(nil, strings.TrimSpace(s), "att")
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range insts {
			code, err := a.Encode(nil, &in, addr)
			if err != nil {
				t.Fatal(err)
			}
			in.Size = uint8(len(code))
			k.Lines = append(k.Lines, isa.Line{Inst: in, Text: s, Addr: addr})
			addr += uint64(len(code))
		}
	}
	return k
}

func graph(t testing.TB, arch, text string) *depgraph.Graph {
	t.Helper()
	m, err := machine.Get(arch)
	if err != nil {
		t.Fatal(err)
	}
	return depgraph.Build(m.Bind(kernel(t, text)), depgraph.Options{})
}

// TestPredict holds the simulator to figures that are documented or were measured on the core.
func TestPredict(t *testing.T) {
	for _, c := range []struct {
		arch, text string
		copies     int
		want, tol  float64
	}{
		{"skylake", "addq $1, %rax", 1, 1, 0.01},
		{"skylake", "imulq %rbx, %rax", 1, 3, 0.01},
		{"skylake", "movq (%rax), %rax", 1, 4, 0.01}, // fast pointer chasing
		{"skylake", "movq (%rsi), %rax; movq 8(%rsi), %rbx; movq 16(%rsi), %rcx; movq 24(%rsi), %rdx", 1, 2, 0.01}, // two loads a cycle
		{"skylake", "addl $1, 4(%rdx)", 1, 5, 0.01},                                                                // store forwarding 4, addition 1
		{"haswell", "vaddpd %ymm0, %ymm1, %ymm1", 1, 3, 0.01},
		{"zen5", "addsd %xmm1, %xmm0", 1, 2, 0.01}, // forwarded to another addition
		{"zen5", "mulsd %xmm1, %xmm0", 1, 3, 0.01},
		{"zen5", "addsd %xmm1, %xmm0; mulsd %xmm1, %xmm0", 1, 6, 0.01},
		{"zen5", "incq (%rdi)", 1, 1, 0.01},                          // memory renaming
		{"zen5", "movq %rax, (%rdi); movq (%rdi), %rax", 1, 1, 0.01}, // two slots, a taken branch's cycle
		{"zen5", "pushq %rbx; subq $16, %rsp", 10, 2, 0.05},          // the stack pointer is brought up to date
		{"zen5", "leaq 8(%rax,%rbp), %rax", 1, 2, 0.01},
		{"zen5", "movq (%rsi), %rax; movq 8(%rsi), %rbx; movq 16(%rsi), %rcx; movq 24(%rsi), %rdx", 10, 1, 0.05},
	} {
		p := sim.Predict(graph(t, c.arch, c.text), sim.Options{Copies: c.copies})
		if p.Engine != "simulator" || math.Abs(p.Cycles-c.want) > c.tol*c.want {
			t.Errorf("%s: %s: %.3f cycles (%s %s), want %.2f", c.arch, c.text, p.Cycles, p.Engine, p.Why, c.want)
		}
	}
}

// pool holds instructions of every kind that the random kernels below are made of.
var pool = []string{"addq %rax, %rbx", "subq $3, %rcx", "imulq %rbx, %rdx", "movq (%rsi), %rax", "movq %rcx, 8(%rdi)", "addq 16(%rsi), %rbx",
	"addq %rcx, 24(%rdi)", "leaq 4(%rax,%rbx,2), %rcx", "shlq $2, %rdx", "cmpq %rax, %rbx", "cmovlq %rcx, %rdx", "mulsd %xmm1, %xmm2", "addsd (%rsi), %xmm3",
	"vfmadd231pd %ymm1, %ymm2, %ymm4", "movaps %xmm1, %xmm5", "divsd %xmm1, %xmm6", "pushq %rbx", "popq %rbx", "xorl %eax, %eax", "movq %rbx, %rcx"}

// TestNotBelowBounds checks, on random kernels, that the simulator is never faster than its ports, its dispatch width and its
// dependences allow.
func TestNotBelowBounds(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, arch := range []string{"skylake", "haswell", "ivybridge", "zen4", "neoverse-v2"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		if m.ISA != "x86-64" {
			continue
		}
		for range 60 {
			var parts []string
			for range 1 + rng.Intn(12) {
				parts = append(parts, pool[rng.Intn(len(pool))])
			}
			text := strings.Join(parts, ";")
			g := depgraph.Build(m.Bind(kernel(t, text)), depgraph.Options{NoMemory: true})
			tp := throughput.Analyze(g.Bound, throughput.Optimal)
			low := max(tp.Cycles, tp.Dispatch, latency.LoopCarried(g).Cycles)
			if p := sim.Predict(g, sim.Options{}); p.Cycles < 0.97*low {
				t.Errorf("%s: %s: simulated %.3f, bound %.3f (ports %.2f, dispatch %.2f, chain %.2f)", arch, text, p.Cycles, low, tp.Cycles, tp.Dispatch, p.Chain)
			}
		}
	}
}

// TestFallback checks that models without a core's size get the bounds, and say so.
func TestFallback(t *testing.T) {
	m, err := machine.Load(strings.NewReader("name: small\nisa: x86-64\nports: A B\nsource: test\nADD64rr | A+B | 1\n"), "small.model")
	if err != nil {
		t.Fatal(err)
	}
	g := depgraph.Build(m.Bind(kernel(t, "addq %rax, %rbx")), depgraph.Options{})
	if p := sim.Predict(g, sim.Options{}); p.Engine != "bounds" || p.Why == "" || p.Cycles != 1 {
		t.Errorf("%+v", p)
	}
	if _, err := sim.Available(m); err == nil {
		t.Error("a core of unknown size is available")
	}
}

// TestWide checks that an instruction with more slots than the core retires per cycle, or holds, is simulated all the same.
func TestWide(t *testing.T) {
	for _, arch := range []string{"zen4", "silvermont", "skylake"} {
		g := graph(t, arch, "addq %rax, %rbx")
		for _, slots := range []float64{20, 100, 700} {
			b := g.Bound.Change(g.Bound.Model, func(_ int, in *machine.Inst) { in.Slots = slots })
			p := sim.Predict(depgraph.Build(b, depgraph.Options{}), sim.Options{})
			width := float64(b.Model.Params.DispatchWidth)
			if p.Engine != "simulator" || p.Cycles < min(slots, 100)/width || p.Cycles > 2*slots/width+8 {
				t.Errorf("%s: %g slots, %g a cycle: %.2f cycles (%s %s)", arch, slots, width, p.Cycles, p.Engine, p.Why)
			}
		}
	}
}

// TestTrace checks that events come in order and that their times are.
func TestTrace(t *testing.T) {
	n := 0
	sim.Predict(graph(t, "skylake", pool[3]+";"+pool[6]), sim.Options{Trace: func(e sim.Event) {
		n++
		if !(e.Dispatched <= e.Issued && e.Issued <= e.Done && e.Done <= e.Retired) {
			t.Fatalf("out of order: %+v", e)
		}
	}})
	if n == 0 {
		t.Error("no events")
	}
}

// block is about as long as the average block of BHive.
const block = "movq 8(%rsi), %rax; addq %rax, %rbx; movl %ecx, 16(%rdi); leaq (%rbx,%rax,4), %rdx; cmpq %rdx, %r8; movzbl (%rdx), %r9d"

func BenchmarkPredict(b *testing.B) {
	for _, arch := range []string{"skylake", "zen5"} {
		b.Run(arch, func(b *testing.B) {
			g := graph(b, arch, block)
			b.ReportAllocs()
			for range b.N {
				sim.Predict(g, sim.Options{})
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "blocks/s")
		})
	}
}

// TestNoAllocationPerCycle checks that simulating ten times as long allocates no more.
func TestNoAllocationPerCycle(t *testing.T) {
	g := graph(t, "skylake", block)
	allocs := func(cycles int) float64 {
		o := sim.Options{MinCycles: cycles}
		sim.Predict(g, o) // the engine's memory grows once
		return testing.AllocsPerRun(10, func() { sim.Predict(g, o) })
	}
	if short, long := allocs(2000), allocs(20000); long > short+2 {
		t.Errorf("%g allocations in 2,000 cycles, %g in 20,000", short, long)
	}
}
