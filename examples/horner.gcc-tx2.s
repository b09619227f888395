	.arch armv8.1-a+crypto+crc
	.file	"horner.c"
	.text
	.align	2
	.p2align 4,,15
	.global	horner
	.type	horner, %function
horner:
.LFB0:
	.cfi_startproc
	cmp	x3, 0
	ble	.L28
	str	d8, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 72, -16
	ldp	d19, d18, [x2]
	ldp	d17, d16, [x2, 16]
	ldp	d7, d6, [x2, 32]
	ldp	d5, d0, [x2, 48]
	cmp	x3, 1
	beq	.L6
	lsr	x5, x3, 1
	dup	v27.2d, v0.d[0]
	dup	v26.2d, v5.d[0]
	mov	x10, 0
	lsl	x8, x5, 4
	dup	v25.2d, v6.d[0]
	dup	v24.2d, v7.d[0]
	sub	x4, x8, #16
	dup	v23.2d, v16.d[0]
	dup	v22.2d, v17.d[0]
	lsr	x6, x4, 4
	dup	v21.2d, v18.d[0]
	dup	v20.2d, v19.d[0]
	add	x7, x6, 1
	ands	x9, x7, 3
	beq	.L4
	cmp	x9, 1
	beq	.L19
	cmp	x9, 2
	beq	.L20
	mov	v2.16b, v26.16b
	ldr	q1, [x1]
	mov	v3.16b, v25.16b
	mov	x10, 16
	mov	v4.16b, v24.16b
	mov	v8.16b, v23.16b
	mov	v28.16b, v22.16b
	mov	v29.16b, v21.16b
	mov	v30.16b, v20.16b
	fmla	v2.2d, v27.2d, v1.2d
	fmla	v3.2d, v2.2d, v1.2d
	fmla	v4.2d, v3.2d, v1.2d
	fmla	v8.2d, v4.2d, v1.2d
	fmla	v28.2d, v8.2d, v1.2d
	fmla	v29.2d, v1.2d, v28.2d
	fmla	v30.2d, v1.2d, v29.2d
	str	q30, [x0]
.L20:
	mov	v2.16b, v26.16b
	ldr	q31, [x1, x10]
	mov	v3.16b, v25.16b
	mov	v1.16b, v24.16b
	mov	v4.16b, v23.16b
	mov	v8.16b, v22.16b
	mov	v28.16b, v21.16b
	mov	v29.16b, v20.16b
	fmla	v2.2d, v27.2d, v31.2d
	fmla	v3.2d, v2.2d, v31.2d
	fmla	v1.2d, v3.2d, v31.2d
	fmla	v4.2d, v1.2d, v31.2d
	fmla	v8.2d, v4.2d, v31.2d
	fmla	v28.2d, v31.2d, v8.2d
	fmla	v29.2d, v31.2d, v28.2d
	str	q29, [x0, x10]
	add	x10, x10, 16
.L19:
	mov	v31.16b, v26.16b
	ldr	q30, [x1, x10]
	mov	v3.16b, v25.16b
	mov	v2.16b, v24.16b
	mov	v1.16b, v23.16b
	mov	v4.16b, v22.16b
	mov	v8.16b, v21.16b
	mov	v28.16b, v20.16b
	fmla	v31.2d, v27.2d, v30.2d
	fmla	v3.2d, v31.2d, v30.2d
	fmla	v2.2d, v3.2d, v30.2d
	fmla	v1.2d, v2.2d, v30.2d
	fmla	v4.2d, v1.2d, v30.2d
	fmla	v8.2d, v30.2d, v4.2d
	fmla	v28.2d, v30.2d, v8.2d
	str	q28, [x0, x10]
	add	x10, x10, 16
	cmp	x10, x8
	beq	.L26
