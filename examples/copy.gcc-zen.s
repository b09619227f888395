	.file	"copy.c"
	.text
	.p2align 4
	.globl	copy
	.type	copy, @function
copy:
	movq	%rdi, %rcx
	movq	%rdx, %rdi
	testq	%rdx, %rdx
	jle	.L44
	cmpq	$1, %rdx
	je	.L6
	movq	%rdx, %r8
	xorl	%r9d, %r9d
	shrq	%r8
	salq	$4, %r8
	leaq	-16(%r8), %rdx
	shrq	$4, %rdx
	incq	%rdx
	andl	$7, %edx
	je	.L4
	cmpq	$1, %rdx
	je	.L29
	cmpq	$2, %rdx
	je	.L30
	cmpq	$3, %rdx
	je	.L31
	cmpq	$4, %rdx
	je	.L32
	cmpq	$5, %rdx
	je	.L33
	cmpq	$6, %rdx
	jne	.L46
.L34:
	vmovupd	(%rsi,%r9), %xmm0
	vmovupd	%xmm0, (%rcx,%r9)
	addq	$16, %r9
.L33:
	vmovupd	(%rsi,%r9), %xmm2
	vmovupd	%xmm2, (%rcx,%r9)
	addq	$16, %r9
.L32:
	vmovupd	(%rsi,%r9), %xmm7
	vmovupd	%xmm7, (%rcx,%r9)
	addq	$16, %r9
.L31:
	vmovupd	(%rsi,%r9), %xmm6
	vmovupd	%xmm6, (%rcx,%r9)
	addq	$16, %r9
.L30:
	vmovupd	(%rsi,%r9), %xmm3
	vmovupd	%xmm3, (%rcx,%r9)
	addq	$16, %r9
.L29:
	vmovupd	(%rsi,%r9), %xmm4
	vmovupd	%xmm4, (%rcx,%r9)
	addq	$16, %r9
	cmpq	%r8, %r9
	je	.L43
.L4:
	vmovupd	(%rsi,%r9), %xmm5
	vmovupd	16(%rsi,%r9), %xmm8
	vmovupd	32(%rsi,%r9), %xmm9
	vmovupd	48(%rsi,%r9), %xmm10
	vmovupd	64(%rsi,%r9), %xmm11
	vmovupd	80(%rsi,%r9), %xmm12
	vmovupd	96(%rsi,%r9), %xmm13
	vmovupd	112(%rsi,%r9), %xmm14
	vmovupd	%xmm5, (%rcx,%r9)
	vmovupd	%xmm8, 16(%rcx,%r9)
	vmovupd	%xmm9, 32(%rcx,%r9)
	vmovupd	%xmm10, 48(%rcx,%r9)
	vmovupd	%xmm11, 64(%rcx,%r9)
	vmovupd	%xmm12, 80(%rcx,%r9)
	vmovupd	%xmm13, 96(%rcx,%r9)
	vmovupd	%xmm14, 112(%rcx,%r9)
	subq	$-128, %r9
	cmpq	%r8, %r9
	jne	.L4
.L43:
	movq	%rdi, %rax
	andq	$-2, %rax
	andl	$1, %edi
	je	.L47
.L3:
	salq	$3, %rax
	vmovsd	(%rsi,%rax), %xmm15
	vmovsd	%xmm15, (%rcx,%rax)
.L44:
	ret
	.p2align 4
	.p2align 3
.L47:
	ret
	.p2align 4
	.p2align 3
.L46:
	vmovupd	(%rsi), %xmm1
	movl	$16, %r9d
	vmovupd	%xmm1, (%rcx)
	jmp	.L34
.L6:
	xorl	%eax, %eax
	jmp	.L3
	.size	copy, .-copy
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
