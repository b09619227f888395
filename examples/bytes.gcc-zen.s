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
	addq	$8, %rsp
	incq	%rax
	ret
	.p2align 4
	.p2align 3
.L3:
	xorl	%eax, %eax
	ret
	.size	length, .-length
	.p2align 4
	.globl	copy_bytes
	.type	copy_bytes, @function
copy_bytes:
	movq	%rsi, %rcx
	testq	%rdx, %rdx
	je	.L51
	movq	%rdx, %rsi
	xorl	%r9d, %r9d
	andl	$7, %esi
	je	.L11
	cmpq	$1, %rsi
	je	.L36
	cmpq	$2, %rsi
	je	.L37
	cmpq	$3, %rsi
	je	.L38
	cmpq	$4, %rsi
	je	.L39
	cmpq	$5, %rsi
	je	.L40
	cmpq	$6, %rsi
	jne	.L52
.L41:
	movzbl	(%rcx,%r9), %r8d
	leaq	(%rdi,%r9), %r10
	incq	%r9
	movb	%r8b, (%r10)
.L40:
	movzbl	(%rcx,%r9), %esi
	leaq	(%rdi,%r9), %r11
	incq	%r9
	movb	%sil, (%r11)
.L39:
	movzbl	(%rcx,%r9), %r10d
	leaq	(%rdi,%r9), %rax
	incq	%r9
	movb	%r10b, (%rax)
.L38:
	movzbl	(%rcx,%r9), %r8d
	leaq	(%rdi,%r9), %r11
	incq	%r9
	movb	%r8b, (%r11)
.L37:
	movzbl	(%rcx,%r9), %eax
	leaq	(%rdi,%r9), %rsi
	incq	%r9
	movb	%al, (%rsi)
.L36:
	movzbl	(%rcx,%r9), %r11d
	leaq	(%rdi,%r9), %r10
	incq	%r9
	movb	%r11b, (%r10)
	cmpq	%r9, %rdx
	je	.L53
.L11:
	movzbl	(%rcx,%r9), %r8d
	leaq	(%rdi,%r9), %rsi
	leaq	1(%rdi,%r9), %rax
	leaq	2(%rdi,%r9), %r11
	movb	%r8b, (%rsi)
	movzbl	1(%rcx,%r9), %r10d
	movb	%r10b, (%rax)
	movzbl	2(%rcx,%r9), %esi
	leaq	3(%rdi,%r9), %rax
	leaq	4(%rdi,%r9), %r10
	movb	%sil, (%r11)
	movzbl	3(%rcx,%r9), %r8d
	leaq	5(%rdi,%r9), %rsi
	movb	%r8b, (%rax)
	movzbl	4(%rcx,%r9), %r11d
	movb	%r11b, (%r10)
	movzbl	5(%rcx,%r9), %eax
	leaq	6(%rdi,%r9), %r10
	leaq	7(%rdi,%r9), %r11
	movb	%al, (%rsi)
	movzbl	6(%rcx,%r9), %r8d
	movb	%r8b, (%r10)
	movzbl	7(%rcx,%r9), %esi
	addq	$8, %r9
	movb	%sil, (%r11)
	cmpq	%r9, %rdx
	jne	.L11
.L51:
	ret
	.p2align 4
	.p2align 3
.L52:
	movzbl	(%rcx), %eax
	movl	$1, %r9d
	movb	%al, (%rdi)
	jmp	.L41
.L53:
	ret
	.size	copy_bytes, .-copy_bytes
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
