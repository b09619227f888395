	.file	"matvec.c"
	.text
	.p2align 4
	.globl	matvec
	.type	matvec, @function
matvec:
	movq	%rdi, %r9
	testq	%rdi, %rdi
	jle	.L49
	movq	%r9, %r10
	movq	%r9, %r11
	pushq	%rbp
	movq	%rsi, %rdi
	shrq	%r10
	pushq	%rbx
	movq	%rcx, %r8
	leaq	(%rcx,%r9,8), %rbx
	salq	$4, %r10
	andq	$-2, %r11
	xorl	%esi, %esi
	.p2align 4
	.p2align 3
.L3:
	cmpq	$1, %r9
	je	.L8
	leaq	-16(%r10), %rcx
	xorl	%eax, %eax
	leaq	(%rdi,%rsi,8), %rbp
	vxorpd	%xmm0, %xmm0, %xmm0
	shrq	$4, %rcx
	incq	%rcx
	andl	$7, %ecx
	je	.L5
	cmpq	$1, %rcx
	je	.L31
	cmpq	$2, %rcx
	je	.L32
	cmpq	$3, %rcx
	je	.L33
	cmpq	$4, %rcx
	je	.L34
	cmpq	$5, %rcx
	je	.L35
	cmpq	$6, %rcx
	je	.L36
	vmovupd	(%rdx), %xmm3
	movl	$16, %eax
	vmulpd	0(%rbp), %xmm3, %xmm0
.L36:
	vmovupd	(%rdx,%rax), %xmm4
	vmulpd	0(%rbp,%rax), %xmm4, %xmm1
	addq	$16, %rax
	vaddpd	%xmm1, %xmm0, %xmm0
.L35:
	vmovupd	(%rdx,%rax), %xmm7
	vmulpd	0(%rbp,%rax), %xmm7, %xmm2
	addq	$16, %rax
	vaddpd	%xmm2, %xmm0, %xmm0
.L34:
	vmovupd	(%rdx,%rax), %xmm6
	vmulpd	0(%rbp,%rax), %xmm6, %xmm5
	addq	$16, %rax
	vaddpd	%xmm5, %xmm0, %xmm0
.L33:
	vmovupd	(%rdx,%rax), %xmm8
	vmulpd	0(%rbp,%rax), %xmm8, %xmm9
	addq	$16, %rax
	vaddpd	%xmm9, %xmm0, %xmm0
.L32:
	vmovupd	(%rdx,%rax), %xmm10
	vmulpd	0(%rbp,%rax), %xmm10, %xmm11
	addq	$16, %rax
	vaddpd	%xmm11, %xmm0, %xmm0
.L31:
	vmovupd	(%rdx,%rax), %xmm12
	vmulpd	0(%rbp,%rax), %xmm12, %xmm13
	addq	$16, %rax
	vaddpd	%xmm13, %xmm0, %xmm0
	cmpq	%rax, %r10
	je	.L46
.L5:
	vmovupd	(%rdx,%rax), %xmm14
	vmovupd	16(%rdx,%rax), %xmm4
	vmulpd	0(%rbp,%rax), %xmm14, %xmm15
	vmulpd	16(%rbp,%rax), %xmm4, %xmm1
	vmovupd	32(%rdx,%rax), %xmm7
	vmovupd	48(%rdx,%rax), %xmm5
	vmovupd	64(%rdx,%rax), %xmm11
	vmulpd	32(%rbp,%rax), %xmm7, %xmm6
	vmulpd	48(%rbp,%rax), %xmm5, %xmm9
	vmulpd	64(%rbp,%rax), %xmm11, %xmm12
	vaddpd	%xmm15, %xmm0, %xmm3
	vmovupd	80(%rdx,%rax), %xmm0
	vmulpd	80(%rbp,%rax), %xmm0, %xmm14
	vaddpd	%xmm1, %xmm3, %xmm2
	vmovupd	96(%rdx,%rax), %xmm3
	vmovupd	112(%rdx,%rax), %xmm1
	vmulpd	96(%rbp,%rax), %xmm3, %xmm4
	vmulpd	112(%rbp,%rax), %xmm1, %xmm7
	subq	$-128, %rax
	vaddpd	%xmm6, %xmm2, %xmm8
	vaddpd	%xmm9, %xmm8, %xmm10
	vaddpd	%xmm12, %xmm10, %xmm13
	vaddpd	%xmm14, %xmm13, %xmm15
	vaddpd	%xmm4, %xmm15, %xmm2
	vaddpd	%xmm7, %xmm2, %xmm0
	cmpq	%rax, %r10
	jne	.L5
.L46:
	vunpckhpd	%xmm0, %xmm0, %xmm6
	movq	%r11, %rbp
	vaddpd	%xmm0, %xmm6, %xmm8
	cmpq	%r11, %r9
	je	.L4
.L7:
	vmovsd	(%rdx,%rbp,8), %xmm5
	leaq	(%rsi,%rbp), %rcx
	vfmadd231sd	(%rdi,%rcx,8), %xmm5, %xmm8
.L4:
	vmovsd	%xmm8, (%r8)
	addq	$8, %r8
	addq	%r9, %rsi
	cmpq	%r8, %rbx
	jne	.L3
	popq	%rbx
	popq	%rbp
	ret
	.p2align 4
	.p2align 3
.L8:
	xorl	%ebp, %ebp
	vxorpd	%xmm8, %xmm8, %xmm8
	jmp	.L7
.L49:
	ret
	.size	matvec, .-matvec
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
