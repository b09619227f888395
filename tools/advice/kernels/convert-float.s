# kind: false-dependency
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	cvtss2sd (%rdi), %xmm0
	addsd %xmm1, %xmm0
	movsd %xmm0, (%rsi)
	addq $8, %rsi
	addq $4, %rdi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	xorps %xmm0, %xmm0
	cvtss2sd (%rdi), %xmm0
	addsd %xmm1, %xmm0
	movsd %xmm0, (%rsi)
	addq $8, %rsi
	addq $4, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
