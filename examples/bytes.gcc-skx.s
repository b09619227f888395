	.file	"bytes.c"
	.text
	.p2align 4
	.globl	length
	.type	length, @function
length:
	cmpb	$0, (%rdi)
	je	.L3
	subq	$8, %rsp
	incq	%rdi
	call	strlen@PLT
	incq	%rax
	addq	$8, %rsp
	ret
	.p2align 4,,10
	.p2align 3
.L3:
	xorl	%eax, %eax
	ret
	.size	length, .-length
	.p2align 4
	.globl	copy_bytes
	.type	copy_bytes, @function
copy_bytes:
	testq	%rdx, %rdx
	je	.L16
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L11:
	movzbl	(%rsi,%rax), %r8d
	leaq	(%rdi,%rax), %rcx
	incq	%rax
	movb	%r8b, (%rcx)
	cmpq	%rax, %rdx
	jne	.L11
.L16:
	ret
	.size	copy_bytes, .-copy_bytes
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
