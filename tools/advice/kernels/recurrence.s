# kind: keep-in-register
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovsd -8(%rdi), %xmm0
	vaddsd (%rsi), %xmm0, %xmm0
	vmovsd %xmm0, (%rdi)
	addq $8, %rsi
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
	vaddsd (%rsi), %xmm0, %xmm0
	vmovsd %xmm0, (%rdi)
	addq $8, %rsi
	addq $8, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
