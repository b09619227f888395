.L3:
	vmulsd (%rdi,%rax,8), %xmm1, %xmm2
	vaddsd %xmm2, %xmm0, %xmm0
	incq %rax
	cmpq %rax, %rsi
	jne .L3
