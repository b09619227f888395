	.text
	.file	"marked.c"
	.globl	marked                          # -- Begin function marked
	.p2align	4, 0x90
	.type	marked,@function
marked:                                 # @marked
# %bb.0:
	#APP
	# OSACA-BEGIN
	#NO_APP
	testq	%rdx, %rdx
	jle	.LBB0_1
# %bb.2:
	cmpq	$31, %rdx
	ja	.LBB0_5
# %bb.3:
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%eax, %eax
	jmp	.LBB0_4
.LBB0_1:
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.LBB0_8
.LBB0_5:
	movabsq	$9223372036854775776, %rax      # imm = 0x7FFFFFFFFFFFFFE0
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	xorl	%ecx, %ecx
	andq	%rdx, %rax
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	vmovupd	(%rsi,%rcx,8), %zmm4
	vmovupd	64(%rsi,%rcx,8), %zmm5
	vmovupd	128(%rsi,%rcx,8), %zmm6
	vmovupd	192(%rsi,%rcx,8), %zmm7
	vfmadd231pd	(%rdi,%rcx,8), %zmm4, %zmm0 # zmm0 = (zmm4 * mem) + zmm0
	vfmadd231pd	64(%rdi,%rcx,8), %zmm5, %zmm1 # zmm1 = (zmm5 * mem) + zmm1
	vfmadd231pd	128(%rdi,%rcx,8), %zmm6, %zmm2 # zmm2 = (zmm6 * mem) + zmm2
	vfmadd231pd	192(%rdi,%rcx,8), %zmm7, %zmm3 # zmm3 = (zmm7 * mem) + zmm3
	addq	$32, %rcx
	cmpq	%rcx, %rax
	jne	.LBB0_6
# %bb.7:
	vaddpd	%zmm0, %zmm1, %zmm0
	vaddpd	%zmm2, %zmm3, %zmm2
	vaddpd	%zmm0, %zmm2, %zmm0
	vextractf64x4	$1, %zmm0, %ymm1
	vaddpd	%zmm1, %zmm0, %zmm0
	vextractf128	$1, %ymm0, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vshufpd	$1, %xmm0, %xmm0, %xmm1         # xmm1 = xmm0[1,0]
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rdx, %rax
	je	.LBB0_8
	.p2align	4, 0x90
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vmovsd	(%rsi,%rax,8), %xmm1            # xmm1 = mem[0],zero
	vfmadd231sd	(%rdi,%rax,8), %xmm1, %xmm0 # xmm0 = (xmm1 * mem) + xmm0
	incq	%rax
	cmpq	%rax, %rdx
	jne	.LBB0_4
.LBB0_8:
	#APP
	# OSACA-END
	#NO_APP
	#APP
	# LLVM-MCA-BEGIN sum
	#NO_APP
	testq	%rdx, %rdx
	jle	.LBB0_15
# %bb.9:
	cmpq	$31, %rdx
	ja	.LBB0_11
# %bb.10:
	xorl	%eax, %eax
	jmp	.LBB0_14
.LBB0_11:
	movabsq	$9223372036854775776, %rax      # imm = 0x7FFFFFFFFFFFFFE0
	vmovq	%xmm0, %xmm0                    # xmm0 = xmm0[0],zero
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	xorl	%ecx, %ecx
	andq	%rdx, %rax
	.p2align	4, 0x90
.LBB0_12:                               # =>This Inner Loop Header: Depth=1
	vaddpd	(%rdi,%rcx,8), %zmm0, %zmm0
	vaddpd	64(%rdi,%rcx,8), %zmm1, %zmm1
	vaddpd	128(%rdi,%rcx,8), %zmm2, %zmm2
	vaddpd	192(%rdi,%rcx,8), %zmm3, %zmm3
	addq	$32, %rcx
	cmpq	%rcx, %rax
	jne	.LBB0_12
# %bb.13:
	vaddpd	%zmm0, %zmm1, %zmm0
	vaddpd	%zmm2, %zmm3, %zmm2
	vaddpd	%zmm0, %zmm2, %zmm0
	vextractf64x4	$1, %zmm0, %ymm1
	vaddpd	%zmm1, %zmm0, %zmm0
	vextractf128	$1, %ymm0, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vshufpd	$1, %xmm0, %xmm0, %xmm1         # xmm1 = xmm0[1,0]
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rdx, %rax
	je	.LBB0_15
	.p2align	4, 0x90
.LBB0_14:                               # =>This Inner Loop Header: Depth=1
	vaddsd	(%rdi,%rax,8), %xmm0, %xmm0
	incq	%rax
	cmpq	%rax, %rdx
	jne	.LBB0_14
.LBB0_15:
	#APP
	# LLVM-MCA-END sum
	#NO_APP
	vzeroupper
	retq
.Lfunc_end0:
	.size	marked, .Lfunc_end0-marked
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
