# kind: reciprocal
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovsd (%rdi), %xmm0
	vdivsd %xmm1, %xmm0, %xmm0
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
	vmovsd (%rdi), %xmm0
	vmulsd %xmm1, %xmm0, %xmm0
	vmovsd %xmm0, (%rdi)
	addq $8, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
