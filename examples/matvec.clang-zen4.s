	.text
	.file	"matvec.c"
	.globl	matvec                          # -- Begin function matvec
	.p2align	4, 0x90
	.type	matvec,@function
matvec:                                 # @matvec
# %bb.0:
	testq	%rdi, %rdi
	jle	.LBB0_27
# %bb.1:
	cmpq	$1, %rdi
	jne	.LBB0_6
# %bb.2:
	xorl	%eax, %eax
	testb	$1, %dil
	jne	.LBB0_4
.LBB0_27:
	vzeroupper
	retq
.LBB0_6:
	pushq	%r15
	pushq	%r14
	pushq	%r12
	pushq	%rbx
	movabsq	$9223372036854775776, %r8       # imm = 0x7FFFFFFFFFFFFFE0
	leaq	192(%rsi,%rdi,8), %rbx
	leaq	(%rsi,%rdi,8), %r14
	movq	%rdi, %r11
	leaq	192(%rsi), %r10
	shlq	$4, %r11
	xorl	%eax, %eax
	movq	%rsi, %r15
	leaq	30(%r8), %r9
	andq	%rdi, %r8
	andq	%rdi, %r9
	jmp	.LBB0_7
	.p2align	4, 0x90
.LBB0_19:                               #   in Loop: Header=BB0_7 Depth=1
	movq	%rax, %r12
	orq	$1, %r12
	addq	$2, %rax
	addq	%r11, %r10
	addq	%r11, %r15
	addq	%r11, %rbx
	addq	%r11, %r14
	vmovsd	%xmm0, (%rcx,%r12,8)
	cmpq	%r9, %rax
	je	.LBB0_20
.LBB0_7:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_10 Depth 2
                                        #     Child Loop BB0_12 Depth 2
                                        #     Child Loop BB0_16 Depth 2
                                        #     Child Loop BB0_18 Depth 2
	cmpq	$32, %rdi
	jae	.LBB0_9
# %bb.8:                                #   in Loop: Header=BB0_7 Depth=1
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%r12d, %r12d
	jmp	.LBB0_12
	.p2align	4, 0x90
.LBB0_9:                                #   in Loop: Header=BB0_7 Depth=1
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	xorl	%r12d, %r12d
	.p2align	4, 0x90
.LBB0_10:                               #   Parent Loop BB0_7 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovupd	(%rdx,%r12,8), %zmm4
	vmovupd	64(%rdx,%r12,8), %zmm5
	vmovupd	128(%rdx,%r12,8), %zmm6
	vmovupd	192(%rdx,%r12,8), %zmm7
	vfmadd231pd	-192(%r10,%r12,8), %zmm4, %zmm0 # zmm0 = (zmm4 * mem) + zmm0
	vfmadd231pd	-128(%r10,%r12,8), %zmm5, %zmm1 # zmm1 = (zmm5 * mem) + zmm1
	vfmadd231pd	-64(%r10,%r12,8), %zmm6, %zmm2 # zmm2 = (zmm6 * mem) + zmm2
	vfmadd231pd	(%r10,%r12,8), %zmm7, %zmm3 # zmm3 = (zmm7 * mem) + zmm3
	addq	$32, %r12
	cmpq	%r12, %r8
	jne	.LBB0_10
# %bb.11:                               #   in Loop: Header=BB0_7 Depth=1
	vaddpd	%zmm0, %zmm1, %zmm0
	vaddpd	%zmm2, %zmm3, %zmm2
	movq	%r8, %r12
	vaddpd	%zmm0, %zmm2, %zmm0
	vextractf64x4	$1, %zmm0, %ymm1
	vaddpd	%zmm1, %zmm0, %zmm0
	vextractf128	$1, %ymm0, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vshufpd	$1, %xmm0, %xmm0, %xmm1         # xmm1 = xmm0[1,0]
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rdi, %r8
	je	.LBB0_13
	.p2align	4, 0x90
.LBB0_12:                               #   Parent Loop BB0_7 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovsd	(%rdx,%r12,8), %xmm1            # xmm1 = mem[0],zero
	vfmadd231sd	(%r15,%r12,8), %xmm1, %xmm0 # xmm0 = (xmm1 * mem) + xmm0
	incq	%r12
	cmpq	%r12, %rdi
	jne	.LBB0_12
.LBB0_13:                               #   in Loop: Header=BB0_7 Depth=1
	vmovsd	%xmm0, (%rcx,%rax,8)
	cmpq	$32, %rdi
	jae	.LBB0_15
# %bb.14:                               #   in Loop: Header=BB0_7 Depth=1
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%r12d, %r12d
	jmp	.LBB0_18
	.p2align	4, 0x90
.LBB0_15:                               #   in Loop: Header=BB0_7 Depth=1
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	xorl	%r12d, %r12d
	.p2align	4, 0x90
