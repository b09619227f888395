# kind: accumulators
# iterations: 2
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmaxsd (%rdi), %xmm0, %xmm0
	addq $8, %rdi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	vmaxsd (%rdi), %xmm0, %xmm0
	vmaxsd 8(%rdi), %xmm1, %xmm1
	addq $16, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
