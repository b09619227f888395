	.arch armv8.1-a+crypto+crc
	.file	"jacobi2d.c"
	.text
	.align	2
	.p2align 4,,15
	.global	jacobi2d
	.type	jacobi2d, %function
jacobi2d:
.LFB0:
	.cfi_startproc
	cmp	x0, 2
	ble	.L31
	cmp	x1, 2
	ble	.L31
	fmov	v4.2d, 2.5e-1
	fmov	d6, 2.5e-1
	stp	x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	lsl	x15, x1, 3
	sub	x16, x1, #2
	mov	x17, 8
	mov	x29, sp
	sub	x18, x0, #1
	add	x30, x15, x17
	lsr	x14, x16, 1
	add	x12, x2, x15
	stp	x19, x20, [sp, 16]
	add	x8, x3, x30
	.cfi_offset 19, -32
	.cfi_offset 20, -24
	orr	x20, x16, 1
	lsl	x14, x14, 4
	stp	x21, x22, [sp, 32]
	.cfi_offset 21, -16
	.cfi_offset 22, -8
	and	x16, x16, 1
	sub	x17, x17, x15
	lsl	x19, x1, 1
	mov	x7, 0
	mov	x13, 1
	.p2align 4,,15
.L4:
	add	x4, x7, x19
	mov	x5, x7
	add	x13, x13, 1
	sub	x7, x4, x1
	cmp	x1, 3
	beq	.L35
	sub	x6, x14, #16
	mov	x9, x12
	ldr	q0, [x9], 16
	add	x10, x17, x12
	tst	x6, 48
	ubfx	x21, x6, 4, 2
	add	x11, x30, x12
	mov	x0, 0
	beq	.L5
	ldr	q3, [x10]
	ldr	q1, [x11]
	mov	x0, 16
	ldr	q2, [x12, 16]
	fadd	v5.2d, v1.2d, v3.2d
	fadd	v7.2d, v0.2d, v2.2d
	mov	v0.16b, v2.16b
	fadd	v16.2d, v5.2d, v7.2d
	fmul	v17.2d, v16.2d, v4.2d
	str	q17, [x8]
	cmp	x21, 1
	beq	.L5
	cmp	x21, 2
	beq	.L23
	ldr	q18, [x9, 16]
	ldr	q20, [x10, 16]
	mov	x0, 32
	ldr	q21, [x11, 16]
	fadd	v19.2d, v2.2d, v18.2d
	mov	v0.16b, v18.16b
	fadd	v22.2d, v21.2d, v20.2d
	fadd	v23.2d, v22.2d, v19.2d
	fmul	v24.2d, v23.2d, v4.2d
	str	q24, [x8, 16]
.L23:
	ldr	q25, [x9, x0]
	ldr	q26, [x11, x0]
	ldr	q27, [x10, x0]
	fadd	v28.2d, v0.2d, v25.2d
	mov	v0.16b, v25.16b
	fadd	v29.2d, v26.2d, v27.2d
	fadd	v30.2d, v29.2d, v28.2d
	fmul	v31.2d, v30.2d, v4.2d
	str	q31, [x8, x0]
	add	x0, x0, 16
	b	.L5
	.p2align 3,,7
.L9:
	ldr	q26, [x9, x6]
	ldr	q27, [x11, x6]
	ldr	q28, [x10, x6]
	ldr	q29, [x9, x21]
	ldr	q30, [x11, x21]
	ldr	q31, [x10, x21]
	ldr	q0, [x9, x22]
	ldr	q1, [x11, x22]
	ldr	q17, [x10, x22]
	fadd	v5.2d, v5.2d, v26.2d
	fadd	v3.2d, v27.2d, v28.2d
	fadd	v16.2d, v26.2d, v29.2d
	fadd	v2.2d, v30.2d, v31.2d
	fadd	v7.2d, v29.2d, v0.2d
	fadd	v18.2d, v1.2d, v17.2d
	fadd	v19.2d, v3.2d, v5.2d
	fadd	v20.2d, v2.2d, v16.2d
	fadd	v21.2d, v18.2d, v7.2d
	fmul	v22.2d, v19.2d, v4.2d
	fmul	v23.2d, v20.2d, v4.2d
	fmul	v24.2d, v21.2d, v4.2d
	str	q22, [x8, x6]
	str	q23, [x8, x21]
	str	q24, [x8, x22]
.L5:
	ldr	q5, [x9, x0]
	ldr	q1, [x11, x0]
	add	x6, x0, 16
	add	x22, x0, 48
	ldr	q3, [x10, x0]
	add	x21, x6, 16
	fadd	v2.2d, v0.2d, v5.2d
	fadd	v7.2d, v1.2d, v3.2d
	fadd	v16.2d, v7.2d, v2.2d
	fmul	v17.2d, v16.2d, v4.2d
	str	q17, [x8, x0]
	add	x0, x0, 64
	cmp	x6, x14
	bne	.L9
	mov	x0, x20
	cbz	x16, .L6
.L7:
	add	x9, x4, x0
	add	x10, x5, x0
	add	x11, x7, x0
	ldr	d18, [x2, x9, lsl 3]
	ldr	d19, [x2, x10, lsl 3]
	lsl	x5, x11, 3
	add	x4, x2, x5
	ldr	d21, [x4, -8]
	ldr	d22, [x4, 8]
	fadd	d20, d18, d19
	fadd	d23, d20, d21
	fadd	d24, d23, d22
	fmul	d25, d24, d6
	str	d25, [x3, x5]
.L6:
	add	x12, x12, x15
	add	x8, x8, x15
	cmp	x18, x13
	bne	.L4
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x29, x30, [sp], 48
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
.L35:
	.cfi_restore_state
	mov	x0, 1
	b	.L7
.L31:
	.cfi_def_cfa_offset 0
	.cfi_restore 19
	.cfi_restore 20
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 29
	.cfi_restore 30
	ret
	.cfi_endproc
.LFE0:
	.size	jacobi2d, .-jacobi2d
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
