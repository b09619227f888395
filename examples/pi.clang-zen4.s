	.text
	.file	"pi.c"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function pi
.LCPI0_0:
	.quad	0x3ff0000000000000              # double 1
.LCPI0_2:
	.quad	8                               # 0x8
.LCPI0_3:
	.quad	16                              # 0x10
.LCPI0_4:
	.quad	24                              # 0x18
.LCPI0_5:
	.quad	0x3fe0000000000000              # double 0.5
.LCPI0_6:
	.quad	0x4010000000000000              # double 4
.LCPI0_7:
	.quad	32                              # 0x20
.LCPI0_8:
	.byte	0                               # 0x0
	.byte	1                               # 0x1
	.byte	2                               # 0x2
	.byte	3                               # 0x3
	.byte	4                               # 0x4
	.byte	5                               # 0x5
	.byte	6                               # 0x6
	.byte	7                               # 0x7
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
.LCPI0_1:
	.quad	0                               # 0x0
	.quad	1                               # 0x1
	.quad	2                               # 0x2
	.quad	3                               # 0x3
	.quad	4                               # 0x4
	.quad	5                               # 0x5
	.quad	6                               # 0x6
	.quad	7                               # 0x7
	.text
	.globl	pi
	.p2align	4, 0x90
	.type	pi,@function
pi:                                     # @pi
# %bb.0:
	vmovsd	.LCPI0_0(%rip), %xmm1           # xmm1 = [1.0E+0,0.0E+0]
	vcvtsi2sd	%rdi, %xmm0, %xmm0
	vdivsd	%xmm0, %xmm1, %xmm0
	testq	%rdi, %rdi
	jle	.LBB0_1
# %bb.2:
	cmpq	$31, %rdi
	ja	.LBB0_6
# %bb.3:
	vxorpd	%xmm2, %xmm2, %xmm2
	xorl	%eax, %eax
	jmp	.LBB0_4
.LBB0_1:
	vxorpd	%xmm2, %xmm2, %xmm2
	vmulsd	%xmm0, %xmm2, %xmm0
	retq
