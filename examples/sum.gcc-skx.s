	.file	"sum.c"
	.text
	.p2align 4
	.globl	sum
	.type	sum, @function
sum:
	testq	%rsi, %rsi
	jle	.L7
	leaq	-1(%rsi), %rax
	cmpq	$2, %rax
	jbe	.L8
	movq	%rsi, %rdx
	shrq	$2, %rdx
	salq	$5, %rdx
	movq	%rdi, %rax
	addq	%rdi, %rdx
	vxorpd	%xmm0, %xmm0, %xmm0
	.p2align 4,,10
	.p2align 3
.L4:
	vaddpd	(%rax), %ymm0, %ymm0
	addq	$32, %rax
	cmpq	%rax, %rdx
	jne	.L4
	vextractf64x2	$0x1, %ymm0, %xmm1
	vaddpd	%xmm0, %xmm1, %xmm1
	movq	%rsi, %rax
	andq	$-4, %rax
	vunpckhpd	%xmm1, %xmm1, %xmm0
	vaddpd	%xmm1, %xmm0, %xmm0
	testb	$3, %sil
	je	.L12
	vzeroupper
.L3:
	leaq	1(%rax), %rcx
	vaddsd	(%rdi,%rax,8), %xmm0, %xmm0
	leaq	0(,%rax,8), %rdx
	cmpq	%rcx, %rsi
	jle	.L1
	addq	$2, %rax
	vaddsd	8(%rdi,%rdx), %xmm0, %xmm0
	cmpq	%rax, %rsi
	jle	.L1
	vaddsd	16(%rdi,%rdx), %xmm0, %xmm0
	ret
	.p2align 4,,10
	.p2align 3
.L7:
	vxorpd	%xmm0, %xmm0, %xmm0
.L1:
	ret
	.p2align 4,,10
	.p2align 3
.L12:
	vzeroupper
	ret
.L8:
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L3
	.size	sum, .-sum
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
