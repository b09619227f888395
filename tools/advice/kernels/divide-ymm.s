# kind: reciprocal
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovupd (%rdi), %ymm0
	vdivpd %ymm1, %ymm0, %ymm0
	vmovupd %ymm0, (%rsi)
	addq $32, %rsi
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
	vmovupd (%rdi), %ymm0
	vmulpd %ymm1, %ymm0, %ymm0
	vmovupd %ymm0, (%rsi)
	addq $32, %rsi
	addq $32, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
