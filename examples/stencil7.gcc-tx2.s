	.arch armv8.1-a+crypto+crc
	.file	"stencil7.c"
	.text
	.align	2
	.p2align 4,,15
	.global	stencil7
	.type	stencil7, %function
stencil7:
.LFB0:
	.cfi_startproc
	stp	x29, x30, [sp, -128]!
	.cfi_def_cfa_offset 128
	.cfi_offset 29, -128
	.cfi_offset 30, -120
	mul	x10, x0, x0
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -112
	.cfi_offset 20, -104
	sub	x19, x0, #1
	cmp	x19, 1
	ble	.L1
	dup	v5.2d, v0.d[0]
	dup	v4.2d, v1.d[0]
	mov	x30, x0
	add	x0, x0, 1
	fmov	d6, d0
	fmov	d28, d1
	sub	x20, x30, #2
	neg	x9, x30, lsl 3
	neg	x12, x10, lsl 3
	add	x3, x0, x10
	stp	x21, x22, [sp, 32]
	.cfi_offset 22, -88
	.cfi_offset 21, -96
	mov	x13, x1
	add	x0, x30, x10
	mov	x21, 8
	stp	x23, x24, [sp, 48]
	.cfi_offset 24, -72
	.cfi_offset 23, -80
	mov	x14, x2
	lsr	x18, x20, 1
	add	x5, x2, x3, lsl 3
	add	x6, x1, x0, lsl 3
	stp	x25, x26, [sp, 64]
	.cfi_offset 26, -56
	.cfi_offset 25, -64
	add	x24, x9, x21
	stp	x27, x28, [sp, 80]
	.cfi_offset 28, -40
	.cfi_offset 27, -48
	mov	x8, x10
	orr	x25, x20, 1
	sub	x23, x21, x9
	lsl	x18, x18, 4
	and	x20, x20, 1
	sub	x21, x21, x12
	add	x22, x12, 8
	lsl	x16, x30, 3
	lsl	x15, x10, 3
	mov	x11, 1
	.p2align 4,,15
.L3:
	add	x3, x30, x8
	mov	x26, 1
	stp	x10, x11, [sp, 112]
	mov	x2, x6
	mov	x7, x6
	mov	x4, x5
	mov	x6, x8
	.p2align 4,,15
.L9:
	cmp	x30, 3
	beq	.L11
	sub	x8, x18, #16
	ldr	q29, [x2]
	add	x27, x2, 8
	add	x28, x2, 16
	tst	x8, 48
	ubfx	x1, x8, 4, 2
	add	x17, x24, x2
	add	x10, x23, x2
	add	x11, x22, x2
	add	x8, x21, x2
	mov	x0, 0
	beq	.L30
	ldr	q18, [x10]
	ldr	q0, [x11]
	mov	x0, 16
	ldr	q7, [x17]
	ldr	q16, [x2, 16]
	ldr	q3, [x8]
	ldr	q17, [x2, 8]
	fadd	v19.2d, v0.2d, v18.2d
	fadd	v20.2d, v7.2d, v16.2d
	fadd	v2.2d, v3.2d, v29.2d
	mov	v29.16b, v16.16b
	fadd	v21.2d, v19.2d, v20.2d
	fadd	v22.2d, v21.2d, v2.2d
	fmul	v23.2d, v22.2d, v4.2d
	fmla	v23.2d, v5.2d, v17.2d
	str	q23, [x4]
	cmp	x1, 1
	beq	.L30
	cmp	x1, 2
	beq	.L23
	ldr	q1, [x10, 16]
	ldr	q26, [x11, 16]
	mov	x0, 32
	ldr	q29, [x17, 16]
	ldr	q24, [x8, 16]
	ldr	q30, [x27, 16]
	fadd	v27.2d, v26.2d, v1.2d
	ldr	q1, [x28, 16]
	fadd	v25.2d, v24.2d, v16.2d
	fadd	v31.2d, v29.2d, v1.2d
	mov	v29.16b, v1.16b
	fadd	v17.2d, v27.2d, v31.2d
	fadd	v16.2d, v17.2d, v25.2d
	fmul	v3.2d, v16.2d, v4.2d
	fmla	v3.2d, v5.2d, v30.2d
	str	q3, [x4, 16]
.L23:
	ldr	q2, [x28, x0]
	ldr	q19, [x17, x0]
	ldr	q0, [x11, x0]
	ldr	q18, [x10, x0]
	ldr	q20, [x8, x0]
	ldr	q21, [x27, x0]
	stp	x2, x3, [sp, 96]
	fadd	v7.2d, v19.2d, v2.2d
	fadd	v22.2d, v0.2d, v18.2d
	fadd	v23.2d, v20.2d, v29.2d
	mov	v29.16b, v2.16b
	fadd	v24.2d, v22.2d, v7.2d
	fadd	v25.2d, v24.2d, v23.2d
	fmul	v26.2d, v25.2d, v4.2d
	fmla	v26.2d, v5.2d, v21.2d
	str	q26, [x4, x0]
	add	x0, x0, 16
	b	.L5
	.p2align 3,,7
