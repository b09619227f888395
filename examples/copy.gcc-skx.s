	.file	"copy.c"
	.text
	.p2align 4
	.globl	copy
	.type	copy, @function
copy:
	movq	%rdi, %rcx
	testq	%rdx, %rdx
	jle	.L17
	leaq	-1(%rdx), %rax
	cmpq	$2, %rax
	jbe	.L8
	movq	%rdx, %rdi
	shrq	$2, %rdi
	salq	$5, %rdi
	xorl	%eax, %eax
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
	movq	%rax, %rdi
	cmpq	%rax, %rdx
	je	.L19
	vzeroupper
.L3:
	subq	%rdi, %rdx
	cmpq	$1, %rdx
	je	.L6
	vmovupd	(%rsi,%rdi,8), %xmm2
	vmovupd	%xmm2, (%rcx,%rdi,8)
	testb	$1, %dl
	je	.L17
	andq	$-2, %rdx
	addq	%rdx, %rax
.L6:
	vmovsd	(%rsi,%rax,8), %xmm0
	vmovsd	%xmm0, (%rcx,%rax,8)
.L17:
	ret
	.p2align 4,,10
	.p2align 3
.L19:
	vzeroupper
	ret
.L8:
	xorl	%edi, %edi
	xorl	%eax, %eax
	jmp	.L3
	.size	copy, .-copy
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
