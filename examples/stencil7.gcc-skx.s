	.file	"stencil7.c"
	.text
	.p2align 4
	.globl	stencil7
	.type	stencil7, @function
stencil7:
	pushq	%rbp
	leaq	-1(%rdi), %rax
	movq	%rsi, %rcx
	movq	%rsp, %rbp
	pushq	%r15
	movq	%rdi, %rsi
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movq	%rdi, %rbx
	imulq	%rdi, %rbx
	andq	$-32, %rsp
	subq	$8, %rsp
	movq	%rdi, -32(%rsp)
	movq	%rdx, (%rsp)
	movq	%rax, -56(%rsp)
	cmpq	$1, %rax
	jle	.L25
	movq	%rdi, %rax
	movq	%rbx, %rdi
	negq	%rdi
	negq	%rax
	salq	$3, %rdi
	leaq	0(,%rax,8), %r15
	movq	%rdi, %rax
	negq	%rax
	movq	%rax, -16(%rsp)
	leaq	1(%rbx,%rsi), %rax
	leaq	0(,%rax,8), %r9
	leaq	-2(%rsi), %rax
	subq	$3, %rsi
	movq	%rax, %rdx
	movq	%rsi, -64(%rsp)
	movq	%rax, %rsi
	andq	$-4, %rsi
	andl	$3, %eax
	shrq	$2, %rdx
	movq	%rsi, -88(%rsp)
	movq	%rax, -72(%rsp)
	salq	$5, %rdx
	incq	%rsi
	leaq	(%rcx,%r15), %rax
	movq	%rdx, -8(%rsp)
	movq	%rsi, -80(%rsp)
	movq	%rax, -48(%rsp)
	movq	%rbx, -120(%rsp)
	movq	%r15, %r14
	vmovsd	%xmm0, %xmm0, %xmm5
	negq	%r14
	movq	%rbx, %r10
	movl	$1, %r11d
	vbroadcastsd	%xmm0, %ymm4
	vbroadcastsd	%xmm1, %ymm3
	vmovddup	%xmm0, %xmm7
	.p2align 4,,10
	.p2align 3
.L3:
	movq	(%rsp), %rax
	movq	$1, -24(%rsp)
	leaq	(%rax,%r9), %r8
	movq	-32(%rsp), %rax
	movq	%r10, -96(%rsp)
	leaq	(%rax,%r10), %rsi
	leaq	(%rcx,%rdi), %rax
	movq	%rax, -40(%rsp)
	movq	%r11, -104(%rsp)
	movq	%r9, -112(%rsp)
	leaq	(%rcx,%r9), %rdx
	vmovddup	%xmm1, %xmm6
	.p2align 4,,10
	.p2align 3
.L11:
	cmpq	$2, -64(%rsp)
	jbe	.L12
	movq	%rdx, %r11
	movq	%rdx, %r9
	leaq	-8(%rdx), %r13
	leaq	8(%rdx), %r12
	leaq	(%r15,%rdx), %rbx
	subq	%r15, %r11
	leaq	(%rdi,%rdx), %r10
	subq	%rdi, %r9
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L7:
	vmovupd	(%r12,%rax), %ymm2
	vaddpd	0(%r13,%rax), %ymm2, %ymm0
	vmovupd	(%r11,%rax), %ymm2
	vaddpd	(%rbx,%rax), %ymm2, %ymm2
	vaddpd	%ymm2, %ymm0, %ymm0
	vmovupd	(%r9,%rax), %ymm2
	vaddpd	(%r10,%rax), %ymm2, %ymm2
	vaddpd	%ymm2, %ymm0, %ymm0
	vmulpd	%ymm3, %ymm0, %ymm0
	vfmadd231pd	(%rdx,%rax), %ymm4, %ymm0
	vmovupd	%ymm0, (%r8,%rax)
	addq	$32, %rax
	cmpq	%rax, -8(%rsp)
	jne	.L7
	cmpq	$0, -72(%rsp)
	je	.L4
	movq	-88(%rsp), %r12
	movq	-80(%rsp), %rax
.L10:
	movq	-32(%rsp), %r9
	subq	%r12, %r9
	leaq	-2(%r9), %r11
	cmpq	$3, %r9
	je	.L5
	movq	-48(%rsp), %r13
	leaq	0(,%rsi,8), %r10
	leaq	1(%rsi,%r12), %rbx
	addq	%r10, %r13
	leaq	8(,%r12,8), %r12
	vmovupd	0(%r13,%r12), %xmm2
	movq	-40(%rsp), %r13
	leaq	0(,%rbx,8), %r9
	addq	%r13, %r10
	vaddpd	8(%rcx,%r9), %xmm2, %xmm0
	vmovupd	(%r10,%r12), %xmm2
	movq	%r9, %r12
	vaddpd	-8(%rcx,%r9), %xmm2, %xmm2
	subq	%rdi, %r12
	movq	%r9, %r10
	vaddpd	%xmm2, %xmm0, %xmm0
	vmovupd	(%rcx,%r12), %xmm2
	subq	%r15, %r10
	vaddpd	(%rcx,%r10), %xmm2, %xmm2
	vaddpd	%xmm2, %xmm0, %xmm0
	vmulpd	%xmm6, %xmm0, %xmm0
	vfmadd231pd	(%rcx,%rbx,8), %xmm7, %xmm0
	movq	(%rsp), %rbx
	vmovupd	%xmm0, (%rbx,%r9)
	testb	$1, %r11b
	je	.L4
	andq	$-2, %r11
	addq	%r11, %rax
.L5:
	addq	%rsi, %rax
	salq	$3, %rax
	leaq	(%rcx,%rax), %r9
	vmovsd	(%r9,%r14), %xmm0
	vmovsd	8(%r9), %xmm2
	vaddsd	(%r9,%r15), %xmm0, %xmm0
	vaddsd	-8(%r9), %xmm2, %xmm2
	movq	-16(%rsp), %rbx
	vaddsd	%xmm2, %xmm0, %xmm0
	vmovsd	(%r9,%rdi), %xmm2
	vaddsd	(%r9,%rbx), %xmm2, %xmm2
	movq	(%rsp), %rbx
	vaddsd	%xmm2, %xmm0, %xmm0
	vmulsd	%xmm1, %xmm0, %xmm0
	vfmadd231sd	(%r9), %xmm5, %xmm0
	vmovsd	%xmm0, (%rbx,%rax)
.L4:
	incq	-24(%rsp)
	movq	-32(%rsp), %rbx
	subq	%r15, %rdx
	addq	%rbx, %rsi
	movq	-24(%rsp), %rax
	movq	-56(%rsp), %rbx
	subq	%r15, %r8
	cmpq	%rbx, %rax
	jne	.L11
	movq	-120(%rsp), %rax
	movq	-96(%rsp), %r10
	movq	-104(%rsp), %r11
	movq	-112(%rsp), %r9
	addq	%rax, %r10
	movq	-56(%rsp), %rax
	incq	%r11
	subq	%rdi, %r9
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
	xorl	%r12d, %r12d
	movl	$1, %eax
	jmp	.L10
	.size	stencil7, .-stencil7
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
