# kind: wider-vectors
# iterations: 4
	.globl plain
	.type plain, @function
plain:
	.p2align 6
.Lplain:
	vmovsd (%rsi,%rax), %xmm1
	vfmadd213sd (%rdi,%rax), %xmm2, %xmm1
	vmovsd %xmm1, (%rcx,%rax)
	addq $8, %rax
	cmpq %rax, %rdx
	jne .Lplain
	ret
	.size plain, .-plain
	.globl remedied
	.type remedied, @function
remedied:
	.p2align 6
.Lremedied:
	vmovupd (%rsi,%rax), %ymm1
	vfmadd213pd (%rdi,%rax), %ymm2, %ymm1
	vmovupd %ymm1, (%rcx,%rax)
	addq $32, %rax
	cmpq %rax, %rdx
	jne .Lremedied
	ret
	.size remedied, .-remedied
