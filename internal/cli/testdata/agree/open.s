# instructions that no figure bounds: by count, in the kernel, without a figure, on ports that nobody names
.L1:
	movq %rdx, %rcx
	rep movsb
	cpuid
	fsin
	pext %r8, %r9, %r10
	addq $8, %r8
	cmpq %r9, %r8
	jne .L1
.L2:
	vmovntps %ymm0, (%rdi)
	addq $32, %rdi
	cmpq %r9, %rdi
	jne .L2
