	.text
	.file	"fib_array.c"
	.globl	fib_array                       # -- Begin function fib_array
	.p2align	4, 0x90
	.type	fib_array,@function
fib_array:                              # @fib_array
# %bb.0:
	cmpq	$3, %rsi
	jl	.LBB0_8
# %bb.1:
	movq	8(%rdi), %rax
	leaq	-2(%rsi), %r8
	addq	$-3, %rsi
	movl	$2, %edx
	movl	%r8d, %ecx
	andl	$7, %ecx
	cmpq	$7, %rsi
	jb	.LBB0_5
# %bb.2:
	andq	$-8, %r8
	xorl	%edx, %edx
	.p2align	4, 0x90
.LBB0_3:                                # =>This Inner Loop Header: Depth=1
	addq	(%rdi,%rdx,8), %rax
	movq	%rax, 16(%rdi,%rdx,8)
	movq	8(%rdi,%rdx,8), %rsi
	addq	%rax, %rsi
	addq	%rsi, %rax
	movq	%rsi, 24(%rdi,%rdx,8)
	addq	%rax, %rsi
	movq	%rax, 32(%rdi,%rdx,8)
	addq	%rsi, %rax
	movq	%rsi, 40(%rdi,%rdx,8)
	addq	%rax, %rsi
	movq	%rax, 48(%rdi,%rdx,8)
	addq	%rsi, %rax
	movq	%rsi, 56(%rdi,%rdx,8)
	movq	%rax, 64(%rdi,%rdx,8)
	addq	%rsi, %rax
	movq	%rax, 72(%rdi,%rdx,8)
	addq	$8, %rdx
	cmpq	%rdx, %r8
	jne	.LBB0_3
# %bb.4:
	addq	$2, %rdx
.LBB0_5:
	testq	%rcx, %rcx
	je	.LBB0_8
# %bb.6:
	leaq	(%rdi,%rdx,8), %rdx
	xorl	%esi, %esi
	.p2align	4, 0x90
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	addq	-16(%rdx,%rsi,8), %rax
	movq	%rax, (%rdx,%rsi,8)
	incq	%rsi
	cmpq	%rsi, %rcx
	jne	.LBB0_7
.LBB0_8:
	retq
.Lfunc_end0:
	.size	fib_array, .Lfunc_end0-fib_array
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
