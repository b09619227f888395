	.text
	.file	"horner.c"
	.globl	horner                          # -- Begin function horner
	.p2align	4, 0x90
	.type	horner,@function
horner:                                 # @horner
# %bb.0:
	testq	%rcx, %rcx
	jle	.LBB0_7
# %bb.1:
	vmovsd	56(%rdx), %xmm0                 # xmm0 = mem[0],zero
	vmovsd	48(%rdx), %xmm1                 # xmm1 = mem[0],zero
	vmovsd	40(%rdx), %xmm2                 # xmm2 = mem[0],zero
	vmovsd	32(%rdx), %xmm3                 # xmm3 = mem[0],zero
	vmovsd	24(%rdx), %xmm4                 # xmm4 = mem[0],zero
	vmovsd	16(%rdx), %xmm5                 # xmm5 = mem[0],zero
	vmovsd	(%rdx), %xmm6                   # xmm6 = mem[0],zero
	vmovsd	8(%rdx), %xmm7                  # xmm7 = mem[0],zero
	cmpq	$31, %rcx
	ja	.LBB0_3
# %bb.2:
	xorl	%eax, %eax
	jmp	.LBB0_6
.LBB0_3:
	movabsq	$9223372036854775776, %rax      # imm = 0x7FFFFFFFFFFFFFE0
	vbroadcastsd	%xmm0, %zmm8
	vbroadcastsd	%xmm1, %zmm9
	vbroadcastsd	%xmm2, %zmm10
	vbroadcastsd	%xmm3, %zmm11
	vbroadcastsd	%xmm4, %zmm12
	vbroadcastsd	%xmm5, %zmm13
	vbroadcastsd	%xmm7, %zmm14
	vbroadcastsd	%xmm6, %zmm15
	xorl	%edx, %edx
	andq	%rcx, %rax
	.p2align	4, 0x90
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vmovupd	(%rsi,%rdx,8), %zmm16
	vmovupd	64(%rsi,%rdx,8), %zmm17
	vmovupd	128(%rsi,%rdx,8), %zmm18
	vmovupd	192(%rsi,%rdx,8), %zmm19
	vmovapd	%zmm8, %zmm20
	vmovapd	%zmm8, %zmm21
	vmovapd	%zmm8, %zmm22
	vmovapd	%zmm8, %zmm23
	vfmadd213pd	%zmm9, %zmm16, %zmm20   # zmm20 = (zmm16 * zmm20) + zmm9
	vfmadd213pd	%zmm9, %zmm17, %zmm21   # zmm21 = (zmm17 * zmm21) + zmm9
	vfmadd213pd	%zmm9, %zmm18, %zmm22   # zmm22 = (zmm18 * zmm22) + zmm9
	vfmadd213pd	%zmm9, %zmm19, %zmm23   # zmm23 = (zmm19 * zmm23) + zmm9
	vfmadd213pd	%zmm10, %zmm16, %zmm20  # zmm20 = (zmm16 * zmm20) + zmm10
	vfmadd213pd	%zmm10, %zmm17, %zmm21  # zmm21 = (zmm17 * zmm21) + zmm10
	vfmadd213pd	%zmm10, %zmm18, %zmm22  # zmm22 = (zmm18 * zmm22) + zmm10
	vfmadd213pd	%zmm10, %zmm19, %zmm23  # zmm23 = (zmm19 * zmm23) + zmm10
	vfmadd213pd	%zmm11, %zmm16, %zmm20  # zmm20 = (zmm16 * zmm20) + zmm11
	vfmadd213pd	%zmm11, %zmm17, %zmm21  # zmm21 = (zmm17 * zmm21) + zmm11
	vfmadd213pd	%zmm11, %zmm18, %zmm22  # zmm22 = (zmm18 * zmm22) + zmm11
	vfmadd213pd	%zmm11, %zmm19, %zmm23  # zmm23 = (zmm19 * zmm23) + zmm11
	vfmadd213pd	%zmm12, %zmm16, %zmm20  # zmm20 = (zmm16 * zmm20) + zmm12
	vfmadd213pd	%zmm12, %zmm17, %zmm21  # zmm21 = (zmm17 * zmm21) + zmm12
	vfmadd213pd	%zmm12, %zmm18, %zmm22  # zmm22 = (zmm18 * zmm22) + zmm12
	vfmadd213pd	%zmm12, %zmm19, %zmm23  # zmm23 = (zmm19 * zmm23) + zmm12
	vfmadd213pd	%zmm13, %zmm16, %zmm20  # zmm20 = (zmm16 * zmm20) + zmm13
	vfmadd213pd	%zmm13, %zmm17, %zmm21  # zmm21 = (zmm17 * zmm21) + zmm13
	vfmadd213pd	%zmm13, %zmm18, %zmm22  # zmm22 = (zmm18 * zmm22) + zmm13
	vfmadd213pd	%zmm13, %zmm19, %zmm23  # zmm23 = (zmm19 * zmm23) + zmm13
	vfmadd213pd	%zmm14, %zmm16, %zmm20  # zmm20 = (zmm16 * zmm20) + zmm14
	vfmadd213pd	%zmm14, %zmm17, %zmm21  # zmm21 = (zmm17 * zmm21) + zmm14
	vfmadd213pd	%zmm14, %zmm18, %zmm22  # zmm22 = (zmm18 * zmm22) + zmm14
	vfmadd213pd	%zmm14, %zmm19, %zmm23  # zmm23 = (zmm19 * zmm23) + zmm14
	vfmadd213pd	%zmm15, %zmm16, %zmm20  # zmm20 = (zmm16 * zmm20) + zmm15
	vfmadd213pd	%zmm15, %zmm17, %zmm21  # zmm21 = (zmm17 * zmm21) + zmm15
	vfmadd213pd	%zmm15, %zmm18, %zmm22  # zmm22 = (zmm18 * zmm22) + zmm15
	vfmadd213pd	%zmm15, %zmm19, %zmm23  # zmm23 = (zmm19 * zmm23) + zmm15
	vmovupd	%zmm20, (%rdi,%rdx,8)
	vmovupd	%zmm21, 64(%rdi,%rdx,8)
	vmovupd	%zmm22, 128(%rdi,%rdx,8)
	vmovupd	%zmm23, 192(%rdi,%rdx,8)
	addq	$32, %rdx
	cmpq	%rdx, %rax
	jne	.LBB0_4
