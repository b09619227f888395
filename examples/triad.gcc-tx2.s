	.arch armv8.1-a+crypto+crc
	.file	"triad.c"
	.text
	.align	2
	.p2align 4,,15
	.global	triad
	.type	triad, %function
triad:
.LFB0:
	.cfi_startproc
	fmov	d2, d0
	mov	x6, x3
	cmp	x3, 0
	ble	.L1
	cmp	x3, 1
	beq	.L6
	lsr	x5, x3, 1
	dup	v0.2d, v0.d[0]
	mov	x4, 0
	lsl	x13, x5, 4
	sub	x7, x13, #16
	lsr	x8, x7, 4
	add	x9, x8, 1
	ands	x10, x9, 7
	beq	.L4
	cmp	x10, 1
	beq	.L29
	cmp	x10, 2
	beq	.L30
	cmp	x10, 3
	beq	.L31
	cmp	x10, 4
	beq	.L32
	cmp	x10, 5
	beq	.L33
	cmp	x10, 6
	bne	.L45
.L34:
	ldr	q4, [x2, x4]
	ldr	q5, [x1, x4]
	fmla	v5.2d, v4.2d, v0.2d
	str	q5, [x0, x4]
	add	x4, x4, 16
.L33:
	ldr	q6, [x2, x4]
	ldr	q7, [x1, x4]
	fmla	v7.2d, v6.2d, v0.2d
	str	q7, [x0, x4]
	add	x4, x4, 16
.L32:
	ldr	q16, [x2, x4]
	ldr	q17, [x1, x4]
	fmla	v17.2d, v16.2d, v0.2d
	str	q17, [x0, x4]
	add	x4, x4, 16
.L31:
	ldr	q18, [x2, x4]
	ldr	q19, [x1, x4]
	fmla	v19.2d, v18.2d, v0.2d
	str	q19, [x0, x4]
	add	x4, x4, 16
.L30:
	ldr	q20, [x2, x4]
	ldr	q21, [x1, x4]
	fmla	v21.2d, v20.2d, v0.2d
	str	q21, [x0, x4]
	add	x4, x4, 16
.L29:
	ldr	q22, [x2, x4]
	ldr	q23, [x1, x4]
	fmla	v23.2d, v22.2d, v0.2d
	str	q23, [x0, x4]
	add	x4, x4, 16
	cmp	x4, x13
	beq	.L43
.L4:
	ldr	q24, [x2, x4]
	ldr	q25, [x1, x4]
	add	x14, x4, 16
	add	x12, x4, 32
	ldr	q26, [x2, x14]
	ldr	q27, [x1, x14]
	add	x11, x4, 48
	add	x15, x4, 64
	ldr	q28, [x2, x12]
	ldr	q29, [x1, x12]
	add	x16, x4, 80
	add	x17, x4, 96
	ldr	q30, [x2, x11]
	ldr	q31, [x1, x11]
	add	x18, x4, 112
	ldr	q6, [x2, x15]
	ldr	q5, [x1, x15]
	fmla	v25.2d, v24.2d, v0.2d
	ldr	q7, [x2, x16]
	ldr	q4, [x1, x16]
	fmla	v27.2d, v26.2d, v0.2d
	ldr	q16, [x2, x17]
	ldr	q3, [x1, x17]
	fmla	v29.2d, v28.2d, v0.2d
	ldr	q17, [x2, x18]
	ldr	q1, [x1, x18]
	fmla	v31.2d, v30.2d, v0.2d
	fmla	v5.2d, v6.2d, v0.2d
	fmla	v4.2d, v7.2d, v0.2d
	fmla	v3.2d, v16.2d, v0.2d
	str	q25, [x0, x4]
	add	x4, x4, 128
	fmla	v1.2d, v17.2d, v0.2d
	str	q27, [x0, x14]
	str	q29, [x0, x12]
	str	q31, [x0, x11]
	str	q5, [x0, x15]
	str	q4, [x0, x16]
	str	q3, [x0, x17]
	str	q1, [x0, x18]
	cmp	x4, x13
	bne	.L4
.L43:
	and	x3, x6, -2
	tbz	x6, 0, .L1
.L3:
	lsl	x6, x3, 3
	ldr	d18, [x2, x6]
	ldr	d0, [x1, x6]
	fmadd	d2, d2, d18, d0
	str	d2, [x0, x6]
.L1:
	ret
	.p2align 3,,7
.L45:
	ldr	q1, [x1]
	ldr	q3, [x2]
	mov	x4, 16
	fmla	v1.2d, v3.2d, v0.2d
	str	q1, [x0]
	b	.L34
.L6:
	mov	x3, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	triad, .-triad
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
