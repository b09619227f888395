	.text
	.file	"dot.c"
	.globl	dot                             # -- Begin function dot
	.p2align	4, 0x90
	.type	dot,@function
dot:                                    # @dot
# %bb.0:
	testq	%rdx, %rdx
	jle	.LBB0_1
# %bb.2:
	cmpq	$31, %rdx
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
	andq	%rdx, %rax
	.p2align	4, 0x90
.LBB0_5:                                # =>This Inner Loop Header: Depth=1
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
	cmpq	%rdx, %rax
	je	.LBB0_8
	.p2align	4, 0x90
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	vmovsd	(%rsi,%rax,8), %xmm1            # xmm1 = mem[0],zero
	vfmadd231sd	(%rdi,%rax,8), %xmm1, %xmm0 # xmm0 = (xmm1 * mem) + xmm0
	incq	%rax
	cmpq	%rax, %rdx
	jne	.LBB0_7
.LBB0_8:
	vzeroupper
	retq
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
