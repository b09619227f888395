# kind: other-instruction
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	movq (%rdi), %rax
	xorl %edx, %edx
	divq %rcx
	movq %rax, (%rdi)
	addq $8, %rdi
	subq $1, %rsi
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	movq (%rdi), %rax
	xorl %edx, %edx
	divl %ecx
	movq %rax, (%rdi)
	addq $8, %rdi
	subq $1, %rsi
	jne .Lremedied
	ret
	.size remedied, .-remedied
