	.file	"fib_array.c"
	.text
	.p2align 4
	.globl	fib_array
	.type	fib_array, @function
fib_array:
	cmpq	$2, %rsi
	jle	.L9
	cmpq	$4, %rsi
	jle	.L6
	leaq	-5(%rsi), %rax
	andq	$-2, %rax
	movq	(%rdi), %r8
	movq	8(%rdi), %rcx
	addq	$4, %rax
	movl	$2, %edx
.L4:
	addq	%rcx, %r8
	addq	%r8, %rcx
	movq	%r8, (%rdi,%rdx,8)
	movq	%rcx, 8(%rdi,%rdx,8)
	addq	$2, %rdx
	cmpq	%rax, %rdx
	jne	.L4
	.p2align 4,,10
	.p2align 3
.L5:
	movq	-8(%rdi,%rax,8), %rdx
	addq	-16(%rdi,%rax,8), %rdx
	movq	%rdx, (%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rsi
	jg	.L5
.L9:
	ret
.L6:
	movl	$2, %eax
	jmp	.L5
	.size	fib_array, .-fib_array
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
