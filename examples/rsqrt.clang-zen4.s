	.text
	.file	"rsqrt.c"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function rsqrt
.LCPI0_0:
	.quad	0x3ff0000000000000              # double 1
	.text
	.globl	rsqrt
	.p2align	4, 0x90
	.type	rsqrt,@function
rsqrt:                                  # @rsqrt
# %bb.0:
	testq	%rdx, %rdx
	jle	.LBB0_8
# %bb.1:
	cmpq	$7, %rdx
	ja	.LBB0_5
# %bb.2:
	xorl	%eax, %eax
	jmp	.LBB0_3
.LBB0_5:
	vbroadcastsd	.LCPI0_0(%rip), %zmm0   # zmm0 = [1.0E+0,1.0E+0,1.0E+0,1.0E+0,1.0E+0,1.0E+0,1.0E+0,1.0E+0]
	movabsq	$9223372036854775800, %rax      # imm = 0x7FFFFFFFFFFFFFF8
	xorl	%ecx, %ecx
	andq	%rdx, %rax
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	vsqrtpd	(%rsi,%rcx,8), %zmm1
	vdivpd	%zmm1, %zmm0, %zmm1
	vmovupd	%zmm1, (%rdi,%rcx,8)
	addq	$8, %rcx
	cmpq	%rcx, %rax
	jne	.LBB0_6
# %bb.7:
	cmpq	%rdx, %rax
	je	.LBB0_8
.LBB0_3:
	vmovsd	.LCPI0_0(%rip), %xmm0           # xmm0 = [1.0E+0,0.0E+0]
	.p2align	4, 0x90
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vmovsd	(%rsi,%rax,8), %xmm1            # xmm1 = mem[0],zero
	vsqrtsd	%xmm1, %xmm1, %xmm1
	vdivsd	%xmm1, %xmm0, %xmm1
	vmovsd	%xmm1, (%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rdx
	jne	.LBB0_4
.LBB0_8:
	vzeroupper
	retq
.Lfunc_end0:
	.size	rsqrt, .Lfunc_end0-rsqrt
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
