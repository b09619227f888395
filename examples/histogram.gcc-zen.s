	.file	"histogram.c"
	.text
	.p2align 4
	.globl	histogram
	.type	histogram, @function
histogram:
	movq	%rdi, %rax
	testq	%rdx, %rdx
	jle	.L40
	leaq	(%rsi,%rdx), %rcx
	andl	$7, %edx
	je	.L3
	cmpq	$1, %rdx
	je	.L26
	cmpq	$2, %rdx
	je	.L27
	cmpq	$3, %rdx
	je	.L28
	cmpq	$4, %rdx
	je	.L29
	cmpq	$5, %rdx
	je	.L30
	cmpq	$6, %rdx
	jne	.L42
.L31:
	movzbl	(%rsi), %edi
	incq	%rsi
	incl	(%rax,%rdi,4)
.L30:
	movzbl	(%rsi), %r8d
	incq	%rsi
	incl	(%rax,%r8,4)
.L29:
	movzbl	(%rsi), %r9d
	incq	%rsi
	incl	(%rax,%r9,4)
.L28:
	movzbl	(%rsi), %r10d
	incq	%rsi
	incl	(%rax,%r10,4)
.L27:
	movzbl	(%rsi), %r11d
	incq	%rsi
	incl	(%rax,%r11,4)
.L26:
	movzbl	(%rsi), %edx
	incq	%rsi
	incl	(%rax,%rdx,4)
	cmpq	%rcx, %rsi
	je	.L43
.L3:
	movzbl	(%rsi), %edi
	movzbl	1(%rsi), %r8d
	addq	$8, %rsi
	movzbl	-6(%rsi), %r9d
	movzbl	-5(%rsi), %r10d
	movzbl	-4(%rsi), %r11d
	movzbl	-3(%rsi), %edx
	incl	(%rax,%rdi,4)
	movzbl	-2(%rsi), %edi
	incl	(%rax,%r8,4)
	movzbl	-1(%rsi), %r8d
	incl	(%rax,%r9,4)
	incl	(%rax,%r10,4)
	incl	(%rax,%r11,4)
	incl	(%rax,%rdx,4)
	incl	(%rax,%rdi,4)
	incl	(%rax,%r8,4)
	cmpq	%rcx, %rsi
	jne	.L3
.L40:
	ret
	.p2align 4
	.p2align 3
.L42:
	movzbl	(%rsi), %edx
	incq	%rsi
	incl	(%rdi,%rdx,4)
	jmp	.L31
.L43:
	ret
	.size	histogram, .-histogram
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
