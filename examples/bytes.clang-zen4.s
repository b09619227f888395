	.text
	.file	"bytes.c"
	.globl	length                          # -- Begin function length
	.p2align	4, 0x90
	.type	length,@function
length:                                 # @length
# %bb.0:
	movq	$-1, %rax
	.p2align	4, 0x90
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	cmpb	$0, 1(%rdi,%rax)
	leaq	1(%rax), %rax
	jne	.LBB0_1
# %bb.2:
	retq
.Lfunc_end0:
	.size	length, .Lfunc_end0-length
                                        # -- End function
	.globl	copy_bytes                      # -- Begin function copy_bytes
	.p2align	4, 0x90
	.type	copy_bytes,@function
copy_bytes:                             # @copy_bytes
# %bb.0:
	testq	%rdx, %rdx
	je	.LBB1_6
# %bb.1:
	movl	%edx, %eax
	andl	$7, %eax
	cmpq	$8, %rdx
	jae	.LBB1_7
# %bb.2:
	xorl	%ecx, %ecx
	jmp	.LBB1_3
.LBB1_7:
	andq	$-8, %rdx
	xorl	%ecx, %ecx
	.p2align	4, 0x90
.LBB1_8:                                # =>This Inner Loop Header: Depth=1
	movzbl	(%rsi,%rcx), %r8d
	movb	%r8b, (%rdi,%rcx)
	movzbl	1(%rsi,%rcx), %r8d
	movb	%r8b, 1(%rdi,%rcx)
	movzbl	2(%rsi,%rcx), %r8d
	movb	%r8b, 2(%rdi,%rcx)
	movzbl	3(%rsi,%rcx), %r8d
	movb	%r8b, 3(%rdi,%rcx)
	movzbl	4(%rsi,%rcx), %r8d
	movb	%r8b, 4(%rdi,%rcx)
	movzbl	5(%rsi,%rcx), %r8d
	movb	%r8b, 5(%rdi,%rcx)
	movzbl	6(%rsi,%rcx), %r8d
	movb	%r8b, 6(%rdi,%rcx)
	movzbl	7(%rsi,%rcx), %r8d
	movb	%r8b, 7(%rdi,%rcx)
	addq	$8, %rcx
	cmpq	%rcx, %rdx
	jne	.LBB1_8
.LBB1_3:
	testq	%rax, %rax
	je	.LBB1_6
# %bb.4:
	addq	%rcx, %rdi
	addq	%rcx, %rsi
	xorl	%ecx, %ecx
	.p2align	4, 0x90
.LBB1_5:                                # =>This Inner Loop Header: Depth=1
	movzbl	(%rsi,%rcx), %edx
	movb	%dl, (%rdi,%rcx)
	incq	%rcx
	cmpq	%rcx, %rax
	jne	.LBB1_5
.LBB1_6:
	retq
.Lfunc_end1:
	.size	copy_bytes, .Lfunc_end1-copy_bytes
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
