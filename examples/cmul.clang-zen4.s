	.text
	.file	"cmul.c"
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0                          # -- Begin function cmul
.LCPI0_0:
	.long	0                               # 0x0
	.long	2                               # 0x2
	.long	4                               # 0x4
	.long	6                               # 0x6
	.long	8                               # 0x8
	.long	10                              # 0xa
	.long	12                              # 0xc
	.long	14                              # 0xe
	.long	16                              # 0x10
	.long	18                              # 0x12
	.long	20                              # 0x14
	.long	22                              # 0x16
	.long	24                              # 0x18
	.long	26                              # 0x1a
	.long	28                              # 0x1c
	.long	30                              # 0x1e
.LCPI0_1:
	.long	1                               # 0x1
	.long	3                               # 0x3
	.long	5                               # 0x5
	.long	7                               # 0x7
	.long	9                               # 0x9
	.long	11                              # 0xb
	.long	13                              # 0xd
	.long	15                              # 0xf
	.long	17                              # 0x11
	.long	19                              # 0x13
	.long	21                              # 0x15
	.long	23                              # 0x17
	.long	25                              # 0x19
	.long	27                              # 0x1b
	.long	29                              # 0x1d
	.long	31                              # 0x1f
.LCPI0_2:
	.long	0                               # 0x0
	.long	16                              # 0x10
	.long	1                               # 0x1
	.long	17                              # 0x11
	.long	2                               # 0x2
	.long	18                              # 0x12
	.long	3                               # 0x3
	.long	19                              # 0x13
	.long	4                               # 0x4
	.long	20                              # 0x14
	.long	5                               # 0x5
	.long	21                              # 0x15
	.long	6                               # 0x6
	.long	22                              # 0x16
	.long	7                               # 0x7
	.long	23                              # 0x17
.LCPI0_3:
	.long	8                               # 0x8
	.long	24                              # 0x18
	.long	9                               # 0x9
	.long	25                              # 0x19
	.long	10                              # 0xa
	.long	26                              # 0x1a
	.long	11                              # 0xb
	.long	27                              # 0x1b
	.long	12                              # 0xc
	.long	28                              # 0x1c
	.long	13                              # 0xd
	.long	29                              # 0x1d
	.long	14                              # 0xe
	.long	30                              # 0x1e
	.long	15                              # 0xf
	.long	31                              # 0x1f
.LCPI0_4:
	.long	0                               # 0x0
	.long	16                              # 0x10
	.long	1                               # 0x1
	.long	17                              # 0x11
	.long	2                               # 0x2
	.long	18                              # 0x12
	.long	3                               # 0x3
	.long	19                              # 0x13
	.long	12                              # 0xc
	.long	28                              # 0x1c
	.long	13                              # 0xd
	.long	29                              # 0x1d
	.long	14                              # 0xe
	.long	30                              # 0x1e
	.long	15                              # 0xf
	.long	31                              # 0x1f
	.text
	.globl	cmul
	.p2align	4, 0x90
	.type	cmul,@function
cmul:                                   # @cmul
# %bb.0:
	testq	%rcx, %rcx
	jle	.LBB0_13
# %bb.1:
	cmpq	$8, %rcx
	jae	.LBB0_3
# %bb.2:
	xorl	%eax, %eax
	jmp	.LBB0_12
.LBB0_3:
	movabsq	$9223372036854775792, %r8       # imm = 0x7FFFFFFFFFFFFFF0
	cmpq	$16, %rcx
	jae	.LBB0_5
# %bb.4:
	xorl	%eax, %eax
.LBB0_9:
	vmovaps	.LCPI0_4(%rip), %zmm0           # zmm0 = [0,16,1,17,2,18,3,19,12,28,13,29,14,30,15,31]
	addq	$8, %r8
	movq	%rax, %r9
	movq	%r8, %rax
	andq	%rcx, %rax
	.p2align	4, 0x90
