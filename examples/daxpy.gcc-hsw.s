	.file	"daxpy.c"
	.text
	.p2align 4
	.globl	daxpy
	.type	daxpy, @function
daxpy:
	movq	%rdi, %rcx
	testq	%rdx, %rdx
	jle	.L17
	leaq	-1(%rdx), %rax
	cmpq	$2, %rax
	jbe	.L8
	movq	%rdx, %rdi
	vbroadcastsd	%xmm0, %ymm2
	xorl	%eax, %eax
	shrq	$2, %rdi
	salq	$5, %rdi
	.p2align 4,,10
	.p2align 3
.L4:
	vmovupd	(%rsi,%rax), %ymm1
	vfmadd213pd	(%rcx,%rax), %ymm2, %ymm1
	vmovupd	%ymm1, (%rcx,%rax)
	addq	$32, %rax
	cmpq	%rax, %rdi
	jne	.L4
	movq	%rdx, %rdi
	andq	$-4, %rdi
	movq	%rdi, %rax
	cmpq	%rdi, %rdx
	je	.L19
	vzeroupper
.L3:
	subq	%rax, %rdx
	cmpq	$1, %rdx
	je	.L6
	leaq	(%rcx,%rax,8), %r8
	vmovddup	%xmm0, %xmm1
	vmovupd	(%r8), %xmm4
	vfmadd132pd	(%rsi,%rax,8), %xmm4, %xmm1
	vmovupd	%xmm1, (%r8)
	testb	$1, %dl
	je	.L17
	andq	$-2, %rdx
	addq	%rdx, %rdi
.L6:
	leaq	(%rcx,%rdi,8), %rax
	vmovsd	(%rax), %xmm3
	vfmadd132sd	(%rsi,%rdi,8), %xmm3, %xmm0
	vmovsd	%xmm0, (%rax)
.L17:
	ret
	.p2align 4,,10
	.p2align 3
.L19:
	vzeroupper
	ret
.L8:
	xorl	%eax, %eax
	xorl	%edi, %edi
	jmp	.L3
	.size	daxpy, .-daxpy
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
