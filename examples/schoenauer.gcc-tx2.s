	.arch armv8.1-a+crypto+crc
	.file	"schoenauer.c"
	.text
	.align	2
	.p2align 4,,15
	.global	schoenauer
	.type	schoenauer, %function
schoenauer:
.LFB0:
	.cfi_startproc
	cmp	x4, 0
	ble	.L1
	cmp	x4, 1
	beq	.L6
	lsr	x7, x4, 1
	mov	x5, 0
	lsl	x14, x7, 4
	sub	x6, x14, #16
	lsr	x8, x6, 4
	add	x9, x8, 1
	ands	x10, x9, 7
	beq	.L4
	cmp	x10, 1
	beq	.L31
	cmp	x10, 2
	beq	.L32
	cmp	x10, 3
	beq	.L33
	cmp	x10, 4
	beq	.L34
	cmp	x10, 5
	beq	.L35
	cmp	x10, 6
	bne	.L48
.L36:
	ldr	q3, [x2, x5]
	ldr	q4, [x3, x5]
	ldr	q5, [x1, x5]
	fmla	v5.2d, v3.2d, v4.2d
	str	q5, [x0, x5]
	add	x5, x5, 16
.L35:
	ldr	q6, [x2, x5]
	ldr	q7, [x3, x5]
	ldr	q16, [x1, x5]
	fmla	v16.2d, v6.2d, v7.2d
	str	q16, [x0, x5]
	add	x5, x5, 16
.L34:
	ldr	q17, [x2, x5]
	ldr	q18, [x3, x5]
	ldr	q19, [x1, x5]
	fmla	v19.2d, v17.2d, v18.2d
	str	q19, [x0, x5]
	add	x5, x5, 16
.L33:
	ldr	q20, [x2, x5]
	ldr	q21, [x3, x5]
	ldr	q22, [x1, x5]
	fmla	v22.2d, v20.2d, v21.2d
	str	q22, [x0, x5]
	add	x5, x5, 16
.L32:
	ldr	q23, [x2, x5]
	ldr	q24, [x3, x5]
	ldr	q25, [x1, x5]
	fmla	v25.2d, v23.2d, v24.2d
	str	q25, [x0, x5]
	add	x5, x5, 16
.L31:
	ldr	q26, [x2, x5]
	ldr	q27, [x3, x5]
	ldr	q28, [x1, x5]
	fmla	v28.2d, v26.2d, v27.2d
	str	q28, [x0, x5]
	add	x5, x5, 16
	cmp	x5, x14
	beq	.L46
.L4:
	ldr	q29, [x2, x5]
	ldr	q30, [x3, x5]
	add	x15, x5, 16
	add	x13, x5, 32
	ldr	q31, [x1, x5]
	ldr	q3, [x2, x15]
	add	x12, x5, 48
	add	x11, x5, 64
	ldr	q2, [x3, x15]
	ldr	q6, [x1, x15]
	add	x16, x5, 80
	add	x17, x5, 96
	ldr	q7, [x2, x13]
	ldr	q16, [x3, x13]
	add	x18, x5, 112
	ldr	q5, [x1, x13]
	ldr	q1, [x2, x12]
	ldr	q0, [x3, x12]
	ldr	q4, [x1, x12]
	fmla	v31.2d, v29.2d, v30.2d
	ldr	q23, [x2, x11]
	ldr	q22, [x3, x11]
	fmla	v6.2d, v3.2d, v2.2d
	ldr	q24, [x1, x11]
	ldr	q21, [x2, x16]
	ldr	q20, [x3, x16]
	ldr	q25, [x1, x16]
	fmla	v5.2d, v7.2d, v16.2d
	ldr	q19, [x2, x17]
	ldr	q18, [x3, x17]
	fmla	v4.2d, v1.2d, v0.2d
	ldr	q26, [x1, x17]
	ldr	q17, [x2, x18]
	ldr	q27, [x3, x18]
	ldr	q28, [x1, x18]
	fmla	v24.2d, v23.2d, v22.2d
	fmla	v25.2d, v21.2d, v20.2d
	str	q31, [x0, x5]
	add	x5, x5, 128
	str	q6, [x0, x15]
	fmla	v26.2d, v19.2d, v18.2d
	str	q5, [x0, x13]
	fmla	v28.2d, v17.2d, v27.2d
	str	q4, [x0, x12]
	str	q24, [x0, x11]
	str	q25, [x0, x16]
	str	q26, [x0, x17]
	str	q28, [x0, x18]
	cmp	x5, x14
	bne	.L4
.L46:
	tbz	x4, 0, .L1
	and	x4, x4, -2
.L3:
	lsl	x4, x4, 3
	ldr	d29, [x3, x4]
	ldr	d30, [x2, x4]
	ldr	d31, [x1, x4]
	fmadd	d3, d29, d30, d31
	str	d3, [x0, x4]
.L1:
	ret
	.p2align 3,,7
.L48:
	ldr	q0, [x1]
	ldr	q2, [x2]
	mov	x5, 16
	ldr	q1, [x3]
	fmla	v0.2d, v2.2d, v1.2d
	str	q0, [x0]
	b	.L36
.L6:
	mov	x4, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	schoenauer, .-schoenauer
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
