# Stores that wait for a long chain.
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
	addq	$48, %rdi
	cmpq	%rdi, %rsi
	jne	.L3
	ret
