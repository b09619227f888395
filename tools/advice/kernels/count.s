# kind: unroll
# iterations: 2
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	movzbl (%rdi), %eax
	addb %al, (%rsi)
	addq $1, %rsi
	addq $1, %rdi
	cmpq %rdi, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	movzbl 0(%rdi), %eax
	addb %al, 0(%rsi)
	movzbl 1(%rdi), %eax
	addb %al, 1(%rsi)
	addq $2, %rsi
	addq $2, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
