	.file	"stencil7.c"
	.text
	.p2align 4
	.globl	stencil7
	.type	stencil7, @function
stencil7:
	pushq	%rbp
	leaq	-1(%rdi), %rax
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	movq	%rdi, %r13
	pushq	%r12
	imulq	%rdi, %r13
	pushq	%rbx
	andq	$-32, %rsp
	subq	$8, %rsp
	movq	%rdi, -32(%rsp)
	movq	%rax, -56(%rsp)
	cmpq	$1, %rax
	jle	.L25
	movq	%rsi, %rcx
	movq	%rdi, %rsi
	movq	%rdx, %rbx
	movq	%r13, -120(%rsp)
	negq	%rsi
	vmovsd	%xmm0, %xmm0, %xmm4
	movq	%r13, %r10
	movl	$1, %r11d
	salq	$3, %rsi
	vbroadcastsd	%xmm0, %ymm3
	vbroadcastsd	%xmm1, %ymm2
	movq	%rsi, %rax
	vmovddup	%xmm0, %xmm6
	negq	%rax
	movq	%rax, -8(%rsp)
	movq	%r13, %rax
	negq	%rax
	leaq	0(,%rax,8), %r12
	movq	%r12, %rax
	negq	%rax
	movq	%rax, -16(%rsp)
	leaq	1(%r13,%rdi), %rax
	leaq	0(,%rax,8), %r8
	leaq	-2(%rdi), %rax
	subq	$3, %rdi
	movq	%rax, %rdx
	movq	%rdi, -64(%rsp)
	movq	%rax, %rdi
	andl	$3, %eax
	andq	$-4, %rdi
	shrq	$2, %rdx
	movq	%rax, -72(%rsp)
	leaq	(%rcx,%rsi), %rax
	movq	%rdi, -88(%rsp)
	salq	$5, %rdx
	incq	%rdi
	movq	%rdx, (%rsp)
	movq	%rdi, -80(%rsp)
	movq	%rax, -48(%rsp)
	.p2align 4,,10
	.p2align 3
.L3:
	movq	-32(%rsp), %rax
	movq	%r10, -96(%rsp)
	leaq	(%rcx,%r8), %rdx
	leaq	(%rbx,%r8), %r9
	movq	$1, -24(%rsp)
	vmovddup	%xmm1, %xmm5
	leaq	(%rax,%r10), %rdi
	leaq	(%rcx,%r12), %rax
	movq	%r11, -104(%rsp)
	movq	%rax, -40(%rsp)
	movq	%r8, -112(%rsp)
	.p2align 4,,10
	.p2align 3
.L11:
	cmpq	$2, -64(%rsp)
	jbe	.L12
	movq	%rdx, %r11
	movq	%rdx, %r8
	leaq	-8(%rdx), %r15
	xorl	%eax, %eax
	leaq	8(%rdx), %r14
	leaq	(%rsi,%rdx), %r13
	subq	%rsi, %r11
	subq	%r12, %r8
	leaq	(%r12,%rdx), %r10
	.p2align 4,,10
	.p2align 3
.L7:
	vmovupd	(%r14,%rax), %ymm7
	vaddpd	(%r15,%rax), %ymm7, %ymm0
	vaddpd	0(%r13,%rax), %ymm0, %ymm0
	vaddpd	(%r11,%rax), %ymm0, %ymm0
	vaddpd	(%r10,%rax), %ymm0, %ymm0
	vaddpd	(%r8,%rax), %ymm0, %ymm0
	vmulpd	%ymm2, %ymm0, %ymm0
	vfmadd231pd	(%rdx,%rax), %ymm3, %ymm0
	vmovupd	%ymm0, (%r9,%rax)
	addq	$32, %rax
	cmpq	%rax, (%rsp)
	jne	.L7
	cmpq	$0, -72(%rsp)
	je	.L4
	movq	-88(%rsp), %r14
	movq	-80(%rsp), %rax
.L10:
	movq	-32(%rsp), %r8
	subq	%r14, %r8
	leaq	-2(%r8), %r11
	cmpq	$3, %r8
	je	.L5
	movq	-48(%rsp), %r15
	leaq	1(%rdi,%r14), %r13
	leaq	0(,%rdi,8), %r10
	leaq	0(,%r13,8), %r8
	leaq	8(,%r14,8), %r14
	addq	%r10, %r15
	vmovupd	-8(%rcx,%r8), %xmm7
	vaddpd	8(%rcx,%r8), %xmm7, %xmm0
	vaddpd	(%r15,%r14), %xmm0, %xmm0
	movq	%r8, %r15
	subq	%rsi, %r15
	vaddpd	(%rcx,%r15), %xmm0, %xmm0
	movq	-40(%rsp), %r15
	addq	%r15, %r10
	vaddpd	(%r10,%r14), %xmm0, %xmm0
	movq	%r8, %r10
	subq	%r12, %r10
	vaddpd	(%rcx,%r10), %xmm0, %xmm0
	vmulpd	%xmm5, %xmm0, %xmm0
	vfmadd231pd	(%rcx,%r13,8), %xmm6, %xmm0
	vmovupd	%xmm0, (%rbx,%r8)
	testb	$1, %r11b
	je	.L4
	andq	$-2, %r11
	addq	%r11, %rax
.L5:
	addq	%rdi, %rax
	movq	-8(%rsp), %r11
	movq	-16(%rsp), %r15
	salq	$3, %rax
	leaq	(%rcx,%rax), %r8
	vmovsd	8(%r8), %xmm0
	vaddsd	-8(%r8), %xmm0, %xmm0
	vaddsd	(%r8,%rsi), %xmm0, %xmm0
	vaddsd	(%r8,%r11), %xmm0, %xmm0
	vaddsd	(%r8,%r12), %xmm0, %xmm0
	vaddsd	(%r8,%r15), %xmm0, %xmm0
	vmulsd	%xmm1, %xmm0, %xmm0
	vfmadd231sd	(%r8), %xmm4, %xmm0
	vmovsd	%xmm0, (%rbx,%rax)
.L4:
	movq	-32(%rsp), %r14
	incq	-24(%rsp)
	subq	%rsi, %rdx
	subq	%rsi, %r9
	movq	-24(%rsp), %rax
	addq	%r14, %rdi
	movq	-56(%rsp), %r14
	cmpq	%r14, %rax
	jne	.L11
	movq	-120(%rsp), %rax
	movq	-96(%rsp), %r10
	movq	-104(%rsp), %r11
	movq	-112(%rsp), %r8
	addq	%rax, %r10
	movq	-56(%rsp), %rax
	incq	%r11
	subq	%r12, %r8
	cmpq	%rax, %r11
	jne	.L3
	vzeroupper
.L25:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
	.p2align 4,,10
	.p2align 3
.L12:
	xorl	%r14d, %r14d
	movl	$1, %eax
	jmp	.L10
	.size	stencil7, .-stencil7
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
