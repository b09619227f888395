	.file	"horner.c"
	.text
	.p2align 4
	.globl	horner
	.type	horner, @function
horner:
	movq	%rcx, %rax
	testq	%rcx, %rcx
	jle	.L29
	vmovsd	56(%rdx), %xmm0
	vmovsd	48(%rdx), %xmm3
	vmovsd	40(%rdx), %xmm4
	vmovsd	32(%rdx), %xmm5
	vmovsd	24(%rdx), %xmm6
	vmovsd	16(%rdx), %xmm7
	vmovsd	8(%rdx), %xmm8
	vmovsd	(%rdx), %xmm9
	cmpq	$1, %rcx
	je	.L6
	movq	%rcx, %r8
	vmovddup	%xmm8, %xmm2
	xorl	%edx, %edx
	shrq	%r8
	vmovddup	%xmm9, %xmm1
	vmovddup	%xmm0, %xmm15
	vmovapd	%xmm2, -40(%rsp)
	salq	$4, %r8
	vmovddup	%xmm3, %xmm14
	vmovddup	%xmm4, %xmm13
	vmovapd	%xmm1, -24(%rsp)
	leaq	-16(%r8), %rcx
	vmovddup	%xmm5, %xmm12
	vmovddup	%xmm6, %xmm11
	shrq	$4, %rcx
	vmovddup	%xmm7, %xmm10
	incq	%rcx
	andl	$3, %ecx
	je	.L28
	cmpq	$1, %rcx
	je	.L19
	cmpq	$2, %rcx
	je	.L20
	vmovupd	(%rsi), %xmm2
	vmovapd	%xmm15, %xmm1
	movl	$16, %edx
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm2, %xmm10, %xmm1
	vfmadd213pd	-40(%rsp), %xmm2, %xmm1
	vfmadd213pd	-24(%rsp), %xmm2, %xmm1
	vmovupd	%xmm1, (%rdi)
.L20:
	vmovupd	(%rsi,%rdx), %xmm2
	vmovapd	%xmm15, %xmm1
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm2, %xmm10, %xmm1
	vfmadd213pd	-40(%rsp), %xmm2, %xmm1
	vfmadd213pd	-24(%rsp), %xmm1, %xmm2
	vmovupd	%xmm2, (%rdi,%rdx)
	addq	$16, %rdx
.L19:
	vmovupd	(%rsi,%rdx), %xmm2
	vmovapd	%xmm15, %xmm1
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm2, %xmm10, %xmm1
	vfmadd213pd	-40(%rsp), %xmm2, %xmm1
	vfmadd213pd	-24(%rsp), %xmm1, %xmm2
	vmovupd	%xmm2, (%rdi,%rdx)
	addq	$16, %rdx
	cmpq	%r8, %rdx
	je	.L26
.L28:
	vmovsd	%xmm0, -40(%rsp)
	vmovsd	%xmm3, -24(%rsp)
	vmovddup	%xmm8, %xmm0
	vmovddup	%xmm9, %xmm3
.L4:
	vmovupd	(%rsi,%rdx), %xmm2
	vmovapd	%xmm15, %xmm1
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm2, %xmm10, %xmm1
	vfmadd132pd	%xmm2, %xmm0, %xmm1
	vfmadd132pd	%xmm1, %xmm3, %xmm2
	vmovapd	%xmm15, %xmm1
	vmovupd	%xmm2, (%rdi,%rdx)
	vmovupd	16(%rsi,%rdx), %xmm2
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm2, %xmm10, %xmm1
	vfmadd132pd	%xmm2, %xmm0, %xmm1
	vfmadd132pd	%xmm1, %xmm3, %xmm2
	vmovapd	%xmm15, %xmm1
	vmovupd	%xmm2, 16(%rdi,%rdx)
	vmovupd	32(%rsi,%rdx), %xmm2
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm2, %xmm10, %xmm1
	vfmadd132pd	%xmm2, %xmm0, %xmm1
	vfmadd132pd	%xmm1, %xmm3, %xmm2
	vmovapd	%xmm15, %xmm1
	vmovupd	%xmm2, 32(%rdi,%rdx)
	vmovupd	48(%rsi,%rdx), %xmm2
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm2, %xmm10, %xmm1
	vfmadd132pd	%xmm2, %xmm0, %xmm1
	vfmadd132pd	%xmm1, %xmm3, %xmm2
	vmovupd	%xmm2, 48(%rdi,%rdx)
	addq	$64, %rdx
	cmpq	%r8, %rdx
	jne	.L4
	vmovsd	-40(%rsp), %xmm0
	vmovsd	-24(%rsp), %xmm3
.L26:
	testb	$1, %al
	je	.L29
	andq	$-2, %rax
.L3:
	salq	$3, %rax
	vmovsd	(%rsi,%rax), %xmm15
	vfmadd132sd	%xmm15, %xmm3, %xmm0
	vfmadd132sd	%xmm15, %xmm4, %xmm0
	vfmadd132sd	%xmm15, %xmm5, %xmm0
	vfmadd132sd	%xmm15, %xmm6, %xmm0
	vfmadd132sd	%xmm15, %xmm7, %xmm0
	vfmadd132sd	%xmm15, %xmm8, %xmm0
	vfmadd132sd	%xmm15, %xmm9, %xmm0
	vmovsd	%xmm0, (%rdi,%rax)
.L29:
	ret
.L6:
	xorl	%eax, %eax
	jmp	.L3
	.size	horner, .-horner
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
