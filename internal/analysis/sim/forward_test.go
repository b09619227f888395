package sim_test

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/sim"
)

// TestForwarded holds what comes back through memory in loops on AMD's cores before Zen 4 to uops.info's figures, of which InstLatx64's of a Ryzen 7 3700X
// confirms those of ADD, PUSH and POP: Zen 2 renames memory, Zen 1 does not. Zen 3's are measured on one (family 25 model 1), the code with dec and jne behind it: 1.16,
// 1.14 and 5.97 cycles of the first three. uops.info's (6, 7 and 7) are of straight code, in which Zen 3 renames only what goes through the stack pointer.
func TestForwarded(t *testing.T) {
	for _, c := range []struct {
		text             string
		zen1, zen2, zen3 float64
	}{
		{"mov %rax,(%rdi); mov (%rdi),%rax", 7, 1, 1},
		{"add %rcx,(%rdi)", 7, 1, 1},
		{"add %cl,(%rdi)", 7, 7, 6},
		{"push %rax; pop %rax", 7, 1, 1},
		{"movaps %xmm0,(%rdi); movaps (%rdi),%xmm0", 8, 8, 9},
	} {
		for arch, want := range map[string]float64{"zen1": c.zen1, "zen2": c.zen2, "zen3": c.zen3} {
			if p := sim.Predict(graph(t, arch, c.text), sim.Options{}); math.Abs(p.Cycles-want) > 0.01 {
				t.Errorf("%s on %s: %.2f cycles, want %g", c.text, arch, p.Cycles, want)
			}
		}
	}
}

// TestRenamedPairs: in loops of few pairs of a store and a load Zen 3 renames those of 32 and 64 bits, whatever their addresses are.
func TestRenamedPairs(t *testing.T) {
	for text, want := range map[string]int{
		"push %rax; pop %rax":                            1,
		"mov %rax,8(%rsp); mov 8(%rsp),%rax":             1,
		"mov %rax,(%rdi); mov (%rdi),%rax":               1,
		"mov %rax,(%rsp,%rcx,8); mov (%rsp,%rcx,8),%rax": 1,
		"mov %ax,8(%rsp); mov 8(%rsp),%ax":               0,
	} {
		got := 0
		for _, e := range graph(t, "zen3", text).Edges {
			if e.Renamed {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d edges renamed, want %d", text, got, want)
		}
	}
}

// TestThroughAddresses holds loops whose addresses depend on what they store and load to figures measured on Zen 5 (family 26 model 2), and the
// bounds to the same: partial overlaps through pointers and indices, pointers loaded from where they were stored, pushes of memory.
func TestThroughAddresses(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"movq (%rdi,%rax),%rdx; addq %r8,%rdx; movq %rdx,4(%rdi,%rax); addq $8,%rax", 15.1},
		{"movq (%rdi,%rax,8),%rdx; addq %r8,%rdx; movq %rdx,-4(%rdi,%rax,8); decq %rax", 15.2},
		{"movl (%rdi,%rax,4),%edx; addl %r8d,%edx; movl %edx,2(%rdi,%rax,4); incq %rax", 15.1},
		{"movl (%rdi,%rax,4),%edx; addl %r8d,%edx; movl %edx,4(%rdi,%rax,4); incq %rax", 1.01},
		{"movl (%rdi,%rax,4),%edx; addl %r8d,%edx; movl %edx,8(%rdi,%rax,4); incq %rax", 4},
		{"movq (%rdi,%rax),%rdx; addq %r8,%rdx; movq %rdx,12(%rdi,%rax); addq $8,%rax", 15},
		{"movl (%rdi,%rax),%edx; addq %r8,%rdx; movq %rdx,4(%rdi,%rax); addq $8,%rax", 8.01},
		{"movzwl (%rdi,%rax),%edx; addl %r8d,%edx; movw %dx,1(%rdi,%rax); addq $2,%rax", 15},
		{"movq (%rax),%rax; movq %r14,(%rax); incq %rcx", 1.01},
		{"movq %rdx,(%rdx); movq (%rdx),%rdx; imulq $1,%rdx,%rdx", 3},
		{"movq (%rax),%rax; movq %r14,8(%rax)", 4},
		{"pushq 64(%rbx); movq (%rsp),%rbx", 4.1},
		{"pushq (%rbx); popq %rbx", 4},
		{"pushq 4(%rsp)", 13.2},
		{"pushq 8(%rsp)", 1}, // 0.50 without the loop's branch
		{"pushq 32(%rsp)", 1},
		{"popq (%rsp)", 6.98},
		{"popq 8(%rsp)", 3.51},
		{"popw (%rsp)", 6.98},
		{"pushw (%rsp)", 7},
		{"pushq (%rsp); popq (%rsp)", 14.01},
		{"vmovdqu32 %xmm0,(%rdi){%k1}; vmovdqu32 (%rdi),%xmm0", 14.94},
		{"vmovdqu8 %ymm0,(%rdi){%k1}; vmovdqu8 (%rdi),%ymm0", 14.98},
		{"vmovss %xmm0,(%rdi){%k1}; vmovss (%rdi),%xmm0", 14.96},
		{"vpmaskmovd %xmm0,%xmm1,(%rdi); vmovups (%rdi),%xmm0", 14.91},
		{"vpcompressd %zmm0,(%rdi){%k1}; vmovups (%rdi),%zmm0", 19.96},
		{"kmovw %k1,(%rdi); kmovw (%rdi),%k1", 10.96},
		{"kmovq %k1,(%rdi); kmovq (%rdi),%k1", 10.99},
		{"kmovw %k1,(%rdi); movzwl (%rdi),%eax; kmovw %eax,%k1", 12.98},
		{"movups %xmm0,(%rdx); movq (%rdx),%rdx", 9.98},
		{"movups %xmm0,(%rdx); movups (%rdx),%xmm1; movq %xmm1,%rdx", 14.95},
		{"movq %rax,(%rdx); movzwl (%rdx),%esi; addq %rsi,%rdx; subq %rsi,%rdx", 12},
		{"movq %r8,(%rdx); movzbl 7(%rdx),%esi; addq %rsi,%rdx", 11},
	} {
		b := graph(t, "zen5", c.text).Bound
		memory, _ := memdep.Find(b, memdep.Options{})
		g := depgraph.Build(b, depgraph.Options{Memory: memory})
		if p := sim.Predict(g, sim.Options{}); math.Abs(p.Cycles-c.want) > 0.1*c.want {
			t.Errorf("%s: %.2f cycles, measured %g", c.text, p.Cycles, c.want)
		}
		if low := latency.Carried(g); low > c.want*1.01 {
			t.Errorf("%s: the slowest chain takes %.2f cycles, measured %g", c.text, low, c.want)
		}
	}
}

