# kind: other-instruction
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	shldq $13, %rcx, %rax
	movq %rax, (%rdi)
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
	movq %rcx, %rsi
	shrq $51, %rsi
	shlq $13, %rax
	orq %rsi, %rax
	movq %rax, (%rdi)
	addq $8, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
