	.file	"daxpy.c"
	.text
	.p2align 4
	.globl	daxpy
	.type	daxpy, @function
daxpy:
	movq	%rdi, %rax
	movq	%rdx, %r8
	testq	%rdx, %rdx
	jle	.L44
	cmpq	$1, %rdx
	je	.L6
	movq	%rdx, %r9
	xorl	%ecx, %ecx
	vmovddup	%xmm0, %xmm1
	shrq	%r9
	salq	$4, %r9
	leaq	-16(%r9), %rdi
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
	vmovupd	(%rsi,%rcx), %xmm3
	vfmadd213pd	(%rax,%rcx), %xmm1, %xmm3
	vmovupd	%xmm3, (%rax,%rcx)
	addq	$16, %rcx
.L33:
	vmovupd	(%rsi,%rcx), %xmm4
	vfmadd213pd	(%rax,%rcx), %xmm1, %xmm4
	vmovupd	%xmm4, (%rax,%rcx)
	addq	$16, %rcx
.L32:
	vmovupd	(%rsi,%rcx), %xmm5
	vfmadd213pd	(%rax,%rcx), %xmm1, %xmm5
	vmovupd	%xmm5, (%rax,%rcx)
	addq	$16, %rcx
.L31:
	vmovupd	(%rsi,%rcx), %xmm6
	vfmadd213pd	(%rax,%rcx), %xmm1, %xmm6
	vmovupd	%xmm6, (%rax,%rcx)
	addq	$16, %rcx
.L30:
	vmovupd	(%rsi,%rcx), %xmm7
	vfmadd213pd	(%rax,%rcx), %xmm1, %xmm7
	vmovupd	%xmm7, (%rax,%rcx)
	addq	$16, %rcx
.L29:
	vmovupd	(%rsi,%rcx), %xmm8
	vfmadd213pd	(%rax,%rcx), %xmm1, %xmm8
	vmovupd	%xmm8, (%rax,%rcx)
	addq	$16, %rcx
	cmpq	%r9, %rcx
	je	.L43
.L4:
	vmovupd	(%rsi,%rcx), %xmm9
	vmovupd	16(%rsi,%rcx), %xmm10
	vmovupd	32(%rsi,%rcx), %xmm11
	vmovupd	48(%rsi,%rcx), %xmm12
	vmovupd	64(%rsi,%rcx), %xmm13
	vmovupd	80(%rsi,%rcx), %xmm14
	vmovupd	96(%rsi,%rcx), %xmm15
	vmovupd	112(%rsi,%rcx), %xmm2
	vfmadd213pd	(%rax,%rcx), %xmm1, %xmm9
	vfmadd213pd	16(%rax,%rcx), %xmm1, %xmm10
	vfmadd213pd	32(%rax,%rcx), %xmm1, %xmm11
	vfmadd213pd	48(%rax,%rcx), %xmm1, %xmm12
	vfmadd213pd	64(%rax,%rcx), %xmm1, %xmm13
	vfmadd213pd	80(%rax,%rcx), %xmm1, %xmm14
	vfmadd213pd	96(%rax,%rcx), %xmm1, %xmm15
	vfmadd213pd	112(%rax,%rcx), %xmm1, %xmm2
	vmovupd	%xmm9, (%rax,%rcx)
	vmovupd	%xmm10, 16(%rax,%rcx)
	vmovupd	%xmm11, 32(%rax,%rcx)
	vmovupd	%xmm12, 48(%rax,%rcx)
	vmovupd	%xmm13, 64(%rax,%rcx)
	vmovupd	%xmm14, 80(%rax,%rcx)
	vmovupd	%xmm15, 96(%rax,%rcx)
	vmovupd	%xmm2, 112(%rax,%rcx)
	subq	$-128, %rcx
	cmpq	%r9, %rcx
	jne	.L4
.L43:
	movq	%r8, %rdx
	andq	$-2, %rdx
	andl	$1, %r8d
	je	.L47
.L3:
	salq	$3, %rdx
	addq	%rdx, %rax
	vmovsd	(%rax), %xmm1
	vfmadd132sd	(%rsi,%rdx), %xmm1, %xmm0
	vmovsd	%xmm0, (%rax)
.L44:
	ret
	.p2align 4
	.p2align 3
.L47:
	ret
	.p2align 4
	.p2align 3
.L46:
	vmovupd	(%rsi), %xmm2
	movl	$16, %ecx
	vfmadd213pd	(%rax), %xmm1, %xmm2
	vmovupd	%xmm2, (%rax)
	jmp	.L34
.L6:
	xorl	%edx, %edx
	jmp	.L3
	.size	daxpy, .-daxpy
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
