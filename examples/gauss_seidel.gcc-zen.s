	.file	"gauss_seidel.c"
	.text
	.p2align 4
	.globl	gauss_seidel
	.type	gauss_seidel, @function
gauss_seidel:
	cmpq	$2, %rdi
	jle	.L46
	movq	%rsi, %r10
	cmpq	$2, %rsi
	jle	.L46
	vmovsd	.LC0(%rip), %xmm1
	movq	%rsi, %rax
	pushq	%r13
	movq	%rsi, %r9
	pushq	%r12
	salq	$4, %rax
	leaq	0(,%rsi,8), %r12
	pushq	%rbp
	leaq	-1(%rdi), %r13
	pushq	%rbx
	leaq	16(%rdx,%r12), %rdi
	leaq	(%rsi,%rsi), %rbp
	leaq	(%rdx,%rax), %r8
	xorl	%ebx, %ebx
	movl	$1, %r11d
	.p2align 4
	.p2align 3
.L4:
	movq	%r8, %rdx
	movq	%rbx, %rsi
	movq	%rbp, %rcx
	incq	%r11
	subq	%rdi, %rdx
	subq	%r9, %rsi
	subq	%r9, %rcx
	vmovsd	-16(%rdi), %xmm15
	subq	$8, %rdx
	movq	%rdi, %rax
	shrq	$3, %rdx
	incq	%rdx
	andl	$7, %edx
	je	.L5
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
	vmovsd	-8(%rdi,%rsi,8), %xmm2
	vaddsd	(%rdi), %xmm15, %xmm0
	leaq	8(%rdi), %rax
	vaddsd	-8(%rdi,%rcx,8), %xmm2, %xmm3
	vaddsd	%xmm0, %xmm3, %xmm4
	vmulsd	%xmm1, %xmm4, %xmm15
	vmovsd	%xmm15, -8(%rdi)
.L34:
	vmovsd	-8(%rax,%rsi,8), %xmm5
	vaddsd	-8(%rax,%rcx,8), %xmm5, %xmm6
	vaddsd	(%rax), %xmm15, %xmm7
	addq	$8, %rax
	vaddsd	%xmm7, %xmm6, %xmm8
	vmulsd	%xmm1, %xmm8, %xmm15
	vmovsd	%xmm15, -16(%rax)
.L33:
	vmovsd	-8(%rax,%rsi,8), %xmm9
	vaddsd	-8(%rax,%rcx,8), %xmm9, %xmm10
	vaddsd	(%rax), %xmm15, %xmm11
	addq	$8, %rax
	vaddsd	%xmm11, %xmm10, %xmm12
	vmulsd	%xmm1, %xmm12, %xmm15
	vmovsd	%xmm15, -16(%rax)
.L32:
	vmovsd	-8(%rax,%rsi,8), %xmm13
	vaddsd	-8(%rax,%rcx,8), %xmm13, %xmm14
	vaddsd	(%rax), %xmm15, %xmm15
	addq	$8, %rax
	vaddsd	%xmm15, %xmm14, %xmm2
	vmulsd	%xmm1, %xmm2, %xmm15
	vmovsd	%xmm15, -16(%rax)
.L31:
	vmovsd	-8(%rax,%rsi,8), %xmm3
	vaddsd	-8(%rax,%rcx,8), %xmm3, %xmm4
	vaddsd	(%rax), %xmm15, %xmm0
	addq	$8, %rax
	vaddsd	%xmm0, %xmm4, %xmm5
	vmulsd	%xmm1, %xmm5, %xmm15
	vmovsd	%xmm15, -16(%rax)
.L30:
	vmovsd	-8(%rax,%rsi,8), %xmm6
	vaddsd	-8(%rax,%rcx,8), %xmm6, %xmm7
	vaddsd	(%rax), %xmm15, %xmm8
	addq	$8, %rax
	vaddsd	%xmm8, %xmm7, %xmm9
	vmulsd	%xmm1, %xmm9, %xmm15
	vmovsd	%xmm15, -16(%rax)
