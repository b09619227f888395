	.file	"stencil7.c"
	.text
	.p2align 4
	.globl	stencil7
	.type	stencil7, @function
stencil7:
	pushq	%r15
	movq	%rdi, %r10
	pushq	%r14
	pushq	%r13
	pushq	%r12
	imulq	%rdi, %r10
	pushq	%rbp
	pushq	%rbx
	leaq	-1(%rdi), %rbx
	movq	%rdi, -80(%rsp)
	movq	%rdx, -104(%rsp)
	movq	%rbx, -64(%rsp)
	cmpq	$1, %rbx
	jle	.L32
	movq	%rdi, %rbp
	movq	%rsi, %r15
	movq	%r10, %rbx
	movq	%rdi, %rsi
	subq	$2, %rbp
	leaq	1(%r10,%rdi), %rdx
	negq	%rsi
	negq	%rbx
	movq	%rbp, %rdi
	movq	%rbp, %r8
	salq	$3, %rsi
	salq	$3, %rbx
	shrq	%rdi
	orq	$1, %r8
	movq	%rsi, %r14
	movq	%rbx, %r13
	salq	$4, %rdi
	andl	$1, %ebp
	movq	%r8, -48(%rsp)
	vmovsd	%xmm0, %xmm0, %xmm5
	negq	%r14
	negq	%r13
	leaq	0(,%rdx,8), %rcx
	movq	%rdi, -88(%rsp)
	movq	%r10, %r8
	movl	$1, %r9d
	vmovddup	%xmm0, %xmm4
	vmovddup	%xmm1, %xmm3
	movq	%rbp, -56(%rsp)
	movq	%r10, -16(%rsp)
	.p2align 4
	.p2align 3
.L3:
	leaq	(%r15,%rcx), %rdx
	movq	$1, -96(%rsp)
	movq	%r9, -40(%rsp)
	movq	%rcx, -32(%rsp)
	movq	%r8, -24(%rsp)
	movq	-80(%rsp), %r11
	movq	-104(%rsp), %r12
	leaq	(%r11,%r8), %rbp
	leaq	(%r12,%rcx), %rdi
	.p2align 4
	.p2align 3
.L9:
	cmpq	$3, -80(%rsp)
	je	.L11
	movq	-88(%rsp), %rcx
	movq	%rdx, %r11
	movq	%rdx, %r8
	xorl	%eax, %eax
	subq	%rsi, %r11
	subq	%rbx, %r8
	vmovupd	-8(%rdx), %xmm2
	leaq	8(%rdx), %r12
	leaq	(%rsi,%rdx), %r9
	leaq	(%rbx,%rdx), %r10
	subq	$16, %rcx
	shrq	$4, %rcx
	andl	$3, %ecx
	je	.L30
	vmovupd	(%r10), %xmm6
	vmovupd	(%r9), %xmm7
	movl	$16, %eax
	vaddpd	(%r11), %xmm6, %xmm0
	vaddpd	8(%rdx), %xmm7, %xmm8
	vaddpd	(%r8), %xmm2, %xmm2
	vaddpd	%xmm8, %xmm0, %xmm9
	vaddpd	%xmm2, %xmm9, %xmm10
	vmovupd	8(%rdx), %xmm2
	vmulpd	%xmm3, %xmm10, %xmm11
	vfmadd231pd	(%rdx), %xmm4, %xmm11
	vmovupd	%xmm11, (%rdi)
	cmpq	$1, %rcx
	je	.L30
	cmpq	$2, %rcx
	je	.L23
	vmovupd	16(%r10), %xmm12
	vmovupd	16(%r9), %xmm14
	movl	$32, %eax
	vaddpd	16(%r11), %xmm12, %xmm13
	vaddpd	16(%r12), %xmm14, %xmm15
	vaddpd	16(%r8), %xmm2, %xmm0
	vmovupd	16(%r12), %xmm2
	vaddpd	%xmm15, %xmm13, %xmm6
	vaddpd	%xmm0, %xmm6, %xmm7
	vmulpd	%xmm3, %xmm7, %xmm8
	vfmadd231pd	16(%rdx), %xmm4, %xmm8
	vmovupd	%xmm8, 16(%rdi)
.L23:
	vmovupd	(%r12,%rax), %xmm9
	movq	%rsi, -72(%rsp)
	vmovupd	(%r10,%rax), %xmm10
	vaddpd	(%r11,%rax), %xmm10, %xmm11
	vaddpd	(%r9,%rax), %xmm9, %xmm12
	vaddpd	(%r8,%rax), %xmm2, %xmm2
	vaddpd	%xmm12, %xmm11, %xmm13
	vaddpd	%xmm2, %xmm13, %xmm14
	vmovapd	%xmm9, %xmm2
	vmulpd	%xmm3, %xmm14, %xmm15
	vfmadd231pd	(%rdx,%rax), %xmm4, %xmm15
	vmovupd	%xmm15, (%rdi,%rax)
	addq	$16, %rax
	jmp	.L5
	.p2align 4
	.p2align 3