// TestSmallCores holds what Intel's small cores make of memory to what is published of them: two accesses of 128 bits a cycle (J. Chen; Skymont three loads, Intel), vectors
// that come back through the store queue and integers that are renamed (uops.info), 5 nops a cycle (J. Chen).
func TestSmallCores(t *testing.T) {
	for _, c := range []struct {
		arch, text string
		want       float64
	}{
		{"gracemont", "movaps %xmm0,(%rdi); movaps (%rdi),%xmm0", 8},
		{"crestmont", "movaps %xmm0,(%rdi); movaps (%rdi),%xmm0", 6},
		{"skymont", "movaps %xmm0,(%rdi); movaps (%rdi),%xmm0", 6},
		{"gracemont", "add %rcx,(%rdi)", 1},
		{"tremont", "add %rcx,(%rdi)", 6},
		{"gracemont", "vmovups (%rdi),%ymm0; vmovups 32(%rdi),%ymm1", 2},
		{"gracemont", "vmovups %ymm0,(%rdi); vmovups %ymm0,32(%rdi)", 2},
		{"gracemont", "vaddpd (%rdi),%ymm1,%ymm2; vaddpd 32(%rdi),%ymm1,%ymm3", 2},
		{"skymont", "mov (%rdi),%rax; mov 8(%rdi),%rcx; mov 16(%rdi),%rdx", 1},
		{"gracemont", "nop; nop; nop; nop; nop; nop; nop; nop; nop; nop", 2},
		{"gracemont", "mov 12(%rbp),%al; mov %al,%cl", 1}, // the old register waits for no address
	} {
		if p := sim.Predict(graph(t, c.arch, c.text), sim.Options{}); math.Abs(p.Cycles-c.want) > 0.01 {
			t.Errorf("%s on %s: %.2f cycles, want %g", c.text, c.arch, p.Cycles, c.want)
		}
	}
}

