	.arch armv8.1-a+crypto+crc
	.file	"gauss_seidel_u4.f90"
	.text
	.align	2
	.p2align 4,,15
	.global	gauss_seidel_u4_
	.type	gauss_seidel_u4_, %function
gauss_seidel_u4_:
.LFB0:
	.cfi_startproc
	ldr	w4, [x1]
	ldr	w8, [x2]
	add	w1, w4, 1
	sxtw	x1, w1
	adds	x1, x1, 1
	csel	x1, x1, xzr, pl
	cmp	w8, 0
	ble	.L1
	sub	w3, w4, #1
	lsr	w3, w3, 2
	cmp	w4, 0
	ble	.L1
	add	x3, x1, w3, uxtw 2
	fmov	d2, 2.5e-1
	add	x2, x0, 32
	lsl	x7, x1, 3
	lsl	x1, x1, 4
	add	w8, w8, 1
	add	x3, x2, x3, lsl 3
	add	x4, x0, 8
	sub	x6, x1, #8
	sub	x9, x7, #8
	mov	w5, 1
	.p2align 4,,15
.L6:
	add	w5, w5, 1
	add	x0, x9, x4
	add	x2, x6, x4
	mov	x1, x4
	.p2align 4,,15
.L4:
	ldr	d0, [x1]
	ldp	d7, d6, [x0, 16]
	add	x1, x1, 32
	ldr	d3, [x0]
	ldr	d1, [x2, 8]
	ldp	d5, d4, [x0, 32]
	fadd	d0, d0, d7
	fadd	d0, d0, d3
	fadd	d0, d0, d1
	fmul	d0, d0, d2
	str	d0, [x0, 8]
	ldr	d1, [x1, -24]
	ldr	d3, [x2, 16]
	fadd	d1, d1, d6
	fadd	d1, d1, d0
	fadd	d1, d1, d3
	fmul	d1, d1, d2
	str	d1, [x0, 16]
	ldr	d0, [x1, -16]
	ldr	d3, [x2, 24]
	fadd	d0, d0, d5
	fadd	d0, d0, d1
	fadd	d0, d0, d3
	fmul	d0, d0, d2
	str	d0, [x0, 24]
	ldr	d1, [x1, -8]
	ldr	d3, [x2, 32]!
	fadd	d1, d1, d4
	fadd	d0, d1, d0
	fadd	d0, d0, d3
	fmul	d0, d0, d2
	str	d0, [x0, 32]!
	cmp	x0, x3
	bne	.L4
	add	x4, x4, x7
	add	x3, x3, x7
	cmp	w5, w8
	bne	.L6
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	gauss_seidel_u4_, .-gauss_seidel_u4_
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
