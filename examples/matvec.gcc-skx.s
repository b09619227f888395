	.file	"matvec.c"
	.text
	.p2align 4
	.globl	matvec
	.type	matvec, @function
matvec:
	movq	%rdi, %r10
	testq	%rdi, %rdi
	jle	.L22
	pushq	%rbp
	movq	%r10, %r8
	shrq	$2, %r8
	movq	%rsp, %rbp
	pushq	%r14
	movq	%r10, %r11
	movq	%rsi, %rdi
	pushq	%r13
	movq	%rcx, %r9
	salq	$5, %r8
	pushq	%r12
	andq	$-4, %r11
	leaq	(%rcx,%r10,8), %r12
	pushq	%rbx
	xorl	%esi, %esi
	leaq	-1(%r10), %rbx
	.p2align 4,,10
	.p2align 3
.L3:
	cmpq	$2, %rbx
	jbe	.L10
	leaq	(%rdi,%rsi,8), %rcx
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	.p2align 4,,10
	.p2align 3
.L7:
	vmovupd	(%rdx,%rax), %ymm4
	vfmadd231pd	(%rcx,%rax), %ymm4, %ymm0
	addq	$32, %rax
	cmpq	%r8, %rax
	jne	.L7
	vextractf64x2	$0x1, %ymm0, %xmm3
	vaddpd	%xmm0, %xmm3, %xmm2
	vaddpd	%xmm3, %xmm0, %xmm0
	vunpckhpd	%xmm2, %xmm2, %xmm1
	vaddpd	%xmm2, %xmm1, %xmm1
	cmpq	%r10, %r11
	je	.L4
	movq	%r11, %r13
	movq	%r11, %rax
.L9:
	movq	%r10, %rcx
	subq	%r13, %rcx
	cmpq	$1, %rcx
	je	.L5
	leaq	0(%r13,%rsi), %r14
	vmovupd	(%rdi,%r14,8), %xmm6
	vfmadd231pd	(%rdx,%r13,8), %xmm6, %xmm0
	vunpckhpd	%xmm0, %xmm0, %xmm1
	vaddpd	%xmm0, %xmm1, %xmm1
	testb	$1, %cl
	je	.L4
	andq	$-2, %rcx
	addq	%rcx, %rax
.L5:
	leaq	(%rsi,%rax), %rcx
	vmovsd	(%rdi,%rcx,8), %xmm5
	vfmadd231sd	(%rdx,%rax,8), %xmm5, %xmm1
.L4:
	vmovsd	%xmm1, (%r9)
	addq	$8, %r9
	addq	%r10, %rsi
	cmpq	%r9, %r12
	jne	.L3
	vzeroupper
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%rbp
	ret
	.p2align 4,,10
	.p2align 3
.L10:
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%r13d, %r13d
	xorl	%eax, %eax
	vxorpd	%xmm1, %xmm1, %xmm1
	jmp	.L9
.L22:
	ret
	.size	matvec, .-matvec
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
