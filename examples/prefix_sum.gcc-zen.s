	.file	"prefix_sum.c"
	.text
	.p2align 4
	.globl	prefix_sum
	.type	prefix_sum, @function
prefix_sum:
	cmpq	$1, %rsi
	jle	.L40
	leaq	(%rdi,%rsi,8), %rcx
	leaq	8(%rdi), %rax
	vmovsd	(%rdi), %xmm0
	movq	%rcx, %rdx
	subq	%rax, %rdx
	subq	$8, %rdx
	shrq	$3, %rdx
	incq	%rdx
	andl	$7, %edx
	je	.L3
	cmpq	$1, %rdx
	je	.L26
	cmpq	$2, %rdx
	je	.L27
	cmpq	$3, %rdx
	je	.L28
	cmpq	$4, %rdx
	je	.L29
	cmpq	$5, %rdx
	je	.L30
	cmpq	$6, %rdx
	jne	.L42
.L31:
	vaddsd	(%rax), %xmm0, %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, -8(%rax)
.L30:
	vaddsd	(%rax), %xmm0, %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, -8(%rax)
.L29:
	vaddsd	(%rax), %xmm0, %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, -8(%rax)
.L28:
	vaddsd	(%rax), %xmm0, %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, -8(%rax)
.L27:
	vaddsd	(%rax), %xmm0, %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, -8(%rax)
.L26:
	vaddsd	(%rax), %xmm0, %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, -8(%rax)
	cmpq	%rax, %rcx
	je	.L43
.L3:
	vaddsd	(%rax), %xmm0, %xmm1
	addq	$64, %rax
	vaddsd	-56(%rax), %xmm1, %xmm2
	vaddsd	-48(%rax), %xmm2, %xmm3
	vaddsd	-40(%rax), %xmm3, %xmm4
	vmovsd	%xmm1, -64(%rax)
	vaddsd	-32(%rax), %xmm4, %xmm5
	vmovsd	%xmm2, -56(%rax)
	vaddsd	-24(%rax), %xmm5, %xmm6
	vmovsd	%xmm3, -48(%rax)
	vaddsd	-16(%rax), %xmm6, %xmm7
	vmovsd	%xmm4, -40(%rax)
	vaddsd	-8(%rax), %xmm7, %xmm0
	vmovsd	%xmm5, -32(%rax)
	vmovsd	%xmm6, -24(%rax)
	vmovsd	%xmm7, -16(%rax)
	vmovsd	%xmm0, -8(%rax)
	cmpq	%rax, %rcx
	jne	.L3
.L40:
	ret
	.p2align 4
	.p2align 3
.L42:
	vaddsd	(%rax), %xmm0, %xmm0
	vmovsd	%xmm0, (%rax)
	leaq	16(%rdi), %rax
	jmp	.L31
.L43:
	ret
	.size	prefix_sum, .-prefix_sum
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
