# kind: store-forwarding
# iterations: 1
# Two stores of two bytes each, and a load of both: the store cannot pass its data on. In one store it can.
	.globl plain
	.type plain, @function
plain:
.L1:
	movq (%rsi), %rax
	addq $8, %rsi
	movw %ax, (%rdi)
	shrq $16, %rax
	movw %ax, 2(%rdi)
	movl (%rdi), %eax
	addq %rax, %rbx
	cmpq %rsi, %rcx
	jne .L1
	ret
	.globl remedied
	.type remedied, @function
remedied:
.L2:
	movq (%rsi), %rax
	addq $8, %rsi
	movl %eax, (%rdi)
	shrq $16, %rax
	movl (%rdi), %eax
	addq %rax, %rbx
	cmpq %rsi, %rcx
	jne .L2
	ret
