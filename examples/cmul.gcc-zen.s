	.file	"cmul.c"
	.text
	.p2align 4
	.globl	cmul
	.type	cmul, @function
cmul:
	testq	%rcx, %rcx
	jle	.L24
	cmpq	$1, %rcx
	je	.L6
	movq	%rcx, %r9
	xorl	%r10d, %r10d
	shrq	%r9
	salq	$4, %r9
	leaq	-16(%r9), %r8
	shrq	$4, %r8
	incq	%r8
	andl	$3, %r8d
	je	.L4
	cmpq	$1, %r8
	je	.L17
	cmpq	$2, %r8
	je	.L18
	vpermilps	$245, (%rsi), %xmm0
	vpermilps	$177, (%rdx), %xmm2
	movl	$16, %r10d
	vpermilps	$160, (%rsi), %xmm1
	vmulps	%xmm2, %xmm0, %xmm3
	vfmaddsub231ps	(%rdx), %xmm1, %xmm3
	vmovups	%xmm3, (%rdi)
.L18:
	vpermilps	$245, (%rsi,%r10), %xmm5
	vpermilps	$177, (%rdx,%r10), %xmm6
	vpermilps	$160, (%rsi,%r10), %xmm4
	vmulps	%xmm6, %xmm5, %xmm7
	vfmaddsub231ps	(%rdx,%r10), %xmm4, %xmm7
	vmovups	%xmm7, (%rdi,%r10)
	addq	$16, %r10
.L17:
	vpermilps	$245, (%rsi,%r10), %xmm9
	vpermilps	$177, (%rdx,%r10), %xmm10
	vpermilps	$160, (%rsi,%r10), %xmm8
	vmulps	%xmm10, %xmm9, %xmm11
	vfmaddsub231ps	(%rdx,%r10), %xmm8, %xmm11
	vmovups	%xmm11, (%rdi,%r10)
	addq	$16, %r10
	cmpq	%r9, %r10
	je	.L23
.L4:
	vpermilps	$245, (%rsi,%r10), %xmm13
	vpermilps	$177, (%rdx,%r10), %xmm14
	vpermilps	$245, 16(%rsi,%r10), %xmm0
	vpermilps	$177, 16(%rdx,%r10), %xmm2
	vpermilps	$245, 32(%rsi,%r10), %xmm5
	vpermilps	$177, 32(%rdx,%r10), %xmm6
	vpermilps	$245, 48(%rsi,%r10), %xmm9
	vpermilps	$177, 48(%rdx,%r10), %xmm10
	vpermilps	$160, (%rsi,%r10), %xmm12
	vpermilps	$160, 16(%rsi,%r10), %xmm1
	vpermilps	$160, 32(%rsi,%r10), %xmm4
	vpermilps	$160, 48(%rsi,%r10), %xmm8
	vmulps	%xmm14, %xmm13, %xmm15
	vfmaddsub231ps	(%rdx,%r10), %xmm12, %xmm15
	vmulps	%xmm2, %xmm0, %xmm3
	vfmaddsub231ps	16(%rdx,%r10), %xmm1, %xmm3
	vmulps	%xmm6, %xmm5, %xmm7
	vfmaddsub231ps	32(%rdx,%r10), %xmm4, %xmm7
	vmulps	%xmm10, %xmm9, %xmm11
	vfmaddsub231ps	48(%rdx,%r10), %xmm8, %xmm11
	vmovups	%xmm15, (%rdi,%r10)
	vmovups	%xmm3, 16(%rdi,%r10)
	vmovups	%xmm7, 32(%rdi,%r10)
	vmovups	%xmm11, 48(%rdi,%r10)
	addq	$64, %r10
	cmpq	%r9, %r10
	jne	.L4
.L23:
	movq	%rcx, %rax
	andq	$-2, %rax
	andl	$1, %ecx
	je	.L26
.L3:
	salq	$3, %rax
	vmovq	(%rdx,%rax), %xmm13
	vshufps	$0xe1, %xmm13, %xmm13, %xmm0
	vmovq	(%rsi,%rax), %xmm12
	vmovsldup	%xmm12, %xmm14
	vmovshdup	%xmm12, %xmm1
	vmulps	%xmm13, %xmm14, %xmm15
	vmulps	%xmm0, %xmm1, %xmm2
	vaddsubps	%xmm2, %xmm15, %xmm3
	vmovlps	%xmm3, (%rdi,%rax)
.L24:
	ret
	.p2align 4
	.p2align 3
.L26:
	ret
.L6:
	xorl	%eax, %eax
	jmp	.L3
	.size	cmul, .-cmul
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