.LBB0_16:                               #   Parent Loop BB0_7 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovupd	(%rdx,%r12,8), %zmm4
	vmovupd	64(%rdx,%r12,8), %zmm5
	vmovupd	128(%rdx,%r12,8), %zmm6
	vmovupd	192(%rdx,%r12,8), %zmm7
	vfmadd231pd	-192(%rbx,%r12,8), %zmm4, %zmm0 # zmm0 = (zmm4 * mem) + zmm0
	vfmadd231pd	-128(%rbx,%r12,8), %zmm5, %zmm1 # zmm1 = (zmm5 * mem) + zmm1
	vfmadd231pd	-64(%rbx,%r12,8), %zmm6, %zmm2 # zmm2 = (zmm6 * mem) + zmm2
	vfmadd231pd	(%rbx,%r12,8), %zmm7, %zmm3 # zmm3 = (zmm7 * mem) + zmm3
	addq	$32, %r12
	cmpq	%r12, %r8
	jne	.LBB0_16
# %bb.17:                               #   in Loop: Header=BB0_7 Depth=1
	vaddpd	%zmm0, %zmm1, %zmm0
	vaddpd	%zmm2, %zmm3, %zmm2
	movq	%r8, %r12
	vaddpd	%zmm0, %zmm2, %zmm0
	vextractf64x4	$1, %zmm0, %ymm1
	vaddpd	%zmm1, %zmm0, %zmm0
	vextractf128	$1, %ymm0, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vshufpd	$1, %xmm0, %xmm0, %xmm1         # xmm1 = xmm0[1,0]
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rdi, %r8
	je	.LBB0_19
	.p2align	4, 0x90
.LBB0_18:                               #   Parent Loop BB0_7 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovsd	(%rdx,%r12,8), %xmm1            # xmm1 = mem[0],zero
	vfmadd231sd	(%r14,%r12,8), %xmm1, %xmm0 # xmm0 = (xmm1 * mem) + xmm0
	incq	%r12
	cmpq	%r12, %rdi
	jne	.LBB0_18
	jmp	.LBB0_19
.LBB0_20:
	popq	%rbx
	popq	%r12
	popq	%r14
	popq	%r15
	testb	$1, %dil
	je	.LBB0_27
.LBB0_4:
	movq	%rax, %r9
	imulq	%rdi, %r9
	cmpq	$32, %rdi
	jae	.LBB0_21
# %bb.5:
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%r8d, %r8d
	jmp	.LBB0_24
.LBB0_21:
	movabsq	$9223372036854775776, %r8       # imm = 0x7FFFFFFFFFFFFFE0
	leaq	192(%rsi,%r9,8), %r10
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	xorl	%r11d, %r11d
	andq	%rdi, %r8
	.p2align	4, 0x90
.LBB0_22:                               # =>This Inner Loop Header: Depth=1
	vmovupd	(%rdx,%r11,8), %zmm4
	vmovupd	64(%rdx,%r11,8), %zmm5
	vmovupd	128(%rdx,%r11,8), %zmm6
	vmovupd	192(%rdx,%r11,8), %zmm7
	vfmadd231pd	-192(%r10,%r11,8), %zmm4, %zmm0 # zmm0 = (zmm4 * mem) + zmm0
	vfmadd231pd	-128(%r10,%r11,8), %zmm5, %zmm1 # zmm1 = (zmm5 * mem) + zmm1
	vfmadd231pd	-64(%r10,%r11,8), %zmm6, %zmm2 # zmm2 = (zmm6 * mem) + zmm2
	vfmadd231pd	(%r10,%r11,8), %zmm7, %zmm3 # zmm3 = (zmm7 * mem) + zmm3
	addq	$32, %r11
	cmpq	%r11, %r8
	jne	.LBB0_22
# %bb.23:
	vaddpd	%zmm0, %zmm1, %zmm0
	vaddpd	%zmm2, %zmm3, %zmm2
	vaddpd	%zmm0, %zmm2, %zmm0
	vextractf64x4	$1, %zmm0, %ymm1
	vaddpd	%zmm1, %zmm0, %zmm0
	vextractf128	$1, %ymm0, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vshufpd	$1, %xmm0, %xmm0, %xmm1         # xmm1 = xmm0[1,0]
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rdi, %r8
	je	.LBB0_26
.LBB0_24:
	leaq	(%rsi,%r9,8), %rsi
	.p2align	4, 0x90
.LBB0_25:                               # =>This Inner Loop Header: Depth=1
	vmovsd	(%rdx,%r8,8), %xmm1             # xmm1 = mem[0],zero
	vfmadd231sd	(%rsi,%r8,8), %xmm1, %xmm0 # xmm0 = (xmm1 * mem) + xmm0
	incq	%r8
	cmpq	%r8, %rdi
	jne	.LBB0_25
.LBB0_26:
	vmovsd	%xmm0, (%rcx,%rax,8)
	vzeroupper
	retq
.Lfunc_end0:
	.size	matvec, .Lfunc_end0-matvec
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
