	.file	"marked.c"
	.text
	.p2align 4
	.globl	marked
	.type	marked, @function
marked:
	movq	%rdi, %rax
	movq	%rdx, %rcx
#APP
# 10 "marked.c" 1
	# OSACA-BEGIN
# 0 "" 2
#NO_APP
	testq	%rdx, %rdx
	jle	.L2
	cmpq	$1, %rdx
	je	.L11
	movq	%rdx, %r8
	xorl	%r9d, %r9d
	vxorpd	%xmm1, %xmm1, %xmm1
	shrq	%r8
	salq	$4, %r8
	leaq	-16(%r8), %rdi
	shrq	$4, %rdi
	incq	%rdi
	andl	$7, %edi
	je	.L4
	cmpq	$1, %rdi
	je	.L57
	cmpq	$2, %rdi
	je	.L58
	cmpq	$3, %rdi
	je	.L59
	cmpq	$4, %rdi
	je	.L60
	cmpq	$5, %rdi
	je	.L61
	cmpq	$6, %rdi
	jne	.L88
.L62:
	vmovupd	(%rax,%r9), %xmm0
	vmulpd	(%rsi,%r9), %xmm0, %xmm3
	addq	$16, %r9
	vaddpd	%xmm3, %xmm1, %xmm1
.L61:
	vmovupd	(%rax,%r9), %xmm4
	vmulpd	(%rsi,%r9), %xmm4, %xmm5
	addq	$16, %r9
	vaddpd	%xmm5, %xmm1, %xmm1
.L60:
	vmovupd	(%rax,%r9), %xmm6
	vmulpd	(%rsi,%r9), %xmm6, %xmm7
	addq	$16, %r9
	vaddpd	%xmm7, %xmm1, %xmm1
.L59:
	vmovupd	(%rax,%r9), %xmm8
	vmulpd	(%rsi,%r9), %xmm8, %xmm9
	addq	$16, %r9
	vaddpd	%xmm9, %xmm1, %xmm1
.L58:
	vmovupd	(%rax,%r9), %xmm10
	vmulpd	(%rsi,%r9), %xmm10, %xmm11
	addq	$16, %r9
	vaddpd	%xmm11, %xmm1, %xmm1
.L57:
	vmovupd	(%rax,%r9), %xmm12
	vmulpd	(%rsi,%r9), %xmm12, %xmm13
	addq	$16, %r9
	vaddpd	%xmm13, %xmm1, %xmm1
	cmpq	%r9, %r8
	je	.L86
.L4:
	vmovupd	(%rax,%r9), %xmm14
	vmovupd	16(%rax,%r9), %xmm0
	vmulpd	(%rsi,%r9), %xmm14, %xmm15
	vmulpd	16(%rsi,%r9), %xmm0, %xmm3
	vmovupd	32(%rax,%r9), %xmm5
	vmovupd	48(%rax,%r9), %xmm7
	vmovupd	64(%rax,%r9), %xmm11
	vmulpd	32(%rsi,%r9), %xmm5, %xmm6
	vmulpd	48(%rsi,%r9), %xmm7, %xmm9
	vmulpd	64(%rsi,%r9), %xmm11, %xmm12
	vaddpd	%xmm15, %xmm1, %xmm2
	vmovupd	80(%rax,%r9), %xmm1
	vmulpd	80(%rsi,%r9), %xmm1, %xmm14
	vaddpd	%xmm3, %xmm2, %xmm4
	vmovupd	96(%rax,%r9), %xmm2
	vmulpd	96(%rsi,%r9), %xmm2, %xmm0
	vaddpd	%xmm6, %xmm4, %xmm8
	vmovupd	112(%rax,%r9), %xmm4
	vmulpd	112(%rsi,%r9), %xmm4, %xmm5
	subq	$-128, %r9
	vaddpd	%xmm9, %xmm8, %xmm10
	vaddpd	%xmm12, %xmm10, %xmm13
	vaddpd	%xmm14, %xmm13, %xmm15
	vaddpd	%xmm0, %xmm15, %xmm3
	vaddpd	%xmm5, %xmm3, %xmm1
	cmpq	%r9, %r8
	jne	.L4
