	.file	"pi.c"
	.text
	.p2align 4
	.globl	pi
	.type	pi, @function
pi:
	vmovsd	.LC1(%rip), %xmm2
	vxorps	%xmm3, %xmm3, %xmm3
	movq	%rdi, %rdx
	vcvtsi2sdq	%rdi, %xmm3, %xmm1
	vdivsd	%xmm1, %xmm2, %xmm7
	testq	%rdi, %rdi
	jle	.L4
	movq	%rdi, %rcx
	xorl	%eax, %eax
	vmovsd	.LC2(%rip), %xmm5
	vmovsd	.LC3(%rip), %xmm4
	andl	$7, %ecx
	vxorpd	%xmm6, %xmm6, %xmm6
	je	.L3
	cmpq	$1, %rcx
	je	.L27
	cmpq	$2, %rcx
	je	.L28
	cmpq	$3, %rcx
	je	.L29
	cmpq	$4, %rcx
	je	.L30
	cmpq	$5, %rcx
	je	.L31
	cmpq	$6, %rcx
	jne	.L43
.L32:
	vcvtsi2sdq	%rax, %xmm3, %xmm0
	vaddsd	%xmm5, %xmm0, %xmm8
	incq	%rax
	vmulsd	%xmm7, %xmm8, %xmm9
	vfmadd132sd	%xmm9, %xmm2, %xmm9
	vdivsd	%xmm9, %xmm4, %xmm10
	vaddsd	%xmm10, %xmm6, %xmm6
.L31:
	vcvtsi2sdq	%rax, %xmm3, %xmm11
	vaddsd	%xmm5, %xmm11, %xmm12
	incq	%rax
	vmulsd	%xmm7, %xmm12, %xmm13
	vfmadd132sd	%xmm13, %xmm2, %xmm13
	vdivsd	%xmm13, %xmm4, %xmm14
	vaddsd	%xmm14, %xmm6, %xmm6
.L30:
	vcvtsi2sdq	%rax, %xmm3, %xmm15
	vaddsd	%xmm5, %xmm15, %xmm1
	incq	%rax
	vmulsd	%xmm7, %xmm1, %xmm0
	vfmadd132sd	%xmm0, %xmm2, %xmm0
	vdivsd	%xmm0, %xmm4, %xmm8
	vaddsd	%xmm8, %xmm6, %xmm6
.L29:
	vcvtsi2sdq	%rax, %xmm3, %xmm9
	vaddsd	%xmm5, %xmm9, %xmm10
	incq	%rax
	vmulsd	%xmm7, %xmm10, %xmm11
	vfmadd132sd	%xmm11, %xmm2, %xmm11
	vdivsd	%xmm11, %xmm4, %xmm12
	vaddsd	%xmm12, %xmm6, %xmm6
.L28:
	vcvtsi2sdq	%rax, %xmm3, %xmm13
	vaddsd	%xmm5, %xmm13, %xmm14
	incq	%rax
	vmulsd	%xmm7, %xmm14, %xmm15
	vfmadd132sd	%xmm15, %xmm2, %xmm15
	vdivsd	%xmm15, %xmm4, %xmm1
	vaddsd	%xmm1, %xmm6, %xmm6
.L27:
	vcvtsi2sdq	%rax, %xmm3, %xmm0
	vaddsd	%xmm5, %xmm0, %xmm8
	incq	%rax
	vmulsd	%xmm7, %xmm8, %xmm9
	vfmadd132sd	%xmm9, %xmm2, %xmm9
	vdivsd	%xmm9, %xmm4, %xmm10
	vaddsd	%xmm10, %xmm6, %xmm6
	cmpq	%rax, %rdx
	je	.L41
