	.arch armv8.1-a+crypto+crc
	.file	"gauss_seidel_f.f90"
	.text
	.align	2
	.p2align 4,,15
	.global	gauss_seidel_
	.type	gauss_seidel_, %function
gauss_seidel_:
.LFB0:
	.cfi_startproc
	ldr	w1, [x1]
	ldr	w14, [x2]
	add	w2, w1, 1
	sxtw	x3, w2
	adds	x4, x3, 1
	csel	x8, x4, xzr, pl
	cmp	w14, 0
	ble	.L1
	cmp	w1, 0
	ble	.L1
	fmov	d2, 2.5e-1
	sub	w6, w1, #1
	lsl	x13, x8, 3
	add	x5, x0, 16
	add	x7, x6, x8
	add	x10, x13, 8
	add	w15, w14, 1
	mov	x9, x8
	add	x6, x5, x7, lsl 3
	lsl	x12, x8, 1
	add	x7, x0, x10
	mov	x11, 0
	mov	w17, 1
	.p2align 4,,15
.L6:
	sub	x16, x6, x7
	ldr	d27, [x7, -8]
	add	w17, w17, 1
	sub	x14, x11, x9
	sub	x18, x16, #8
	sub	x2, x12, x9
	mov	x0, x7
	lsr	x1, x18, 3
	add	x3, x1, 1
	ands	x4, x3, 3
	beq	.L4
	cmp	x4, 1
	beq	.L17
	cmp	x4, 2
	beq	.L18
	ldr	d1, [x7, x14, lsl 3]
	ldr	d4, [x7, 8]
	ldr	d3, [x7, x2, lsl 3]
	fadd	d5, d1, d4
	fadd	d0, d5, d27
	fadd	d6, d0, d3
	fmul	d27, d6, d2
	str	d27, [x0], 8
.L18:
	ldr	d7, [x0, x14, lsl 3]
	ldr	d17, [x0, 8]
	ldr	d16, [x0, x2, lsl 3]
	fadd	d18, d7, d17
	fadd	d19, d18, d27
	fadd	d20, d19, d16
	fmul	d27, d20, d2
	str	d27, [x0], 8
.L17:
	ldr	d21, [x0, x14, lsl 3]
	ldr	d23, [x0, 8]
	ldr	d22, [x0, x2, lsl 3]
	fadd	d24, d21, d23
	fadd	d25, d24, d27
	fadd	d26, d25, d22
	fmul	d27, d26, d2
	str	d27, [x0], 8
	cmp	x6, x0
	beq	.L23
.L4:
	ldr	d28, [x0, x14, lsl 3]
	ldr	d30, [x0, 8]
	mov	x10, x0
	add	x16, x0, 24
	ldr	d29, [x0, x2, lsl 3]
	add	x0, x0, 32
	fadd	d31, d28, d30
	fadd	d1, d31, d27
	fadd	d3, d1, d29
	fmul	d5, d3, d2
	str	d5, [x10], 8
	ldr	d0, [x10, x14, lsl 3]
	ldr	d4, [x10, 8]
	add	x5, x10, 8
	ldr	d6, [x10, x2, lsl 3]
	fadd	d7, d0, d4
	fadd	d16, d7, d5
	fadd	d17, d16, d6
	fmul	d18, d17, d2
	str	d18, [x0, -24]
	ldr	d19, [x5, x14, lsl 3]
	ldr	d21, [x10, 16]
	ldr	d20, [x5, x2, lsl 3]
	fadd	d22, d19, d21
	fadd	d23, d22, d18
	fadd	d24, d23, d20
	fmul	d25, d24, d2
	str	d25, [x10, 8]
	ldr	d26, [x16, x14, lsl 3]
	ldr	d28, [x0]
	ldr	d27, [x16, x2, lsl 3]
	fadd	d29, d26, d28
	fadd	d30, d29, d25
	fadd	d31, d30, d27
	fmul	d27, d31, d2
	str	d27, [x0, -8]
	cmp	x6, x0
	bne	.L4
.L23:
	add	x7, x7, x13
	add	x11, x11, x8
	add	x9, x9, x8
	add	x12, x12, x8
	add	x6, x6, x13
	cmp	w17, w15
	bne	.L6
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	gauss_seidel_, .-gauss_seidel_
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
