# instructions that no figure bounds: by count, in the kernel, without a figure
.L1:
	movq %rdx, %rcx
	rep movsb
	cpuid
	fsin
	addq $8, %r8
	cmpq %r9, %r8
	jne .L1
.L2:
	vmovntps %ymm0, (%rdi)
	addq $32, %rdi
	cmpq %r9, %rdi
	jne .L2
