	.file	"horner.c"
	.text
	.p2align 4
	.globl	horner
	.type	horner, @function
horner:
	testq	%rcx, %rcx
	jle	.L17
	leaq	-1(%rcx), %rax
	vmovsd	56(%rdx), %xmm0
	vmovsd	48(%rdx), %xmm9
	vmovsd	40(%rdx), %xmm8
	vmovsd	32(%rdx), %xmm7
	vmovsd	24(%rdx), %xmm6
	vmovsd	16(%rdx), %xmm5
	vmovsd	8(%rdx), %xmm4
	vmovsd	(%rdx), %xmm3
	cmpq	$2, %rax
	jbe	.L8
	movq	%rcx, %rdx
	shrq	$2, %rdx
	vbroadcastsd	%xmm0, %ymm17
	vbroadcastsd	%xmm9, %ymm16
	vbroadcastsd	%xmm8, %ymm15
	vbroadcastsd	%xmm7, %ymm14
	vbroadcastsd	%xmm6, %ymm13
	vbroadcastsd	%xmm5, %ymm12
	vbroadcastsd	%xmm4, %ymm11
	vbroadcastsd	%xmm3, %ymm10
	salq	$5, %rdx
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L4:
	vmovupd	(%rsi,%rax), %ymm2
	vmovapd	%ymm17, %ymm1
	vfmadd132pd	%ymm2, %ymm16, %ymm1
	vfmadd132pd	%ymm2, %ymm15, %ymm1
	vfmadd132pd	%ymm2, %ymm14, %ymm1
	vfmadd132pd	%ymm2, %ymm13, %ymm1
	vfmadd132pd	%ymm2, %ymm12, %ymm1
	vfmadd132pd	%ymm2, %ymm11, %ymm1
	vfmadd132pd	%ymm1, %ymm10, %ymm2
	vmovupd	%ymm2, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%rax, %rdx
	jne	.L4
	movq	%rcx, %rax
	andq	$-4, %rax
	movq	%rax, %rdx
	cmpq	%rcx, %rax
	je	.L19
	vzeroupper
.L3:
	subq	%rdx, %rcx
	cmpq	$1, %rcx
	je	.L6
	vmovupd	(%rsi,%rdx,8), %xmm2
	vmovddup	%xmm0, %xmm1
	vmovddup	%xmm9, %xmm16
	vfmadd132pd	%xmm2, %xmm16, %xmm1
	vmovddup	%xmm8, %xmm15
	vmovddup	%xmm7, %xmm14
	vmovddup	%xmm6, %xmm13
	vmovddup	%xmm5, %xmm12
	vfmadd132pd	%xmm2, %xmm15, %xmm1
	vmovddup	%xmm4, %xmm11
	vmovddup	%xmm3, %xmm10
	vfmadd132pd	%xmm2, %xmm14, %xmm1
	vfmadd132pd	%xmm2, %xmm13, %xmm1
	vfmadd132pd	%xmm2, %xmm12, %xmm1
	vfmadd132pd	%xmm2, %xmm11, %xmm1
	vfmadd132pd	%xmm1, %xmm10, %xmm2
	vmovupd	%xmm2, (%rdi,%rdx,8)
	testb	$1, %cl
	je	.L17
	andq	$-2, %rcx
	addq	%rcx, %rax
.L6:
	vmovsd	(%rsi,%rax,8), %xmm1
	vfmadd132sd	%xmm1, %xmm9, %xmm0
	vfmadd132sd	%xmm1, %xmm8, %xmm0
	vfmadd132sd	%xmm1, %xmm7, %xmm0
	vfmadd132sd	%xmm1, %xmm6, %xmm0
	vfmadd132sd	%xmm1, %xmm5, %xmm0
	vfmadd132sd	%xmm1, %xmm4, %xmm0
	vfmadd132sd	%xmm0, %xmm3, %xmm1
	vmovsd	%xmm1, (%rdi,%rax,8)
.L17:
	ret
.L19:
	vzeroupper
	ret
.L8:
	xorl	%edx, %edx
	xorl	%eax, %eax
	jmp	.L3
	.size	horner, .-horner
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
