	.file	"horner.c"
	.text
	.p2align 4
	.globl	horner
	.type	horner, @function
horner:
	testq	%rcx, %rcx
	jle	.L19
	pushq	%rbp
	leaq	-1(%rcx), %rax
	movq	%rsp, %rbp
	andq	$-32, %rsp
	vmovsd	(%rdx), %xmm2
	vmovsd	56(%rdx), %xmm0
	vmovsd	48(%rdx), %xmm8
	vmovsd	40(%rdx), %xmm7
	vmovsd	32(%rdx), %xmm6
	vmovsd	24(%rdx), %xmm5
	vmovsd	%xmm2, -8(%rsp)
	vmovsd	16(%rdx), %xmm4
	vmovsd	8(%rdx), %xmm3
	cmpq	$2, %rax
	jbe	.L8
	movq	%rcx, %rdx
	vbroadcastsd	%xmm2, %ymm2
	vbroadcastsd	%xmm0, %ymm14
	xorl	%eax, %eax
	shrq	$2, %rdx
	vmovsd	%xmm0, -16(%rsp)
	vbroadcastsd	%xmm8, %ymm13
	vbroadcastsd	%xmm7, %ymm12
	vbroadcastsd	%xmm6, %ymm11
	vbroadcastsd	%xmm5, %ymm10
	vbroadcastsd	%xmm4, %ymm9
	salq	$5, %rdx
	vbroadcastsd	%xmm3, %ymm15
	vmovapd	%ymm2, %ymm0
	.p2align 4,,10
	.p2align 3
.L4:
	vmovupd	(%rsi,%rax), %ymm2
	vmovapd	%ymm14, %ymm1
	vfmadd132pd	%ymm2, %ymm13, %ymm1
	vfmadd132pd	%ymm2, %ymm12, %ymm1
	vfmadd132pd	%ymm2, %ymm11, %ymm1
	vfmadd132pd	%ymm2, %ymm10, %ymm1
	vfmadd132pd	%ymm2, %ymm9, %ymm1
	vfmadd132pd	%ymm2, %ymm15, %ymm1
	vfmadd132pd	%ymm1, %ymm0, %ymm2
	vmovupd	%ymm2, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%rax, %rdx
	jne	.L4
	movq	%rcx, %rax
	vmovsd	-16(%rsp), %xmm0
	andq	$-4, %rax
	movq	%rax, %rdx
	cmpq	%rcx, %rax
	je	.L23
	vzeroupper
.L3:
	subq	%rdx, %rcx
	cmpq	$1, %rcx
	je	.L6
	vmovupd	(%rsi,%rdx,8), %xmm2
	vmovddup	%xmm0, %xmm1
	vmovddup	%xmm8, %xmm15
	vmovddup	%xmm7, %xmm14
	vmovddup	%xmm6, %xmm13
	vmovddup	%xmm5, %xmm12
	vmovddup	%xmm4, %xmm11
	vmovddup	-8(%rsp), %xmm9
	vfmadd132pd	%xmm2, %xmm15, %xmm1
	vmovddup	%xmm3, %xmm10
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm2, %xmm10, %xmm1
	vfmadd132pd	%xmm1, %xmm9, %xmm2
	vmovupd	%xmm2, (%rdi,%rdx,8)
	testb	$1, %cl
	je	.L17
	andq	$-2, %rcx
	addq	%rcx, %rax
.L6:
	vmovsd	(%rsi,%rax,8), %xmm1
	vfmadd132sd	%xmm1, %xmm8, %xmm0
	vfmadd132sd	%xmm1, %xmm7, %xmm0
	vfmadd132sd	%xmm1, %xmm6, %xmm0
	vfmadd132sd	%xmm1, %xmm5, %xmm0
	vfmadd132sd	%xmm1, %xmm4, %xmm0
	vfmadd132sd	%xmm1, %xmm3, %xmm0
	vfmadd213sd	-8(%rsp), %xmm0, %xmm1
	vmovsd	%xmm1, (%rdi,%rax,8)
.L17:
	leave
	ret
.L23:
	vzeroupper
	leave
	ret
.L19:
	ret
.L8:
	xorl	%edx, %edx
	xorl	%eax, %eax
	jmp	.L3
	.size	horner, .-horner
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
