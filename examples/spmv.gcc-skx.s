	.file	"spmv.c"
	.text
	.p2align 4
	.globl	spmv
	.type	spmv, @function
spmv:
	movslq	%edi, %rax
	testl	%eax, %eax
	jle	.L22
	pushq	%rbp
	movq	%rsi, %rdi
	movq	%rdx, %r10
	movq	%rsp, %rbp
	pushq	%r15
	movq	%rcx, %rsi
	xorl	%ecx, %ecx
	pushq	%r14
	kxnorb	%k1, %k1, %k1
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movq	%r9, %rbx
	leaq	0(,%rax,4), %r9
	.p2align 4,,10
	.p2align 3
.L9:
	movslq	(%rdi,%rcx), %rdx
	movl	4(%rdi,%rcx), %r11d
	cmpl	%r11d, %edx
	jge	.L10
	movl	%r11d, %r14d
	subl	%edx, %r14d
	leal	-1(%r14), %eax
	cmpl	$6, %eax
	jbe	.L11
	movl	%r14d, %r13d
	movslq	%edx, %rax
	shrl	$3, %r13d
	leaq	(%rsi,%rax,8), %r12
	leaq	(%r10,%rax,4), %r15
	salq	$5, %r13
	xorl	%eax, %eax
	vxorpd	%xmm3, %xmm3, %xmm3
	.p2align 4,,10
	.p2align 3
.L5:
	vmovdqu	(%r15,%rax), %ymm0
	kmovb	%k1, %k2
	vgatherdpd	(%r8,%xmm0,8), %ymm1{%k2}
	vperm2i128	$17, %ymm0, %ymm0, %ymm0
	kmovb	%k1, %k3
	vgatherdpd	(%r8,%xmm0,8), %ymm2{%k3}
	vmulpd	32(%r12,%rax,2), %ymm2, %ymm0
	vfmadd231pd	(%r12,%rax,2), %ymm1, %ymm0
	addq	$32, %rax
	vaddpd	%ymm0, %ymm3, %ymm3
	cmpq	%rax, %r13
	jne	.L5
	vextractf64x2	$0x1, %ymm3, %xmm2
	vaddpd	%xmm3, %xmm2, %xmm1
	movl	%r14d, %r13d
	andl	$-8, %r13d
	vunpckhpd	%xmm1, %xmm1, %xmm0
	vaddpd	%xmm1, %xmm0, %xmm0
	vaddpd	%xmm2, %xmm3, %xmm3
	leal	0(%r13,%rdx), %r12d
	testb	$7, %r14b
	je	.L3
.L4:
	movl	%r14d, %eax
	subl	%r13d, %eax
	leal	-1(%rax), %r14d
	cmpl	$2, %r14d
	jbe	.L7
	addq	%r13, %rdx
	vmovdqu	(%r10,%rdx,4), %xmm0
	kmovb	%k1, %k4
	vgatherdpd	(%r8,%xmm0,8), %xmm1{%k4}
	vpshufd	$238, %xmm0, %xmm0
	kmovb	%k1, %k5
	vgatherdpd	(%r8,%xmm0,8), %xmm2{%k5}
	vmulpd	16(%rsi,%rdx,8), %xmm2, %xmm0
	vfmadd132pd	(%rsi,%rdx,8), %xmm0, %xmm1
	movl	%eax, %edx
	andl	$-4, %edx
	addl	%edx, %r12d
	vaddpd	%xmm3, %xmm1, %xmm1
	vunpckhpd	%xmm1, %xmm1, %xmm0
	vaddpd	%xmm1, %xmm0, %xmm0
	testb	$3, %al
	je	.L3
.L7:
	movslq	%r12d, %rax
	movslq	(%r10,%rax,4), %r14
	vmovsd	(%rsi,%rax,8), %xmm4
	leaq	0(,%rax,8), %rdx
	leaq	0(,%rax,4), %r13
	leal	1(%r12), %eax
	vfmadd231sd	(%r8,%r14,8), %xmm4, %xmm0
	cmpl	%r11d, %eax
	jge	.L3
	movslq	4(%r10,%r13), %rax
	addl	$2, %r12d
	vmovsd	(%r8,%rax,8), %xmm5
	vfmadd231sd	8(%rsi,%rdx), %xmm5, %xmm0
	cmpl	%r12d, %r11d
	jle	.L3
	movslq	8(%r10,%r13), %rax
	vmovsd	16(%rsi,%rdx), %xmm6
	vfmadd231sd	(%r8,%rax,8), %xmm6, %xmm0
.L3:
	vmovsd	%xmm0, (%rbx,%rcx,2)
	addq	$4, %rcx
	cmpq	%rcx, %r9
	jne	.L9
	vzeroupper
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
	.p2align 4,,10
	.p2align 3
.L10:
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L3
.L11:
	movl	%edx, %r12d
	vxorpd	%xmm3, %xmm3, %xmm3
	xorl	%r13d, %r13d
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L4
.L22:
	ret
	.size	spmv, .-spmv
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
