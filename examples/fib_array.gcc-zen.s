	.file	"fib_array.c"
	.text
	.p2align 4
	.globl	fib_array
	.type	fib_array, @function
fib_array:
	movq	%rdi, %rax
	movq	%rsi, %rdi
	cmpq	$2, %rsi
	jle	.L81
	cmpq	$4, %rsi
	jle	.L6
	leaq	-5(%rsi), %r9
	movq	(%rax), %rcx
	movq	8(%rax), %rdx
	movl	$2, %esi
	andq	$-2, %r9
	leaq	4(%r9), %r8
	shrq	%r9
	incq	%r9
	andl	$7, %r9d
	je	.L4
	cmpq	$1, %r9
	je	.L52
	cmpq	$2, %r9
	je	.L53
	cmpq	$3, %r9
	je	.L54
	cmpq	$4, %r9
	je	.L55
	cmpq	$5, %r9
	je	.L56
	cmpq	$6, %r9
	jne	.L83
.L57:
	addq	%rdx, %rcx
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm6
	vpinsrq	$1, %rdx, %xmm6, %xmm1
	vmovdqu	%xmm1, (%rax,%rsi,8)
	addq	$2, %rsi
.L56:
	addq	%rdx, %rcx
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm5
	vpinsrq	$1, %rdx, %xmm5, %xmm2
	vmovdqu	%xmm2, (%rax,%rsi,8)
	addq	$2, %rsi
.L55:
	addq	%rdx, %rcx
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm4
	vpinsrq	$1, %rdx, %xmm4, %xmm3
	vmovdqu	%xmm3, (%rax,%rsi,8)
	addq	$2, %rsi
.L54:
	addq	%rdx, %rcx
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm8
	vpinsrq	$1, %rdx, %xmm8, %xmm9
	vmovdqu	%xmm9, (%rax,%rsi,8)
	addq	$2, %rsi
.L53:
	addq	%rdx, %rcx
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm10
	vpinsrq	$1, %rdx, %xmm10, %xmm11
	vmovdqu	%xmm11, (%rax,%rsi,8)
	addq	$2, %rsi
.L52:
	addq	%rdx, %rcx
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm12
	vpinsrq	$1, %rdx, %xmm12, %xmm13
	vmovdqu	%xmm13, (%rax,%rsi,8)
	addq	$2, %rsi
	cmpq	%r8, %rsi
	je	.L80
.L4:
	addq	%rdx, %rcx
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm14
	addq	%rdx, %rcx
	vpinsrq	$1, %rdx, %xmm14, %xmm15
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm7
	vmovdqu	%xmm15, (%rax,%rsi,8)
	addq	%rdx, %rcx
	vpinsrq	$1, %rdx, %xmm7, %xmm0
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm6
	vmovdqu	%xmm0, 16(%rax,%rsi,8)
	addq	%rdx, %rcx
	vpinsrq	$1, %rdx, %xmm6, %xmm1
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm5
	vmovdqu	%xmm1, 32(%rax,%rsi,8)
	addq	%rdx, %rcx
	vpinsrq	$1, %rdx, %xmm5, %xmm2
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm4
	vmovdqu	%xmm2, 48(%rax,%rsi,8)
	addq	%rdx, %rcx
	vpinsrq	$1, %rdx, %xmm4, %xmm3
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm8
	vmovdqu	%xmm3, 64(%rax,%rsi,8)
	addq	%rdx, %rcx
	vpinsrq	$1, %rdx, %xmm8, %xmm9
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm10
	vmovdqu	%xmm9, 80(%rax,%rsi,8)
	addq	%rdx, %rcx
	vpinsrq	$1, %rdx, %xmm10, %xmm11
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm12
	vmovdqu	%xmm11, 96(%rax,%rsi,8)
	vpinsrq	$1, %rdx, %xmm12, %xmm13
	vmovdqu	%xmm13, 112(%rax,%rsi,8)
	addq	$16, %rsi
	cmpq	%r8, %rsi
	jne	.L4
	.p2align 4
	.p2align 3
