# Zero idioms, broken dependences, eliminated moves, fusion, a false dependence.
	.text
f:
.L3:
	xorl	%eax, %eax
	pcmpeqd	%xmm0, %xmm0
	movq	%rsi, %rcx
	popcntq	(%rdi), %rdx
	addq	%rdx, %rcx
	tzcntq	%rcx, %rcx
	lfence
	addq	$8, %rdi
	cmpq	%rdi, %r9
	jne	.L3
	ret
