	.file	"marked.c"
	.text
	.p2align 4
	.globl	marked
	.type	marked, @function
marked:
	movq	%rdi, %rcx
#APP
# 10 "marked.c" 1
	# OSACA-BEGIN
# 0 "" 2
#NO_APP
	testq	%rdx, %rdx
	jle	.L2
	leaq	-1(%rdx), %r9
	cmpq	$2, %r9
	jbe	.L12
	movq	%rdx, %rdi
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	shrq	$2, %rdi
	salq	$5, %rdi
	.p2align 4,,10
	.p2align 3
.L4:
	vmovupd	(%rcx,%rax), %ymm4
	vmulpd	(%rsi,%rax), %ymm4, %ymm1
	addq	$32, %rax
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm2
	vextractf128	$0x1, %ymm1, %xmm1
	vaddsd	%xmm2, %xmm0, %xmm0
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rdi, %rax
	jne	.L4
	movq	%rdx, %rax
	andq	$-4, %rax
	movq	%rax, %r8
	cmpq	%rax, %rdx
	je	.L27
	vzeroupper
.L3:
	movq	%rdx, %rdi
	subq	%r8, %rdi
	cmpq	$1, %rdi
	je	.L6
	vmovupd	(%rcx,%r8,8), %xmm6
	vmulpd	(%rsi,%r8,8), %xmm6, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm1
	vaddsd	%xmm0, %xmm1, %xmm0
	testb	$1, %dil
	je	.L7
	andq	$-2, %rdi
	addq	%rdi, %rax
.L6:
	vmovsd	(%rcx,%rax,8), %xmm5
	vfmadd231sd	(%rsi,%rax,8), %xmm5, %xmm0
.L7:
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
	cmpq	$2, %r9
	jbe	.L13
.L5:
	movq	%rdx, %rsi
	movq	%rcx, %rax
	shrq	$2, %rsi
	salq	$5, %rsi
	addq	%rcx, %rsi
	.p2align 4,,10
	.p2align 3
.L10:
	vaddsd	(%rax), %xmm0, %xmm0
	addq	$32, %rax
	vaddsd	-24(%rax), %xmm0, %xmm0
	vaddsd	-16(%rax), %xmm0, %xmm0
	vaddsd	-8(%rax), %xmm0, %xmm0
	cmpq	%rax, %rsi
	jne	.L10
	testb	$3, %dl
	je	.L8
	movq	%rdx, %rax
	andq	$-4, %rax
.L9:
	leaq	1(%rax), %rdi
	vaddsd	(%rcx,%rax,8), %xmm0, %xmm0
	leaq	0(,%rax,8), %rsi
	cmpq	%rdx, %rdi
	jge	.L8
	addq	$2, %rax
	vaddsd	8(%rcx,%rsi), %xmm0, %xmm0
	cmpq	%rax, %rdx
	jle	.L8
	vaddsd	16(%rcx,%rsi), %xmm0, %xmm0
.L8:
#APP
# 17 "marked.c" 1
	# LLVM-MCA-END sum
# 0 "" 2
#NO_APP
	ret
	.p2align 4,,10
	.p2align 3
.L27:
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
	vzeroupper
	jmp	.L5
	.p2align 4,,10
	.p2align 3
.L2:
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L8
	.p2align 4,,10
	.p2align 3
.L13:
	xorl	%eax, %eax
	jmp	.L9
.L12:
	xorl	%r8d, %r8d
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L3
	.size	marked, .-marked
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
