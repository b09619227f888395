# kind: unroll
# iterations: 4
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	movl (%rdi), %eax
	movl %eax, (%rsi)
	addq $4, %rsi
	addq $4, %rdi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	movl 0(%rdi), %eax
	movl %eax, 0(%rsi)
	movl 4(%rdi), %eax
	movl %eax, 4(%rsi)
	movl 8(%rdi), %eax
	movl %eax, 8(%rsi)
	movl 12(%rdi), %eax
	movl %eax, 12(%rsi)
	addq $16, %rsi
	addq $16, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
