	.text
	.file	"collatz.c"
	.globl	collatz                         # -- Begin function collatz
	.p2align	4, 0x90
	.type	collatz,@function
collatz:                                # @collatz
# %bb.0:
	xorl	%eax, %eax
	cmpq	$1, %rdi
	je	.LBB0_3
# %bb.1:
	xorl	%eax, %eax
	movq	%rdi, %rcx
	.p2align	4, 0x90
.LBB0_2:                                # =>This Inner Loop Header: Depth=1
	leaq	1(%rdi,%rdi,2), %rdx
	shrq	%rcx
	testb	$1, %dil
	cmovneq	%rdx, %rcx
	incl	%eax
	movq	%rcx, %rdi
	cmpq	$1, %rcx
	jne	.LBB0_2
.LBB0_3:
	retq
.Lfunc_end0:
	.size	collatz, .Lfunc_end0-collatz
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
