	.file	"cmul.c"
	.text
	.p2align 4
	.globl	cmul
	.type	cmul, @function
cmul:
	testq	%rcx, %rcx
	jle	.L17
	leaq	-1(%rcx), %rax
	cmpq	$2, %rax
	jbe	.L8
	movq	%rcx, %r8
	shrq	$2, %r8
	salq	$5, %r8
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L4:
	vmovups	(%rsi,%rax), %ymm0
	vmovups	(%rdx,%rax), %ymm2
	vpermilps	$160, %ymm0, %ymm1
	vpermilps	$177, %ymm2, %ymm3
	vpermilps	$245, %ymm0, %ymm0
	vmulps	%ymm3, %ymm0, %ymm0
	vfmaddsub231ps	%ymm2, %ymm1, %ymm0
	vmovups	%ymm0, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%rax, %r8
	jne	.L4
	movq	%rcx, %rax
	andq	$-4, %rax
	movq	%rax, %r8
	cmpq	%rcx, %rax
	je	.L19
	vzeroupper
.L3:
	subq	%r8, %rcx
	cmpq	$1, %rcx
	je	.L6
	vmovups	(%rsi,%r8,8), %xmm0
	vmovups	(%rdx,%r8,8), %xmm2
	vpermilps	$160, %xmm0, %xmm1
	vpermilps	$177, %xmm2, %xmm3
	vpermilps	$245, %xmm0, %xmm0
	vmulps	%xmm3, %xmm0, %xmm0
	vfmaddsub231ps	%xmm2, %xmm1, %xmm0
	vmovups	%xmm0, (%rdi,%r8,8)
	testb	$1, %cl
	je	.L17
	andq	$-2, %rcx
	addq	%rcx, %rax
.L6:
	vmovq	(%rsi,%rax,8), %xmm0
	vmovq	(%rdx,%rax,8), %xmm2
	vmovsldup	%xmm0, %xmm1
	vmovshdup	%xmm0, %xmm0
	vmulps	%xmm2, %xmm1, %xmm1
	vshufps	$0xe1, %xmm2, %xmm2, %xmm2
	vmulps	%xmm2, %xmm0, %xmm0
	vaddsubps	%xmm0, %xmm1, %xmm1
	vmovlps	%xmm1, (%rdi,%rax,8)
.L17:
	ret
	.p2align 4,,10
	.p2align 3
.L19:
	vzeroupper
	ret
.L8:
	xorl	%r8d, %r8d
	xorl	%eax, %eax
	jmp	.L3
	.size	cmul, .-cmul
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
