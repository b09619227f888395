# Dependences through memory, certain and possible: a recurrence of distance 1 and 2, a histogram.
	.text
f:
.L3:
	movsd	-8(%rdi,%rax,8), %xmm0
	addsd	-16(%rdi,%rax,8), %xmm0
	mulsd	(%rdx,%rax,8), %xmm0
	movsd	%xmm0, (%rdi,%rax,8)
	movl	(%rcx,%rax,4), %r8d
	addl	$1, (%rsi,%r8,4)
	addq	$1, %rax
	cmpq	%rax, %r9
	jne	.L3
	ret
