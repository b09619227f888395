# Intel syntax, a branch and a call in the loop, an unknown mnemonic near a known one, the stack.
	.intel_syntax noprefix
	.text
f:
.L3:
	push	rax
	mov	rcx, QWORD PTR [rdi]
	test	rcx, rcx
	je	.L5
	inc	rcx
.L5:
	call	g
	adddd	rcx, rax
	pop	rax
	add	rdi, 8
	cmp	rdi, rsi
	jne	.L3
	ret
