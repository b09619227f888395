	.arch armv8.1-a+crypto+crc
	.file	"matvec.c"
	.text
	.align	2
	.p2align 4,,15
	.global	matvec
	.type	matvec, %function
matvec:
.LFB0:
	.cfi_startproc
	cmp	x0, 0
	ble	.L1
	lsr	x8, x0, 1
	add	x14, x3, x0, lsl 3
	sub	x13, x0, #1
	mov	x7, x3
	lsl	x17, x8, 4
	and	x16, x0, -2
	mov	x6, 0
	and	x15, x0, 1
	.p2align 4,,15
.L3:
	cmp	x13, 1
	bls	.L8
	sub	x4, x17, #16
	movi	v0.2d, 0
	add	x5, x1, x6, lsl 3
	mov	x3, 0
	lsr	x9, x4, 4
	add	x10, x9, 1
	ands	x11, x10, 7
	beq	.L5
	cmp	x11, 1
	beq	.L33
	cmp	x11, 2
	beq	.L34
	cmp	x11, 3
	beq	.L35
	cmp	x11, 4
	beq	.L36
	cmp	x11, 5
	beq	.L37
	cmp	x11, 6
	beq	.L38
	ldr	q1, [x2]
	ldr	q2, [x5]
	mov	x3, 16
	fmla	v0.2d, v2.2d, v1.2d
.L38:
	ldr	q3, [x5, x3]
	ldr	q4, [x2, x3]
	add	x3, x3, 16
	fmla	v0.2d, v3.2d, v4.2d
.L37:
	ldr	q5, [x5, x3]
	ldr	q6, [x2, x3]
	add	x3, x3, 16
	fmla	v0.2d, v5.2d, v6.2d
.L36:
	ldr	q7, [x5, x3]
	ldr	q16, [x2, x3]
	add	x3, x3, 16
	fmla	v0.2d, v7.2d, v16.2d
.L35:
	ldr	q17, [x5, x3]
	ldr	q18, [x2, x3]
	add	x3, x3, 16
	fmla	v0.2d, v17.2d, v18.2d
.L34:
	ldr	q19, [x5, x3]
	ldr	q20, [x2, x3]
	add	x3, x3, 16
	fmla	v0.2d, v19.2d, v20.2d
.L33:
	ldr	q21, [x5, x3]
	ldr	q22, [x2, x3]
	add	x3, x3, 16
	fmla	v0.2d, v21.2d, v22.2d
	cmp	x17, x3
	beq	.L49
.L5:
	ldr	q23, [x5, x3]
	ldr	q24, [x2, x3]
	add	x18, x3, 16
	add	x8, x3, 32
	ldr	q25, [x5, x18]
	ldr	q26, [x2, x18]
	add	x12, x3, 48
	add	x11, x3, 64
	ldr	q27, [x5, x8]
	ldr	q28, [x2, x8]
	add	x10, x3, 80
	add	x9, x3, 96
	ldr	q29, [x5, x12]
	ldr	q30, [x2, x12]
	add	x4, x3, 112
	add	x3, x3, 128
	fmla	v0.2d, v23.2d, v24.2d
	ldr	q31, [x5, x11]
	ldr	q7, [x2, x11]
	ldr	q6, [x5, x10]
	ldr	q5, [x2, x10]
	ldr	q4, [x5, x9]
	ldr	q3, [x2, x9]
	ldr	q2, [x5, x4]
	ldr	q1, [x2, x4]
	fmla	v0.2d, v25.2d, v26.2d
	fmla	v0.2d, v27.2d, v28.2d
	fmla	v0.2d, v29.2d, v30.2d
	fmla	v0.2d, v31.2d, v7.2d
	fmla	v0.2d, v6.2d, v5.2d
	fmla	v0.2d, v4.2d, v3.2d
	fmla	v0.2d, v2.2d, v1.2d
	cmp	x17, x3
	bne	.L5
.L49:
	faddp	d0, v0.2d
	mov	x3, x16
	cbz	x15, .L4
.L7:
	lsl	x18, x3, 3
	add	x5, x6, x3
	add	x12, x3, 1
	ldr	d16, [x2, x18]
	ldr	d17, [x1, x5, lsl 3]
	fmadd	d0, d17, d16, d0
	cmp	x0, x12
	ble	.L4
	add	x8, x2, x18
	add	x11, x6, x12
	ldr	d18, [x1, x11, lsl 3]
	ldr	d19, [x8, 8]
	fmadd	d0, d19, d18, d0
.L4:
	str	d0, [x7], 8
	add	x6, x6, x0
	cmp	x14, x7
	bne	.L3
.L1:
	ret
	.p2align 3,,7
.L8:
	movi	d0, #0
	mov	x3, 0
	b	.L7
	.cfi_endproc
.LFE0:
	.size	matvec, .-matvec
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
