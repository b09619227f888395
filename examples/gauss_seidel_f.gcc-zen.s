	.file	"gauss_seidel_f.f90"
	.text
	.p2align 4
	.globl	gauss_seidel_
	.type	gauss_seidel_, @function
gauss_seidel_:
	pushq	%r13
	movq	%rdx, %rcx
	pushq	%r12
	pushq	%rbp
	pushq	%rbx
	movl	(%rsi), %edx
	movl	(%rcx), %r13d
	movl	$0, %esi
	leal	1(%rdx), %r9d
	movslq	%r9d, %r9
	incq	%r9
	cmovs	%rsi, %r9
	testl	%r13d, %r13d
	jle	.L44
	testl	%edx, %edx
	jle	.L44
	vmovsd	.LC0(%rip), %xmm1
	decl	%edx
	movq	%rdi, %rax
	leaq	0(,%r9,8), %r12
	addq	%r9, %rdx
	leaq	8(%rdi,%r12), %rdi
	leaq	(%r9,%r9), %rbp
	incl	%r13d
	leaq	16(%rax,%rdx,8), %r8
	movq	%r9, %r10
	xorl	%ebx, %ebx
	movl	$1, %r11d
	.p2align 4
	.p2align 3
.L6:
	movq	%r8, %rdx
	movq	%rbx, %rsi
	movq	%rbp, %rcx
	incl	%r11d
	subq	%rdi, %rdx
	subq	%r10, %rsi
	subq	%r10, %rcx
	vmovsd	-8(%rdi), %xmm15
	subq	$8, %rdx
	movq	%rdi, %rax
	shrq	$3, %rdx
	incq	%rdx
	andl	$7, %edx
	je	.L4
	cmpq	$1, %rdx
	je	.L29
	cmpq	$2, %rdx
	je	.L30
	cmpq	$3, %rdx
	je	.L31
	cmpq	$4, %rdx
	je	.L32
	cmpq	$5, %rdx
	je	.L33
	cmpq	$6, %rdx
	je	.L34
	vmovsd	(%rdi,%rsi,8), %xmm2
	vaddsd	(%rdi,%rcx,8), %xmm15, %xmm0
	leaq	8(%rdi), %rax
	vaddsd	8(%rdi), %xmm2, %xmm3
	vaddsd	%xmm0, %xmm3, %xmm4
	vmulsd	%xmm1, %xmm4, %xmm15
	vmovsd	%xmm15, (%rdi)
.L34:
	vmovsd	(%rax,%rsi,8), %xmm5
	vaddsd	(%rax,%rcx,8), %xmm15, %xmm7
	vaddsd	8(%rax), %xmm5, %xmm6
	addq	$8, %rax
	vaddsd	%xmm7, %xmm6, %xmm8
	vmulsd	%xmm1, %xmm8, %xmm15
	vmovsd	%xmm15, -8(%rax)
.L33:
	vmovsd	(%rax,%rsi,8), %xmm9
	vaddsd	(%rax,%rcx,8), %xmm15, %xmm11
	vaddsd	8(%rax), %xmm9, %xmm10
	addq	$8, %rax
	vaddsd	%xmm11, %xmm10, %xmm12
	vmulsd	%xmm1, %xmm12, %xmm15
	vmovsd	%xmm15, -8(%rax)
.L32:
	vmovsd	(%rax,%rsi,8), %xmm13
	vaddsd	(%rax,%rcx,8), %xmm15, %xmm15
	vaddsd	8(%rax), %xmm13, %xmm14
	addq	$8, %rax
	vaddsd	%xmm15, %xmm14, %xmm2
	vmulsd	%xmm1, %xmm2, %xmm15
	vmovsd	%xmm15, -8(%rax)
.L31:
	vmovsd	(%rax,%rsi,8), %xmm3
	vaddsd	(%rax,%rcx,8), %xmm15, %xmm0
	vaddsd	8(%rax), %xmm3, %xmm4
	addq	$8, %rax
	vaddsd	%xmm0, %xmm4, %xmm5
	vmulsd	%xmm1, %xmm5, %xmm15
	vmovsd	%xmm15, -8(%rax)
.L30:
	vmovsd	(%rax,%rsi,8), %xmm6
	vaddsd	(%rax,%rcx,8), %xmm15, %xmm8
	vaddsd	8(%rax), %xmm6, %xmm7
	addq	$8, %rax
	vaddsd	%xmm8, %xmm7, %xmm9
	vmulsd	%xmm1, %xmm9, %xmm15
	vmovsd	%xmm15, -8(%rax)
