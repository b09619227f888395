# kind: hoist
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovsd (%rsi), %xmm1
	vsqrtsd %xmm1, %xmm1, %xmm1
	vmulsd (%rdi), %xmm1, %xmm0
	vmovsd %xmm0, (%rdi)
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
	vmulsd (%rdi), %xmm1, %xmm0
	vmovsd %xmm0, (%rdi)
	addq $8, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