.LBB0_6:
	vbroadcastsd	.LCPI0_5(%rip), %zmm7   # zmm7 = [5.0E-1,5.0E-1,5.0E-1,5.0E-1,5.0E-1,5.0E-1,5.0E-1,5.0E-1]
	vbroadcastsd	.LCPI0_0(%rip), %zmm8   # zmm8 = [1.0E+0,1.0E+0,1.0E+0,1.0E+0,1.0E+0,1.0E+0,1.0E+0,1.0E+0]
	vbroadcastsd	.LCPI0_6(%rip), %zmm9   # zmm9 = [4.0E+0,4.0E+0,4.0E+0,4.0E+0,4.0E+0,4.0E+0,4.0E+0,4.0E+0]
	vpmovsxbq	.LCPI0_8(%rip), %zmm4   # zmm4 = [0,1,2,3,4,5,6,7]
	vpbroadcastq	.LCPI0_2(%rip), %zmm5   # zmm5 = [8,8,8,8,8,8,8,8]
	vpbroadcastq	.LCPI0_3(%rip), %zmm6   # zmm6 = [16,16,16,16,16,16,16,16]
	vpbroadcastq	.LCPI0_4(%rip), %zmm10  # zmm10 = [24,24,24,24,24,24,24,24]
	vpbroadcastq	.LCPI0_7(%rip), %zmm11  # zmm11 = [32,32,32,32,32,32,32,32]
	movabsq	$9223372036854775776, %rax      # imm = 0x7FFFFFFFFFFFFFE0
	vbroadcastsd	%xmm0, %zmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	vxorpd	%xmm12, %xmm12, %xmm12
	vxorpd	%xmm13, %xmm13, %xmm13
	vxorpd	%xmm14, %xmm14, %xmm14
	andq	%rdi, %rax
	movq	%rax, %rcx
	.p2align	4, 0x90
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	vpaddq	%zmm5, %zmm4, %zmm16
	vpaddq	%zmm6, %zmm4, %zmm17
	vpaddq	%zmm10, %zmm4, %zmm18
	vcvtuqq2pd	%zmm4, %zmm15
	vpaddq	%zmm11, %zmm4, %zmm4
	addq	$-32, %rcx
	vcvtuqq2pd	%zmm16, %zmm16
	vcvtuqq2pd	%zmm17, %zmm17
	vcvtuqq2pd	%zmm18, %zmm18
	vaddpd	%zmm7, %zmm15, %zmm15
	vaddpd	%zmm7, %zmm16, %zmm16
	vaddpd	%zmm7, %zmm17, %zmm17
	vaddpd	%zmm7, %zmm18, %zmm18
	vmulpd	%zmm2, %zmm15, %zmm15
	vmulpd	%zmm2, %zmm16, %zmm16
	vmulpd	%zmm2, %zmm17, %zmm17
	vmulpd	%zmm2, %zmm18, %zmm18
	vfmadd213pd	%zmm8, %zmm15, %zmm15   # zmm15 = (zmm15 * zmm15) + zmm8
	vfmadd213pd	%zmm8, %zmm16, %zmm16   # zmm16 = (zmm16 * zmm16) + zmm8
	vfmadd213pd	%zmm8, %zmm17, %zmm17   # zmm17 = (zmm17 * zmm17) + zmm8
	vfmadd213pd	%zmm8, %zmm18, %zmm18   # zmm18 = (zmm18 * zmm18) + zmm8
	vdivpd	%zmm15, %zmm9, %zmm15
	vdivpd	%zmm16, %zmm9, %zmm16
	vdivpd	%zmm17, %zmm9, %zmm17
	vaddpd	%zmm3, %zmm15, %zmm3
	vaddpd	%zmm12, %zmm16, %zmm12
	vdivpd	%zmm18, %zmm9, %zmm16
	vaddpd	%zmm13, %zmm17, %zmm13
	vaddpd	%zmm14, %zmm16, %zmm14
	jne	.LBB0_7
# %bb.8:
	vaddpd	%zmm3, %zmm12, %zmm2
	vaddpd	%zmm2, %zmm13, %zmm2
	vaddpd	%zmm2, %zmm14, %zmm2
	vextractf64x4	$1, %zmm2, %ymm3
	vaddpd	%zmm3, %zmm2, %zmm2
	vextractf128	$1, %ymm2, %xmm3
	vaddpd	%xmm3, %xmm2, %xmm2
	vshufpd	$1, %xmm2, %xmm2, %xmm3         # xmm3 = xmm2[1,0]
	vaddsd	%xmm3, %xmm2, %xmm2
	cmpq	%rdi, %rax
	je	.LBB0_9
.LBB0_4:
	vmovsd	.LCPI0_5(%rip), %xmm3           # xmm3 = [5.0E-1,0.0E+0]
	vmovsd	.LCPI0_6(%rip), %xmm4           # xmm4 = [4.0E+0,0.0E+0]
	.p2align	4, 0x90
.LBB0_5:                                # =>This Inner Loop Header: Depth=1
	vcvtsi2sd	%rax, %xmm19, %xmm5
	incq	%rax
	vaddsd	%xmm3, %xmm5, %xmm5
	vmulsd	%xmm0, %xmm5, %xmm5
	vfmadd213sd	%xmm1, %xmm5, %xmm5     # xmm5 = (xmm5 * xmm5) + xmm1
	vdivsd	%xmm5, %xmm4, %xmm5
	vaddsd	%xmm2, %xmm5, %xmm2
	cmpq	%rax, %rdi
	jne	.LBB0_5
.LBB0_9:
	vmulsd	%xmm0, %xmm2, %xmm0
	vzeroupper
	retq
.Lfunc_end0:
	.size	pi, .Lfunc_end0-pi
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
