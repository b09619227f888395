	.arch armv8.1-a+crypto+crc
	.file	"gauss_seidel.c"
	.text
	.align	2
	.p2align 4,,15
	.global	gauss_seidel
	.type	gauss_seidel, %function
gauss_seidel:
.LFB0:
	.cfi_startproc
	sub	x14, x0, #1
	cmp	x0, 2
	ble	.L1
	cmp	x1, 2
	ble	.L1
	fmov	d2, 2.5e-1
	lsl	x13, x1, 3
	sub	x8, x2, #8
	lsl	x12, x1, 1
	add	x0, x13, 8
	add	x8, x8, x1, lsl 4
	mov	x11, 0
	mov	x9, x1
	add	x7, x2, x0
	mov	x10, 1
	.p2align 4,,15
.L4:
	sub	x2, x8, x7
	ldr	d27, [x7, -8]
	add	x10, x10, 1
	sub	x5, x11, x9
	sub	x3, x2, #8
	sub	x4, x12, x9
	mov	x17, x7
	lsr	x6, x3, 3
	add	x15, x6, 1
	ands	x16, x15, 3
	beq	.L5
	cmp	x16, 1
	beq	.L17
	cmp	x16, 2
	beq	.L18
	ldr	d1, [x7, x5, lsl 3]
	ldr	d4, [x7, x4, lsl 3]
	ldr	d3, [x7, 8]
	fadd	d5, d1, d4
	fadd	d6, d5, d3
	fadd	d0, d6, d27
	fmul	d27, d0, d2
	str	d27, [x17], 8
.L18:
	ldr	d7, [x17, x5, lsl 3]
	ldr	d16, [x17, x4, lsl 3]
	ldr	d18, [x17, 8]
	fadd	d17, d7, d16
	fadd	d19, d17, d18
	fadd	d20, d19, d27
	fmul	d27, d20, d2
	str	d27, [x17], 8
.L17:
	ldr	d21, [x17, x5, lsl 3]
	ldr	d22, [x17, x4, lsl 3]
	ldr	d24, [x17, 8]
	fadd	d23, d21, d22
	fadd	d25, d23, d24
	fadd	d26, d25, d27
	fmul	d27, d26, d2
	str	d27, [x17], 8
	cmp	x8, x17
	beq	.L23
.L5:
	ldr	d28, [x17, x5, lsl 3]
	ldr	d29, [x17, x4, lsl 3]
	mov	x18, x17
	add	x0, x17, 24
	ldr	d31, [x17, 8]
	add	x17, x17, 32
	fadd	d30, d28, d29
	fadd	d1, d30, d31
	fadd	d4, d1, d27
	fmul	d5, d4, d2
	str	d5, [x18], 8
	ldr	d6, [x18, x5, lsl 3]
	ldr	d0, [x18, x4, lsl 3]
	mov	x2, x18
	ldr	d3, [x2, 8]!
	fadd	d7, d6, d0
	fadd	d16, d7, d3
	fadd	d17, d16, d5
	fmul	d18, d17, d2
	str	d18, [x17, -24]
	ldr	d19, [x2, x5, lsl 3]
	ldr	d20, [x2, x4, lsl 3]
	ldr	d22, [x2, 8]
	fadd	d21, d19, d20
	fadd	d23, d21, d22
	fadd	d24, d23, d18
	fmul	d25, d24, d2
	str	d25, [x18, 8]
	ldr	d27, [x0, x4, lsl 3]
	ldr	d26, [x0, x5, lsl 3]
	ldr	d29, [x17]
	fadd	d28, d26, d27
	fadd	d30, d28, d29
	fadd	d31, d30, d25
	fmul	d27, d31, d2
	str	d27, [x17, -8]
	cmp	x8, x17
	bne	.L5
.L23:
	add	x7, x7, x13
	add	x11, x11, x1
	add	x9, x9, x1
	add	x12, x12, x1
	add	x8, x8, x13
	cmp	x14, x10
	bne	.L4
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	gauss_seidel, .-gauss_seidel
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
