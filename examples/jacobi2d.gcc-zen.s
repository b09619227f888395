	.file	"jacobi2d.c"
	.text
	.p2align 4
	.globl	jacobi2d
	.type	jacobi2d, @function
jacobi2d:
	pushq	%r15
	leaq	-1(%rdi), %rax
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	pushq	%rbx
	movq	%rax, -64(%rsp)
	cmpq	$2, %rdi
	jle	.L31
	movq	%rsi, %r13
	cmpq	$2, %rsi
	jle	.L31
	vmovsd	.LC1(%rip), %xmm3
	leaq	-2(%rsi), %r8
	leaq	0(,%rsi,8), %r15
	movl	$8, %r10d
	movq	%r8, %rbx
	movq	%r8, %rsi
	movq	%rcx, %rbp
	leaq	(%r13,%r13), %r9
	shrq	%rbx
	orq	$1, %rsi
	leaq	8(%r15), %rcx
	subq	%r15, %r10
	salq	$4, %rbx
	andl	$1, %r8d
	movq	%rsi, -16(%rsp)
	movq	%r13, -48(%rsp)
	movq	%r13, %rsi
	leaq	(%rdx,%r15), %r12
	movq	%rcx, -40(%rsp)
	leaq	8(%rbp,%r15), %rdi
	movl	$1, %r14d
	movq	%r9, -56(%rsp)
	movq	%r10, -32(%rsp)
	movq	%rbx, %r13
	movq	%r8, -24(%rsp)
	vmovddup	%xmm3, %xmm2
	.p2align 4
	.p2align 3
.L4:
	movq	-48(%rsp), %r11
	movq	%rsi, %r8
	movq	%rsi, %rax
	movq	-56(%rsp), %rsi
	incq	%r14
	subq	%r11, %r8
	addq	%r8, %rsi
	cmpq	$3, %r11
	je	.L34
	movq	-40(%rsp), %r9
	movq	-32(%rsp), %rbx
	xorl	%ecx, %ecx
	vmovupd	(%r12), %xmm0
	leaq	(%r12,%r9), %r10
	leaq	-16(%r13), %r9
	leaq	(%rbx,%r12), %r11
	leaq	16(%r12), %rbx
	shrq	$4, %r9
	andl	$3, %r9d
	je	.L5
	vmovupd	(%r10), %xmm7
	vaddpd	16(%r12), %xmm0, %xmm0
	movl	$16, %ecx
	vaddpd	(%r11), %xmm7, %xmm1
	vaddpd	%xmm0, %xmm1, %xmm4
	vmovupd	16(%r12), %xmm0
	vmulpd	%xmm2, %xmm4, %xmm5
	vmovupd	%xmm5, (%rdi)
	cmpq	$1, %r9
	je	.L5
	cmpq	$2, %r9
	je	.L23
	vmovupd	16(%r10), %xmm6
	vaddpd	16(%rbx), %xmm0, %xmm9
	movl	$32, %ecx
	vaddpd	16(%r11), %xmm6, %xmm8
	vmovupd	16(%rbx), %xmm0
	vaddpd	%xmm9, %xmm8, %xmm10
	vmulpd	%xmm2, %xmm10, %xmm11
	vmovupd	%xmm11, 16(%rdi)
.L23:
	vmovupd	(%rbx,%rcx), %xmm12
	vmovupd	(%r10,%rcx), %xmm13
	vaddpd	(%r11,%rcx), %xmm13, %xmm14
	vaddpd	%xmm12, %xmm0, %xmm15
	vmovapd	%xmm12, %xmm0
	vaddpd	%xmm15, %xmm14, %xmm7
	vmulpd	%xmm2, %xmm7, %xmm1
	vmovupd	%xmm1, (%rdi,%rcx)
	addq	$16, %rcx
	jmp	.L5
	.p2align 4
	.p2align 3
.L9:
	vmovupd	(%r10,%r9), %xmm0
	vmovupd	(%rbx,%r9), %xmm1
	vaddpd	(%r11,%r9), %xmm0, %xmm5
	vmovupd	32(%rbx,%rcx), %xmm9
	vmovupd	32(%r10,%rcx), %xmm10
	vmovupd	48(%rbx,%rcx), %xmm0
	vmovupd	48(%r10,%rcx), %xmm15
	vaddpd	32(%r11,%rcx), %xmm10, %xmm11
	vaddpd	48(%r11,%rcx), %xmm15, %xmm7
	addq	$64, %rcx
	vaddpd	%xmm1, %xmm4, %xmm4
	vaddpd	%xmm9, %xmm1, %xmm12
	vaddpd	%xmm0, %xmm9, %xmm1
	vaddpd	%xmm4, %xmm5, %xmm6
	vaddpd	%xmm12, %xmm11, %xmm13
	vaddpd	%xmm1, %xmm7, %xmm5
	vmulpd	%xmm2, %xmm6, %xmm8
	vmulpd	%xmm2, %xmm13, %xmm14
	vmulpd	%xmm2, %xmm5, %xmm4
	vmovupd	%xmm8, (%rdi,%r9)
	vmovupd	%xmm14, -32(%rcx,%rdi)
	vmovupd	%xmm4, -16(%rcx,%rdi)
.L5:
	vmovupd	(%rbx,%rcx), %xmm4
	leaq	16(%rcx), %r9
	vmovupd	(%r10,%rcx), %xmm5
	vaddpd	(%r11,%rcx), %xmm5, %xmm6
	vaddpd	%xmm4, %xmm0, %xmm8
	vaddpd	%xmm8, %xmm6, %xmm9
	vmulpd	%xmm2, %xmm9, %xmm10
	vmovupd	%xmm10, (%rdi,%rcx)
	cmpq	%r9, %r13
	jne	.L9
	cmpq	$0, -24(%rsp)
	je	.L6
	movq	-16(%rsp), %rcx
.L7:
	addq	%rcx, %rax
	leaq	(%rsi,%rcx), %r10
	addq	%r8, %rcx
	salq	$3, %rax
	vmovsd	(%rdx,%r10,8), %xmm11
	vmovsd	8(%rdx,%rax), %xmm13
	vaddsd	(%rdx,%rcx,8), %xmm11, %xmm12
	vaddsd	-8(%rdx,%rax), %xmm13, %xmm14
	vaddsd	%xmm14, %xmm12, %xmm15
	vmulsd	%xmm3, %xmm15, %xmm7
	vmovsd	%xmm7, 0(%rbp,%rax)
.L6:
	addq	%r15, %r12
	addq	%r15, %rdi
	cmpq	%r14, -64(%rsp)
	jne	.L4
.L31:
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
.L34:
	movl	$1, %ecx
	jmp	.L7
	.size	jacobi2d, .-jacobi2d
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC1:
	.long	0
	.long	1070596096
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
