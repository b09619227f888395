package harness_test

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/harness"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

func graph(t *testing.T, a *isa.ISA, arch, text string) *depgraph.Graph {
	t.Helper()
	m, err := machine.Get(arch)
	if err != nil {
		t.Fatal(err)
	}
	k := &isa.Kernel{ISA: a, Syntax: a.Syntaxes[0]}
	for _, s := range strings.Split(text, ";") {
		insts, err := a.Parse(nil, strings.TrimSpace(s), "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range insts {
			code, err := a.Encode(nil, &insts[i], 0)
			if err != nil {
				t.Fatal(err)
			}
			insts[i].Size = uint8(len(code))
			k.Lines = append(k.Lines, isa.Line{Inst: insts[i], Text: s})
		}
	}
	return depgraph.Build(uops.Bind(m, k), depgraph.Options{})
}

// TestMeasured: what a measurement adds to code, and what it leaves as it is.
func TestMeasured(t *testing.T) {
	const (
		increments = "inc %rax; inc %rbx; inc %rcx; inc %rdx"                                   // 4 ALUs: a loop of 25 copies takes them for 2 more operations
		chain      = "movq (%rdi), %rax; imulq %rbx, %rax; movq %rax, (%rdi)"                   // through memory, from copy to copy
		distant    = "movq -16(%rdi), %rax; imulq %rbx, %rax; movq %rax, (%rdi); addq $8, %rdi" // over two
		pops       = "pop %rax; pop %rax; pop %rax; pop %rax"
		stores     = "movq %rax, (%rdi); movq %rbx, 8(%rdi)" // 50 copies and one store more
	)
	for _, c := range []struct {
		a          *isa.ISA
		arch, text string
		h          harness.Harness
		want       float64 // times what the code takes as one body in a loop
	}{
		{x86.ISA(), "zen4", increments, harness.Harness{Net: true}, 1},
		{x86.ISA(), "zen4", increments, harness.Harness{}, 1.02},
		{x86.ISA(), "haswell", chain, harness.Harness{}, 1},
		{x86.ISA(), "haswell", chain, harness.Harness{Net: true}, 1},
		{x86.ISA(), "haswell", distant, harness.Harness{Net: true}, 1},
		{x86.ISA(), "zen4", pops, harness.Harness{Net: true, Pages: 2}, 1},
		{x86.ISA(), "zen4", pops, harness.Harness{Net: true, Pages: 1}, 2}, // each line by a new address
		{x86.ISA(), "zen4", pops, harness.Harness{Net: true}, 2},           // one page is the default
		{x86.ISA(), "zen5", stores, harness.Harness{}, 1.01},               // measured 1.012 to 1.015 (zen5-blocks)
		{x86.ISA(), "zen5", stores, harness.Harness{Net: true}, 1},
		{x86.ISA(), "zen5", increments, harness.Harness{}, 1},
		{x86.ISA(), "tremont", "nop; nop; nop", harness.Harness{}, 1.02}, // its curve was measured without a loop
		{aarch64.ISA(), "neoverse-n1", "mul x0, x0, x1", harness.Harness{}, 1},
		{aarch64.ISA(), "neoverse-n1", "mul x0, x0, x1", harness.Harness{Net: true}, 1},
	} {
		g := graph(t, c.a, c.arch, c.text)
		body := engine.Auto.Estimate(g, engine.Looped(g.Bound))
		got := engine.Auto.Estimate(g, c.h.Layout(g.Bound))
		if math.Abs(got.Cycles-c.want*body.Cycles) > 0.002*body.Cycles {
			t.Errorf("%s on %s, %+v: %.3f cycles, %.3f as a body; want %g times as much", c.text, c.arch, c.h, got.Cycles, body.Cycles, c.want)
		}
	}
	g := graph(t, x86.ISA(), "haswell", increments)
	if l := (harness.Harness{Unrolled: true}).Layout(g.Bound); !l.Unrolled || l.Whole != nil || !l.Aligned || l.Start == 0 {
		t.Errorf("unrolled: %+v", l)
	}
	g.Bound.Kernel.Loop = true
	if l := (harness.Harness{}).Layout(g.Bound); l.Copies > 0 || l.Whole != nil || l.Memory != nil || !l.Aligned {
		t.Errorf("a loop in place: %+v", l)
	}
}

// TestPattern: dependences that come and go as elements of a histogram meet, in a loop, in copies, and laid out unrolled.
func TestPattern(t *testing.T) {
	chain := graph(t, x86.ISA(), "haswell", "movq (%rdi), %rax; imulq %rbx, %rax; movq %rax, (%rdi)") // 3 cycles, and what forwarding takes
	with := func(elements string) *depgraph.Graph {
		n := len(elements)
		var memory []depgraph.MemoryEdge
		for k := range n {
			dist := 1
			for elements[(k-dist+n)%n] != elements[k] {
				dist++
			}
			memory = append(memory, depgraph.MemoryEdge{From: 2, To: 0, Dist: int32(dist), When: 1 << k})
		}
		return depgraph.Build(chain.Bound, depgraph.Options{Memory: memory, Period: n})
	}
	all := engine.Auto.Estimate(depgraph.Build(chain.Bound, depgraph.Options{Memory: []depgraph.MemoryEdge{{From: 2, To: 0, Dist: 1}}}), engine.Looped(chain.Bound)).Cycles
	if all < 6 {
		t.Fatalf("a chain through memory takes %.2f cycles", all)
	}
	for _, looped := range []bool{true, false} {
		chain.Bound.Kernel.Loop = looped
		layouts := []engine.Layout{{Unrolled: true}, harness.Harness{Net: true, Pages: 7}.Layout(chain.Bound)}
		for elements, want := range map[string]float64{"01": 1. / 2, "0011": 2. / 4, "0001": 3. / 4, "01230000": 5. / 8, "000": 1} { // of the chain's cycles
			for _, l := range layouts {
				if got := engine.Auto.Estimate(with(elements), l).Cycles; math.Abs(got-want*all) > 0.06*all {
					t.Errorf("elements %s again and again, %+v: %.2f cycles, want %g of %.2f", elements, l, got, want, all)
				}
			}
		}
	}
}

// TestFaster: of two lengths of a loop of copies measurements keep the faster one. Figures of incore measure on a Zen 5, 2026-11-29.
func TestFaster(t *testing.T) {
	sums := strings.Repeat("; leaq 1(%r8), %r9", 6)
	nops := func(n int) string { return strings.Repeat("; nopl (%rax)", n) }
	for text, want := range map[string]float64{"xorl %ebx, %ebx" + sums: 1.130, "testb $8, %al" + sums: 1.184, "movq $0, 40(%rdx)" + nops(13): 2.179,
		"addl %r11d, %eax" + nops(13): 1.852, "cmpq $65535, %rbp" + nops(13): 2.207, "nopl (%rax)" + nops(13): 1.874, "nopl (%rax)" + nops(6): 0.943} {
		g := graph(t, x86.ISA(), "zen5", text)
		got := engine.Auto.Estimate(g, harness.Harness{Net: true}.Layout(g.Bound)).Cycles
		if math.Abs(got-want) > 0.03*want {
			t.Errorf("%s: %.3f cycles, measured %.3f", text, got, want)
		}
	}
}
