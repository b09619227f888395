	.file	"prefix_sum.c"
	.text
	.p2align 4
	.globl	prefix_sum
	.type	prefix_sum, @function
prefix_sum:
	cmpq	$1, %rsi
	jle	.L5
	vmovsd	(%rdi), %xmm0
	leaq	8(%rdi), %rax
	leaq	(%rdi,%rsi,8), %rdx
	.p2align 4,,10
	.p2align 3
.L3:
	vaddsd	(%rax), %xmm0, %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, -8(%rax)
	cmpq	%rax, %rdx
	jne	.L3
.L5:
	ret
	.size	prefix_sum, .-prefix_sum
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
