# kind: wider-vectors
# iterations: 8
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovss (%rdi), %xmm1
	vmulss %xmm1, %xmm0, %xmm1
	vmovss %xmm1, (%rsi)
	addq $4, %rsi
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
	vmovups (%rdi), %ymm1
	vmulps %ymm1, %ymm0, %ymm1
	vmovups %ymm1, (%rsi)
	addq $32, %rsi
	addq $32, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