.L86:
	vunpckhpd	%xmm1, %xmm1, %xmm6
	movq	%rcx, %rdx
	vaddpd	%xmm1, %xmm6, %xmm0
	andq	$-2, %rdx
	testb	$1, %cl
	je	.L89
.L3:
	vmovsd	(%rax,%rdx,8), %xmm8
	vfmadd231sd	(%rsi,%rdx,8), %xmm8, %xmm0
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
	cmpq	$1, %rcx
	je	.L90
.L7:
	movq	%rcx, %r10
	movq	%rax, %rdx
	vxorpd	%xmm7, %xmm7, %xmm7
	shrq	%r10
	salq	$4, %r10
	leaq	(%r10,%rax), %r11
	subq	$16, %r10
	shrq	$4, %r10
	incq	%r10
	andl	$7, %r10d
	je	.L9
	cmpq	$1, %r10
	je	.L63
	cmpq	$2, %r10
	je	.L64
	cmpq	$3, %r10
	je	.L65
	cmpq	$4, %r10
	je	.L66
	cmpq	$5, %r10
	je	.L67
	cmpq	$6, %r10
	jne	.L91
.L68:
	vaddpd	(%rdx), %xmm7, %xmm7
	addq	$16, %rdx
.L67:
	vaddpd	(%rdx), %xmm7, %xmm7
	addq	$16, %rdx
.L66:
	vaddpd	(%rdx), %xmm7, %xmm7
	addq	$16, %rdx
.L65:
	vaddpd	(%rdx), %xmm7, %xmm7
	addq	$16, %rdx
.L64:
	vaddpd	(%rdx), %xmm7, %xmm7
	addq	$16, %rdx
.L63:
	vaddpd	(%rdx), %xmm7, %xmm7
	addq	$16, %rdx
	cmpq	%r11, %rdx
	je	.L85
.L9:
	vaddpd	(%rdx), %xmm7, %xmm9
	subq	$-128, %rdx
	vaddpd	-112(%rdx), %xmm9, %xmm10
	vaddpd	-96(%rdx), %xmm10, %xmm11
	vaddpd	-80(%rdx), %xmm11, %xmm12
	vaddpd	-64(%rdx), %xmm12, %xmm13
	vaddpd	-48(%rdx), %xmm13, %xmm1
	vaddpd	-32(%rdx), %xmm1, %xmm14
	vaddpd	-16(%rdx), %xmm14, %xmm7
	cmpq	%r11, %rdx
	jne	.L9
.L85:
	vunpckhpd	%xmm7, %xmm7, %xmm15
	movq	%rcx, %rsi
	vaddpd	%xmm7, %xmm15, %xmm2
	andq	$-2, %rsi
	andl	$1, %ecx
	vaddsd	%xmm2, %xmm0, %xmm0
	je	.L8
.L6:
	vaddsd	(%rax,%rsi,8), %xmm0, %xmm0
.L8:
#APP
# 17 "marked.c" 1
	# LLVM-MCA-END sum
# 0 "" 2
#NO_APP
	ret
	.p2align 4
	.p2align 3
.L90:
	xorl	%esi, %esi
	jmp	.L6
	.p2align 4
	.p2align 3
.L89:
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
	jmp	.L7
	.p2align 4
	.p2align 3
.L88:
	vmovupd	(%rax), %xmm2
	movl	$16, %r9d
	vmulpd	(%rsi), %xmm2, %xmm1
	jmp	.L62
	.p2align 4
	.p2align 3
.L91:
	vmovupd	(%rax), %xmm7
	leaq	16(%rax), %rdx
	jmp	.L68
	.p2align 4
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
.L11:
	xorl	%edx, %edx
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L3
	.size	marked, .-marked
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
