	.file	"gauss_seidel_u4.f90"
	.text
	.p2align 4
	.globl	gauss_seidel_u4_
	.type	gauss_seidel_u4_, @function
gauss_seidel_u4_:
	movq	%rdx, %rcx
	movl	(%rsi), %edx
	movl	$0, %esi
	movl	(%rcx), %r11d
	leal	1(%rdx), %r9d
	movslq	%r9d, %r9
	incq	%r9
	cmovs	%rsi, %r9
	testl	%r11d, %r11d
	jle	.L10
	leal	-1(%rdx), %ecx
	shrl	$2, %ecx
	testl	%edx, %edx
	jle	.L10
	vmovsd	.LC0(%rip), %xmm3
	leal	0(,%rcx,4), %ecx
	leaq	0(,%r9,8), %r10
	pushq	%rbx
	addq	%r9, %rcx
	leaq	8(%rdi), %rdx
	incl	%r11d
	salq	$4, %r9
	leaq	32(%rdi,%rcx,8), %rsi
	leaq	-8(%r10), %rbx
	movl	$1, %edi
	.p2align 4
	.p2align 3
.L6:
	leaq	(%rdx,%r9), %r8
	incl	%edi
	leaq	(%rbx,%rdx), %rax
	movq	%r8, %rcx
	.p2align 4
	.p2align 3
.L4:
	vmovsd	(%rdx), %xmm1
	addq	$32, %rax
	addq	$32, %rdx
	addq	$32, %rcx
	vaddsd	-16(%rax), %xmm1, %xmm1
	vaddsd	-32(%rax), %xmm1, %xmm1
	vaddsd	-32(%rcx), %xmm1, %xmm1
	vmulsd	%xmm3, %xmm1, %xmm1
	vmovsd	%xmm1, -24(%rax)
	vmovsd	-24(%rdx), %xmm0
	vaddsd	-8(%rax), %xmm0, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm2
	vaddsd	-24(%rcx), %xmm2, %xmm2
	vmulsd	%xmm3, %xmm2, %xmm2
	vmovsd	%xmm2, -16(%rax)
	vmovsd	-16(%rdx), %xmm1
	vaddsd	(%rax), %xmm1, %xmm0
	vaddsd	%xmm2, %xmm0, %xmm0
	vaddsd	-16(%rcx), %xmm0, %xmm0
	vmulsd	%xmm3, %xmm0, %xmm0
	vmovsd	%xmm0, -8(%rax)
	vmovsd	-8(%rdx), %xmm1
	vaddsd	8(%rax), %xmm1, %xmm1
	vaddsd	%xmm0, %xmm1, %xmm1
	vaddsd	-8(%rcx), %xmm1, %xmm1
	vmulsd	%xmm3, %xmm1, %xmm1
	vmovsd	%xmm1, (%rax)
	cmpq	%rsi, %rax
	jne	.L4
	movq	%r8, %rdx
	addq	%r10, %rsi
	subq	%r10, %rdx
	cmpl	%r11d, %edi
	jne	.L6
	popq	%rbx
	ret
.L10:
	ret
	.size	gauss_seidel_u4_, .-gauss_seidel_u4_
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC0:
	.long	0
	.long	1070596096
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
