	.file	"lu.c"
	.text
	.p2align 4
	.globl	lu
	.type	lu, @function
lu:
	testq	%rdi, %rdi
	jle	.L37
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	movq	%rdi, %r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	subq	$40, %rsp
	cmpq	$1, %rdi
	je	.L35
	movq	%rsi, (%rsp)
	movq	%rsi, %r11
	movq	%rsi, %r14
	leaq	-1(%rdi), %rcx
	leaq	0(,%rdi,8), %rax
	negq	%r11
	movq	$1, -32(%rsp)
	movq	%rsi, %r8
	movq	%rax, 16(%rsp)
	addq	$8, %rax
	movq	$-8, %r13
	movq	%rax, -120(%rsp)
	leaq	1(%rdi), %rax
	movq	%rax, -112(%rsp)
	movq	$0, -72(%rsp)
	movq	$-1, 8(%rsp)
	movq	$0, 32(%rsp)
	movq	$1, 24(%rsp)
	.p2align 4,,10
	.p2align 3
.L5:
	movq	24(%rsp), %r12
	movq	16(%rsp), %rax
	movq	%r8, %rdi
	movl	$1, %r9d
	movq	-32(%rsp), %rbx
	movq	%r11, -80(%rsp)
	addq	%rax, %r8
	cmpq	%r12, %r15
	movq	%r13, -96(%rsp)
	setg	%dl
	cmpq	$1, %rcx
	movq	%r8, -24(%rsp)
	leaq	(%r15,%rbx), %rsi
	setne	%al
	movq	%r8, -88(%rsp)
	leaq	(%r14,%rbx,8), %rbx
	andl	%eax, %edx
	cmpq	%r12, %r15
	cmovg	%rcx, %r9
	decq	%rcx
	cmpq	%r12, %r15
	movb	%dl, -1(%rsp)
	setle	%dl
	cmpq	$2, %rcx
	movq	%rcx, -104(%rsp)
	setbe	%al
	movq	%r9, %r10
	movq	%r9, -48(%rsp)
	orl	%eax, %edx
	movq	%r9, %rax
	shrq	$2, %r10
	andq	$-4, %rax
	movb	%dl, -2(%rsp)
	movq	%r9, %rdx
	movq	%r12, %r9
	movq	%rax, -56(%rsp)
	andl	$3, %edx
	addq	%r12, %rax
	movq	-72(%rsp), %r12
	movq	%rdx, -40(%rsp)
	salq	$5, %r10
	movq	%rax, -64(%rsp)
	addq	%r13, %r12
	leaq	-8(%r11), %rax
	movq	%rax, -16(%rsp)
	addq	%r14, %r12
	movq	%r8, %rax
	.p2align 4,,10
	.p2align 3
.L14:
	movq	8(%rsp), %rcx
	movq	(%rsp), %rdx
	vmovsd	(%r12,%rsi,8), %xmm0
	addq	%rsi, %rcx
	cmpb	$0, -1(%rsp)
	vdivsd	(%rdx), %xmm0, %xmm0
	vmovsd	%xmm0, (%r12,%rsi,8)
	je	.L16
	movq	-16(%rsp), %rdx
	leaq	(%rdx,%rax), %r8
	movq	24(%rsp), %rdx
	cmpq	$16, %r8
	ja	.L41
	.p2align 4,,10
	.p2align 3
.L12:
	vmovsd	(%rdi,%rdx,8), %xmm1
	vfnmadd213sd	(%rax,%rdx,8), %xmm0, %xmm1
	vmovsd	%xmm1, (%rax,%rdx,8)
	incq	%rdx
	cmpq	%rdx, %r15
	jg	.L12
	.p2align 4,,10
	.p2align 3
.L13:
	movq	16(%rsp), %rcx
	incq	%r9
	addq	%r15, %rsi
	addq	%rcx, %rax
	cmpq	%r9, %r15
	jg	.L14
	incq	24(%rsp)
	movq	-80(%rsp), %r11
	movq	%rcx, %rdi
	movq	-96(%rsp), %r13
	movq	24(%rsp), %rax
	subq	%rdi, %r11
	addq	%r15, 32(%rsp)
	movq	-120(%rsp), %rdi
	decq	8(%rsp)
	movq	-88(%rsp), %r8
	subq	$8, %r13
	addq	%rdi, (%rsp)
	movq	-104(%rsp), %rcx
	movq	-112(%rsp), %rdi
	addq	$8, -72(%rsp)
	addq	%rdi, -32(%rsp)
	cmpq	%rax, %r15
	jne	.L5
	vzeroupper
.L35:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
	.p2align 4,,10
	.p2align 3
.L41:
	cmpb	$0, -2(%rsp)
	jne	.L18
	leaq	(%r14,%rsi,8), %r8
	vbroadcastsd	%xmm0, %ymm2
	xorl	%edx, %edx
	.p2align 4,,10
	.p2align 3
.L8:
	vmovupd	(%rbx,%rdx), %ymm1
	vfnmadd213pd	(%r8,%rdx), %ymm2, %ymm1
	vmovupd	%ymm1, (%r8,%rdx)
	addq	$32, %rdx
	cmpq	%r10, %rdx
	jne	.L8
	cmpq	$0, -40(%rsp)
	je	.L13
	movq	-56(%rsp), %r8
	movq	-64(%rsp), %rdx
.L7:
	movq	-48(%rsp), %r11
	subq	%r8, %r11
	movq	%r11, -24(%rsp)
	cmpq	$1, %r11
	je	.L10
	movq	-32(%rsp), %r11
	leaq	(%r8,%rsi), %r13
	vmovddup	%xmm0, %xmm1
	leaq	(%r14,%r13,8), %r13
	addq	%r11, %r8
	vmovupd	0(%r13), %xmm4
	movq	-24(%rsp), %r11
	vfnmadd132pd	(%r14,%r8,8), %xmm4, %xmm1
	vmovupd	%xmm1, 0(%r13)
	testb	$1, %r11b
	je	.L13
	andq	$-2, %r11
	addq	%r11, %rdx
.L10:
	movq	32(%rsp), %r11
	addq	%rdx, %rcx
	leaq	(%r14,%rcx,8), %rcx
	addq	%r11, %rdx
	vmovsd	(%rcx), %xmm3
	vfnmadd132sd	(%r14,%rdx,8), %xmm3, %xmm0
	vmovsd	%xmm0, (%rcx)
	jmp	.L13
	.p2align 4,,10
	.p2align 3
.L16:
	movq	24(%rsp), %rdx
	jmp	.L12
.L18:
	xorl	%r8d, %r8d
	jmp	.L7
.L37:
	ret
	.size	lu, .-lu
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
