	.file	"copy.c"
	.text
	.p2align 4
	.globl	copy
	.type	copy, @function
copy:
	movq	%rdi, %rcx
	testq	%rdx, %rdx
	jle	.L9
	leaq	-1(%rdx), %rax
	cmpq	$2, %rax
	jbe	.L6
	movq	%rdx, %rdi
	xorl	%eax, %eax
	shrq	$2, %rdi
	salq	$5, %rdi
	.p2align 4,,10
	.p2align 3
.L4:
	vmovupd	(%rsi,%rax), %ymm1
	vmovupd	%ymm1, (%rcx,%rax)
	addq	$32, %rax
	cmpq	%rax, %rdi
	jne	.L4
	movq	%rdx, %rax
	andq	$-4, %rax
	testb	$3, %dl
	je	.L11
	vzeroupper
.L3:
	vmovsd	(%rsi,%rax,8), %xmm0
	leaq	1(%rax), %r8
	leaq	0(,%rax,8), %rdi
	vmovsd	%xmm0, (%rcx,%rax,8)
	cmpq	%r8, %rdx
	jle	.L9
	vmovsd	8(%rsi,%rdi), %xmm0
	addq	$2, %rax
	vmovsd	%xmm0, 8(%rcx,%rdi)
	cmpq	%rax, %rdx
	jle	.L9
	vmovsd	16(%rsi,%rdi), %xmm0
	vmovsd	%xmm0, 16(%rcx,%rdi)
.L9:
	ret
	.p2align 4,,10
	.p2align 3
.L11:
	vzeroupper
	ret
.L6:
	xorl	%eax, %eax
	jmp	.L3
	.size	copy, .-copy
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
