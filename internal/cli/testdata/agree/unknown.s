# AVX-512 on a core without it, and what is no instruction.
	.text
f:
.L3:
	vmovupd	(%rsi,%rax,8), %zmm1
	vfmadd213pd	(%rdi,%rax,8), %zmm0, %zmm1
	vmovupd	%zmm1, (%rsi,%rax,8)
	frobnicate	%rax
	addq	$8, %rax
	cmpq	%rax, %rdx
	jne	.L3
	ret
