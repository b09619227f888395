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
	jbe	.L13
	movq	%rdx, %rdi
	shrq	$2, %rdi
	salq	$5, %rdi
	xorl	%eax, %eax
	vxorpd	%xmm1, %xmm1, %xmm1
	.p2align 4,,10
	.p2align 3
.L4:
	vmovupd	(%rcx,%rax), %ymm4
	vfmadd231pd	(%rsi,%rax), %ymm4, %ymm1
	addq	$32, %rax
	cmpq	%rdi, %rax
	jne	.L4
	vextractf64x2	$0x1, %ymm1, %xmm3
	vaddpd	%xmm1, %xmm3, %xmm2
	movq	%rdx, %rax
	andq	$-4, %rax
	vunpckhpd	%xmm2, %xmm2, %xmm0
	vaddpd	%xmm2, %xmm0, %xmm0
	movq	%rax, %r8
	cmpq	%rax, %rdx
	je	.L5
	vaddpd	%xmm3, %xmm1, %xmm1
.L3:
	movq	%rdx, %rdi
	subq	%r8, %rdi
	cmpq	$1, %rdi
	je	.L7
	vmovupd	(%rcx,%r8,8), %xmm6
	vfmadd231pd	(%rsi,%r8,8), %xmm6, %xmm1
	vunpckhpd	%xmm1, %xmm1, %xmm0
	vaddpd	%xmm1, %xmm0, %xmm0
	testb	$1, %dil
	je	.L8
	andq	$-2, %rdi
	addq	%rdi, %rax
.L7:
	vmovsd	(%rcx,%rax,8), %xmm5
	vfmadd231sd	(%rsi,%rax,8), %xmm5, %xmm0
.L8:
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
	cmpq	$2, %r9
	jbe	.L14
.L6:
	movq	%rdx, %rsi
	shrq	$2, %rsi
	salq	$5, %rsi
	movq	%rcx, %rax
	addq	%rcx, %rsi
	vxorpd	%xmm1, %xmm1, %xmm1
	.p2align 4,,10
	.p2align 3
.L11:
	vaddpd	(%rax), %ymm1, %ymm1
	addq	$32, %rax
	cmpq	%rax, %rsi
	jne	.L11
	vextractf64x2	$0x1, %ymm1, %xmm2
	vaddpd	%xmm1, %xmm2, %xmm2
	vunpckhpd	%xmm2, %xmm2, %xmm1
	vaddpd	%xmm2, %xmm1, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	testb	$3, %dl
	je	.L28
	movq	%rdx, %rax
	andq	$-4, %rax
.L10:
	leaq	1(%rax), %rdi
	vaddsd	(%rcx,%rax,8), %xmm0, %xmm0
	leaq	0(,%rax,8), %rsi
	cmpq	%rdx, %rdi
	jge	.L28
	addq	$2, %rax
	vaddsd	8(%rcx,%rsi), %xmm0, %xmm0
	cmpq	%rdx, %rax
	jge	.L28
	vaddsd	16(%rcx,%rsi), %xmm0, %xmm0
	vzeroupper
.L9:
#APP
# 17 "marked.c" 1
	# LLVM-MCA-END sum
# 0 "" 2
#NO_APP
	ret
	.p2align 4,,10
	.p2align 3
.L28:
	vzeroupper
	jmp	.L9
	.p2align 4,,10
	.p2align 3
.L5:
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
	jmp	.L6
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
	jmp	.L9
	.p2align 4,,10
	.p2align 3
.L14:
	xorl	%eax, %eax
	jmp	.L10
.L13:
	vxorpd	%xmm1, %xmm1, %xmm1
	xorl	%r8d, %r8d
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L3
	.size	marked, .-marked
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
