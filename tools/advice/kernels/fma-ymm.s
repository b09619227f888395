# kind: accumulators
# iterations: 4
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovupd (%rdi), %ymm1
	vfmadd231pd (%rsi), %ymm1, %ymm0
	addq $32, %rdi
	addq $32, %rsi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	vmovupd 0(%rdi), %ymm1
	vfmadd231pd 0(%rsi), %ymm1, %ymm0
	vmovupd 32(%rdi), %ymm1
	vfmadd231pd 32(%rsi), %ymm1, %ymm2
	vmovupd 64(%rdi), %ymm1
	vfmadd231pd 64(%rsi), %ymm1, %ymm3
	vmovupd 96(%rdi), %ymm1
	vfmadd231pd 96(%rsi), %ymm1, %ymm4
	addq $128, %rdi
	addq $128, %rsi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