.L10:
	vmovupd	(%r12,%rcx), %xmm10
	vmovupd	(%r10,%rcx), %xmm11
	vaddpd	(%r11,%rcx), %xmm11, %xmm12
	vaddpd	(%r9,%rcx), %xmm10, %xmm13
	vaddpd	(%r8,%rcx), %xmm6, %xmm15
	vmovupd	32(%r12,%rax), %xmm8
	vmovupd	32(%r10,%rax), %xmm0
	vaddpd	32(%r9,%rax), %xmm8, %xmm7
	vaddpd	32(%r11,%rax), %xmm0, %xmm9
	vaddpd	32(%r8,%rax), %xmm10, %xmm10
	vaddpd	48(%r8,%rax), %xmm8, %xmm8
	vaddpd	%xmm13, %xmm12, %xmm14
	vaddpd	%xmm15, %xmm14, %xmm2
	vmovupd	48(%r10,%rax), %xmm14
	vaddpd	%xmm7, %xmm9, %xmm11
	vaddpd	48(%r11,%rax), %xmm14, %xmm15
	vmulpd	%xmm3, %xmm2, %xmm6
	vfmadd231pd	(%rdx,%rcx), %xmm4, %xmm6
	vmovupd	48(%r12,%rax), %xmm2
	vaddpd	%xmm10, %xmm11, %xmm12
	vmulpd	%xmm3, %xmm12, %xmm13
	vfmadd231pd	32(%rax,%rdx), %xmm4, %xmm13
	vmovupd	%xmm6, (%rdi,%rcx)
	vaddpd	48(%r9,%rax), %xmm2, %xmm6
	addq	$64, %rax
	vmovupd	%xmm13, -32(%rax,%rdi)
	vaddpd	%xmm6, %xmm15, %xmm0
	vaddpd	%xmm8, %xmm0, %xmm9
	vmulpd	%xmm3, %xmm9, %xmm7
	vfmadd231pd	-16(%rax,%rdx), %xmm4, %xmm7
	vmovupd	%xmm7, -16(%rax,%rdi)
.L5:
	vmovupd	(%r12,%rax), %xmm6
	leaq	16(%rax), %rcx
	vmovupd	(%r10,%rax), %xmm0
	vaddpd	(%r9,%rax), %xmm6, %xmm7
	vaddpd	(%r11,%rax), %xmm0, %xmm8
	vaddpd	(%r8,%rax), %xmm2, %xmm10
	movq	-88(%rsp), %rsi
	vaddpd	%xmm7, %xmm8, %xmm9
	vaddpd	%xmm10, %xmm9, %xmm11
	vmulpd	%xmm3, %xmm11, %xmm12
	vfmadd231pd	(%rdx,%rax), %xmm4, %xmm12
	vmovupd	%xmm12, (%rdi,%rax)
	cmpq	%rsi, %rcx
	jne	.L10
	cmpq	$0, -56(%rsp)
	movq	-72(%rsp), %rsi
	je	.L4
	movq	-48(%rsp), %rcx
.L8:
	addq	%rbp, %rcx
	movq	-104(%rsp), %r9
	salq	$3, %rcx
	leaq	(%r15,%rcx), %r12
	vmovsd	(%r12,%r14), %xmm13
	vmovsd	8(%r12), %xmm15
	vaddsd	(%r12,%rsi), %xmm13, %xmm14
	vaddsd	-8(%r12), %xmm15, %xmm2
	vmovsd	(%r12,%r13), %xmm0
	vaddsd	(%r12,%rbx), %xmm0, %xmm8
	vaddsd	%xmm2, %xmm14, %xmm6
	vaddsd	%xmm8, %xmm6, %xmm7
	vmulsd	%xmm1, %xmm7, %xmm9
	vfmadd231sd	(%r12), %xmm5, %xmm9
	vmovsd	%xmm9, (%r9,%rcx)
.L4:
	incq	-96(%rsp)
	subq	%rsi, %rdx
	subq	%rsi, %rdi
	movq	-80(%rsp), %r10
	movq	-96(%rsp), %r11
	movq	-64(%rsp), %r8
	addq	%r10, %rbp
	cmpq	%r8, %r11
	jne	.L9
	movq	-40(%rsp), %r9
	movq	-32(%rsp), %rcx
	movq	-24(%rsp), %r8
	movq	-16(%rsp), %rbp
	movq	-64(%rsp), %rdx
	incq	%r9
	subq	%rbx, %rcx
	addq	%rbp, %r8
	cmpq	%rdx, %r9
	jne	.L3
.L32:
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
	.p2align 4
	.p2align 3
.L30:
	movq	%rsi, -72(%rsp)
	jmp	.L5
	.p2align 4
	.p2align 3
.L11:
	movl	$1, %ecx
	jmp	.L8
	.size	stencil7, .-stencil7
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