.L3:
	vcvtsi2sdq	%rax, %xmm3, %xmm11
	vaddsd	%xmm5, %xmm11, %xmm12
	leaq	1(%rax), %rsi
	leaq	2(%rax), %rdi
	vcvtsi2sdq	%rsi, %xmm3, %xmm1
	vaddsd	%xmm5, %xmm1, %xmm0
	leaq	3(%rax), %r8
	leaq	4(%rax), %r9
	leaq	5(%rax), %r10
	leaq	6(%rax), %r11
	leaq	7(%rax), %rcx
	addq	$8, %rax
	vmulsd	%xmm7, %xmm12, %xmm13
	vmulsd	%xmm7, %xmm0, %xmm8
	vfmadd132sd	%xmm13, %xmm2, %xmm13
	vfmadd132sd	%xmm8, %xmm2, %xmm8
	vdivsd	%xmm13, %xmm4, %xmm14
	vdivsd	%xmm8, %xmm4, %xmm9
	vaddsd	%xmm14, %xmm6, %xmm15
	vcvtsi2sdq	%rdi, %xmm3, %xmm6
	vaddsd	%xmm5, %xmm6, %xmm11
	vmulsd	%xmm7, %xmm11, %xmm12
	vfmadd132sd	%xmm12, %xmm2, %xmm12
	vaddsd	%xmm9, %xmm15, %xmm10
	vcvtsi2sdq	%r8, %xmm3, %xmm15
	vaddsd	%xmm5, %xmm15, %xmm1
	vdivsd	%xmm12, %xmm4, %xmm13
	vmulsd	%xmm7, %xmm1, %xmm0
	vfmadd132sd	%xmm0, %xmm2, %xmm0
	vdivsd	%xmm0, %xmm4, %xmm8
	vaddsd	%xmm13, %xmm10, %xmm14
	vcvtsi2sdq	%r9, %xmm3, %xmm10
	vaddsd	%xmm5, %xmm10, %xmm6
	vmulsd	%xmm7, %xmm6, %xmm11
	vfmadd132sd	%xmm11, %xmm2, %xmm11
	vaddsd	%xmm8, %xmm14, %xmm9
	vcvtsi2sdq	%r10, %xmm3, %xmm14
	vaddsd	%xmm5, %xmm14, %xmm15
	vdivsd	%xmm11, %xmm4, %xmm12
	vmulsd	%xmm7, %xmm15, %xmm1
	vfmadd132sd	%xmm1, %xmm2, %xmm1
	vdivsd	%xmm1, %xmm4, %xmm0
	vaddsd	%xmm12, %xmm9, %xmm13
	vcvtsi2sdq	%r11, %xmm3, %xmm9
	vaddsd	%xmm5, %xmm9, %xmm10
	vmulsd	%xmm7, %xmm10, %xmm6
	vfmadd132sd	%xmm6, %xmm2, %xmm6
	vaddsd	%xmm0, %xmm13, %xmm8
	vcvtsi2sdq	%rcx, %xmm3, %xmm13
	vaddsd	%xmm5, %xmm13, %xmm14
	vdivsd	%xmm6, %xmm4, %xmm11
	vmulsd	%xmm7, %xmm14, %xmm15
	vfmadd132sd	%xmm15, %xmm2, %xmm15
	vdivsd	%xmm15, %xmm4, %xmm1
	vaddsd	%xmm11, %xmm8, %xmm12
	vaddsd	%xmm1, %xmm12, %xmm6
	cmpq	%rax, %rdx
	jne	.L3
.L41:
	vmulsd	%xmm6, %xmm7, %xmm0
	ret
	.p2align 4
	.p2align 3
.L43:
	vmulsd	%xmm7, %xmm5, %xmm6
	movl	$1, %eax
	vfmadd132sd	%xmm6, %xmm2, %xmm6
	vdivsd	%xmm6, %xmm4, %xmm6
	jmp	.L32
	.p2align 4
	.p2align 3
.L4:
	vxorpd	%xmm0, %xmm0, %xmm0
	ret
	.size	pi, .-pi
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC1:
	.long	0
	.long	1072693248
	.align 8
.LC2:
	.long	0
	.long	1071644672
	.align 8
.LC3:
	.long	0
	.long	1074790400
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