.L4:
	mov	v8.16b, v26.16b
	ldr	q4, [x1, x10]
	add	x11, x10, 16
	mov	v31.16b, v26.16b
	ldr	q3, [x1, x11]
	mov	v28.16b, v25.16b
	add	x12, x10, 48
	mov	v30.16b, v26.16b
	ldr	q2, [x1, x12]
	add	x13, x10, 32
	mov	v29.16b, v26.16b
	ldr	q1, [x1, x13]
	fmla	v8.2d, v27.2d, v4.2d
	fmla	v31.2d, v27.2d, v3.2d
	fmla	v30.2d, v27.2d, v2.2d
	fmla	v29.2d, v27.2d, v1.2d
	fmla	v28.2d, v8.2d, v4.2d
	mov	v8.16b, v25.16b
	fmla	v8.2d, v31.2d, v3.2d
	mov	v31.16b, v25.16b
	fmla	v31.2d, v30.2d, v2.2d
	mov	v30.16b, v25.16b
	fmla	v30.2d, v29.2d, v1.2d
	mov	v29.16b, v24.16b
	fmla	v29.2d, v28.2d, v4.2d
	mov	v28.16b, v24.16b
	fmla	v28.2d, v8.2d, v3.2d
	mov	v8.16b, v24.16b
	fmla	v8.2d, v31.2d, v2.2d
	mov	v31.16b, v24.16b
	fmla	v31.2d, v30.2d, v1.2d
	mov	v30.16b, v23.16b
	fmla	v30.2d, v29.2d, v4.2d
	mov	v29.16b, v23.16b
	fmla	v29.2d, v28.2d, v3.2d
	mov	v28.16b, v23.16b
	fmla	v28.2d, v8.2d, v2.2d
	mov	v8.16b, v23.16b
	fmla	v8.2d, v31.2d, v1.2d
	mov	v31.16b, v22.16b
	fmla	v31.2d, v30.2d, v4.2d
	mov	v30.16b, v22.16b
	fmla	v30.2d, v29.2d, v3.2d
	mov	v29.16b, v22.16b
	fmla	v29.2d, v28.2d, v2.2d
	mov	v28.16b, v22.16b
	fmla	v28.2d, v8.2d, v1.2d
	mov	v8.16b, v21.16b
	fmla	v8.2d, v4.2d, v31.2d
	mov	v31.16b, v21.16b
	fmla	v31.2d, v3.2d, v30.2d
	mov	v30.16b, v21.16b
	fmla	v30.2d, v2.2d, v29.2d
	mov	v29.16b, v21.16b
	fmla	v29.2d, v1.2d, v28.2d
	mov	v28.16b, v20.16b
	fmla	v28.2d, v4.2d, v8.2d
	mov	v4.16b, v20.16b
	fmla	v4.2d, v3.2d, v31.2d
	mov	v3.16b, v20.16b
	str	q28, [x0, x10]
	add	x10, x10, 64
	fmla	v3.2d, v2.2d, v30.2d
	mov	v2.16b, v20.16b
	str	q4, [x0, x11]
	fmla	v2.2d, v1.2d, v29.2d
	str	q2, [x0, x13]
	str	q3, [x0, x12]
	cmp	x10, x8
	bne	.L4
.L26:
	and	x2, x3, -2
	tbz	x3, 0, .L1
.L3:
	lsl	x3, x2, 3
	ldr	d27, [x1, x3]
	fmadd	d5, d0, d27, d5
	fmadd	d6, d5, d27, d6
	fmadd	d7, d6, d27, d7
	fmadd	d16, d7, d27, d16
	fmadd	d17, d16, d27, d17
	fmadd	d18, d17, d27, d18
	fmadd	d19, d18, d27, d19
	str	d19, [x0, x3]
.L1:
	ldr	d8, [sp], 16
	.cfi_restore 72
	.cfi_def_cfa_offset 0
	ret
.L28:
	ret
.L6:
	.cfi_def_cfa_offset 16
	.cfi_offset 72, -16
	mov	x2, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	horner, .-horner
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
