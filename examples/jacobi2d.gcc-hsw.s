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
	leaq	(%rsi,%rsi), %rdi
	leaq	8(%rdx), %rbx
	movq	%rcx, %r10
	movq	%r12, -8(%rsp)
	leaq	0(,%rsi,8), %rax
	vmovsd	.LC1(%rip), %xmm2
	movq	%rbx, -40(%rsp)
	leaq	8(%rcx,%rax), %r9
	movq	%rax, -24(%rsp)
	leaq	(%rdx,%rax), %r8
	movl	$1, %ecx
	leaq	-2(%rsi), %rax
	leaq	-3(%rsi), %rsi
	vmovddup	%xmm2, %xmm3
	movq	%rcx, %r12
	movq	%rax, %r13
	movq	%rsi, -32(%rsp)
	movq	%rax, %rsi
	andl	$3, %eax
	andq	$-4, %rsi
	movq	%rax, -48(%rsp)
	shrq	$2, %r13
	vbroadcastsd	%xmm2, %ymm1
	movq	%rsi, -64(%rsp)
	incq	%rsi
	salq	$5, %r13
	movq	%rsi, -56(%rsp)
	xorl	%esi, %esi
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
	vmovupd	(%rbx,%rax), %ymm4
	vaddpd	(%r15,%rax), %ymm4, %ymm0
	vaddpd	(%r8,%rax), %ymm0, %ymm0
	vaddpd	(%r11,%rax), %ymm0, %ymm0
	vmulpd	%ymm1, %ymm0, %ymm0
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
	vaddpd	(%rdx,%r14,8), %xmm0, %xmm0
	vaddpd	(%rdx,%rbx,8), %xmm0, %xmm0
	vaddpd	16(%rdx,%rbx,8), %xmm0, %xmm0
	vmulpd	%xmm3, %xmm0, %xmm0
	vmovupd	%xmm0, 8(%r10,%rbx,8)
	testb	$1, %r15b
	je	.L6
	andq	$-2, %r15
	addq	%r15, %rax
.L7:
	leaq	(%rsi,%rax), %r11
	addq	%rax, %rcx
	addq	%rdi, %rax
	vmovsd	(%rdx,%rcx,8), %xmm0
	vaddsd	(%rdx,%rax,8), %xmm0, %xmm0
	vaddsd	-8(%rdx,%r11,8), %xmm0, %xmm0
	vaddsd	8(%rdx,%r11,8), %xmm0, %xmm0
	vmulsd	%xmm2, %xmm0, %xmm0
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
