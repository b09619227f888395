# kind: accumulators
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vaddpd 0(%rdi), %ymm0, %ymm0
	vaddpd 32(%rdi), %ymm0, %ymm0
	vaddpd 64(%rdi), %ymm0, %ymm0
	vaddpd 96(%rdi), %ymm0, %ymm0
	addq $128, %rdi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	vaddpd 0(%rdi), %ymm0, %ymm0
	vaddpd 32(%rdi), %ymm1, %ymm1
	vaddpd 64(%rdi), %ymm2, %ymm2
	vaddpd 96(%rdi), %ymm3, %ymm3
	addq $128, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
