# kind: accumulators
# iterations: 4
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vpaddd (%rdi), %ymm0, %ymm0
	addq $32, %rdi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	vpaddd 0(%rdi), %ymm0, %ymm0
	vpaddd 32(%rdi), %ymm1, %ymm1
	vpaddd 64(%rdi), %ymm2, %ymm2
	vpaddd 96(%rdi), %ymm3, %ymm3
	addq $128, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
