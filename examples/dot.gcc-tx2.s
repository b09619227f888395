	.arch armv8.1-a+crypto+crc
	.file	"dot.c"
	.text
	.align	2
	.p2align 4,,15
	.global	dot
	.type	dot, %function
dot:
.LFB0:
	.cfi_startproc
	cmp	x2, 0
	ble	.L7
	sub	x3, x2, #1
	cmp	x3, 1
	bls	.L8
	lsr	x5, x2, 1
	movi	v0.2d, 0
	mov	x11, 0
	lsl	x10, x5, 4
	sub	x6, x10, #16
	lsr	x7, x6, 4
	add	x8, x7, 1
	ands	x9, x8, 7
	beq	.L4
	cmp	x9, 1
	beq	.L31
	cmp	x9, 2
	beq	.L32
	cmp	x9, 3
	beq	.L33
	cmp	x9, 4
	beq	.L34
	cmp	x9, 5
	beq	.L35
	cmp	x9, 6
	bne	.L47
.L36:
	ldr	q3, [x0, x11]
	ldr	q4, [x1, x11]
	add	x11, x11, 16
	fmla	v0.2d, v3.2d, v4.2d
.L35:
	ldr	q5, [x0, x11]
	ldr	q6, [x1, x11]
	add	x11, x11, 16
	fmla	v0.2d, v5.2d, v6.2d
.L34:
	ldr	q7, [x0, x11]
	ldr	q16, [x1, x11]
	add	x11, x11, 16
	fmla	v0.2d, v7.2d, v16.2d
.L33:
	ldr	q17, [x0, x11]
	ldr	q18, [x1, x11]
	add	x11, x11, 16
	fmla	v0.2d, v17.2d, v18.2d
.L32:
	ldr	q19, [x0, x11]
	ldr	q20, [x1, x11]
	add	x11, x11, 16
	fmla	v0.2d, v19.2d, v20.2d
.L31:
	ldr	q21, [x0, x11]
	ldr	q22, [x1, x11]
	add	x11, x11, 16
	fmla	v0.2d, v21.2d, v22.2d
	cmp	x11, x10
	beq	.L45
.L4:
	ldr	q23, [x0, x11]
	ldr	q24, [x1, x11]
	add	x12, x11, 16
	add	x14, x11, 32
	ldr	q25, [x0, x12]
	ldr	q26, [x1, x12]
	add	x13, x11, 48
	add	x15, x11, 64
	ldr	q27, [x0, x14]
	ldr	q28, [x1, x14]
	add	x16, x11, 80
	add	x17, x11, 96
	ldr	q29, [x0, x13]
	ldr	q30, [x1, x13]
	add	x18, x11, 112
	add	x11, x11, 128
	fmla	v0.2d, v23.2d, v24.2d
	ldr	q31, [x0, x15]
	ldr	q7, [x1, x15]
	ldr	q6, [x0, x16]
	ldr	q5, [x1, x16]
	ldr	q4, [x0, x17]
	ldr	q3, [x1, x17]
	ldr	q2, [x0, x18]
	ldr	q1, [x1, x18]
	fmla	v0.2d, v25.2d, v26.2d
	fmla	v0.2d, v27.2d, v28.2d
	fmla	v0.2d, v29.2d, v30.2d
	fmla	v0.2d, v31.2d, v7.2d
	fmla	v0.2d, v6.2d, v5.2d
	fmla	v0.2d, v4.2d, v3.2d
	fmla	v0.2d, v2.2d, v1.2d
	cmp	x11, x10
	bne	.L4
.L45:
	faddp	d0, v0.2d
	and	x4, x2, -2
	tbz	x2, 0, .L1
.L3:
	lsl	x3, x4, 3
	add	x4, x4, 1
	ldr	d16, [x0, x3]
	ldr	d17, [x1, x3]
	fmadd	d0, d16, d17, d0
	cmp	x2, x4
	ble	.L1
	add	x2, x3, 8
	ldr	d18, [x1, x2]
	ldr	d19, [x0, x2]
	fmadd	d0, d18, d19, d0
.L1:
	ret
	.p2align 3,,7
.L47:
	ldr	q2, [x0]
	ldr	q1, [x1]
	mov	x11, 16
	fmla	v0.2d, v2.2d, v1.2d
	b	.L36
	.p2align 3,,7
.L7:
	movi	d0, #0
	ret
.L8:
	movi	d0, #0
	mov	x4, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	dot, .-dot
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
