	.arch armv8.1-a+crypto+crc
	.file	"spmv.c"
	.text
	.align	2
	.p2align 4,,15
	.global	spmv
	.type	spmv, %function
spmv:
.LFB0:
	.cfi_startproc
	cmp	w0, 0
	ble	.L22
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov	x15, x1
	mov	x30, x5
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -16
	.cfi_offset 20, -8
	add	x19, x1, w0, sxtw 2
	mov	w20, 32
	.p2align 4,,15
.L7:
	ldp	w5, w17, [x15]
	cmp	w5, w17
	bge	.L8
	sub	w18, w17, w5
	sub	w0, w18, #1
	cmp	w0, 4
	bls	.L9
	add	x1, x3, w5, sxtw 3
	lsr	w16, w18, 2
	movi	v17.2d, 0
	add	x0, x2, w5, sxtw 2
	umaddl	x16, w16, w20, x1
	sub	x6, x16, x1
	tbz	x6, 5, .L5
	ldp	w9, w7, [x0, 8]
	ldp	w8, w10, [x0]
	add	x0, x0, 16
	ldp	q2, q3, [x1]
	add	x1, x1, 32
	add	x11, x4, w9, sxtw 3
	add	x12, x4, w7, sxtw 3
	add	x13, x4, w8, sxtw 3
	ldr	d4, [x11]
	ldr	d1, [x13]
	add	x14, x4, w10, sxtw 3
	ld1	{v4.d}[1], [x12]
	ld1	{v1.d}[1], [x14]
	fmul	v17.2d, v4.2d, v3.2d
	fmla	v17.2d, v2.2d, v1.2d
	cmp	x16, x1
	beq	.L20
	.p2align 4,,15
.L5:
	ldp	w13, w10, [x0, 8]
	ldp	w12, w8, [x0]
	add	x14, x1, 32
	ldr	w9, [x0, 16]
	ldp	w11, w7, [x0, 24]
	ldp	q6, q16, [x1]
	add	x6, x0, 16
	ldp	q5, q7, [x1, 32]
	add	x0, x0, 32
	ldr	w6, [x6, 4]
	add	x9, x4, w9, sxtw 3
	add	x13, x4, w13, sxtw 3
	add	x10, x4, w10, sxtw 3
	add	x1, x4, w11, sxtw 3
	ldr	d20, [x9]
	ldr	d22, [x13]
	add	x12, x4, w12, sxtw 3
	add	x8, x4, w8, sxtw 3
	ldr	d18, [x1]
	add	x7, x4, w7, sxtw 3
	ldr	d21, [x12]
	add	x6, x4, w6, sxtw 3
	add	x1, x14, 32
	ld1	{v22.d}[1], [x10]
	ld1	{v20.d}[1], [x6]
	ld1	{v18.d}[1], [x7]
	ld1	{v21.d}[1], [x8]
	fmul	v23.2d, v22.2d, v16.2d
	fmul	v19.2d, v18.2d, v7.2d
	fmla	v23.2d, v6.2d, v21.2d
	fmla	v19.2d, v5.2d, v20.2d
	fadd	v24.2d, v17.2d, v23.2d
	fadd	v17.2d, v24.2d, v19.2d
	cmp	x16, x1
	bne	.L5
.L20:
	tst	x18, 3
	faddp	d0, v17.2d
	beq	.L3
	and	w18, w18, -4
	add	w5, w5, w18
.L4:
	ldrsw	x16, [x2, w5, sxtw 2]
	sbfiz	x0, x5, 3, 32
	add	w14, w5, 1
	sbfiz	x11, x5, 2, 32
	ldr	d25, [x3, x0]
	ldr	d26, [x4, x16, lsl 3]
	fmadd	d0, d25, d26, d0
	cmp	w14, w17
	bge	.L3
	add	x13, x2, x11
	add	x10, x3, x0
	add	w12, w5, 2
	ldrsw	x8, [x13, 4]
	ldr	d28, [x10, 8]
	ldr	d27, [x4, x8, lsl 3]
	fmadd	d0, d27, d28, d0
	cmp	w17, w12
	ble	.L3
	ldrsw	x7, [x13, 8]
	ldr	d30, [x10, 16]
	add	w9, w5, 3
	ldr	d29, [x4, x7, lsl 3]
	fmadd	d0, d30, d29, d0
	cmp	w17, w9
	ble	.L3
	ldrsw	x6, [x13, 12]
	ldr	d2, [x10, 24]
	add	w5, w5, 4
	ldr	d31, [x4, x6, lsl 3]
	fmadd	d0, d2, d31, d0
	cmp	w17, w5
	ble	.L3
	ldrsw	x17, [x13, 16]
	ldr	d1, [x10, 32]
	ldr	d3, [x4, x17, lsl 3]
	fmadd	d0, d3, d1, d0
.L3:
	add	x15, x15, 4
	str	d0, [x30], 8
	cmp	x19, x15
	bne	.L7
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 32
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
	.p2align 3,,7
.L8:
	.cfi_restore_state
	movi	d0, #0
	b	.L3
.L9:
	movi	d0, #0
	b	.L4
.L22:
	.cfi_def_cfa_offset 0
	.cfi_restore 19
	.cfi_restore 20
	.cfi_restore 29
	.cfi_restore 30
	ret
	.cfi_endproc
.LFE0:
	.size	spmv, .-spmv
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
