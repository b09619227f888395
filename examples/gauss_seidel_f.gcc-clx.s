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
	movl	(%rcx), %r12d
	leal	1(%rdx), %r8d
	movslq	%r8d, %r8
	incq	%r8
	movl	$0, %esi
	cmovs	%rsi, %r8
	testl	%r12d, %r12d
	jle	.L24
	testl	%edx, %edx
	jle	.L24
	decl	%edx
	leaq	0(,%r8,8), %rbp
	addq	%r8, %rdx
	vmovsd	.LC0(%rip), %xmm3
	leaq	8(%rdi,%rbp), %rsi
	leaq	(%r8,%r8), %rbx
	leaq	16(%rdi,%rdx,8), %rdi
	incl	%r12d
	movq	%r8, %r9
	xorl	%r11d, %r11d
	movl	$1, %r10d
	.p2align 4,,10
	.p2align 3
.L6:
	movq	%rdi, %r13
	subq	%rsi, %r13
	subq	$8, %r13
	shrq	$3, %r13
	movq	%r11, %rcx
	movq	%rbx, %rdx
	incq	%r13
	vmovsd	-8(%rsi), %xmm13
	incl	%r10d
	movq	%rsi, %rax
	subq	%r9, %rcx
	subq	%r9, %rdx
	andl	$3, %r13d
	je	.L4
	cmpq	$1, %r13
	je	.L17
	cmpq	$2, %r13
	je	.L18
	vmovsd	(%rsi,%rcx,8), %xmm1
	leaq	8(%rsi), %rax
	vaddsd	8(%rsi), %xmm1, %xmm2
	vaddsd	%xmm13, %xmm2, %xmm0
	vaddsd	(%rsi,%rdx,8), %xmm0, %xmm4
	vmulsd	%xmm3, %xmm4, %xmm13
	vmovsd	%xmm13, (%rsi)
.L18:
	vmovsd	(%rax,%rcx,8), %xmm5
	vaddsd	8(%rax), %xmm5, %xmm6
	vaddsd	%xmm13, %xmm6, %xmm7
	vaddsd	(%rax,%rdx,8), %xmm7, %xmm8
	addq	$8, %rax
	vmulsd	%xmm3, %xmm8, %xmm13
	vmovsd	%xmm13, -8(%rax)
.L17:
	vmovsd	(%rax,%rcx,8), %xmm9
	vaddsd	8(%rax), %xmm9, %xmm10
	vaddsd	%xmm13, %xmm10, %xmm11
	vaddsd	(%rax,%rdx,8), %xmm11, %xmm12
	addq	$8, %rax
	vmulsd	%xmm3, %xmm12, %xmm13
	vmovsd	%xmm13, -8(%rax)
	cmpq	%rax, %rdi
	je	.L23
.L4:
	vmovsd	(%rax,%rcx,8), %xmm14
	leaq	8(%rax), %r13
	vaddsd	8(%rax), %xmm14, %xmm15
	vaddsd	%xmm13, %xmm15, %xmm1
	vaddsd	(%rax,%rdx,8), %xmm1, %xmm2
	vmulsd	%xmm3, %xmm2, %xmm4
	vmovsd	%xmm4, (%rax)
	vmovsd	0(%r13,%rcx,8), %xmm0
	vaddsd	16(%rax), %xmm0, %xmm5
	vaddsd	%xmm4, %xmm5, %xmm6
	vaddsd	0(%r13,%rdx,8), %xmm6, %xmm7
	leaq	16(%rax), %r13
	vmulsd	%xmm3, %xmm7, %xmm8
	vmovsd	%xmm8, 8(%rax)
	vmovsd	0(%r13,%rcx,8), %xmm9
	vaddsd	24(%rax), %xmm9, %xmm10
	vaddsd	%xmm8, %xmm10, %xmm11
	vaddsd	0(%r13,%rdx,8), %xmm11, %xmm12
	leaq	24(%rax), %r13
	addq	$32, %rax
	vmulsd	%xmm3, %xmm12, %xmm13
	vmovsd	%xmm13, -16(%rax)
	vmovsd	0(%r13,%rcx,8), %xmm14
	vaddsd	(%rax), %xmm14, %xmm15
	vaddsd	%xmm13, %xmm15, %xmm1
	vaddsd	0(%r13,%rdx,8), %xmm1, %xmm2
	vmulsd	%xmm3, %xmm2, %xmm13
	vmovsd	%xmm13, -8(%rax)
	cmpq	%rax, %rdi
	jne	.L4
.L23:
	addq	%rbp, %rsi
	addq	%r8, %r11
	addq	%r8, %r9
	addq	%r8, %rbx
	addq	%rbp, %rdi
	cmpl	%r12d, %r10d
	jne	.L6
.L24:
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
