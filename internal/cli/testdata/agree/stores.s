# Stores that wait for a long chain, and a load of what one of them cannot pass on.
	.text
f:
.L3:
	divsd	%xmm1, %xmm0
	movsd	%xmm0, (%rdi)
	movsd	%xmm2, 8(%rdi)
	movsd	%xmm2, 16(%rdi)
	movsd	%xmm2, 24(%rdi)
	movsd	%xmm2, 32(%rdi)
	movsd	%xmm2, 40(%rdi)
	movl	%eax, -8(%rsp)
	movq	-8(%rsp), %rcx
	addq	$48, %rdi
	cmpq	%rdi, %rsi
	jne	.L3
	ret