.L80:
	movq	-8(%rax,%r8,8), %r11
	addq	-16(%rax,%r8,8), %r11
	movq	%r8, %r10
	leaq	1(%r8), %rdx
	notq	%r10
	addq	%rdi, %r10
	andl	$7, %r10d
	movq	%r11, (%rax,%r8,8)
	cmpq	%rdx, %rdi
	jle	.L84
	testq	%r10, %r10
	je	.L5
	cmpq	$1, %r10
	je	.L59
	cmpq	$2, %r10
	je	.L60
	cmpq	$3, %r10
	je	.L61
	cmpq	$4, %r10
	je	.L62
	cmpq	$5, %r10
	je	.L63
	cmpq	$6, %r10
	je	.L64
	movq	-8(%rax,%rdx,8), %rcx
	addq	-16(%rax,%rdx,8), %rcx
	movq	%rcx, (%rax,%rdx,8)
	leaq	2(%r8), %rdx
.L64:
	movq	-8(%rax,%rdx,8), %r9
	addq	-16(%rax,%rdx,8), %r9
	movq	%r9, (%rax,%rdx,8)
	incq	%rdx
.L63:
	movq	-8(%rax,%rdx,8), %rsi
	addq	-16(%rax,%rdx,8), %rsi
	movq	%rsi, (%rax,%rdx,8)
	incq	%rdx
.L62:
	movq	-8(%rax,%rdx,8), %r8
	addq	-16(%rax,%rdx,8), %r8
	movq	%r8, (%rax,%rdx,8)
	incq	%rdx
.L61:
	movq	-8(%rax,%rdx,8), %r10
	addq	-16(%rax,%rdx,8), %r10
	movq	%r10, (%rax,%rdx,8)
	incq	%rdx
.L60:
	movq	-8(%rax,%rdx,8), %r11
	addq	-16(%rax,%rdx,8), %r11
	movq	%r11, (%rax,%rdx,8)
	incq	%rdx
.L59:
	movq	-8(%rax,%rdx,8), %rcx
	addq	-16(%rax,%rdx,8), %rcx
	movq	%rcx, (%rax,%rdx,8)
	incq	%rdx
	cmpq	%rdx, %rdi
	jle	.L85
	.p2align 4
	.p2align 3
.L5:
	movq	-8(%rax,%rdx,8), %r9
	addq	-16(%rax,%rdx,8), %r9
	leaq	1(%rdx), %r8
	leaq	2(%rdx), %r10
	leaq	3(%rdx), %rcx
	movq	%r9, (%rax,%rdx,8)
	movq	-8(%rax,%r8,8), %rsi
	addq	-16(%rax,%r8,8), %rsi
	movq	%rsi, (%rax,%r8,8)
	movq	-8(%rax,%r10,8), %r11
	addq	-16(%rax,%r10,8), %r11
	leaq	4(%rdx), %r8
	movq	%r11, (%rax,%r10,8)
	movq	-8(%rax,%rcx,8), %r9
	addq	-16(%rax,%rcx,8), %r9
	leaq	5(%rdx), %r10
	movq	%r9, (%rax,%rcx,8)
	movq	-8(%rax,%r8,8), %rsi
	addq	-16(%rax,%r8,8), %rsi
	leaq	6(%rdx), %rcx
	movq	%rsi, (%rax,%r8,8)
	movq	-8(%rax,%r10,8), %r11
	addq	-16(%rax,%r10,8), %r11
	leaq	7(%rdx), %r8
	addq	$8, %rdx
	movq	%r11, (%rax,%r10,8)
	movq	-8(%rax,%rcx,8), %r9
	addq	-16(%rax,%rcx,8), %r9
	movq	%r9, (%rax,%rcx,8)
	movq	-8(%rax,%r8,8), %rsi
	addq	-16(%rax,%r8,8), %rsi
	movq	%rsi, (%rax,%r8,8)
	cmpq	%rdx, %rdi
	jg	.L5
.L81:
	ret
	.p2align 4
	.p2align 3
.L83:
	addq	%rdx, %rcx
	movl	$4, %esi
	addq	%rcx, %rdx
	vmovq	%rcx, %xmm7
	vpinsrq	$1, %rdx, %xmm7, %xmm0
	vmovdqu	%xmm0, 16(%rax)
	jmp	.L57
.L6:
	movl	$2, %r8d
	jmp	.L80
.L84:
	ret
.L85:
	ret
	.size	fib_array, .-fib_array
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
