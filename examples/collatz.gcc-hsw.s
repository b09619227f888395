	.file	"collatz.c"
	.text
	.p2align 4
	.globl	collatz
	.type	collatz, @function
collatz:
	xorl	%eax, %eax
	cmpq	$1, %rdi
	je	.L6
	.p2align 4,,10
	.p2align 3
.L5:
	testb	$1, %dil
	je	.L3
	leaq	1(%rdi,%rdi,2), %rdi
	incl	%eax
	cmpq	$1, %rdi
	jne	.L5
	ret
	.p2align 4,,10
	.p2align 3
.L3:
	shrq	%rdi
	incl	%eax
	cmpq	$1, %rdi
	jne	.L5
	ret
	.p2align 4,,10
	.p2align 3
.L6:
	ret
	.size	collatz, .-collatz
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
