# kind: false-dependency
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	movb (%rdi), %al
	imulq %rcx, %rax
	movb %al, (%rsi)
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
	movzbl (%rdi), %eax
	imulq %rcx, %rax
	movb %al, (%rsi)
	addq $1, %rsi
	addq $1, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
