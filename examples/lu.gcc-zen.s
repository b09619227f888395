	.file	"lu.c"
	.text
	.p2align 4
	.globl	lu
	.type	lu, @function
lu:
	testq	%rdi, %rdi
	jle	.L103
	pushq	%r15
	pushq	%r14
	movq	%rdi, %r14
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	pushq	%rbx
	cmpq	$1, %rdi
	je	.L101
	leaq	0(,%rdi,8), %rax
	leaq	-8(%rsi), %rdx
	leaq	-1(%rdi), %rcx
	movq	%rsi, %r15
	leaq	8(%rax), %rbx
	movq	%rax, -88(%rsp)
	subq	$8, %rax
	movq	%rsi, -80(%rsp)
	movq	%rbx, -32(%rsp)
	movq	%rsi, %r8
	movq	$16, -104(%rsp)
	xorl	%r13d, %r13d
	movq	$0, -56(%rsp)
	movl	$1, %edi
	movq	%rax, -24(%rsp)
	movq	%rdx, -16(%rsp)
	.p2align 4
	.p2align 3
.L5:
	movq	-56(%rsp), %rbx
	movq	%r8, %rsi
	movq	%rcx, -40(%rsp)
	movq	-88(%rsp), %rbp
	movq	-24(%rsp), %r9
	movq	-104(%rsp), %r10
	movq	%rbx, %r12
	addq	%r14, %rbx
	addq	%rbp, %r8
	cmpq	%rdi, %r14
	movq	%rbx, -56(%rsp)
	setg	%al
	cmpq	$1, %rcx
	leaq	(%r9,%r10), %r11
	movq	%r8, -48(%rsp)
	setne	%dl
	movq	%rbx, %r9
	movq	%rdi, %rbx
	andl	%edx, %eax
	cmpq	%rdi, %r14
	movl	$1, %edx
	cmovg	%rcx, %rdx
	movb	%al, -65(%rsp)
	movq	-16(%rsp), %rax
	movq	%rdx, %rbp
	shrq	%rbp
	salq	$4, %rbp
	movq	%rbp, -96(%rsp)
	movq	%rdx, %rbp
	andl	$1, %edx
	addq	%rax, %r10
	andq	$-2, %rbp
	movq	%rdx, -64(%rsp)
	movq	%r8, %rax
	addq	%rdi, %rbp
	addq	%rbp, %r12
	leaq	(%r15,%r12,8), %r12
	.p2align 4
	.p2align 3
.L11:
	movq	-80(%rsp), %rcx
	vmovsd	(%rax,%r13,8), %xmm0
	cmpb	$0, -65(%rsp)
	vdivsd	(%rcx), %xmm0, %xmm4
	vmovsd	%xmm4, (%rax,%r13,8)
	je	.L64
	movq	-104(%rsp), %r8
	cmpq	%r8, %r11
	jne	.L107
.L64:
	vmovsd	(%rsi,%rdi,8), %xmm3
	movq	%rdi, %r8
	leaq	1(%rdi), %rcx
	vfnmadd213sd	(%rax,%rdi,8), %xmm4, %xmm3
	notq	%r8
	addq	%r14, %r8
	andl	$7, %r8d
	vmovsd	%xmm3, (%rax,%rdi,8)
	cmpq	%rcx, %r14
	jle	.L10
	testq	%r8, %r8
	je	.L9
	cmpq	$1, %r8
	je	.L72
	cmpq	$2, %r8
	je	.L73
	cmpq	$3, %r8
	je	.L74
	cmpq	$4, %r8
	je	.L75
	cmpq	$5, %r8
	je	.L76
	cmpq	$6, %r8
	je	.L77
	vmovsd	(%rsi,%rcx,8), %xmm5
	vfnmadd213sd	(%rax,%rcx,8), %xmm4, %xmm5
	vmovsd	%xmm5, (%rax,%rcx,8)
	leaq	2(%rdi), %rcx
.L77:
	vmovsd	(%rsi,%rcx,8), %xmm6
	vfnmadd213sd	(%rax,%rcx,8), %xmm4, %xmm6
	vmovsd	%xmm6, (%rax,%rcx,8)
	incq	%rcx