// TestForwardedBetweenFiles holds round trips through memory between register files, and between vectors of other sizes, to figures measured on Zen 5
// (family 26 model 2, 2026-11-28).
func TestForwardedBetweenFiles(t *testing.T) {
	for text, want := range map[string]float64{
		"mov %eax,(%rsi); movss (%rsi),%xmm0; movd %xmm0,%eax":                 12,
		"movq %rax,(%rsi); vaddsd (%rsi),%xmm1,%xmm0; movq %xmm0,%rax":         15,
		"movb %al,(%rsi); vpinsrb $0,(%rsi),%xmm1,%xmm0; movd %xmm0,%eax":      14,
		"movsd %xmm0,(%rsi); movq (%rsi),%rax; movq %rax,%xmm0":                13,
		"movups %xmm0,(%rsi); movq 8(%rsi),%rax; movq %rax,%xmm0":              13,
		"movups %xmm0,(%rsi); movsd 8(%rsi),%xmm0":                             9,
		"vmovups %ymm0,(%rsi); vmovups 16(%rsi),%xmm0":                         9,
		"vmovups %zmm0,(%rsi); vmovups (%rsi),%zmm0":                           11,
		"movhps %xmm0,(%rsi); movsd (%rsi),%xmm0":                              11,
		"vmovsd %xmm0,8(%rsi); vmovsd 8(%rsi),%xmm0; vaddsd %xmm0,%xmm1,%xmm0": 12,
		"movq %rax,(%rsi); movl 4(%rsi),%eax":                                  7,
		"vmovq %rax,%xmm0; vmovq %xmm0,%rax":                                   7,
	} {
		if p := sim.Predict(graph(t, "zen5", text), sim.Options{}); math.Abs(p.Cycles-want) > 0.05*want {
			t.Errorf("%s: %.2f cycles, want %g", text, p.Cycles, want)
		}
	}
}

// TestZen5Chains holds chains through vectors of 512 bits, masks and gathers to figures measured on Zen 5 (family 26 model 2, 2026-11-28).
func TestZen5Chains(t *testing.T) {
	for text, want := range map[string]float64{
		"vdivpd %zmm1,%zmm2,%zmm0":                         4,
		"vsqrtpd %zmm1,%zmm0":                              7.5,
		"vpclmulqdq $0,%zmm1,%zmm2,%zmm0":                  2,
		"vpcompressd %zmm1,%zmm0{%k1}{z}":                  5,
		"vpcompressd %zmm1,%zmm0{%k1}":                     5,
		"kmovw %k1,%eax; popcnt %eax,%eax; kmovw %eax,%k1": 10,
		"vpcompressd %ymm1,%ymm0{%k1}{z}":                  4,
		"vpexpandd %xmm1,%xmm0{%k1}{z}":                    2,
		"vpmovzxbd %xmm0,%zmm0":                            4,
		"vpmovsxwq %xmm1,%zmm0; vpmovzxbd %xmm1,%zmm2; vpmovsxdq %ymm1,%zmm3; vpmovzxwd %ymm1,%zmm4": 2,
		"valignd $1,%zmm0,%zmm1,%zmm0":                                                       5,
		"bts %rcx,%rax; setc %cl; movzbl %cl,%ecx":                                           3,
		"vpslld $3,%ymm8,%ymm0; vaddpd %ymm8,%ymm9,%ymm1":                                    1,
		"vpshufb %ymm8,%ymm9,%ymm0; vpermd %ymm8,%ymm9,%ymm1":                                1,
		"kxnorq %k0,%k0,%k1; vpgatherdd (%rax,%ymm1,1),%ymm2{%k1}; vpandd %ymm2,%ymm3,%ymm1": 25,
		"kxnorq %k0,%k0,%k1; vpgatherqq (%rax,%ymm1,1),%ymm2{%k1}; vpandd %ymm2,%ymm3,%ymm1": 20,
		"kxnorq %k0,%k0,%k1; vpgatherdd (%rax,%zmm1,1),%zmm2{%k1}; vpandd %zmm2,%zmm3,%zmm1": 31,
	} {
		if p := sim.Predict(graph(t, "zen5", text), sim.Options{}); math.Abs(p.Cycles-want) > 0.05*want+0.02 {
			t.Errorf("%s: %.2f cycles, want %g", text, p.Cycles, want)
		}
	}
}

