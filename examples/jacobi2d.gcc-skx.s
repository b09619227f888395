	.file	"jacobi2d.c"
	.text
	.p2align 4
	.globl	jacobi2d
	.type	jacobi2d, @function
jacobi2d:
	pushq	%rbp
	leaq	-1(%rdi), %rax
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	movq	%rax, -16(%rsp)
	cmpq	$2, %rdi
	jle	.L25
	movq	%rsi, %r12
	cmpq	$2, %rsi
	jle	.L25
	leaq	0(,%rsi,8), %rax
	leaq	8(%rcx,%rax), %r9
	movq	%rax, -24(%rsp)
	leaq	(%rdx,%rax), %r8
	leaq	(%rsi,%rsi), %rdi
	leaq	-2(%rsi), %rax
	leaq	-3(%rsi), %rsi
	movq	%rax, %r13
	movq	%rsi, -32(%rsp)
	leaq	8(%rdx), %rbx
	movq	%rax, %rsi
	andl	$3, %eax
	vmovsd	.LC1(%rip), %xmm3
	andq	$-4, %rsi
	movq	%rbx, -40(%rsp)
	movq	%rax, -48(%rsp)
	movq	%rsi, -64(%rsp)
	movq	%rcx, %r10
	incq	%rsi
	shrq	$2, %r13
	movl	$1, %ecx
	movq	%rsi, -56(%rsp)
	movq	%r12, -8(%rsp)
	salq	$5, %r13
	xorl	%esi, %esi
	vmovddup	%xmm3, %xmm4
	vbroadcastsd	%xmm3, %ymm2
	movq	%rcx, %r12
	.p2align 4,,10
	.p2align 3
.L4:
	movq	-8(%rsp), %rax
	incq	%r12
	movq	%rsi, %rcx
	movq	%rsi, %r14
	addq	%rax, %rsi
	cmpq	$2, -32(%rsp)
	jbe	.L28
	movq	-40(%rsp), %rax
	leaq	16(%r8), %r11
	leaq	(%rax,%rcx,8), %r15
	leaq	(%rax,%rdi,8), %rbx
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L5:
	vmovupd	(%rbx,%rax), %ymm5
	vmovupd	(%r11,%rax), %ymm6
	vaddpd	(%r15,%rax), %ymm5, %ymm0
	vaddpd	(%r8,%rax), %ymm6, %ymm1
	vaddpd	%ymm1, %ymm0, %ymm0
	vmulpd	%ymm2, %ymm0, %ymm0
	vmovupd	%ymm0, (%r9,%rax)
	addq	$32, %rax
	cmpq	%rax, %r13
	jne	.L5
	cmpq	$0, -48(%rsp)
	je	.L6
	movq	-64(%rsp), %r11
	movq	-56(%rsp), %rax
.L9:
	movq	-8(%rsp), %rbx
	subq	%r11, %rbx
	leaq	-2(%rbx), %r15
	cmpq	$3, %rbx
	je	.L7
	leaq	(%rsi,%r11), %rbx
	leaq	1(%r14,%r11), %r14
	leaq	1(%rdi,%r11), %r11
	vmovupd	(%rdx,%r11,8), %xmm0
	vmovupd	16(%rdx,%rbx,8), %xmm7
	vaddpd	(%rdx,%r14,8), %xmm0, %xmm0
	vaddpd	(%rdx,%rbx,8), %xmm7, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vmulpd	%xmm4, %xmm0, %xmm0
	vmovupd	%xmm0, 8(%r10,%rbx,8)
	testb	$1, %r15b
	je	.L6
	andq	$-2, %r15
	addq	%r15, %rax
.L7:
	leaq	(%rsi,%rax), %r11
	addq	%rax, %rcx
	vmovsd	(%rdx,%rcx,8), %xmm0
	vmovsd	-8(%rdx,%r11,8), %xmm1
	addq	%rdi, %rax
	vaddsd	(%rdx,%rax,8), %xmm0, %xmm0
	vaddsd	8(%rdx,%r11,8), %xmm1, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	vmulsd	%xmm3, %xmm0, %xmm0
	vmovsd	%xmm0, (%r10,%r11,8)
.L6:
	movq	-24(%rsp), %rax
	addq	%rax, %r8
	addq	%rax, %r9
	movq	-8(%rsp), %rax
	addq	%rax, %rdi
	cmpq	%r12, -16(%rsp)
	jne	.L4
	vzeroupper
.L25:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
.L28:
	xorl	%r11d, %r11d
	movl	$1, %eax
	jmp	.L9
	.size	jacobi2d, .-jacobi2d
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC1:
	.long	0
	.long	1070596096
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
