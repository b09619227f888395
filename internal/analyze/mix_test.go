package analyze

import (
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
	"incore/internal/report"
)

// TestMix: instructions count as vector ones by the registers that hold vectors, which those of x87, MMX and masks do not, and unless they work on one
// element of them, as scalar code of SSE and AVX does.
func TestMix(t *testing.T) {
	one, two, four := report.Vector{V128: 1}, report.Vector{V256: 1}, report.Vector{V512: 1}
	scalar := report.Vector{Scalar: 1}
	for _, c := range []struct {
		a    *isa.ISA
		text string
		want report.Vector
	}{
		{x86.ISA(), "fldt (%rdi)", scalar}, {x86.ISA(), "faddp %st, %st(1)", scalar}, {x86.ISA(), "fxch %st(3)", scalar},
		{x86.ISA(), "fcmovne %st(2), %st", scalar}, {x86.ISA(), "paddd %mm1, %mm2", scalar}, {x86.ISA(), "kandq %k1, %k2, %k3", scalar},
		{x86.ISA(), "addq %rax, %rbx", scalar}, {x86.ISA(), "paddd %xmm1, %xmm2", one}, {x86.ISA(), "vaddpd %ymm1, %ymm2, %ymm3", two},
		{x86.ISA(), "vaddpd %zmm1, %zmm2, %zmm3", four}, {x86.ISA(), "vcvtpd2ps %zmm1, %ymm2", four},
		{aarch64.ISA(), "add x0, x1, x2", scalar}, {aarch64.ISA(), "fadd d0, d1, d2", scalar}, {aarch64.ISA(), "fadd v0.2d, v1.2d, v2.2d", one},
		{aarch64.ISA(), "fmla z0.d, p0/m, z1.d, z2.d", report.Vector{Scalable: 1}}, {aarch64.ISA(), "ld1w { z2.s }, p0/z, [x1, z2.s, sxtw #2]", report.Vector{Scalable: 1}},
		{aarch64.ISA(), "whilelo p0.d, x3, x4", scalar}, {riscv.ISA(), "vl2re32.v v10, (a4)", report.Vector{Scalable: 1}}, {riscv.ISA(), "vfmacc.vv v8, v12, v10", report.Vector{Scalable: 1}},
		{riscv.ISA(), "vsetvli a4, a3, e32, m4, ta, ma", scalar}, {riscv.ISA(), "vmv.x.s a0, v1", report.Vector{Scalable: 1}},
		{riscv.ISA(), "fadd.d fa0, fa1, fa2", scalar}, {riscv.ISA(), "add a0, a1, a2", scalar},
		{x86.ISA(), "movss (%rsi,%rax), %xmm1", scalar}, {x86.ISA(), "mulss %xmm0, %xmm1", scalar}, {x86.ISA(), "vaddsd (%rdi), %xmm1, %xmm1", scalar},
		{x86.ISA(), "vmovsd %xmm1, (%rdi)", scalar}, {x86.ISA(), "vfmadd231sd %xmm1, %xmm2, %xmm3", scalar},
		{x86.ISA(), "cvtsi2sdl (%rsi), %xmm1", scalar}, {x86.ISA(), "cvttsd2si %xmm0, %eax", scalar}, {x86.ISA(), "cvtss2sd %xmm0, %xmm1", scalar},
		{x86.ISA(), "ucomisd %xmm0, %xmm1", scalar}, {x86.ISA(), "movd %eax, %xmm3", scalar}, {x86.ISA(), "sqrtss %xmm0, %xmm0", scalar},
		{x86.ISA(), "roundsd $1, %xmm0, %xmm0", scalar},
		{x86.ISA(), "cvtdq2ps (%rdi), %xmm0", one}, {x86.ISA(), "cvtpd2ps %xmm0, %xmm2", one}, {x86.ISA(), "movaps %xmm0, %xmm1", one},
		{x86.ISA(), "addps %xmm0, %xmm1", one}, {x86.ISA(), "pxor %xmm0, %xmm0", one}, {x86.ISA(), "movups (%rdi), %xmm1", one},
		{x86.ISA(), "pshufd $1, %xmm0, %xmm1", one},
		{x86.ISA(), "vcvtps2pd %xmm0, %ymm1", two},
	} {
		in, err := c.a.Parse(nil, c.text, c.a.Syntaxes[0])
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if got := mix(&isa.Kernel{ISA: c.a, Lines: []isa.Line{{Inst: in[0]}}}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
}
