f:
.L3:
	movsd -8(%rdi,%rax,8), %xmm0
	mulsd %xmm1, %xmm0
	addsd (%rsi,%rax,8), %xmm0
	movsd %xmm0, (%rdi,%rax,8)
	addq $1, %rax
	cmpq %rax, %rdx
	jne .L3
	ret
