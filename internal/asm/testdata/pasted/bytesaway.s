want: f:line_4 f:g | addq $1, %rax; movq %rax, (%rdi,%rcx,8); decq %rcx; jnz f+1
	.text
f:
	nop
	addq	$1, %rax
	movq	%rax, (%rdi,%rcx,8)
	decq	%rcx
	jnz	f+1
	ret
g:
	addl	$2, %eax
	decl	%ecx
	jne	.-5
	jmp	.+2
	ret
