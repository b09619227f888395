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
	pushq	%r14
	movq	%rdi, %r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	subq	$40, %rsp
	cmpq	$1, %rdi
	je	.L35
	leaq	0(,%rdi,8), %rax
	movq	%rax, 16(%rsp)
	addq	$8, %rax
	xorl	%edx, %edx
	movq	%rax, -112(%rsp)
	movq	%rsi, %r11
	leaq	1(%rdi), %rax
	movq	%rsi, (%rsp)
	movq	$1, -24(%rsp)
	movq	$-1, 8(%rsp)
	movq	$0, 32(%rsp)
	movq	$1, 24(%rsp)
	negq	%r11
	movq	%rax, -104(%rsp)
	movq	%rdx, %rax
	movq	%rsi, %r15
	movq	%r11, %rdx
	leaq	-1(%rdi), %rcx
	movq	%rsi, %r8
	movq	$-8, %r13
	movq	%rax, %r11
	.p2align 4,,10
	.p2align 3
.L5:
	movq	24(%rsp), %rbx
	movq	16(%rsp), %rax
	movq	%r8, %rdi
	addq	%rax, %r8
	cmpq	%rbx, %r14
	setg	%r9b
	cmpq	$1, %rcx
	setne	%al
	andl	%eax, %r9d
	movl	$1, %r10d
	cmpq	%rbx, %r14
	cmovg	%rcx, %r10
	decq	%rcx
	cmpq	%rbx, %r14
	kmovb	%r9d, %k0
	setle	%r9b
	cmpq	$2, %rcx
	setbe	%al
	orl	%eax, %r9d
	movq	%r10, %rax
	movq	-24(%rsp), %r12
	movq	%rax, -32(%rsp)
	leaq	(%r14,%r12), %rsi
	leaq	(%r15,%r12,8), %rbx
	kmovb	%r9d, %k1
	movq	%rax, %r12
	movq	24(%rsp), %r9
	leaq	-8(%rdx), %rax
	andq	$-4, %r12
	movq	%rax, -8(%rsp)
	movq	-32(%rsp), %rax
	movq	%r12, -48(%rsp)
	movq	%r8, -16(%rsp)
	addq	%r9, %r12
	movq	%rdx, -64(%rsp)
	movq	%r8, -72(%rsp)
	movq	%r13, -80(%rsp)
	movq	%rcx, -88(%rsp)
	movq	%r11, -96(%rsp)
	andl	$3, %eax
	movq	%r12, -56(%rsp)
	shrq	$2, %r10
	leaq	0(%r13,%r11), %r12
	movq	%rax, -40(%rsp)
	salq	$5, %r10
	addq	%r15, %r12
	movq	%r8, %rax
	.p2align 4,,10
	.p2align 3
.L14:
	vmovsd	(%r12,%rsi,8), %xmm0
	movq	8(%rsp), %rcx
	movq	(%rsp), %rdx
	addq	%rsi, %rcx
	vdivsd	(%rdx), %xmm0, %xmm0
	kortestb	%k0, %k0
	vmovsd	%xmm0, (%r12,%rsi,8)
	je	.L16
	movq	-8(%rsp), %rdx
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
	cmpq	%rdx, %r14
	jg	.L12
	.p2align 4,,10
	.p2align 3
.L13:
	movq	16(%rsp), %rcx
	incq	%r9
	addq	%rcx, %rax
	addq	%r14, %rsi
	cmpq	%r9, %r14
	jg	.L14
	incq	24(%rsp)
	movq	-64(%rsp), %rdx
	movq	%rcx, %rbx
	movq	-80(%rsp), %r13
	movq	-96(%rsp), %r11
	movq	-112(%rsp), %rdi
	subq	%rbx, %rdx
	movq	24(%rsp), %rax
	movq	-104(%rsp), %rbx
	addq	%r14, 32(%rsp)
	decq	8(%rsp)
	addq	%rdi, (%rsp)
	addq	%rbx, -24(%rsp)
	movq	-72(%rsp), %r8
	movq	-88(%rsp), %rcx
	addq	$8, %r11
	subq	$8, %r13
	cmpq	%rax, %r14
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
	kortestb	%k1, %k1
	jne	.L18
	leaq	(%r15,%rsi,8), %r8
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
	movq	-48(%rsp), %r8
	movq	-56(%rsp), %rdx
.L7:
	movq	-32(%rsp), %r11
	subq	%r8, %r11
	movq	%r11, -16(%rsp)
	cmpq	$1, %r11
	je	.L10
	leaq	(%r8,%rsi), %r13
	movq	-24(%rsp), %r11
	leaq	(%r15,%r13,8), %r13
	vmovupd	0(%r13), %xmm4
	addq	%r11, %r8
	vmovddup	%xmm0, %xmm1
	vfnmadd132pd	(%r15,%r8,8), %xmm4, %xmm1
	movq	-16(%rsp), %r11
	vmovupd	%xmm1, 0(%r13)
	testb	$1, %r11b
	je	.L13
	andq	$-2, %r11
	addq	%r11, %rdx
.L10:
	addq	%rdx, %rcx
	leaq	(%r15,%rcx,8), %rcx
	movq	32(%rsp), %r11
	vmovsd	(%rcx), %xmm3
	addq	%r11, %rdx
	vfnmadd132sd	(%r15,%rdx,8), %xmm3, %xmm0
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
