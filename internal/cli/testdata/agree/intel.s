# Intel syntax, a branch and a call in the loop, an unknown mnemonic near a known one, the stack.
	.intel_syntax noprefix
	.text
f:
.L3:
	push	rax
	mov	rcx, QWORD PTR [rdi]
	test	rcx, rcx
	je	.L5
	call	g
	adddd	rcx, rax
.L5:
	pop	rax
	add	rdi, 8
	cmp	rdi, rsi
	jne	.L3
	ret