.L29:
	vmovsd	-8(%rax,%rsi,8), %xmm10
	vaddsd	-8(%rax,%rcx,8), %xmm10, %xmm11
	vaddsd	(%rax), %xmm15, %xmm12
	addq	$8, %rax
	vaddsd	%xmm12, %xmm11, %xmm13
	vmulsd	%xmm1, %xmm13, %xmm15
	vmovsd	%xmm15, -16(%rax)
	cmpq	%rax, %r8
	je	.L43
.L5:
	vmovsd	-8(%rax,%rsi,8), %xmm14
	vaddsd	-8(%rax,%rcx,8), %xmm14, %xmm2
	vaddsd	(%rax), %xmm15, %xmm3
	vaddsd	%xmm3, %xmm2, %xmm4
	vmulsd	%xmm1, %xmm4, %xmm5
	vaddsd	8(%rax), %xmm5, %xmm7
	vmovsd	%xmm5, -8(%rax)
	vmovsd	(%rax,%rsi,8), %xmm0
	vaddsd	(%rax,%rcx,8), %xmm0, %xmm6
	vaddsd	%xmm7, %xmm6, %xmm8
	vmulsd	%xmm1, %xmm8, %xmm9
	vaddsd	16(%rax), %xmm9, %xmm12
	vmovsd	%xmm9, (%rax)
	vmovsd	8(%rax,%rsi,8), %xmm10
	vaddsd	8(%rax,%rcx,8), %xmm10, %xmm11
	vaddsd	%xmm12, %xmm11, %xmm13
	vmulsd	%xmm1, %xmm13, %xmm15
	vaddsd	24(%rax), %xmm15, %xmm2
	vmovsd	%xmm15, 8(%rax)
	vmovsd	16(%rax,%rsi,8), %xmm14
	vaddsd	16(%rax,%rcx,8), %xmm14, %xmm3
	vaddsd	%xmm2, %xmm3, %xmm4
	vmulsd	%xmm1, %xmm4, %xmm5
	vaddsd	32(%rax), %xmm5, %xmm7
	vmovsd	%xmm5, 16(%rax)
	vmovsd	24(%rax,%rsi,8), %xmm0
	vaddsd	24(%rax,%rcx,8), %xmm0, %xmm6
	vaddsd	%xmm7, %xmm6, %xmm8
	vmulsd	%xmm1, %xmm8, %xmm9
	vaddsd	40(%rax), %xmm9, %xmm12
	vmovsd	%xmm9, 24(%rax)
	vmovsd	32(%rax,%rsi,8), %xmm10
	vaddsd	32(%rax,%rcx,8), %xmm10, %xmm11
	vaddsd	%xmm12, %xmm11, %xmm13
	vmulsd	%xmm1, %xmm13, %xmm15
	vaddsd	48(%rax), %xmm15, %xmm2
	vmovsd	%xmm15, 32(%rax)
	vmovsd	40(%rax,%rsi,8), %xmm14
	vaddsd	40(%rax,%rcx,8), %xmm14, %xmm3
	vaddsd	%xmm2, %xmm3, %xmm4
	vmulsd	%xmm1, %xmm4, %xmm5
	vaddsd	56(%rax), %xmm5, %xmm7
	vmovsd	%xmm5, 40(%rax)
	vmovsd	48(%rax,%rsi,8), %xmm0
	vaddsd	48(%rax,%rcx,8), %xmm0, %xmm6
	addq	$64, %rax
	vaddsd	%xmm7, %xmm6, %xmm8
	vmulsd	%xmm1, %xmm8, %xmm15
	vmovsd	%xmm15, -16(%rax)
	cmpq	%rax, %r8
	jne	.L5
.L43:
	addq	%r12, %rdi
	addq	%r10, %rbx
	addq	%r10, %r9
	addq	%r10, %rbp
	addq	%r12, %r8
	cmpq	%r11, %r13
	jne	.L4
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	ret
.L46:
	ret
	.size	gauss_seidel, .-gauss_seidel
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC0:
	.long	0
	.long	1070596096
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