.L76:
	vmovsd	(%rsi,%rcx,8), %xmm7
	vfnmadd213sd	(%rax,%rcx,8), %xmm4, %xmm7
	vmovsd	%xmm7, (%rax,%rcx,8)
	incq	%rcx
.L75:
	vmovsd	(%rsi,%rcx,8), %xmm8
	vfnmadd213sd	(%rax,%rcx,8), %xmm4, %xmm8
	vmovsd	%xmm8, (%rax,%rcx,8)
	incq	%rcx
.L74:
	vmovsd	(%rsi,%rcx,8), %xmm9
	vfnmadd213sd	(%rax,%rcx,8), %xmm4, %xmm9
	vmovsd	%xmm9, (%rax,%rcx,8)
	incq	%rcx
.L73:
	vmovsd	(%rsi,%rcx,8), %xmm10
	vfnmadd213sd	(%rax,%rcx,8), %xmm4, %xmm10
	vmovsd	%xmm10, (%rax,%rcx,8)
	incq	%rcx
.L72:
	vmovsd	(%rsi,%rcx,8), %xmm11
	vfnmadd213sd	(%rax,%rcx,8), %xmm4, %xmm11
	vmovsd	%xmm11, (%rax,%rcx,8)
	incq	%rcx
	cmpq	%rcx, %r14
	jle	.L10
.L9:
	vmovsd	(%rsi,%rcx,8), %xmm12
	vfnmadd213sd	(%rax,%rcx,8), %xmm4, %xmm12
	vmovsd	%xmm12, (%rax,%rcx,8)
	vmovsd	8(%rsi,%rcx,8), %xmm13
	vfnmadd213sd	8(%rax,%rcx,8), %xmm4, %xmm13
	vmovsd	%xmm13, 8(%rax,%rcx,8)
	vmovsd	16(%rsi,%rcx,8), %xmm14
	vfnmadd213sd	16(%rax,%rcx,8), %xmm4, %xmm14
	vmovsd	%xmm14, 16(%rax,%rcx,8)
	vmovsd	24(%rsi,%rcx,8), %xmm15
	vfnmadd213sd	24(%rax,%rcx,8), %xmm4, %xmm15
	vmovsd	%xmm15, 24(%rax,%rcx,8)
	vmovsd	32(%rsi,%rcx,8), %xmm0
	vfnmadd213sd	32(%rax,%rcx,8), %xmm4, %xmm0
	vmovsd	%xmm0, 32(%rax,%rcx,8)
	vmovsd	40(%rsi,%rcx,8), %xmm2
	vfnmadd213sd	40(%rax,%rcx,8), %xmm4, %xmm2
	vmovsd	%xmm2, 40(%rax,%rcx,8)
	vmovsd	48(%rsi,%rcx,8), %xmm1
	vfnmadd213sd	48(%rax,%rcx,8), %xmm4, %xmm1
	vmovsd	%xmm1, 48(%rax,%rcx,8)
	vmovsd	56(%rsi,%rcx,8), %xmm3
	vfnmadd213sd	56(%rax,%rcx,8), %xmm4, %xmm3
	vmovsd	%xmm3, 56(%rax,%rcx,8)
	addq	$8, %rcx
	cmpq	%rcx, %r14
	jg	.L9
	.p2align 4
	.p2align 3
.L10:
	movq	-88(%rsp), %rdx
	incq	%rbx
	addq	%r14, %r9
	addq	%rdx, %rax
	addq	%rdx, %r11
	cmpq	%rbx, %r14
	jg	.L11
	movq	-40(%rsp), %rcx
	incq	%rdi
	movq	-32(%rsp), %rax
	incq	%r13
	addq	%rax, -104(%rsp)
	addq	%rax, -80(%rsp)
	movq	-48(%rsp), %r8
	decq	%rcx
	cmpq	%rdi, %r14
	jne	.L5
.L101:
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
	.p2align 4
	.p2align 3
.L107:
	movq	-96(%rsp), %r8
	xorl	%edx, %edx
	leaq	(%r15,%r11), %rcx
	vmovddup	%xmm4, %xmm1
	subq	$16, %r8
	shrq	$4, %r8
	incq	%r8
	andl	$7, %r8d
	je	.L7
	cmpq	$1, %r8
	je	.L65
	cmpq	$2, %r8
	je	.L66
	cmpq	$3, %r8
	je	.L67
	cmpq	$4, %r8
	je	.L68
	cmpq	$5, %r8
	je	.L69
	cmpq	$6, %r8
	je	.L70
	vmovupd	(%r10), %xmm2
	movl	$16, %edx
	vfnmadd213pd	(%rcx), %xmm1, %xmm2
	vmovupd	%xmm2, (%rcx)
