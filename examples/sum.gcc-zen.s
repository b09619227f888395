	.file	"sum.c"
	.text
	.p2align 4
	.globl	sum
	.type	sum, @function
sum:
	testq	%rsi, %rsi
	jle	.L7
	cmpq	$1, %rsi
	je	.L8
	movq	%rsi, %rdx
	movq	%rdi, %r8
	vxorpd	%xmm1, %xmm1, %xmm1
	shrq	%rdx
	salq	$4, %rdx
	leaq	(%rdx,%rdi), %rcx
	subq	$16, %rdx
	shrq	$4, %rdx
	incq	%rdx
	andl	$7, %edx
	je	.L4
	cmpq	$1, %rdx
	je	.L31
	cmpq	$2, %rdx
	je	.L32
	cmpq	$3, %rdx
	je	.L33
	cmpq	$4, %rdx
	je	.L34
	cmpq	$5, %rdx
	je	.L35
	cmpq	$6, %rdx
	jne	.L47
.L36:
	vaddpd	(%r8), %xmm1, %xmm1
	addq	$16, %r8
.L35:
	vaddpd	(%r8), %xmm1, %xmm1
	addq	$16, %r8
.L34:
	vaddpd	(%r8), %xmm1, %xmm1
	addq	$16, %r8
.L33:
	vaddpd	(%r8), %xmm1, %xmm1
	addq	$16, %r8
.L32:
	vaddpd	(%r8), %xmm1, %xmm1
	addq	$16, %r8
.L31:
	vaddpd	(%r8), %xmm1, %xmm1
	addq	$16, %r8
	cmpq	%r8, %rcx
	je	.L45
.L4:
	vaddpd	(%r8), %xmm1, %xmm0
	subq	$-128, %r8
	vaddpd	-112(%r8), %xmm0, %xmm2
	vaddpd	-96(%r8), %xmm2, %xmm3
	vaddpd	-80(%r8), %xmm3, %xmm4
	vaddpd	-64(%r8), %xmm4, %xmm5
	vaddpd	-48(%r8), %xmm5, %xmm6
	vaddpd	-32(%r8), %xmm6, %xmm7
	vaddpd	-16(%r8), %xmm7, %xmm1
	cmpq	%r8, %rcx
	jne	.L4
.L45:
	movq	%rsi, %rax
	vunpckhpd	%xmm1, %xmm1, %xmm8
	andq	$-2, %rax
	andl	$1, %esi
	vaddpd	%xmm1, %xmm8, %xmm0
	je	.L48
.L3:
	vaddsd	(%rdi,%rax,8), %xmm0, %xmm0
	ret
	.p2align 4
	.p2align 3
.L48:
	ret
	.p2align 4
	.p2align 3
.L47:
	vmovupd	(%rdi), %xmm1
	leaq	16(%rdi), %r8
	jmp	.L36
	.p2align 4
	.p2align 3
.L7:
	vxorpd	%xmm0, %xmm0, %xmm0
	ret
.L8:
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L3
	.size	sum, .-sum
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
