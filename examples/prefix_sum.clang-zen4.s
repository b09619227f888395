	.text
	.file	"prefix_sum.c"
	.globl	prefix_sum                      # -- Begin function prefix_sum
	.p2align	4, 0x90
	.type	prefix_sum,@function
prefix_sum:                             # @prefix_sum
# %bb.0:
	cmpq	$2, %rsi
	jl	.LBB0_8
# %bb.1:
	vmovsd	(%rdi), %xmm0                   # xmm0 = mem[0],zero
	leaq	-1(%rsi), %rdx
	addq	$-2, %rsi
	movl	$1, %ecx
	movl	%edx, %eax
	andl	$7, %eax
	cmpq	$7, %rsi
	jb	.LBB0_5
# %bb.2:
	andq	$-8, %rdx
	xorl	%ecx, %ecx
	.p2align	4, 0x90
.LBB0_3:                                # =>This Inner Loop Header: Depth=1
	vaddsd	8(%rdi,%rcx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 8(%rdi,%rcx,8)
	vaddsd	16(%rdi,%rcx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 16(%rdi,%rcx,8)
	vaddsd	24(%rdi,%rcx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 24(%rdi,%rcx,8)
	vaddsd	32(%rdi,%rcx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 32(%rdi,%rcx,8)
	vaddsd	40(%rdi,%rcx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 40(%rdi,%rcx,8)
	vaddsd	48(%rdi,%rcx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 48(%rdi,%rcx,8)
	vaddsd	56(%rdi,%rcx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 56(%rdi,%rcx,8)
	vaddsd	64(%rdi,%rcx,8), %xmm0, %xmm0
	vmovsd	%xmm0, 64(%rdi,%rcx,8)
	addq	$8, %rcx
	cmpq	%rcx, %rdx
	jne	.LBB0_3
# %bb.4:
	incq	%rcx
.LBB0_5:
	testq	%rax, %rax
	je	.LBB0_8
# %bb.6:
	leaq	(%rdi,%rcx,8), %rcx
	xorl	%edx, %edx
	.p2align	4, 0x90
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	vaddsd	(%rcx,%rdx,8), %xmm0, %xmm0
	vmovsd	%xmm0, (%rcx,%rdx,8)
	incq	%rdx
	cmpq	%rdx, %rax
	jne	.LBB0_7
.LBB0_8:
	retq
.Lfunc_end0:
	.size	prefix_sum, .Lfunc_end0-prefix_sum
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
