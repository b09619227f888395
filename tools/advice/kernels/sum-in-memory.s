# kind: keep-in-register
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovsd (%rsi), %xmm0
	vaddsd (%rdi), %xmm0, %xmm0
	vmovsd %xmm0, (%rsi)
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
	vaddsd (%rdi), %xmm0, %xmm0
	vmovsd %xmm0, (%rsi)
	addq $8, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
