# kind: other-instruction
# iterations: 1
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	leaq 1(%rax,%rax,2), %rax
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
	leaq (%rax,%rax,2), %rax
	addq $1, %rax
	addq $8, %rdi
	cmpq %rdi, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
