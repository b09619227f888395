	.text
	.file	"sum.c"
	.globl	sum                             # -- Begin function sum
	.p2align	4, 0x90
	.type	sum,@function
sum:                                    # @sum
# %bb.0:
	testq	%rsi, %rsi
	jle	.LBB0_1
# %bb.2:
	cmpq	$31, %rsi
	ja	.LBB0_4
# %bb.3:
	vxorpd	%xmm0, %xmm0, %xmm0
	xorl	%eax, %eax
	jmp	.LBB0_7
.LBB0_1:
	vxorps	%xmm0, %xmm0, %xmm0
	retq
.LBB0_4:
	movabsq	$9223372036854775776, %rax      # imm = 0x7FFFFFFFFFFFFFE0
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	xorl	%ecx, %ecx
	andq	%rsi, %rax
	.p2align	4, 0x90
.LBB0_5:                                # =>This Inner Loop Header: Depth=1
	vaddpd	(%rdi,%rcx,8), %zmm0, %zmm0
	vaddpd	64(%rdi,%rcx,8), %zmm1, %zmm1
	vaddpd	128(%rdi,%rcx,8), %zmm2, %zmm2
	vaddpd	192(%rdi,%rcx,8), %zmm3, %zmm3
	addq	$32, %rcx
	cmpq	%rcx, %rax
	jne	.LBB0_5
# %bb.6:
	vaddpd	%zmm0, %zmm1, %zmm0
	vaddpd	%zmm2, %zmm3, %zmm2
	vaddpd	%zmm0, %zmm2, %zmm0
	vextractf64x4	$1, %zmm0, %ymm1
	vaddpd	%zmm1, %zmm0, %zmm0
	vextractf128	$1, %ymm0, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vshufpd	$1, %xmm0, %xmm0, %xmm1         # xmm1 = xmm0[1,0]
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rsi, %rax
	je	.LBB0_8
	.p2align	4, 0x90
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	vaddsd	(%rdi,%rax,8), %xmm0, %xmm0
	incq	%rax
	cmpq	%rax, %rsi
	jne	.LBB0_7
.LBB0_8:
	vzeroupper
	retq
.Lfunc_end0:
	.size	sum, .Lfunc_end0-sum
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