// TestLateData holds loops of a store and loads of its data, beside other loads, to figures measured on Zen 5 (family 26 model 2): a load that executes
// before the data are there takes its port again, and one that executes later does not.
func TestLateData(t *testing.T) {
	loop := func(late string, store, load string, loads int, other string, others int) string {
		return late + "; " + store + strings.Repeat("; "+load, loads) + strings.Repeat("; "+other, others) + "; dec %rcx; jne 1b"
	}
	const multiply = "; mulsd %xmm5, %xmm0"
	for _, c := range []struct {
		text string
		want float64
	}{
		{loop("movsd (%rsi), %xmm0", "movsd %xmm0, 64(%rdi)", "movsd 64(%rdi), %xmm1", 4, "movsd 8(%rsi), %xmm6", 30), 19.5},
		{loop("movsd (%rsi), %xmm0", "movsd %xmm0, 64(%rdi)", "movsd 128(%rdi), %xmm1", 4, "movsd 8(%rsi), %xmm6", 30), 17.5},
		{loop("movsd (%rsi), %xmm0", "movsd %xmm0, 64(%rdi)", "movsd 64(%rdi), %xmm1", 12, "movsd 8(%rsi), %xmm6", 30), 27.4},
		{loop("movaps %xmm5, %xmm0", "movsd %xmm0, 64(%rdi)", "movsd 64(%rdi), %xmm1", 12, "movsd 8(%rsi), %xmm6", 30), 21.0},
		{loop("movaps %xmm5, %xmm0"+strings.Repeat(multiply, 6), "movsd %xmm0, 64(%rdi)", "movsd 64(%rdi), %xmm1", 12, "movsd 8(%rsi), %xmm6", 30), 23.8},
		{loop("movaps %xmm5, %xmm0"+multiply, "movsd %xmm0, 64(%rdi)", "mov 64(%rdi), %rax", 12, "mov 8(%rsi), %r9", 40), 15.7},
		{loop("movaps %xmm5, %xmm0"+strings.Repeat(multiply, 4), "movsd %xmm0, 64(%rdi)", "mov 64(%rdi), %rax", 12, "mov 8(%rsi), %r9", 40), 16.3},
	} {
		p := sim.Predict(graph(t, "zen5", c.text), sim.Options{})
		if math.Abs(p.Cycles/c.want-1) > 0.06 {
			t.Errorf("%s: %.2f cycles, want %g", c.text, p.Cycles, c.want)
		}
	}
}

// TestLateDataRecurs: a steady state that is found early is the one that is found late: the ports that late data take again, and which data are late, are
// parts of the state.
func TestLateDataRecurs(t *testing.T) {
	texts := []string{
		"movups %xmm0, 64(%rdi); movups 64(%rdi), %xmm3; mov 64(%rdi), %rax; movsd %xmm0, 64(%rdi); mov 64(%rdi), %rax; movq 16(%rsi), %rbx",
		"movq 16(%rsi), %rbx; movups %xmm0, 64(%rdi); movups 64(%rdi), %xmm3; mov 64(%rdi), %rax; movups %xmm0, 64(%rdi); movups %xmm0, 64(%rdi); addq $3, 64(%rdi)",
	}
	parts := []string{"movsd %xmm0, 64(%rdi)", "movsd 64(%rdi), %xmm1", "movsd 8(%rsi), %xmm6", "mulsd %xmm5, %xmm0", "addsd %xmm1, %xmm0", "movups %xmm0, 64(%rdi)", "movups 64(%rdi), %xmm3",
		"mov %rax, 64(%rdi)", "mov 64(%rdi), %rax", "addq $3, 64(%rdi)", "movq %xmm0, %rax", "movl 64(%rdi), %ecx", "movq 16(%rsi), %rbx", "movaps %xmm5, %xmm0"}
	for rng := rand.New(rand.NewSource(5)); len(texts) < 200; {
		texts = append(texts, random(rng, parts))
	}
	exact := 0
	for _, text := range texts {
		g := graph(t, "zen5", text)
		core, err := sim.Available(g.Bound.Model)
		if err != nil {
			t.Fatal(err)
		}
		soon, err := sim.Run(g, core, sim.Options{Exact: true})
		if err != nil || !soon.Exact {
			continue
		}
		late, err := sim.Run(g, core, sim.EveryCycle(sim.Options{Exact: true, MinIterations: soon.Iterations + 300}))
		if exact++; err != nil || math.Abs(late.Cycles-soon.Cycles) > 1e-9 {
			t.Errorf("%s: %.3f cycles after %d iterations, later %.3f, %v", text, soon.Cycles, soon.Iterations, late.Cycles, err)
		}
	}
	if exact < 100 {
		t.Errorf("%d steady states", exact)
	}
}
