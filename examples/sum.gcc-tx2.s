	.arch armv8.1-a+crypto+crc
	.file	"sum.c"
	.text
	.align	2
	.p2align 4,,15
	.global	sum
	.type	sum, %function
sum:
.LFB0:
	.cfi_startproc
	cmp	x1, 0
	ble	.L7
	sub	x2, x1, #1
	cmp	x2, 2
	bls	.L8
	lsr	x4, x1, 1
	movi	v0.2d, 0
	mov	x11, x0
	lsl	x3, x4, 4
	add	x6, x0, x4, lsl 4
	sub	x7, x3, #16
	lsr	x8, x7, 4
	add	x9, x8, 1
	ands	x10, x9, 7
	beq	.L4
	cmp	x10, 1
	beq	.L31
	cmp	x10, 2
	beq	.L32
	cmp	x10, 3
	beq	.L33
	cmp	x10, 4
	beq	.L34
	cmp	x10, 5
	beq	.L35
	cmp	x10, 6
	bne	.L47
.L36:
	ldr	q1, [x11], 16
	fadd	v0.2d, v0.2d, v1.2d
.L35:
	ldr	q2, [x11], 16
	fadd	v0.2d, v0.2d, v2.2d
.L34:
	ldr	q3, [x11], 16
	fadd	v0.2d, v0.2d, v3.2d
.L33:
	ldr	q4, [x11], 16
	fadd	v0.2d, v0.2d, v4.2d
.L32:
	ldr	q5, [x11], 16
	fadd	v0.2d, v0.2d, v5.2d
.L31:
	ldr	q6, [x11], 16
	fadd	v0.2d, v0.2d, v6.2d
	cmp	x6, x11
	beq	.L45
.L4:
	mov	x12, x11
	ldr	q7, [x12], 16
	ldr	q17, [x11, 16]
	ldp	q18, q19, [x11, 48]
	ldp	q20, q21, [x11, 80]
	ldr	q22, [x11, 112]
	add	x11, x11, 128
	fadd	v16.2d, v0.2d, v7.2d
	ldr	q24, [x12, 16]
	fadd	v23.2d, v16.2d, v17.2d
	fadd	v25.2d, v23.2d, v24.2d
	fadd	v26.2d, v25.2d, v18.2d
	fadd	v27.2d, v26.2d, v19.2d
	fadd	v28.2d, v27.2d, v20.2d
	fadd	v29.2d, v28.2d, v21.2d
	fadd	v0.2d, v29.2d, v22.2d
	cmp	x6, x11
	bne	.L4
.L45:
	faddp	d0, v0.2d
	and	x5, x1, -2
	tbz	x1, 0, .L1
.L3:
	lsl	x13, x5, 3
	add	x14, x5, 1
	ldr	d30, [x0, x13]
	fadd	d0, d0, d30
	cmp	x1, x14
	ble	.L1
	add	x0, x0, x13
	add	x15, x5, 2
	ldr	d31, [x0, 8]
	fadd	d0, d0, d31
	cmp	x1, x15
	ble	.L1
	ldr	d1, [x0, 16]
	fadd	d0, d0, d1
.L1:
	ret
	.p2align 3,,7
.L47:
	ldr	q0, [x11], 16
	b	.L36
	.p2align 3,,7
.L7:
	movi	d0, #0
	ret
.L8:
	movi	d0, #0
	mov	x5, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	sum, .-sum
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