# %bb.5:
	cmpq	%rcx, %rax
	je	.LBB0_7
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	vmovsd	(%rsi,%rax,8), %xmm8            # xmm8 = mem[0],zero
	vmovapd	%xmm0, %xmm9
	vfmadd213sd	%xmm1, %xmm8, %xmm9     # xmm9 = (xmm8 * xmm9) + xmm1
	vfmadd213sd	%xmm2, %xmm8, %xmm9     # xmm9 = (xmm8 * xmm9) + xmm2
	vfmadd213sd	%xmm3, %xmm8, %xmm9     # xmm9 = (xmm8 * xmm9) + xmm3
	vfmadd213sd	%xmm4, %xmm8, %xmm9     # xmm9 = (xmm8 * xmm9) + xmm4
	vfmadd213sd	%xmm5, %xmm8, %xmm9     # xmm9 = (xmm8 * xmm9) + xmm5
	vfmadd213sd	%xmm7, %xmm8, %xmm9     # xmm9 = (xmm8 * xmm9) + xmm7
	vfmadd213sd	%xmm6, %xmm8, %xmm9     # xmm9 = (xmm8 * xmm9) + xmm6
	vmovsd	%xmm9, (%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rcx
	jne	.LBB0_6
.LBB0_7:
	vzeroupper
	retq
.Lfunc_end0:
	.size	horner, .Lfunc_end0-horner
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
