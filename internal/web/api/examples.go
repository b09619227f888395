package api

import "slices"

// Example is an assembly text that the page offers.
type Example struct {
	Name string `json:"name"`
	Arch string `json:"arch,omitempty"`
	Text string `json:"text"`
}

// Examples lists the built-in examples of the page.
func Examples() []Example { return slices.Concat(examples, galleryExamples()) }

var examples = []Example{
	{Name: "sum: one chain of additions", Text: `# a sum of doubles: each addition waits for the one before
.L3:
	vaddsd	(%rdi), %xmm0, %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L3
`},
	{Name: "triad: a[i] = b[i] + s * c[i]", Text: `.L4:
	vmovupd	(%rdx,%rax), %ymm0
	vfmadd213pd	(%rsi,%rax), %ymm1, %ymm0
	vmovupd	%ymm0, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%rcx, %rax
	jne	.L4
`},
	{Name: "Gauss-Seidel: through memory", Text: `.L5:
	vaddsd	-8(%rax), %xmm1, %xmm0
	vaddsd	(%rdx,%rax), %xmm0, %xmm0
	vmulsd	%xmm2, %xmm0, %xmm0
	vmovsd	%xmm0, (%rax)
	addq	$8, %rax
	cmpq	%rax, %rcx
	jne	.L5
`},
	{Name: "dot product, Neoverse V2", Arch: "neoverse-v2", Text: `.L4:
	ldr	q1, [x0, x3]
	ldr	q2, [x1, x3]
	fmla	v0.2d, v1.2d, v2.2d
	add	x3, x3, #16
	cmp	x3, x2
	b.ne	.L4
`},
}
