	.file	"rsqrt.c"
	.text
	.p2align 4
	.globl	rsqrt
	.type	rsqrt, @function
rsqrt:
	testq	%rdx, %rdx
	jle	.L11
	pushq	%rbx
	vxorpd	%xmm1, %xmm1, %xmm1
	xorl	%ebx, %ebx
	subq	$32, %rsp
	vmovsd	.LC1(%rip), %xmm2
	.p2align 4,,10
	.p2align 3
.L6:
	vmovsd	(%rsi,%rbx,8), %xmm0
	vucomisd	%xmm0, %xmm1
	ja	.L8
	vsqrtsd	%xmm0, %xmm0, %xmm0
	vdivsd	%xmm0, %xmm2, %xmm0
	vmovsd	%xmm0, (%rdi,%rbx,8)
	incq	%rbx
	cmpq	%rbx, %rdx
	jne	.L6
.L9:
	addq	$32, %rsp
	popq	%rbx
	ret
	.p2align 4,,10
	.p2align 3
.L11:
	ret
.L8:
	movq	%rdx, 24(%rsp)
	movq	%rsi, 16(%rsp)
	movq	%rdi, 8(%rsp)
	call	sqrt@PLT
	movq	.LC1(%rip), %rax
	movq	8(%rsp), %rdi
	vxorpd	%xmm1, %xmm1, %xmm1
	movq	24(%rsp), %rdx
	movq	16(%rsp), %rsi
	vmovq	%rax, %xmm2
	vdivsd	%xmm0, %xmm2, %xmm0
	vmovsd	%xmm0, (%rdi,%rbx,8)
	incq	%rbx
	cmpq	%rbx, %rdx
	jne	.L6
	jmp	.L9
	.size	rsqrt, .-rsqrt
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC1:
	.long	0
	.long	1072693248
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
