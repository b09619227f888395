	.arch armv8.1-a+crypto+crc
	.file	"lu.c"
	.text
	.align	2
	.p2align 4,,15
	.global	lu
	.type	lu, %function
lu:
.LFB0:
	.cfi_startproc
	cmp	x0, 0
	ble	.L102
	mov	x4, x0
	cmp	x0, 1
	beq	.L105
	stp	x29, x30, [sp, -96]!
	.cfi_def_cfa_offset 96
	.cfi_offset 29, -96
	.cfi_offset 30, -88
	mov	x6, x1
	mov	x15, x1
	mov	x11, 1
	mov	x29, sp
	add	x7, x6, 8
	mov	x14, 16
	mov	x9, 0
	stp	x21, x22, [sp, 32]
	.cfi_offset 21, -64
	.cfi_offset 22, -56
	add	x21, x0, 1
	lsl	x1, x21, 3
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -80
	.cfi_offset 20, -72
	sub	x20, x0, #1
	mov	x19, 0
	sub	x17, x1, #8
	stp	x25, x26, [sp, 64]
	stp	x27, x28, [sp, 80]
	stp	x23, x24, [sp, 48]
	.cfi_offset 25, -32
	.cfi_offset 26, -24
	.cfi_offset 27, -16
	.cfi_offset 28, -8
	.cfi_offset 23, -48
	.cfi_offset 24, -40
	mov	x24, x11
	.p2align 4,,15
.L5:
	cmp	x20, 1
	add	x5, x17, x7
	sub	x3, x19, x0
	mov	x8, x0
	cset	w18, ne
	cmp	x4, x11
	sub	x16, x9, x11
	mov	x10, x11
	csel	x22, x20, x24, gt
	cset	w2, gt
	mov	x25, x9
	and	x12, x22, -2
	lsr	x13, x22, 1
	and	w18, w18, w2
	add	x12, x12, x11
	lsl	x21, x13, 4
	and	x22, x22, 1
	add	x23, x12, x19
	add	x13, x6, x23, lsl 3
	.p2align 4,,15
.L11:
	ldr	d0, [x5, x16, lsl 3]
	ldr	d1, [x15]
	fdiv	d16, d0, d1
	str	d16, [x5, x16, lsl 3]
	cbz	w18, .L64
	sub	x26, x5, x6
	cmp	x26, x14
	bne	.L106
.L64:
	ldr	d21, [x5, x3, lsl 3]
	ldr	d22, [x5]
	mvn	x26, x11
	mov	x2, x5
	add	x27, x26, x4
	add	x9, x11, 1
	and	x30, x27, 7
	fmsub	d23, d16, d21, d22
	str	d23, [x2], 8
	cmp	x4, x9
	ble	.L10
	cbz	x30, .L9
	cmp	x30, 1
	beq	.L72
	cmp	x30, 2
	beq	.L73
	cmp	x30, 3
	beq	.L74
	cmp	x30, 4
	beq	.L75
	cmp	x30, 5
	beq	.L76
	cmp	x30, 6
	beq	.L77
	ldr	d24, [x2, x3, lsl 3]
	ldr	d25, [x2]
	add	x9, x9, 1
	fmsub	d26, d16, d24, d25
	str	d26, [x2], 8
.L77:
	ldr	d27, [x2, x3, lsl 3]
	ldr	d28, [x2]
	add	x9, x9, 1
	fmsub	d29, d16, d27, d28
	str	d29, [x2], 8
.L76:
	ldr	d30, [x2, x3, lsl 3]
	ldr	d31, [x2]
	add	x9, x9, 1
	fmsub	d0, d16, d30, d31
	str	d0, [x2], 8
.L75:
	ldr	d4, [x2, x3, lsl 3]
	ldr	d1, [x2]
	add	x9, x9, 1
	fmsub	d3, d16, d4, d1
	str	d3, [x2], 8
.L74:
	ldr	d2, [x2, x3, lsl 3]
	ldr	d5, [x2]
	add	x9, x9, 1
	fmsub	d6, d16, d2, d5
	str	d6, [x2], 8
.L73:
	ldr	d7, [x2, x3, lsl 3]
	ldr	d18, [x2]
	add	x9, x9, 1
	fmsub	d19, d16, d7, d18
	str	d19, [x2], 8
.L72:
	ldr	d17, [x2, x3, lsl 3]
	ldr	d20, [x2]
	add	x9, x9, 1
	fmsub	d21, d16, d17, d20
	str	d21, [x2], 8
	cmp	x4, x9
	ble	.L10
.L9:
	ldr	d22, [x2, x3, lsl 3]
	ldr	d23, [x2]
	mov	x23, x2
	add	x28, x2, 24
	add	x27, x2, 32
	add	x26, x2, 40
	add	x9, x9, 8
	fmsub	d24, d16, d22, d23
	str	d24, [x23], 8
	ldr	d25, [x23, x3, lsl 3]
	ldr	d26, [x2, 8]
	add	x30, x23, 8
	fmsub	d27, d16, d25, d26
	str	d27, [x2, 8]
	ldr	d28, [x30, x3, lsl 3]
	ldr	d29, [x23, 8]
	add	x30, x2, 48
	fmsub	d30, d16, d28, d29
	str	d30, [x23, 8]
	add	x23, x2, 56
	ldr	d31, [x28, x3, lsl 3]
	ldp	d0, d4, [x2, 24]
	ldp	d3, d2, [x2, 40]
	ldr	d1, [x2, 56]
	add	x2, x2, 64
	fmsub	d5, d16, d31, d0
	str	d5, [x2, -40]
	ldr	d6, [x27, x3, lsl 3]
	fmsub	d7, d16, d6, d4
	str	d7, [x2, -32]
	ldr	d18, [x26, x3, lsl 3]
	fmsub	d19, d16, d18, d3
	str	d19, [x2, -24]
	ldr	d17, [x30, x3, lsl 3]
	fmsub	d20, d16, d17, d2
	str	d20, [x2, -16]
	ldr	d21, [x23, x3, lsl 3]
	fmsub	d22, d16, d21, d1
	str	d22, [x2, -8]
	cmp	x4, x9
	bgt	.L9
