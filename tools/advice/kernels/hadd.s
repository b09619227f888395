# kind: other-instruction
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovupd (%rdi), %xmm1
	vhaddpd %xmm1, %xmm1, %xmm0
	vhaddpd %xmm0, %xmm0, %xmm2
	vmovsd %xmm2, (%rsi)
	addq $8, %rsi
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
	vmovupd (%rdi), %xmm1
	vunpckhpd %xmm1, %xmm1, %xmm3
	vaddpd %xmm3, %xmm1, %xmm0
	vunpckhpd %xmm0, %xmm0, %xmm3
	vaddpd %xmm3, %xmm0, %xmm2
	vmovsd %xmm2, (%rsi)
	addq $8, %rsi
	addq $16, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
