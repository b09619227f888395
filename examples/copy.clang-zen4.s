	.text
	.file	"copy.c"
	.globl	copy                            # -- Begin function copy
	.p2align	4, 0x90
	.type	copy,@function
copy:                                   # @copy
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
	xorl	%ecx, %ecx
	andq	%rdx, %rax
	.p2align	4, 0x90
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vmovups	(%rsi,%rcx,8), %zmm0
	vmovups	64(%rsi,%rcx,8), %zmm1
	vmovups	128(%rsi,%rcx,8), %zmm2
	vmovups	192(%rsi,%rcx,8), %zmm3
	vmovups	%zmm0, (%rdi,%rcx,8)
	vmovups	%zmm1, 64(%rdi,%rcx,8)
	vmovups	%zmm2, 128(%rdi,%rcx,8)
	vmovups	%zmm3, 192(%rdi,%rcx,8)
	addq	$32, %rcx
	cmpq	%rcx, %rax
	jne	.LBB0_4
# %bb.5:
	cmpq	%rdx, %rax
	je	.LBB0_7
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	vmovsd	(%rsi,%rax,8), %xmm0            # xmm0 = mem[0],zero
	vmovsd	%xmm0, (%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rdx
	jne	.LBB0_6
.LBB0_7:
	vzeroupper
	retq
.Lfunc_end0:
	.size	copy, .Lfunc_end0-copy
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
