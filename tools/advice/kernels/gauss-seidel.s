# kind: reassociate
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovsd (%rdi), %xmm0
	vaddsd %xmm2, %xmm1, %xmm1
	vaddsd %xmm0, %xmm1, %xmm1
	vmulsd %xmm3, %xmm1, %xmm1
	vmovsd %xmm1, (%rsi)
	addq $8, %rdi
	addq $8, %rsi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	vmovsd (%rdi), %xmm0
	vaddsd %xmm2, %xmm0, %xmm0
	vaddsd %xmm0, %xmm1, %xmm1
	vmulsd %xmm3, %xmm1, %xmm1
	vmovsd %xmm1, (%rsi)
	addq $8, %rdi
	addq $8, %rsi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
