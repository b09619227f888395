	.file	"spmv.c"
	.text
	.p2align 4
	.globl	spmv
	.type	spmv, @function
spmv:
	movslq	%edi, %rax
	testl	%eax, %eax
	jle	.L24
	pushq	%r15
	leaq	0(,%rax,4), %r15
	pushq	%r14
	pushq	%r13
	movq	%r9, %r13
	pushq	%r12
	xorl	%r9d, %r9d
	pushq	%rbp
	movq	%rcx, %r12
	pushq	%rbx
	movq	%rdx, %rbp
	movq	%rsi, %rbx
	.p2align 4
	.p2align 3
.L7:
	movl	(%rbx,%r9), %esi
	movl	4(%rbx,%r9), %r11d
	cmpl	%r11d, %esi
	jge	.L8
	movl	%r11d, %r10d
	subl	%esi, %r10d
	leal	-1(%r10), %edx
	cmpl	$2, %edx
	jbe	.L9
	movl	%r10d, %edx
	movslq	%esi, %rdi
	xorl	%eax, %eax
	vxorpd	%xmm3, %xmm3, %xmm3
	shrl	$2, %edx
	leaq	(%r12,%rdi,8), %rcx
	leaq	0(%rbp,%rdi,4), %rdi
	movq	%rdx, %r14
	salq	$4, %r14
	andl	$1, %edx
	je	.L21
	movslq	(%rdi), %rdx
	movslq	4(%rdi), %rax
	vmovsd	(%r8,%rdx,8), %xmm1
	movslq	8(%rdi), %rdx
	vmovsd	(%r8,%rdx,8), %xmm2
	vmovhpd	(%r8,%rax,8), %xmm1, %xmm3
	movslq	12(%rdi), %rax
	vmovhpd	(%r8,%rax,8), %xmm2, %xmm4
	vmulpd	16(%rcx), %xmm4, %xmm5
	movl	$16, %eax
	vfmadd132pd	(%rcx), %xmm5, %xmm3
	cmpq	$16, %r14
	je	.L20
.L21:
	movl	%r11d, -16(%rsp)
	movl	%esi, -12(%rsp)
.L5:
	leaq	(%rdi,%rax), %rdx
	movslq	(%rdx), %r11
	movslq	4(%rdx), %rsi
	vmovsd	(%r8,%r11,8), %xmm6
	movslq	8(%rdx), %r11
	movslq	12(%rdx), %rdx
	vmovsd	(%r8,%r11,8), %xmm8
	vmovhpd	(%r8,%rsi,8), %xmm6, %xmm7
	vmovhpd	(%r8,%rdx,8), %xmm8, %xmm9
	leaq	16(%rdi,%rax), %rdx
	vmulpd	16(%rcx,%rax,2), %xmm9, %xmm10
	movslq	(%rdx), %r11
	movslq	4(%rdx), %rsi
	vfmadd132pd	(%rcx,%rax,2), %xmm10, %xmm7
	vmovsd	(%r8,%r11,8), %xmm12
	movslq	8(%rdx), %r11
	movslq	12(%rdx), %rdx
	vmovsd	(%r8,%r11,8), %xmm14
	vmovhpd	(%r8,%rsi,8), %xmm12, %xmm13
	vaddpd	%xmm7, %xmm3, %xmm11
	vmovhpd	(%r8,%rdx,8), %xmm14, %xmm15
	vmulpd	48(%rcx,%rax,2), %xmm15, %xmm0
	vfmadd132pd	32(%rcx,%rax,2), %xmm0, %xmm13
	addq	$32, %rax
	vaddpd	%xmm13, %xmm11, %xmm3
	cmpq	%rax, %r14
	jne	.L5
	movl	-16(%rsp), %r11d
	movl	-12(%rsp), %esi
.L20:
	vunpckhpd	%xmm3, %xmm3, %xmm1
	vaddpd	%xmm3, %xmm1, %xmm0
	testb	$3, %r10b
	je	.L3
	andl	$-4, %r10d
	addl	%r10d, %esi
.L4:
	movslq	%esi, %r10
	leal	1(%rsi), %eax
	movslq	0(%rbp,%r10,4), %rdi
	vmovsd	(%r12,%r10,8), %xmm3
	leaq	0(,%r10,8), %r14
	leaq	0(,%r10,4), %rcx
	vfmadd231sd	(%r8,%rdi,8), %xmm3, %xmm0
	cmpl	%r11d, %eax
	jge	.L3
	movslq	4(%rbp,%rcx), %rdx
	addl	$2, %esi
	vmovsd	(%r8,%rdx,8), %xmm2
	vfmadd231sd	8(%r12,%r14), %xmm2, %xmm0
	cmpl	%esi, %r11d
	jle	.L3
	movslq	8(%rbp,%rcx), %rsi
	vmovsd	(%r8,%rsi,8), %xmm4
	vfmadd231sd	16(%r12,%r14), %xmm4, %xmm0
.L3:
	vmovsd	%xmm0, 0(%r13,%r9,2)
	addq	$4, %r9
	cmpq	%r9, %r15
	jne	.L7
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
	.p2align 4
	.p2align 3
.L8:
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L3
.L9:
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L4
.L24:
	ret
	.size	spmv, .-spmv
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