.L29:
	vmovsd	(%rax,%rsi,8), %xmm10
	vaddsd	(%rax,%rcx,8), %xmm15, %xmm12
	vaddsd	8(%rax), %xmm10, %xmm11
	addq	$8, %rax
	vaddsd	%xmm12, %xmm11, %xmm13
	vmulsd	%xmm1, %xmm13, %xmm15
	vmovsd	%xmm15, -8(%rax)
	cmpq	%rax, %r8
	je	.L43
.L4:
	vmovsd	(%rax,%rsi,8), %xmm14
	leaq	8(%rax), %rdx
	vaddsd	(%rax,%rcx,8), %xmm15, %xmm3
	vaddsd	8(%rax), %xmm14, %xmm2
	vaddsd	%xmm3, %xmm2, %xmm4
	vmulsd	%xmm1, %xmm4, %xmm5
	vmovsd	%xmm5, (%rax)
	vmovsd	(%rdx,%rsi,8), %xmm0
	vaddsd	(%rdx,%rcx,8), %xmm5, %xmm7
	leaq	16(%rax), %rdx
	vaddsd	16(%rax), %xmm0, %xmm6
	vaddsd	%xmm7, %xmm6, %xmm8
	vmulsd	%xmm1, %xmm8, %xmm9
	vmovsd	%xmm9, 8(%rax)
	vmovsd	(%rdx,%rsi,8), %xmm10
	vaddsd	(%rdx,%rcx,8), %xmm9, %xmm12
	leaq	24(%rax), %rdx
	vaddsd	24(%rax), %xmm10, %xmm11
	vaddsd	%xmm12, %xmm11, %xmm13
	vmulsd	%xmm1, %xmm13, %xmm15
	vmovsd	%xmm15, 16(%rax)
	vmovsd	(%rdx,%rsi,8), %xmm14
	vaddsd	(%rdx,%rcx,8), %xmm15, %xmm2
	leaq	32(%rax), %rdx
	vaddsd	32(%rax), %xmm14, %xmm3
	vaddsd	%xmm2, %xmm3, %xmm4
	vmulsd	%xmm1, %xmm4, %xmm5
	vmovsd	%xmm5, 24(%rax)
	vmovsd	(%rdx,%rsi,8), %xmm0
	vaddsd	(%rdx,%rcx,8), %xmm5, %xmm7
	leaq	40(%rax), %rdx
	vaddsd	40(%rax), %xmm0, %xmm6
	vaddsd	%xmm7, %xmm6, %xmm8
	vmulsd	%xmm1, %xmm8, %xmm9
	vmovsd	%xmm9, 32(%rax)
	vmovsd	(%rdx,%rsi,8), %xmm10
	vaddsd	(%rdx,%rcx,8), %xmm9, %xmm12
	leaq	48(%rax), %rdx
	vaddsd	48(%rax), %xmm10, %xmm11
	vaddsd	%xmm12, %xmm11, %xmm13
	vmulsd	%xmm1, %xmm13, %xmm15
	vmovsd	%xmm15, 40(%rax)
	vmovsd	(%rdx,%rsi,8), %xmm14
	vaddsd	(%rdx,%rcx,8), %xmm15, %xmm2
	leaq	56(%rax), %rdx
	vaddsd	56(%rax), %xmm14, %xmm3
	addq	$64, %rax
	vaddsd	%xmm2, %xmm3, %xmm4
	vmulsd	%xmm1, %xmm4, %xmm5
	vmovsd	%xmm5, -16(%rax)
	vmovsd	(%rdx,%rsi,8), %xmm0
	vaddsd	(%rdx,%rcx,8), %xmm5, %xmm7
	vaddsd	(%rax), %xmm0, %xmm6
	vaddsd	%xmm7, %xmm6, %xmm8
	vmulsd	%xmm1, %xmm8, %xmm15
	vmovsd	%xmm15, -8(%rax)
	cmpq	%rax, %r8
	jne	.L4
.L43:
	addq	%r12, %rdi
	addq	%r9, %rbx
	addq	%r9, %r10
	addq	%r9, %rbp
	addq	%r12, %r8
	cmpl	%r13d, %r11d
	jne	.L6
.L44:
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	ret
	.size	gauss_seidel_, .-gauss_seidel_
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC0:
	.long	0
	.long	1070596096
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