.LBB0_10:                               # =>This Inner Loop Header: Depth=1
	vmovups	(%rsi,%r9,8), %ymm1
	vmovups	32(%rsi,%r9,8), %ymm2
	vmovups	32(%rdx,%r9,8), %ymm4
	vshufps	$136, %ymm2, %ymm1, %ymm3       # ymm3 = ymm1[0,2],ymm2[0,2],ymm1[4,6],ymm2[4,6]
	vshufps	$221, %ymm2, %ymm1, %ymm1       # ymm1 = ymm1[1,3],ymm2[1,3],ymm1[5,7],ymm2[5,7]
	vmovups	(%rdx,%r9,8), %ymm2
	vpermpd	$216, %ymm1, %ymm1              # ymm1 = ymm1[0,2,1,3]
	vpermpd	$216, %ymm3, %ymm3              # ymm3 = ymm3[0,2,1,3]
	vshufps	$136, %ymm4, %ymm2, %ymm5       # ymm5 = ymm2[0,2],ymm4[0,2],ymm2[4,6],ymm4[4,6]
	vshufps	$221, %ymm4, %ymm2, %ymm2       # ymm2 = ymm2[1,3],ymm4[1,3],ymm2[5,7],ymm4[5,7]
	vpermpd	$216, %ymm2, %ymm2              # ymm2 = ymm2[0,2,1,3]
	vpermpd	$216, %ymm5, %ymm5              # ymm5 = ymm5[0,2,1,3]
	vmulps	%ymm1, %ymm2, %ymm4
	vmulps	%ymm5, %ymm1, %ymm1
	vfmadd231ps	%ymm3, %ymm2, %ymm1     # ymm1 = (ymm2 * ymm3) + ymm1
	vfmsub231ps	%ymm3, %ymm5, %ymm4     # ymm4 = (ymm5 * ymm3) - ymm4
	vinsertf64x4	$1, %ymm1, %zmm1, %zmm1
	vinsertf64x4	$1, %ymm4, %zmm4, %zmm2
	vpermt2ps	%zmm1, %zmm0, %zmm2
	vmovups	%zmm2, (%rdi,%r9,8)
	addq	$8, %r9
	cmpq	%r9, %rax
	jne	.LBB0_10
# %bb.11:
	cmpq	%rcx, %rax
	jne	.LBB0_12
	jmp	.LBB0_13
.LBB0_5:
	vmovaps	.LCPI0_0(%rip), %zmm0           # zmm0 = [0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30]
	vmovaps	.LCPI0_1(%rip), %zmm1           # zmm1 = [1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31]
	vmovaps	.LCPI0_2(%rip), %zmm2           # zmm2 = [0,16,1,17,2,18,3,19,4,20,5,21,6,22,7,23]
	vmovaps	.LCPI0_3(%rip), %zmm3           # zmm3 = [8,24,9,25,10,26,11,27,12,28,13,29,14,30,15,31]
	movq	%rcx, %rax
	andq	%r8, %rax
	xorl	%r9d, %r9d
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	vmovups	(%rsi,%r9,8), %zmm4
	vmovups	(%rdx,%r9,8), %zmm9
	vmovups	64(%rsi,%r9,8), %zmm5
	vmovups	64(%rdx,%r9,8), %zmm7
	vmovaps	%zmm4, %zmm6
	vmovaps	%zmm9, %zmm8
	vpermt2ps	%zmm5, %zmm1, %zmm4
	vpermt2ps	%zmm7, %zmm0, %zmm8
	vpermt2ps	%zmm7, %zmm1, %zmm9
	vpermt2ps	%zmm5, %zmm0, %zmm6
	vmulps	%zmm4, %zmm9, %zmm7
	vmulps	%zmm8, %zmm4, %zmm4
	vfmsub231ps	%zmm6, %zmm8, %zmm7     # zmm7 = (zmm8 * zmm6) - zmm7
	vfmadd231ps	%zmm9, %zmm6, %zmm4     # zmm4 = (zmm6 * zmm9) + zmm4
	vmovaps	%zmm7, %zmm5
	vpermt2ps	%zmm4, %zmm2, %zmm5
	vpermt2ps	%zmm4, %zmm3, %zmm7
	vmovups	%zmm7, 64(%rdi,%r9,8)
	vmovups	%zmm5, (%rdi,%r9,8)
	addq	$16, %r9
	cmpq	%r9, %rax
	jne	.LBB0_6
# %bb.7:
	cmpq	%rcx, %rax
	je	.LBB0_13
# %bb.8:
	testb	$8, %cl
	jne	.LBB0_9
	.p2align	4, 0x90
.LBB0_12:                               # =>This Inner Loop Header: Depth=1
	vmovss	4(%rsi,%rax,8), %xmm1           # xmm1 = mem[0],zero,zero,zero
	vmovss	4(%rdx,%rax,8), %xmm3           # xmm3 = mem[0],zero,zero,zero
	vmovss	(%rdx,%rax,8), %xmm2            # xmm2 = mem[0],zero,zero,zero
	vmovss	(%rsi,%rax,8), %xmm0            # xmm0 = mem[0],zero,zero,zero
	vmulss	%xmm1, %xmm3, %xmm4
	vmulss	%xmm2, %xmm1, %xmm1
	vfmsub231ss	%xmm0, %xmm2, %xmm4     # xmm4 = (xmm2 * xmm0) - xmm4
	vfmadd231ss	%xmm0, %xmm3, %xmm1     # xmm1 = (xmm3 * xmm0) + xmm1
	vmovss	%xmm4, (%rdi,%rax,8)
	vmovss	%xmm1, 4(%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rcx
	jne	.LBB0_12
.LBB0_13:
	vzeroupper
	retq
.Lfunc_end0:
	.size	cmul, .Lfunc_end0-cmul
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
