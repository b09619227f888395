	.file	"pi.c"
	.text
	.p2align 4
	.globl	pi
	.type	pi, @function
pi:
	vxorps	%xmm2, %xmm2, %xmm2
	vcvtsi2sdq	%rdi, %xmm2, %xmm0
	vmovsd	.LC2(%rip), %xmm6
	vdivsd	%xmm0, %xmm6, %xmm0
	testq	%rdi, %rdi
	jle	.L8
	leaq	-1(%rdi), %rax
	cmpq	$2, %rax
	jbe	.L9
	movq	%rdi, %rcx
	movl	$4, %edx
	vmovdqa	.LC0(%rip), %ymm3
	vbroadcastsd	.LC5(%rip), %ymm9
	vbroadcastsd	.LC8(%rip), %ymm7
	shrq	$2, %rcx
	vbroadcastsd	%xmm0, %ymm10
	xorl	%eax, %eax
	vxorpd	%xmm4, %xmm4, %xmm4
	vbroadcastsd	%xmm6, %ymm8
	vpbroadcastq	%rdx, %ymm5
	.p2align 4,,10
	.p2align 3
.L4:
	vmovdqa	%ymm3, %ymm1
	vcvtqq2pd	%ymm1, %ymm1
	vaddpd	%ymm9, %ymm1, %ymm1
	incq	%rax
	vpaddq	%ymm5, %ymm3, %ymm3
	vmulpd	%ymm10, %ymm1, %ymm1
	vfmadd132pd	%ymm1, %ymm8, %ymm1
	vdivpd	%ymm1, %ymm7, %ymm1
	vaddpd	%ymm1, %ymm4, %ymm4
	cmpq	%rax, %rcx
	jne	.L4
	vextractf64x2	$0x1, %ymm4, %xmm5
	vaddpd	%xmm4, %xmm5, %xmm1
	movq	%rdi, %rdx
	andq	$-4, %rdx
	vunpckhpd	%xmm1, %xmm1, %xmm3
	vaddpd	%xmm1, %xmm3, %xmm3
	movq	%rdx, %rax
	cmpq	%rdi, %rdx
	je	.L17
	vaddpd	%xmm5, %xmm4, %xmm4
	vzeroupper
.L3:
	subq	%rax, %rdi
	cmpq	$1, %rdi
	je	.L6
	leaq	1(%rdx), %rax
	vmovq	%rdx, %xmm7
	vpinsrq	$1, %rax, %xmm7, %xmm1
	vcvtqq2pd	%xmm1, %xmm1
	vaddpd	.LC5(%rip){1to2}, %xmm1, %xmm1
	vmovddup	%xmm0, %xmm3
	vmulpd	%xmm3, %xmm1, %xmm1
	vmovddup	.LC8(%rip), %xmm3
	vfmadd213pd	.LC2(%rip){1to2}, %xmm1, %xmm1
	vdivpd	%xmm1, %xmm3, %xmm1
	vaddpd	%xmm4, %xmm1, %xmm1
	vunpckhpd	%xmm1, %xmm1, %xmm3
	vaddpd	%xmm1, %xmm3, %xmm3
	testb	$1, %dil
	je	.L5
	andq	$-2, %rdi
	addq	%rdi, %rdx
.L6:
	vcvtsi2sdq	%rdx, %xmm2, %xmm1
	vmovsd	.LC8(%rip), %xmm2
	vaddsd	.LC5(%rip), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vfmadd132sd	%xmm1, %xmm6, %xmm1
	vdivsd	%xmm1, %xmm2, %xmm2
	vaddsd	%xmm2, %xmm3, %xmm3
.L5:
	vmulsd	%xmm3, %xmm0, %xmm0
	ret
	.p2align 4,,10
	.p2align 3
.L17:
	vzeroupper
	vmulsd	%xmm3, %xmm0, %xmm0
	ret
	.p2align 4,,10
	.p2align 3
.L8:
	vxorpd	%xmm0, %xmm0, %xmm0
	ret
.L9:
	vxorpd	%xmm4, %xmm4, %xmm4
	xorl	%eax, %eax
	xorl	%edx, %edx
	vxorpd	%xmm3, %xmm3, %xmm3
	jmp	.L3
	.size	pi, .-pi
	.section	.rodata.cst32,"aM",@progbits,32
	.align 32
.LC0:
	.quad	0
	.quad	1
	.quad	2
	.quad	3
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC2:
	.long	0
	.long	1072693248
	.align 8
.LC5:
	.long	0
	.long	1071644672
	.align 8
.LC8:
	.long	0
	.long	1074790400
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
