package sim_test

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/sim"
)

// TestIntelCores: what differs between neighbours among Intel's cores, as published.
func TestIntelCores(t *testing.T) {
	const (
		chain = "movzbl %sil, %eax; movzbl %al, %esi"
		fmas  = "vfmadd231ps %zmm0, %zmm1, %zmm2; vfmadd231ps %zmm0, %zmm1, %zmm3; vfmadd231ps %zmm0, %zmm1, %zmm4; vfmadd231ps %zmm0, %zmm1, %zmm5; " +
			"vfmadd231ps %zmm0, %zmm1, %zmm6; vfmadd231ps %zmm0, %zmm1, %zmm7; vfmadd231ps %zmm0, %zmm1, %zmm8; vfmadd231ps %zmm0, %zmm1, %zmm9"
	)
	for _, c := range []struct {
		arch, text string
		unrolled   bool
		want       float64
	}{
		// moves from spl to dil and r12b to r15b are eliminated on Ivy Bridge alone (uiCA); Ice Lake eliminates none of general-purpose registers
		{"sandybridge", chain, false, 2},
		{"ivybridge", chain, false, 0.5},
		{"haswell", chain, false, 1},
		{"cascadelake", chain, false, 1},
		{"icelake-client", chain, false, 2},
		{"rocketlake", chain, false, 1},
		// pop of r12: alone up to Broadwell, from Skylake on by the first decoder (uiCA)
		{"haswell", "nop; popq %r12", true, 2},
		{"skylake", "nop; popq %r12", true, 1},
		{"icelake-client", "nop; popq %r12", true, 1},
		{"skylake", "nop; popq %rbx", true, 0.5},
		// the second unit for multiplication of 512 bits (Intel: servers)
		{"icelake-client", fmas, false, 8},
		{"tigerlake", fmas, false, 8},
		{"icelake-server", fmas, false, 4},
		{"icelake-client", strings.ReplaceAll(fmas, "vfmadd231ps", "vpmadd52luq"), false, 8},
		{"icelake-server", strings.ReplaceAll(fmas, "vfmadd231ps", "vpmadd52luq"), false, 4},
		{"sapphirerapids", strings.ReplaceAll(fmas, "vfmadd231ps", "vpmadd52luq"), false, 4},
		// the loop buffer: off on Skylake's server version, on from Cascade Lake on (uiCA)
		{"skylake-server", "nop; nop; nop; nop; decq %r15; jne 0", false, 1.25},
		{"cooperlake", "nop; nop; nop; nop; decq %r15; jne 0", false, 4. / 3},
		// 256 bits go through the data cache in two halves up to Ivy Bridge (Intel: 16 bytes a port); a store's address does not wait for the second half of a load
		{"sandybridge", "vmovups (%rdi), %ymm0; vmovups 32(%rdi), %ymm1", false, 2},
		{"ivybridge", "vaddps (%rdi), %ymm0, %ymm0; vaddps 32(%rdi), %ymm1, %ymm1; vxorps %ymm0, %ymm0, %ymm0; vxorps %ymm1, %ymm1, %ymm1", false, 2},
		{"ivybridge", "movups (%rdi), %xmm0; movups 16(%rdi), %xmm1", false, 1},
		{"haswell", "vmovups (%rdi), %ymm0; vmovups 32(%rdi), %ymm1", false, 1},
		{"ivybridge", "vmovups %ymm0, (%rdi)", false, 2},
		{"haswell", "vmovups %ymm0, (%rdi)", false, 1},
		{"ivybridge", "vmovups (%rdi), %ymm0; vaddps (%rsi), %ymm0, %ymm0; vmovups %ymm0, (%rdx)", false, 2},
		// a load that once met a store is trusted again: three stores a kernel, none of which it depends on late (Doweck)
		{"skylake", "movq %rax, 16(%r15); movq 72(%r12), %rsi; movl 80(%r12), %edx; movq (%rsi), %rax; movl %edx, 96(%rax); movq $0, 72(%r12); movl 8(%rsi), %edx; cmpl $1, %edx", false, 3},
		// to vector registers and back: uops.info's sums
		{"broadwell", "movq %xmm0, %rax; movq %rax, %xmm0", false, 2},
		{"skylake", "movq %xmm0, %rax; movq %rax, %xmm0", false, 4},
		{"icelake-client", "movq %xmm0, %rax; movq %rax, %xmm0", false, 4},
		{"alderlake-p", "movq %xmm0, %rax; movq %rax, %xmm0", false, 4},
		{"arrowlake-p", "movq %xmm0, %rax; movq %rax, %xmm0", false, 9},
		{"skylake", "cvttsd2si %xmm0, %rax; movq %rax, %xmm0", false, 8},
		{"rocketlake", "movq %xmm0, %rax; pxor %xmm0, %xmm0; cvtsi2sdl %eax, %xmm0", false, 8},
	} {
		copies := 20
		if strings.HasSuffix(c.text, "jne 0") {
			copies = 1
		}
		p := sim.Predict(graph(t, c.arch, c.text), sim.Options{Unrolled: c.unrolled, Copies: copies})
		if p.Engine != "simulator" || math.Abs(p.Cycles-c.want) > 0.03*c.want {
			t.Errorf("%s: %s: %.3f cycles (%s %s), want %g", c.arch, c.text, p.Cycles, p.Engine, p.Why, c.want)
		}
	}
}

// TestImmediateWithRIP: an immediate and an address relative to rip are not micro-fused (Intel Optimization Reference Manual), nor does another decoder than the
// first take them.
func TestImmediateWithRIP(t *testing.T) {
	for _, c := range []struct {
		arch, text string
		loop       float64
		unrolled   float64
	}{
		{"skylake", "cmpl $5, 100(%rip); nop; nop; nop; nop; nop; nop", 2, 2},
		{"skylake", "cmpl $5, 100(%rdi); nop; nop; nop; nop; nop; nop", 1.75, 1.75},
		{"haswell", "testb $5, 100(%rip); movl $1, 8(%rip)", 1, 2},
		{"icl", "movl $5, 100(%rip); movl $5, 104(%rip)", 1, 2},
		{"adl", "movl $5, 100(%rip); movl $5, 104(%rip)", 1, 1},
	} {
		for _, o := range []struct {
			opt  sim.Options
			want float64
		}{{sim.Options{Copies: 20}, c.loop}, {sim.Options{Unrolled: true}, c.unrolled}} {
			if p := sim.Predict(graph(t, c.arch, c.text), o.opt); math.Abs(p.Cycles-o.want) > 0.03*o.want {
				t.Errorf("%s: %s: %.3f cycles, want %.2f", c.arch, c.text, p.Cycles, o.want)
			}
		}
	}
}
