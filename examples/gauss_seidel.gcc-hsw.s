	.file	"gauss_seidel.c"
	.text
	.p2align 4
	.globl	gauss_seidel
	.type	gauss_seidel, @function
gauss_seidel:
	cmpq	$2, %rdi
	jle	.L10
	movq	%rsi, %r9
	cmpq	$2, %rsi
	jle	.L10
	movq	%rsi, %rax
	pushq	%r12
	vmovsd	.LC0(%rip), %xmm2
	xorl	%r11d, %r11d
	pushq	%rbp
	salq	$4, %rax
	leaq	-1(%rdi), %r12
	movl	$1, %r10d
	leaq	0(,%rsi,8), %rbp
	pushq	%rbx
	movq	%rsi, %rdi
	leaq	(%rsi,%rsi), %rbx
	leaq	16(%rdx,%rbp), %r8
	addq	%rax, %rdx
	.p2align 4,,10
	.p2align 3
.L4:
	movq	%r11, %rsi
	movq	%rbx, %rcx
	vmovsd	-16(%r8), %xmm1
	incq	%r10
	movq	%r8, %rax
	subq	%rdi, %rsi
	subq	%rdi, %rcx
	.p2align 4,,10
	.p2align 3
.L5:
	vmovsd	-8(%rax,%rsi,8), %xmm0
	vaddsd	-8(%rax,%rcx,8), %xmm0, %xmm0
	addq	$8, %rax
	vaddsd	%xmm1, %xmm0, %xmm0
	vaddsd	-8(%rax), %xmm0, %xmm0
	vmulsd	%xmm2, %xmm0, %xmm1
	vmovsd	%xmm1, -16(%rax)
	cmpq	%rax, %rdx
	jne	.L5
	addq	%rbp, %r8
	addq	%r9, %r11
	addq	%r9, %rdi
	addq	%r9, %rbx
	addq	%rbp, %rdx
	cmpq	%r10, %r12
	jne	.L4
	popq	%rbx
	popq	%rbp
	popq	%r12
	ret
.L10:
	ret
	.size	gauss_seidel, .-gauss_seidel
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC0:
	.long	0
	.long	1070596096
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
