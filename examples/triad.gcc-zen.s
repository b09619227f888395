	.file	"triad.c"
	.text
	.p2align 4
	.globl	triad
	.type	triad, @function
triad:
	testq	%rcx, %rcx
	jle	.L44
	cmpq	$1, %rcx
	je	.L6
	movq	%rcx, %r9
	xorl	%r10d, %r10d
	vmovddup	%xmm0, %xmm1
	shrq	%r9
	salq	$4, %r9
	leaq	-16(%r9), %r8
	shrq	$4, %r8
	incq	%r8
	andl	$7, %r8d
	je	.L4
	cmpq	$1, %r8
	je	.L29
	cmpq	$2, %r8
	je	.L30
	cmpq	$3, %r8
	je	.L31
	cmpq	$4, %r8
	je	.L32
	cmpq	$5, %r8
	je	.L33
	cmpq	$6, %r8
	jne	.L46
.L34:
	vmovupd	(%rdx,%r10), %xmm3
	vfmadd213pd	(%rsi,%r10), %xmm1, %xmm3
	vmovupd	%xmm3, (%rdi,%r10)
	addq	$16, %r10
.L33:
	vmovupd	(%rdx,%r10), %xmm4
	vfmadd213pd	(%rsi,%r10), %xmm1, %xmm4
	vmovupd	%xmm4, (%rdi,%r10)
	addq	$16, %r10
.L32:
	vmovupd	(%rdx,%r10), %xmm5
	vfmadd213pd	(%rsi,%r10), %xmm1, %xmm5
	vmovupd	%xmm5, (%rdi,%r10)
	addq	$16, %r10
.L31:
	vmovupd	(%rdx,%r10), %xmm6
	vfmadd213pd	(%rsi,%r10), %xmm1, %xmm6
	vmovupd	%xmm6, (%rdi,%r10)
	addq	$16, %r10
.L30:
	vmovupd	(%rdx,%r10), %xmm7
	vfmadd213pd	(%rsi,%r10), %xmm1, %xmm7
	vmovupd	%xmm7, (%rdi,%r10)
	addq	$16, %r10
.L29:
	vmovupd	(%rdx,%r10), %xmm8
	vfmadd213pd	(%rsi,%r10), %xmm1, %xmm8
	vmovupd	%xmm8, (%rdi,%r10)
	addq	$16, %r10
	cmpq	%r9, %r10
	je	.L43
.L4:
	vmovupd	(%rdx,%r10), %xmm9
	vmovupd	16(%rdx,%r10), %xmm10
	vmovupd	32(%rdx,%r10), %xmm11
	vmovupd	48(%rdx,%r10), %xmm12
	vmovupd	64(%rdx,%r10), %xmm13
	vmovupd	80(%rdx,%r10), %xmm14
	vmovupd	96(%rdx,%r10), %xmm15
	vmovupd	112(%rdx,%r10), %xmm2
	vfmadd213pd	(%rsi,%r10), %xmm1, %xmm9
	vfmadd213pd	16(%rsi,%r10), %xmm1, %xmm10
	vfmadd213pd	32(%rsi,%r10), %xmm1, %xmm11
	vfmadd213pd	48(%rsi,%r10), %xmm1, %xmm12
	vfmadd213pd	64(%rsi,%r10), %xmm1, %xmm13
	vfmadd213pd	80(%rsi,%r10), %xmm1, %xmm14
	vfmadd213pd	96(%rsi,%r10), %xmm1, %xmm15
	vfmadd213pd	112(%rsi,%r10), %xmm1, %xmm2
	vmovupd	%xmm9, (%rdi,%r10)
	vmovupd	%xmm10, 16(%rdi,%r10)
	vmovupd	%xmm11, 32(%rdi,%r10)
	vmovupd	%xmm12, 48(%rdi,%r10)
	vmovupd	%xmm13, 64(%rdi,%r10)
	vmovupd	%xmm14, 80(%rdi,%r10)
	vmovupd	%xmm15, 96(%rdi,%r10)
	vmovupd	%xmm2, 112(%rdi,%r10)
	subq	$-128, %r10
	cmpq	%r9, %r10
	jne	.L4
.L43:
	movq	%rcx, %rax
	andq	$-2, %rax
	andl	$1, %ecx
	je	.L47
.L3:
	vmovsd	(%rsi,%rax,8), %xmm1
	vfmadd132sd	(%rdx,%rax,8), %xmm1, %xmm0
	vmovsd	%xmm0, (%rdi,%rax,8)
.L44:
	ret
	.p2align 4
	.p2align 3
.L47:
	ret
	.p2align 4
	.p2align 3
.L46:
	vmovupd	(%rdx), %xmm2
	movl	$16, %r10d
	vfmadd213pd	(%rsi), %xmm1, %xmm2
	vmovupd	%xmm2, (%rdi)
	jmp	.L34
.L6:
	xorl	%eax, %eax
	jmp	.L3
	.size	triad, .-triad
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
