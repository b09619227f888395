package api

import (
	_ "embed"
	"strings"
	"sync"
)

// gallery has a loop for each limit of a core, and for each remedy.
var gallery = []struct{ name, text string }{
	{"latency of additions: a sum", `.L1:
	vaddsd	(%rdi), %xmm0, %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"remedy: two accumulators", `.L1:
	vaddsd	(%rdi), %xmm0, %xmm0
	vaddsd	8(%rdi), %xmm1, %xmm1
	addq	$16, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"remedy: wider vectors", `.L1:
	vaddpd	(%rdi), %zmm0, %zmm0
	addq	$64, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"latency of multiplications: a product", `.L1:
	vmulsd	(%rdi), %xmm0, %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"latency of multiply-adds: Horner's rule", `.L1:
	vfmadd213sd	(%rdi), %xmm1, %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"latency of divisions: a continued fraction", `.L1:
	vmovsd	(%rdi), %xmm2
	vdivsd	%xmm0, %xmm2, %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"throughput of the divider: quotients", `.L1:
	vmovupd	(%rdi,%rax), %ymm0
	vdivpd	(%rsi,%rax), %ymm0, %ymm0
	vmovupd	%ymm0, (%rdx,%rax)
	addq	$32, %rax
	cmpq	%rcx, %rax
	jne	.L1
`},
	{"remedy: multiply by the reciprocal", `.L1:
	vmulpd	(%rdi,%rax), %ymm1, %ymm0
	vmovupd	%ymm0, (%rdx,%rax)
	addq	$32, %rax
	cmpq	%rcx, %rax
	jne	.L1
`},
	{"throughput of square roots", `.L1:
	vsqrtpd	(%rdi,%rax), %ymm0
	vmovupd	%ymm0, (%rdx,%rax)
	addq	$32, %rax
	cmpq	%rcx, %rax
	jne	.L1
`},
	{"latency of loads: a linked list", `.L1:
	movq	(%rax), %rax
	testq	%rax, %rax
	jne	.L1
`},
	{"chain through memory: Gauss-Seidel", `.L1:
	vaddsd	-8(%rax), %xmm1, %xmm0
	vmulsd	%xmm2, %xmm0, %xmm0
	vmovsd	%xmm0, (%rax)
	addq	$8, %rax
	cmpq	%rax, %rcx
	jne	.L1
`},
	{"remedy: keep the value in a register", `.L1:
	vaddsd	%xmm0, %xmm1, %xmm0
	vmulsd	%xmm2, %xmm0, %xmm0
	vmovsd	%xmm0, (%rax)
	addq	$8, %rax
	cmpq	%rax, %rcx
	jne	.L1
`},
	{"chain through memory: a counter", `.L1:
	addq	$1, (%rsi)
	subq	$1, %rcx
	jne	.L1
`},
	{"chain through flags: long addition", `.L1:
	movq	(%rsi,%rcx,8), %rax
	adcq	%rax, (%rdi,%rcx,8)
	leaq	1(%rcx), %rcx
	decq	%rdx
	jne	.L1
`},
	{"latency of integer multiplications: a hash", `.L1:
	movzbl	(%rdi), %edx
	xorq	%rdx, %rax
	imulq	%r8, %rax
	addq	$1, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"ports of loads: dot product, unrolled", `.L1:
	vmovapd	(%rdi,%rax), %ymm4
	vfmadd231pd	(%rsi,%rax), %ymm4, %ymm0
	vmovapd	32(%rdi,%rax), %ymm5
	vfmadd231pd	32(%rsi,%rax), %ymm5, %ymm1
	vmovapd	64(%rdi,%rax), %ymm6
	vfmadd231pd	64(%rsi,%rax), %ymm6, %ymm2
	vmovapd	96(%rdi,%rax), %ymm7
	vfmadd231pd	96(%rsi,%rax), %ymm7, %ymm3
	subq	$-128, %rax
	cmpq	%rcx, %rax
	jne	.L1
`},
	{"ports of stores: fill", `.L1:
	vmovupd	%ymm0, (%rdi)
	vmovupd	%ymm0, 32(%rdi)
	vmovupd	%ymm0, 64(%rdi)
	vmovupd	%ymm0, 96(%rdi)
	subq	$-128, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"ports of floating point: a polynomial of four chains", `.L1:
	vmovupd	(%rdi), %ymm4
	vfmadd213pd	%ymm5, %ymm4, %ymm0
	vfmadd213pd	%ymm6, %ymm4, %ymm1
	vfmadd213pd	%ymm7, %ymm4, %ymm2
	vfmadd213pd	%ymm8, %ymm4, %ymm3
	vmulpd	%ymm4, %ymm4, %ymm9
	vmulpd	%ymm9, %ymm9, %ymm10
	vmulpd	%ymm9, %ymm4, %ymm11
	vmulpd	%ymm10, %ymm4, %ymm12
	addq	$32, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"port of shuffles: deinterleave", `.L1:
	vmovupd	(%rdi), %ymm0
	vmovupd	32(%rdi), %ymm1
	vperm2f128	$32, %ymm1, %ymm0, %ymm2
	vperm2f128	$49, %ymm1, %ymm0, %ymm3
	vunpcklpd	%ymm3, %ymm2, %ymm4
	vunpckhpd	%ymm3, %ymm2, %ymm5
	vmovupd	%ymm4, (%rsi)
	vmovupd	%ymm5, (%rdx)
	addq	$64, %rdi
	addq	$32, %rsi
	addq	$32, %rdx
	cmpq	%rdi, %rcx
	jne	.L1
`},
	{"allocate/rename: many simple instructions", `.L1:
	leaq	1(%rax), %r8
	leaq	2(%rbx), %r9
	leaq	3(%rcx), %r10
	leaq	4(%rdx), %r11
	movq	%r8, %rsi
	movq	%r9, %rdi
	movq	%r10, %r12
	movq	%r11, %r13
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	decq	%r14
	jne	.L1
`},
	{"taken branch: a short loop", `.L1:
	incq	%rax
	decq	%rcx
	jne	.L1
`},
	{"remedy: unroll", `.L1:
	incq	%rax
	incq	%rbx
	incq	%rdx
	incq	%rsi
	subq	$4, %rcx
	jne	.L1
`},
	{"ports of integers: population count by arithmetic", `.L1:
	movq	(%rdi), %rax
	movq	%rax, %rdx
	shrq	$1, %rdx
	andq	%r8, %rdx
	subq	%rdx, %rax
	movq	%rax, %rdx
	shrq	$2, %rdx
	andq	%r9, %rax
	andq	%r9, %rdx
	addq	%rdx, %rax
	movq	%rax, %rdx
	shrq	$4, %rdx
	addq	%rdx, %rax
	andq	%r10, %rax
	imulq	%r11, %rax
	shrq	$56, %rax
	addq	%rax, %rcx
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"remedy: another instruction", `.L1:
	popcntq	(%rdi), %rax
	addq	%rax, %rcx
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"false dependency broken: zero idiom", `.L1:
	vxorps	%xmm0, %xmm0, %xmm0
	vcvtsi2sdq	%rax, %xmm0, %xmm1
	vaddsd	%xmm1, %xmm2, %xmm2
	incq	%rax
	cmpq	%rax, %rcx
	jne	.L1
`},
	{"false dependency: a conversion into a register", `.L1:
	vcvtsi2sdq	%rax, %xmm1, %xmm1
	incq	%rax
	cmpq	%rax, %rcx
	jne	.L1
`},
	{"latency of a minimum: compare and select", `.L1:
	movl	(%rdi), %edx
	cmpl	%edx, %eax
	cmovg	%edx, %eax
	addq	$4, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"remedy: associate the loop's chain less", `.L1:
	vmulsd	(%rdi), %xmm3, %xmm1
	vaddsd	8(%rdi), %xmm1, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	addq	$16, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
`},
	{"gather: an indexed sum", `.L1:
	movslq	(%rsi,%rax,4), %rdx
	andl	$63, %edx
	vaddsd	(%rdi,%rdx,8), %xmm0, %xmm0
	incq	%rax
	cmpq	%rcx, %rax
	jne	.L1
`},
	{"failed store forwarding: a wider load", `.L1:
	movl	%eax, (%rsi)
	movl	%edx, 4(%rsi)
	movq	(%rsi), %rax
	decq	%rcx
	jne	.L1
`},
}

// galleryFigures has the measured cycles of each loop, their origin, and the prediction, which TestGallery compares with that of now.
//
//go:embed gallery.tsv
var galleryFigures string

// figureOf is a line of galleryFigures.
type figureOf struct{ loop, machine, cycles, source, predicted string }

// figures reads the lines of a table with five columns. Those that begin with # are comments.
func figures(table string) (out []figureOf) {
	for line := range strings.Lines(table) {
		if f := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(f) == 5 && !strings.HasPrefix(line, "#") {
			out = append(out, figureOf{f[0], f[1], f[2], f[3], f[4]})
		}
	}
	return out
}

// galleryExamples makes the examples of the page: each loop with what was measured.
var galleryExamples = sync.OnceValue(func() (out []Example) {
	measured := map[string]figureOf{}
	for _, f := range figures(galleryFigures) {
		measured[f.loop] = f
	}
	for _, x := range gallery {
		f := measured[x.name]
		out = append(out, Example{Name: x.name, Arch: f.machine, Text: "# " + x.name + "\n# measured on " + f.machine + ": " + f.cycles + " cycles/iteration\n" + x.text})
	}
	return out
})
