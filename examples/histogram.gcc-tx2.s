	.arch armv8.1-a+crypto+crc
	.file	"histogram.c"
	.text
	.align	2
	.p2align 4,,15
	.global	histogram
	.type	histogram, %function
histogram:
.LFB0:
	.cfi_startproc
	cmp	x2, 0
	ble	.L1
	add	x10, x1, x2
	ands	x2, x2, 7
	beq	.L3
	cmp	x2, 1
	beq	.L26
	cmp	x2, 2
	beq	.L27
	cmp	x2, 3
	beq	.L28
	cmp	x2, 4
	beq	.L29
	cmp	x2, 5
	beq	.L30
	cmp	x2, 6
	bne	.L42
.L31:
	ldrb	w7, [x1], 1
	add	x8, x0, x7, lsl 2
	ldr	w9, [x8]
	add	w11, w9, 1
	str	w11, [x8]
.L30:
	ldrb	w12, [x1], 1
	add	x13, x0, x12, lsl 2
	ldr	w14, [x13]
	add	w15, w14, 1
	str	w15, [x13]
.L29:
	ldrb	w16, [x1], 1
	add	x17, x0, x16, lsl 2
	ldr	w18, [x17]
	add	w2, w18, 1
	str	w2, [x17]
.L28:
	ldrb	w3, [x1], 1
	add	x4, x0, x3, lsl 2
	ldr	w5, [x4]
	add	w6, w5, 1
	str	w6, [x4]
.L27:
	ldrb	w7, [x1], 1
	add	x8, x0, x7, lsl 2
	ldr	w9, [x8]
	add	w11, w9, 1
	str	w11, [x8]
.L26:
	ldrb	w12, [x1], 1
	add	x13, x0, x12, lsl 2
	ldr	w14, [x13]
	add	w15, w14, 1
	str	w15, [x13]
	cmp	x10, x1
	beq	.L1
.L3:
	mov	x16, x1
	ldrb	w17, [x16], 1
	ldrb	w18, [x1, 1]
	add	x1, x1, 8
	ldrb	w6, [x1, -5]
	ldrb	w5, [x1, -4]
	ldrb	w4, [x1, -3]
	ldrb	w3, [x1, -2]
	ldrb	w2, [x1, -1]
	add	x9, x0, x17, lsl 2
	add	x8, x0, x18, lsl 2
	ldrb	w7, [x16, 1]
	add	x12, x0, x6, lsl 2
	ldr	w11, [x9]
	add	x14, x0, x5, lsl 2
	add	x15, x0, x4, lsl 2
	add	x16, x0, x3, lsl 2
	add	x17, x0, x7, lsl 2
	add	x13, x0, x2, lsl 2
	add	w18, w11, 1
	str	w18, [x9]
	ldr	w6, [x8]
	add	w5, w6, 1
	str	w5, [x8]
	ldr	w4, [x17]
	add	w3, w4, 1
	str	w3, [x17]
	ldr	w2, [x12]
	add	w9, w2, 1
	str	w9, [x12]
	ldr	w8, [x14]
	add	w7, w8, 1
	str	w7, [x14]
	ldr	w12, [x15]
	add	w14, w12, 1
	str	w14, [x15]
	ldr	w15, [x16]
	add	w17, w15, 1
	str	w17, [x16]
	ldr	w14, [x13]
	add	w15, w14, 1
	str	w15, [x13]
	cmp	x10, x1
	bne	.L3
.L1:
	ret
	.p2align 3,,7
.L42:
	ldrb	w3, [x1], 1
	add	x4, x0, x3, lsl 2
	ldr	w5, [x4]
	add	w6, w5, 1
	str	w6, [x4]
	b	.L31
	.cfi_endproc
.LFE0:
	.size	histogram, .-histogram
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