.L70:
	vmovupd	(%r10,%rdx), %xmm3
	vfnmadd213pd	(%rcx,%rdx), %xmm1, %xmm3
	vmovupd	%xmm3, (%rcx,%rdx)
	addq	$16, %rdx
.L69:
	vmovupd	(%r10,%rdx), %xmm5
	vfnmadd213pd	(%rcx,%rdx), %xmm1, %xmm5
	vmovupd	%xmm5, (%rcx,%rdx)
	addq	$16, %rdx
.L68:
	vmovupd	(%r10,%rdx), %xmm6
	vfnmadd213pd	(%rcx,%rdx), %xmm1, %xmm6
	vmovupd	%xmm6, (%rcx,%rdx)
	addq	$16, %rdx
.L67:
	vmovupd	(%r10,%rdx), %xmm7
	vfnmadd213pd	(%rcx,%rdx), %xmm1, %xmm7
	vmovupd	%xmm7, (%rcx,%rdx)
	addq	$16, %rdx
.L66:
	vmovupd	(%r10,%rdx), %xmm8
	vfnmadd213pd	(%rcx,%rdx), %xmm1, %xmm8
	vmovupd	%xmm8, (%rcx,%rdx)
	addq	$16, %rdx
.L65:
	vmovupd	(%r10,%rdx), %xmm9
	vfnmadd213pd	(%rcx,%rdx), %xmm1, %xmm9
	movq	-96(%rsp), %r8
	vmovupd	%xmm9, (%rcx,%rdx)
	addq	$16, %rdx
	cmpq	%r8, %rdx
	je	.L95
.L7:
	vmovupd	(%r10,%rdx), %xmm10
	movq	-96(%rsp), %r8
	vfnmadd213pd	(%rcx,%rdx), %xmm1, %xmm10
	vmovupd	%xmm10, (%rcx,%rdx)
	vmovupd	16(%r10,%rdx), %xmm11
	vfnmadd213pd	16(%rcx,%rdx), %xmm1, %xmm11
	vmovupd	%xmm11, 16(%rcx,%rdx)
	vmovupd	32(%r10,%rdx), %xmm12
	vfnmadd213pd	32(%rcx,%rdx), %xmm1, %xmm12
	vmovupd	%xmm12, 32(%rcx,%rdx)
	vmovupd	48(%r10,%rdx), %xmm13
	vfnmadd213pd	48(%rcx,%rdx), %xmm1, %xmm13
	vmovupd	%xmm13, 48(%rcx,%rdx)
	vmovupd	64(%r10,%rdx), %xmm14
	vfnmadd213pd	64(%rcx,%rdx), %xmm1, %xmm14
	vmovupd	%xmm14, 64(%rcx,%rdx)
	vmovupd	80(%r10,%rdx), %xmm15
	vfnmadd213pd	80(%rcx,%rdx), %xmm1, %xmm15
	vmovupd	%xmm15, 80(%rcx,%rdx)
	vmovupd	96(%r10,%rdx), %xmm0
	vfnmadd213pd	96(%rcx,%rdx), %xmm1, %xmm0
	vmovupd	%xmm0, 96(%rcx,%rdx)
	vmovupd	112(%r10,%rdx), %xmm2
	vfnmadd213pd	112(%rcx,%rdx), %xmm1, %xmm2
	vmovupd	%xmm2, 112(%rcx,%rdx)
	subq	$-128, %rdx
	cmpq	%r8, %rdx
	jne	.L7
.L95:
	cmpq	$0, -64(%rsp)
	je	.L10
	leaq	(%r9,%rbp), %rcx
	leaq	(%r15,%rcx,8), %rdx
	vmovsd	(%rdx), %xmm1
	vfnmadd132sd	(%r12), %xmm1, %xmm4
	vmovsd	%xmm4, (%rdx)
	jmp	.L10
.L103:
	ret
	.size	lu, .-lu
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
