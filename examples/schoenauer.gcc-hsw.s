	.file	"schoenauer.c"
	.text
	.p2align 4
	.globl	schoenauer
	.type	schoenauer, @function
schoenauer:
	movq	%rdx, %r9
	movq	%rcx, %rdx
	testq	%r8, %r8
	jle	.L17
	leaq	-1(%r8), %rax
	cmpq	$2, %rax
	jbe	.L8
	movq	%r8, %rcx
	xorl	%eax, %eax
	shrq	$2, %rcx
	salq	$5, %rcx
	.p2align 4,,10
	.p2align 3
.L4:
	vmovupd	(%r9,%rax), %ymm0
	vmovupd	(%rsi,%rax), %ymm1
	vfmadd132pd	(%rdx,%rax), %ymm1, %ymm0
	vmovupd	%ymm0, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%rcx, %rax
	jne	.L4
	movq	%r8, %rax
	andq	$-4, %rax
	movq	%rax, %rcx
	cmpq	%r8, %rax
	je	.L19
	vzeroupper
.L3:
	subq	%rcx, %r8
	cmpq	$1, %r8
	je	.L6
	vmovupd	(%r9,%rcx,8), %xmm0
	vmovupd	(%rsi,%rcx,8), %xmm3
	vfmadd132pd	(%rdx,%rcx,8), %xmm3, %xmm0
	vmovupd	%xmm0, (%rdi,%rcx,8)
	testb	$1, %r8b
	je	.L17
	andq	$-2, %r8
	addq	%r8, %rax
.L6:
	vmovsd	(%r9,%rax,8), %xmm0
	vmovsd	(%rsi,%rax,8), %xmm2
	vfmadd132sd	(%rdx,%rax,8), %xmm2, %xmm0
	vmovsd	%xmm0, (%rdi,%rax,8)
.L17:
	ret
	.p2align 4,,10
	.p2align 3
.L19:
	vzeroupper
	ret
.L8:
	xorl	%ecx, %ecx
	xorl	%eax, %eax
	jmp	.L3
	.size	schoenauer, .-schoenauer
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
