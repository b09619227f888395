	.arch armv8.1-a+crypto+crc
	.file	"daxpy.c"
	.text
	.align	2
	.p2align 4,,15
	.global	daxpy
	.type	daxpy, %function
daxpy:
.LFB0:
	.cfi_startproc
	fmov	d2, d0
	mov	x6, x2
	cmp	x2, 0
	ble	.L1
	cmp	x2, 1
	beq	.L6
	lsr	x7, x2, 1
	dup	v0.2d, v0.d[0]
	mov	x3, x0
	mov	x4, x1
	lsl	x5, x7, 4
	add	x8, x0, x7, lsl 4
	sub	x9, x5, #16
	lsr	x10, x9, 4
	add	x11, x10, 1
	ands	x12, x11, 7
	beq	.L4
	cmp	x12, 1
	beq	.L29
	cmp	x12, 2
	beq	.L30
	cmp	x12, 3
	beq	.L31
	cmp	x12, 4
	beq	.L32
	cmp	x12, 5
	beq	.L33
	cmp	x12, 6
	bne	.L45
.L34:
	ldr	q5, [x3]
	ldr	q4, [x4], 16
	fmla	v5.2d, v4.2d, v0.2d
	str	q5, [x3], 16
.L33:
	ldr	q7, [x3]
	ldr	q6, [x4], 16
	fmla	v7.2d, v6.2d, v0.2d
	str	q7, [x3], 16
.L32:
	ldr	q17, [x3]
	ldr	q16, [x4], 16
	fmla	v17.2d, v16.2d, v0.2d
	str	q17, [x3], 16
.L31:
	ldr	q19, [x3]
	ldr	q18, [x4], 16
	fmla	v19.2d, v18.2d, v0.2d
	str	q19, [x3], 16
.L30:
	ldr	q21, [x3]
	ldr	q20, [x4], 16
	fmla	v21.2d, v20.2d, v0.2d
	str	q21, [x3], 16
.L29:
	ldr	q23, [x3]
	ldr	q22, [x4], 16
	fmla	v23.2d, v22.2d, v0.2d
	str	q23, [x3], 16
	cmp	x8, x3
	beq	.L43
.L4:
	ldr	q25, [x3]
	mov	x13, x4
	ldr	q24, [x13], 16
	mov	x14, x3
	ldr	q27, [x4, 16]
	ldp	q28, q29, [x4, 48]
	ldp	q30, q31, [x4, 80]
	ldr	q7, [x4, 112]
	add	x4, x4, 128
	fmla	v25.2d, v24.2d, v0.2d
	ldr	q3, [x13, 16]
	str	q25, [x14], 16
	ldr	q26, [x3, 16]
	fmla	v26.2d, v27.2d, v0.2d
	str	q26, [x3, 16]
	ldr	q1, [x14, 16]
	fmla	v1.2d, v3.2d, v0.2d
	str	q1, [x14, 16]
	ldp	q6, q5, [x3, 48]
	ldp	q4, q16, [x3, 80]
	ldr	q17, [x3, 112]
	fmla	v17.2d, v7.2d, v0.2d
	fmla	v6.2d, v28.2d, v0.2d
	fmla	v5.2d, v29.2d, v0.2d
	fmla	v4.2d, v30.2d, v0.2d
	fmla	v16.2d, v31.2d, v0.2d
	str	q17, [x3, 112]
	stp	q6, q5, [x3, 48]
	stp	q4, q16, [x3, 80]
	add	x3, x3, 128
	cmp	x8, x3
	bne	.L4
.L43:
	and	x2, x6, -2
	tbz	x6, 0, .L1
.L3:
	lsl	x15, x2, 3
	add	x0, x0, x15
	ldr	d18, [x1, x15]
	ldr	d0, [x0]
	fmadd	d2, d2, d18, d0
	str	d2, [x0]
.L1:
	ret
	.p2align 3,,7
.L45:
	ldr	q1, [x0]
	ldr	q3, [x4], 16
	fmla	v1.2d, v3.2d, v0.2d
	str	q1, [x3], 16
	b	.L34
.L6:
	mov	x2, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	daxpy, .-daxpy
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
