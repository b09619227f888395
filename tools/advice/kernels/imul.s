# kind: accumulators
# iterations: 3
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	imulq (%rdi), %rax
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
	imulq (%rdi), %rax
	imulq 8(%rdi), %rcx
	imulq 16(%rdi), %rsi
	addq $24, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
