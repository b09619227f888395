	.arch armv8.1-a+crypto+crc
	.file	"rsqrt.c"
	.text
	.align	2
	.p2align 4,,15
	.global	rsqrt
	.type	rsqrt, %function
rsqrt:
.LFB0:
	.cfi_startproc
	mov	x5, x2
	cmp	x2, 0
	ble	.L1
	cmp	x2, 1
	beq	.L6
	lsr	x4, x2, 1
	fmov	v0.2d, 1.0e+0
	mov	x3, 0
	lsl	x12, x4, 4
	sub	x6, x12, #16
	lsr	x7, x6, 4
	add	x8, x7, 1
	ands	x9, x8, 7
	beq	.L4
	cmp	x9, 1
	beq	.L29
	cmp	x9, 2
	beq	.L30
	cmp	x9, 3
	beq	.L31
	cmp	x9, 4
	beq	.L32
	cmp	x9, 5
	beq	.L33
	cmp	x9, 6
	bne	.L45
.L34:
	ldr	q4, [x1, x3]
	fsqrt	v5.2d, v4.2d
	fdiv	v6.2d, v0.2d, v5.2d
	str	q6, [x0, x3]
	add	x3, x3, 16
.L33:
	ldr	q7, [x1, x3]
	fsqrt	v16.2d, v7.2d
	fdiv	v17.2d, v0.2d, v16.2d
	str	q17, [x0, x3]
	add	x3, x3, 16
.L32:
	ldr	q18, [x1, x3]
	fsqrt	v19.2d, v18.2d
	fdiv	v20.2d, v0.2d, v19.2d
	str	q20, [x0, x3]
	add	x3, x3, 16
.L31:
	ldr	q21, [x1, x3]
	fsqrt	v22.2d, v21.2d
	fdiv	v23.2d, v0.2d, v22.2d
	str	q23, [x0, x3]
	add	x3, x3, 16
.L30:
	ldr	q24, [x1, x3]
	fsqrt	v25.2d, v24.2d
	fdiv	v26.2d, v0.2d, v25.2d
	str	q26, [x0, x3]
	add	x3, x3, 16
.L29:
	ldr	q27, [x1, x3]
	fsqrt	v28.2d, v27.2d
	fdiv	v29.2d, v0.2d, v28.2d
	str	q29, [x0, x3]
	add	x3, x3, 16
	cmp	x3, x12
	beq	.L43
.L4:
	ldr	q30, [x1, x3]
	add	x13, x3, 16
	add	x11, x3, 32
	add	x10, x3, 48
	ldr	q31, [x1, x13]
	ldr	q6, [x1, x11]
	add	x14, x3, 64
	add	x15, x3, 80
	ldr	q5, [x1, x10]
	ldr	q4, [x1, x14]
	add	x16, x3, 96
	add	x17, x3, 112
	ldr	q3, [x1, x15]
	ldr	q2, [x1, x16]
	fsqrt	v16.2d, v30.2d
	ldr	q1, [x1, x17]
	fsqrt	v7.2d, v31.2d
	fsqrt	v18.2d, v6.2d
	fsqrt	v17.2d, v5.2d
	fsqrt	v19.2d, v4.2d
	fsqrt	v20.2d, v3.2d
	fsqrt	v21.2d, v2.2d
	fsqrt	v22.2d, v1.2d
	fdiv	v23.2d, v0.2d, v16.2d
	fdiv	v24.2d, v0.2d, v7.2d
	fdiv	v26.2d, v0.2d, v18.2d
	fdiv	v25.2d, v0.2d, v17.2d
	fdiv	v27.2d, v0.2d, v19.2d
	fdiv	v28.2d, v0.2d, v20.2d
	fdiv	v29.2d, v0.2d, v21.2d
	fdiv	v30.2d, v0.2d, v22.2d
	str	q23, [x0, x3]
	add	x3, x3, 128
	str	q24, [x0, x13]
	str	q26, [x0, x11]
	str	q25, [x0, x10]
	str	q27, [x0, x14]
	str	q28, [x0, x15]
	str	q29, [x0, x16]
	str	q30, [x0, x17]
	cmp	x3, x12
	bne	.L4
.L43:
	and	x2, x5, -2
	tbz	x5, 0, .L1
.L3:
	lsl	x18, x2, 3
	fmov	d0, 1.0e+0
	ldr	d31, [x1, x18]
	fsqrt	d5, d31
	fdiv	d6, d0, d5
	str	d6, [x0, x18]
.L1:
	ret
	.p2align 3,,7
.L45:
	ldr	q1, [x1]
	mov	x3, 16
	fsqrt	v2.2d, v1.2d
	fdiv	v3.2d, v0.2d, v2.2d
	str	q3, [x0]
	b	.L34
.L6:
	mov	x2, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	rsqrt, .-rsqrt
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
