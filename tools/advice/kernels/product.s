# kind: accumulators
# iterations: 4
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmulsd (%rdi), %xmm0, %xmm0
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
	vmulsd (%rdi), %xmm0, %xmm0
	vmulsd 8(%rdi), %xmm1, %xmm1
	vmulsd 16(%rdi), %xmm2, %xmm2
	vmulsd 24(%rdi), %xmm3, %xmm3
	addq $32, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
