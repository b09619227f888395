# kind: other-instruction
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	movq (%rdi), %rax
	bsfq %rax, %rcx
	addq %rcx, %rsi
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
	movq (%rdi), %rax
	tzcntq %rax, %rcx
	addq %rcx, %rsi
	addq $8, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
