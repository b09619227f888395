	.file	"dot.c"
	.text
	.p2align 4
	.globl	dot
	.type	dot, @function
dot:
	movq	%rdi, %rcx
	testq	%rdx, %rdx
	jle	.L7
	cmpq	$1, %rdx
	je	.L8
	movq	%rdx, %r8
	xorl	%eax, %eax
	vxorpd	%xmm1, %xmm1, %xmm1
	shrq	%r8
	salq	$4, %r8
	leaq	-16(%r8), %rdi
	shrq	$4, %rdi
	incq	%rdi
	andl	$7, %edi
	je	.L4
	cmpq	$1, %rdi
	je	.L33
	cmpq	$2, %rdi
	je	.L34
	cmpq	$3, %rdi
	je	.L35
	cmpq	$4, %rdi
	je	.L36
	cmpq	$5, %rdi
	je	.L37
	cmpq	$6, %rdi
	jne	.L50
.L38:
	vmovupd	(%rcx,%rax), %xmm4
	vmulpd	(%rsi,%rax), %xmm4, %xmm0
	addq	$16, %rax
	vaddpd	%xmm0, %xmm1, %xmm1
.L37:
	vmovupd	(%rcx,%rax), %xmm7
	vmulpd	(%rsi,%rax), %xmm7, %xmm2
	addq	$16, %rax
	vaddpd	%xmm2, %xmm1, %xmm1
.L36:
	vmovupd	(%rcx,%rax), %xmm6
	vmulpd	(%rsi,%rax), %xmm6, %xmm5
	addq	$16, %rax
	vaddpd	%xmm5, %xmm1, %xmm1
.L35:
	vmovupd	(%rcx,%rax), %xmm8
	vmulpd	(%rsi,%rax), %xmm8, %xmm9
	addq	$16, %rax
	vaddpd	%xmm9, %xmm1, %xmm1
.L34:
	vmovupd	(%rcx,%rax), %xmm10
	vmulpd	(%rsi,%rax), %xmm10, %xmm11
	addq	$16, %rax
	vaddpd	%xmm11, %xmm1, %xmm1
.L33:
	vmovupd	(%rcx,%rax), %xmm12
	vmulpd	(%rsi,%rax), %xmm12, %xmm13
	addq	$16, %rax
	vaddpd	%xmm13, %xmm1, %xmm1
	cmpq	%r8, %rax
	je	.L48
.L4:
	vmovupd	(%rcx,%rax), %xmm14
	vmovupd	16(%rcx,%rax), %xmm4
	vmulpd	(%rsi,%rax), %xmm14, %xmm15
	vmulpd	16(%rsi,%rax), %xmm4, %xmm0
	vmovupd	32(%rcx,%rax), %xmm7
	vmovupd	48(%rcx,%rax), %xmm5
	vmovupd	64(%rcx,%rax), %xmm11
	vmulpd	32(%rsi,%rax), %xmm7, %xmm6
	vmulpd	48(%rsi,%rax), %xmm5, %xmm9
	vmulpd	64(%rsi,%rax), %xmm11, %xmm12
	vaddpd	%xmm15, %xmm1, %xmm3
	vmovupd	80(%rcx,%rax), %xmm1
	vmulpd	80(%rsi,%rax), %xmm1, %xmm14
	vaddpd	%xmm0, %xmm3, %xmm2
	vmovupd	96(%rcx,%rax), %xmm3
	vmovupd	112(%rcx,%rax), %xmm0
	vmulpd	96(%rsi,%rax), %xmm3, %xmm4
	vmulpd	112(%rsi,%rax), %xmm0, %xmm7
	subq	$-128, %rax
	vaddpd	%xmm6, %xmm2, %xmm8
	vaddpd	%xmm9, %xmm8, %xmm10
	vaddpd	%xmm12, %xmm10, %xmm13
	vaddpd	%xmm14, %xmm13, %xmm15
	vaddpd	%xmm4, %xmm15, %xmm2
	vaddpd	%xmm7, %xmm2, %xmm1
	cmpq	%r8, %rax
	jne	.L4
.L48:
	vunpckhpd	%xmm1, %xmm1, %xmm6
	vaddpd	%xmm1, %xmm6, %xmm0
	testb	$1, %dl
	je	.L1
	andq	$-2, %rdx
.L3:
	vmovsd	(%rsi,%rdx,8), %xmm8
	vfmadd231sd	(%rcx,%rdx,8), %xmm8, %xmm0
	ret
	.p2align 4
	.p2align 3
.L7:
	vxorpd	%xmm0, %xmm0, %xmm0
.L1:
	ret
	.p2align 4
	.p2align 3
.L50:
	vmovupd	(%rcx), %xmm3
	movl	$16, %eax
	vmulpd	(%rsi), %xmm3, %xmm1
	jmp	.L38
.L8:
	xorl	%edx, %edx
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L3
	.size	dot, .-dot
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