.L10:
	add	x10, x10, 1
	add	x5, x5, x17
	add	x8, x8, x4
	sub	x3, x3, x4
	cmp	x4, x10
	bgt	.L11
	.p2align 4,,15
.L107:
	add	x11, x11, 1
	add	x9, x25, 1
	add	x19, x19, x4
	add	x0, x0, x4
	add	x14, x14, x1
	add	x15, x15, x1
	sub	x20, x20, #1
	add	x7, x7, x1
	cmp	x4, x11
	bne	.L5
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x23, x24, [sp, 48]
	ldp	x25, x26, [sp, 64]
	ldp	x27, x28, [sp, 80]
	ldp	x29, x30, [sp], 96
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 27
	.cfi_restore 28
	.cfi_restore 25
	.cfi_restore 26
	.cfi_restore 23
	.cfi_restore 24
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
	.p2align 3,,7
.L106:
	.cfi_restore_state
	sub	x27, x21, #16
	dup	v17.2d, v16.d[0]
	add	x28, x21, x5
	mov	x9, x7
	lsr	x30, x27, 4
	mov	x2, x5
	add	x23, x30, 1
	ands	x26, x23, 7
	beq	.L7
	cmp	x26, 1
	beq	.L65
	cmp	x26, 2
	beq	.L66
	cmp	x26, 3
	beq	.L67
	cmp	x26, 4
	beq	.L68
	cmp	x26, 5
	beq	.L69
	cmp	x26, 6
	beq	.L70
	ldr	q3, [x9], 16
	ldr	q2, [x5]
	fmls	v2.2d, v3.2d, v17.2d
	str	q2, [x2], 16
.L70:
	ldr	q4, [x9], 16
	ldr	q5, [x2]
	fmls	v5.2d, v4.2d, v17.2d
	str	q5, [x2], 16
.L69:
	ldr	q6, [x9], 16
	ldr	q7, [x2]
	fmls	v7.2d, v6.2d, v17.2d
	str	q7, [x2], 16
.L68:
	ldr	q18, [x9], 16
	ldr	q19, [x2]
	fmls	v19.2d, v18.2d, v17.2d
	str	q19, [x2], 16
.L67:
	ldr	q20, [x9], 16
	ldr	q21, [x2]
	fmls	v21.2d, v20.2d, v17.2d
	str	q21, [x2], 16
.L66:
	ldr	q22, [x9], 16
	ldr	q23, [x2]
	fmls	v23.2d, v22.2d, v17.2d
	str	q23, [x2], 16
.L65:
	ldr	q24, [x9], 16
	ldr	q25, [x2]
	fmls	v25.2d, v24.2d, v17.2d
	str	q25, [x2], 16
	cmp	x28, x2
	beq	.L95
.L7:
	ldr	q27, [x2]
	mov	x27, x9
	ldr	q26, [x27], 16
	mov	x30, x2
	add	x9, x9, 128
	fmls	v27.2d, v26.2d, v17.2d
	str	q27, [x30], 16
	ldr	q29, [x9, -112]
	ldr	q28, [x2, 16]
	fmls	v28.2d, v29.2d, v17.2d
	str	q28, [x2, 16]
	ldr	q30, [x30, 16]
	ldr	q31, [x27, 16]
	fmls	v30.2d, v31.2d, v17.2d
	str	q30, [x30, 16]
	ldp	q0, q1, [x2, 48]
	ldr	q5, [x9, -80]
	ldp	q4, q3, [x2, 80]
	ldr	q2, [x2, 112]
	add	x2, x2, 128
	fmls	v0.2d, v5.2d, v17.2d
	str	q0, [x2, -80]
	ldr	q6, [x9, -64]
	fmls	v1.2d, v6.2d, v17.2d
	str	q1, [x2, -64]
	ldr	q7, [x9, -48]
	fmls	v4.2d, v7.2d, v17.2d
	str	q4, [x2, -48]
	ldr	q18, [x9, -32]
	fmls	v3.2d, v18.2d, v17.2d
	str	q3, [x2, -32]
	ldr	q19, [x9, -16]
	fmls	v2.2d, v19.2d, v17.2d
	str	q2, [x2, -16]
	cmp	x28, x2
	bne	.L7
.L95:
	cbz	x22, .L10
	add	x28, x8, x12
	ldr	d20, [x13]
	add	x10, x10, 1
	add	x5, x5, x17
	add	x23, x6, x28, lsl 3
	add	x8, x8, x4
	sub	x3, x3, x4
	ldr	d17, [x23]
	fmsub	d16, d16, d20, d17
	str	d16, [x23]
	cmp	x4, x10
	bgt	.L11
	b	.L107
.L102:
	.cfi_def_cfa_offset 0
	.cfi_restore 19
	.cfi_restore 20
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 23
	.cfi_restore 24
	.cfi_restore 25
	.cfi_restore 26
	.cfi_restore 27
	.cfi_restore 28
	.cfi_restore 29
	.cfi_restore 30
	ret
.L105:
	ret
	.cfi_endproc
.LFE0:
	.size	lu, .-lu
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
