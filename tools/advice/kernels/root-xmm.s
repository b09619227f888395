# kind: wider-vectors
# iterations: 2
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vsqrtpd (%rdi), %xmm1
	vmovupd %xmm1, (%rsi)
	addq $16, %rsi
	addq $16, %rdi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	vsqrtpd (%rdi), %ymm1
	vmovupd %ymm1, (%rsi)
	addq $32, %rsi
	addq $32, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
