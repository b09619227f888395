	.text
	.file	"daxpy.c"
	.globl	daxpy                           # -- Begin function daxpy
	.p2align	4, 0x90
	.type	daxpy,@function
daxpy:                                  # @daxpy
# %bb.0:
	testq	%rdx, %rdx
	jle	.LBB0_7
# %bb.1:
	cmpq	$31, %rdx
	ja	.LBB0_3
# %bb.2:
	xorl	%eax, %eax
	jmp	.LBB0_6
.LBB0_3:
	movabsq	$9223372036854775776, %rax      # imm = 0x7FFFFFFFFFFFFFE0
	vbroadcastsd	%xmm0, %zmm1
	xorl	%ecx, %ecx
	andq	%rdx, %rax
	.p2align	4, 0x90
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vmovupd	(%rsi,%rcx,8), %zmm2
	vmovupd	64(%rsi,%rcx,8), %zmm3
	vmovupd	128(%rsi,%rcx,8), %zmm4
	vmovupd	192(%rsi,%rcx,8), %zmm5
	vfmadd213pd	(%rdi,%rcx,8), %zmm1, %zmm2 # zmm2 = (zmm1 * zmm2) + mem
	vfmadd213pd	64(%rdi,%rcx,8), %zmm1, %zmm3 # zmm3 = (zmm1 * zmm3) + mem
	vfmadd213pd	128(%rdi,%rcx,8), %zmm1, %zmm4 # zmm4 = (zmm1 * zmm4) + mem
	vfmadd213pd	192(%rdi,%rcx,8), %zmm1, %zmm5 # zmm5 = (zmm1 * zmm5) + mem
	vmovupd	%zmm2, (%rdi,%rcx,8)
	vmovupd	%zmm3, 64(%rdi,%rcx,8)
	vmovupd	%zmm4, 128(%rdi,%rcx,8)
	vmovupd	%zmm5, 192(%rdi,%rcx,8)
	addq	$32, %rcx
	cmpq	%rcx, %rax
	jne	.LBB0_4
# %bb.5:
	cmpq	%rdx, %rax
	je	.LBB0_7
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	vmovsd	(%rsi,%rax,8), %xmm1            # xmm1 = mem[0],zero
	vfmadd213sd	(%rdi,%rax,8), %xmm0, %xmm1 # xmm1 = (xmm0 * xmm1) + mem
	vmovsd	%xmm1, (%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rdx
	jne	.LBB0_6
.LBB0_7:
	vzeroupper
	retq
.Lfunc_end0:
	.size	daxpy, .Lfunc_end0-daxpy
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
