	.arch armv8.1-a+crypto+crc
	.file	"bytes.c"
	.text
	.align	2
	.p2align 4,,15
	.global	length
	.type	length, %function
length:
.LFB0:
	.cfi_startproc
	ldrb	w1, [x0]
	cbz	w1, .L3
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	add	x0, x0, 1
	mov	x29, sp
	bl	strlen
	add	x0, x0, 1
	ldp	x29, x30, [sp], 16
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.p2align 3,,7
.L3:
	mov	x0, 0
	ret
	.cfi_endproc
.LFE0:
	.size	length, .-length
	.align	2
	.p2align 4,,15
	.global	copy_bytes
	.type	copy_bytes, %function
copy_bytes:
.LFB1:
	.cfi_startproc
	cbz	x2, .L9
	add	x4, x1, x2
	ands	x2, x2, 7
	beq	.L11
	cmp	x2, 1
	beq	.L36
	cmp	x2, 2
	beq	.L37
	cmp	x2, 3
	beq	.L38
	cmp	x2, 4
	beq	.L39
	cmp	x2, 5
	beq	.L40
	cmp	x2, 6
	bne	.L51
.L41:
	ldrb	w5, [x1], 1
	strb	w5, [x0], 1
.L40:
	ldrb	w6, [x1], 1
	strb	w6, [x0], 1
.L39:
	ldrb	w7, [x1], 1
	strb	w7, [x0], 1
.L38:
	ldrb	w8, [x1], 1
	strb	w8, [x0], 1
.L37:
	ldrb	w9, [x1], 1
	strb	w9, [x0], 1
.L36:
	ldrb	w10, [x1], 1
	strb	w10, [x0], 1
	cmp	x1, x4
	beq	.L9
.L11:
	mov	x11, x1
	ldrb	w12, [x11], 1
	mov	x13, x0
	add	x1, x1, 8
	add	x0, x0, 8
	strb	w12, [x13], 1
	ldrb	w14, [x1, -7]
	strb	w14, [x0, -7]
	ldrb	w15, [x11, 1]
	strb	w15, [x13, 1]
	ldrb	w16, [x1, -5]
	strb	w16, [x0, -5]
	ldrb	w17, [x1, -4]
	strb	w17, [x0, -4]
	ldrb	w18, [x1, -3]
	strb	w18, [x0, -3]
	ldrb	w2, [x1, -2]
	strb	w2, [x0, -2]
	ldrb	w3, [x1, -1]
	strb	w3, [x0, -1]
	cmp	x1, x4
	bne	.L11
.L9:
	ret
	.p2align 3,,7
.L51:
	ldrb	w3, [x1], 1
	strb	w3, [x0], 1
	b	.L41
	.cfi_endproc
.LFE1:
	.size	copy_bytes, .-copy_bytes
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