.L10:
	ldr	q20, [x28, x1]
	ldr	q0, [x17, x1]
	ldr	q3, [x11, x1]
	ldr	q21, [x10, x1]
	ldr	q25, [x28, x2]
	ldr	q19, [x17, x2]
	ldr	q2, [x11, x2]
	ldr	q22, [x10, x2]
	ldr	q26, [x11, x3]
	ldr	q27, [x10, x3]
	fadd	v24.2d, v0.2d, v20.2d
	ldr	q29, [x28, x3]
	ldr	q18, [x17, x3]
	fadd	v1.2d, v3.2d, v21.2d
	fadd	v31.2d, v19.2d, v25.2d
	ldr	q17, [x8, x1]
	ldr	q16, [x8, x2]
	fadd	v19.2d, v2.2d, v22.2d
	ldr	q7, [x8, x3]
	ldr	q23, [x27, x1]
	fadd	v0.2d, v26.2d, v27.2d
	ldr	q22, [x27, x2]
	ldr	q21, [x27, x3]
	fadd	v18.2d, v18.2d, v29.2d
	fadd	v30.2d, v17.2d, v30.2d
	fadd	v20.2d, v16.2d, v20.2d
	fadd	v3.2d, v1.2d, v24.2d
	fadd	v25.2d, v7.2d, v25.2d
	fadd	v2.2d, v19.2d, v31.2d
	fadd	v24.2d, v0.2d, v18.2d
	fadd	v26.2d, v3.2d, v30.2d
	fadd	v27.2d, v2.2d, v20.2d
	fadd	v1.2d, v24.2d, v25.2d
	fmul	v31.2d, v26.2d, v4.2d
	fmul	v17.2d, v27.2d, v4.2d
	fmul	v16.2d, v1.2d, v4.2d
	fmla	v31.2d, v5.2d, v23.2d
	fmla	v17.2d, v5.2d, v22.2d
	fmla	v16.2d, v5.2d, v21.2d
	str	q31, [x4, x1]
	str	q17, [x4, x2]
	str	q16, [x4, x3]
.L5:
	ldr	q30, [x28, x0]
	ldr	q27, [x17, x0]
	add	x1, x0, 16
	add	x3, x0, 48
	ldr	q1, [x11, x0]
	ldr	q31, [x10, x0]
	add	x2, x1, 16
	ldr	q17, [x8, x0]
	ldr	q16, [x27, x0]
	fadd	v3.2d, v27.2d, v30.2d
	fadd	v2.2d, v1.2d, v31.2d
	fadd	v19.2d, v17.2d, v29.2d
	fadd	v0.2d, v2.2d, v3.2d
	fadd	v18.2d, v0.2d, v19.2d
	fmul	v20.2d, v18.2d, v4.2d
	fmla	v20.2d, v5.2d, v16.2d
	str	q20, [x4, x0]
	add	x0, x0, 64
	cmp	x18, x1
	bne	.L10
	ldp	x2, x3, [sp, 96]
	mov	x1, x25
	cbz	x20, .L4
.L8:
	add	x27, x1, x3
	lsl	x28, x27, 3
	add	x17, x13, x28
	ldp	d29, d24, [x17, -8]
	ldr	d25, [x17, 8]
	ldr	d21, [x17, x9]
	ldr	d22, [x17, x16]
	ldr	d7, [x17, x12]
	ldr	d23, [x17, x15]
	fadd	d26, d25, d29
	fadd	d30, d26, d21
	fadd	d27, d30, d22
	fadd	d1, d27, d7
	fadd	d31, d1, d23
	fmul	d17, d31, d28
	fmadd	d16, d6, d24, d17
	str	d16, [x14, x28]
.L4:
	add	x26, x26, 1
	add	x3, x3, x30
	sub	x2, x2, x9
	sub	x4, x4, x9
	cmp	x26, x19
	bne	.L9
	ldp	x10, x26, [sp, 112]
	mov	x4, x6
	sub	x5, x5, x12
	sub	x6, x7, x12
	add	x11, x26, 1
	add	x8, x4, x10
	cmp	x11, x19
	bne	.L3
	ldp	x21, x22, [sp, 32]
	.cfi_restore 22
	.cfi_restore 21
	ldp	x23, x24, [sp, 48]
	.cfi_restore 24
	.cfi_restore 23
	ldp	x25, x26, [sp, 64]
	.cfi_restore 26
	.cfi_restore 25
	ldp	x27, x28, [sp, 80]
	.cfi_restore 28
	.cfi_restore 27
.L1:
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 128
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
	.p2align 3,,7
.L30:
	.cfi_def_cfa_offset 128
	.cfi_offset 19, -112
	.cfi_offset 20, -104
	.cfi_offset 21, -96
	.cfi_offset 22, -88
	.cfi_offset 23, -80
	.cfi_offset 24, -72
	.cfi_offset 25, -64
	.cfi_offset 26, -56
	.cfi_offset 27, -48
	.cfi_offset 28, -40
	.cfi_offset 29, -128
	.cfi_offset 30, -120
	stp	x2, x3, [sp, 96]
	b	.L5
	.p2align 3,,7
.L11:
	mov	x1, 1
	b	.L8
	.cfi_endproc
.LFE0:
	.size	stencil7, .-stencil7
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
