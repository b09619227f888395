	.file	"rsqrt.c"
	.text
	.p2align 4
	.globl	rsqrt
	.type	rsqrt, @function
rsqrt:
	movq	%rdi, %rcx
	testq	%rdx, %rdx
	jle	.L44
	cmpq	$1, %rdx
	je	.L6
	movq	%rdx, %r8
	xorl	%r9d, %r9d
	vmovddup	.LC1(%rip), %xmm0
	shrq	%r8
	salq	$4, %r8
	leaq	-16(%r8), %rdi
	shrq	$4, %rdi
	incq	%rdi
	andl	$7, %edi
	je	.L4
	cmpq	$1, %rdi
	je	.L29
	cmpq	$2, %rdi
	je	.L30
	cmpq	$3, %rdi
	je	.L31
	cmpq	$4, %rdi
	je	.L32
	cmpq	$5, %rdi
	je	.L33
	cmpq	$6, %rdi
	jne	.L46
.L34:
	vsqrtpd	(%rsi,%r9), %xmm3
	vdivpd	%xmm3, %xmm0, %xmm4
	vmovupd	%xmm4, (%rcx,%r9)
	addq	$16, %r9
.L33:
	vsqrtpd	(%rsi,%r9), %xmm5
	vdivpd	%xmm5, %xmm0, %xmm6
	vmovupd	%xmm6, (%rcx,%r9)
	addq	$16, %r9
.L32:
	vsqrtpd	(%rsi,%r9), %xmm7
	vdivpd	%xmm7, %xmm0, %xmm8
	vmovupd	%xmm8, (%rcx,%r9)
	addq	$16, %r9
.L31:
	vsqrtpd	(%rsi,%r9), %xmm9
	vdivpd	%xmm9, %xmm0, %xmm10
	vmovupd	%xmm10, (%rcx,%r9)
	addq	$16, %r9
.L30:
	vsqrtpd	(%rsi,%r9), %xmm11
	vdivpd	%xmm11, %xmm0, %xmm12
	vmovupd	%xmm12, (%rcx,%r9)
	addq	$16, %r9
.L29:
	vsqrtpd	(%rsi,%r9), %xmm13
	vdivpd	%xmm13, %xmm0, %xmm14
	vmovupd	%xmm14, (%rcx,%r9)
	addq	$16, %r9
	cmpq	%r8, %r9
	je	.L43
.L4:
	vsqrtpd	(%rsi,%r9), %xmm15
	vsqrtpd	16(%rsi,%r9), %xmm2
	vdivpd	%xmm15, %xmm0, %xmm1
	vsqrtpd	32(%rsi,%r9), %xmm4
	vsqrtpd	48(%rsi,%r9), %xmm6
	vsqrtpd	64(%rsi,%r9), %xmm8
	vsqrtpd	80(%rsi,%r9), %xmm10
	vsqrtpd	96(%rsi,%r9), %xmm12
	vsqrtpd	112(%rsi,%r9), %xmm14
	vdivpd	%xmm2, %xmm0, %xmm3
	vmovupd	%xmm1, (%rcx,%r9)
	vdivpd	%xmm4, %xmm0, %xmm5
	vmovupd	%xmm3, 16(%rcx,%r9)
	vdivpd	%xmm6, %xmm0, %xmm7
	vmovupd	%xmm5, 32(%rcx,%r9)
	vdivpd	%xmm8, %xmm0, %xmm9
	vmovupd	%xmm7, 48(%rcx,%r9)
	vdivpd	%xmm10, %xmm0, %xmm11
	vmovupd	%xmm9, 64(%rcx,%r9)
	vdivpd	%xmm12, %xmm0, %xmm13
	vmovupd	%xmm11, 80(%rcx,%r9)
	vdivpd	%xmm14, %xmm0, %xmm15
	vmovupd	%xmm13, 96(%rcx,%r9)
	vmovupd	%xmm15, 112(%rcx,%r9)
	subq	$-128, %r9
	cmpq	%r8, %r9
	jne	.L4
.L43:
	movq	%rdx, %rax
	andq	$-2, %rax
	andl	$1, %edx
	je	.L47
.L3:
	vmovsd	.LC1(%rip), %xmm1
	vxorps	%xmm0, %xmm0, %xmm0
	vsqrtsd	(%rsi,%rax,8), %xmm0, %xmm2
	vdivsd	%xmm2, %xmm1, %xmm3
	vmovsd	%xmm3, (%rcx,%rax,8)
.L44:
	ret
	.p2align 4
	.p2align 3
.L47:
	ret
	.p2align 4
	.p2align 3
.L46:
	vsqrtpd	(%rsi), %xmm1
	vdivpd	%xmm1, %xmm0, %xmm2
	movl	$16, %r9d
	vmovupd	%xmm2, (%rcx)
	jmp	.L34
.L6:
	xorl	%eax, %eax
	jmp	.L3
	.size	rsqrt, .-rsqrt
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC1:
	.long	0
	.long	1072693248
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
