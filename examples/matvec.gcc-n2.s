	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"matvec.c"
	.text
	.align	2
	.p2align 5,,15
	.global	matvec
	.type	matvec, %function
matvec:
.LFB0:
	.cfi_startproc
	cmp	x0, 0
	ble	.L1
	lsr	x15, x0, 3
	lsl	x16, x0, 3
	lsl	x15, x15, 6
	mov	x9, x1
	sub	x17, x0, #1
	and	x11, x0, -8
	mov	x8, 0
	mov	x10, 0
	.p2align 5,,15
.L3:
	cmp	x17, 6
	bls	.L12
	movi	v1.2d, 0
	mov	x5, x2
	add	x6, x9, x15
	mov	x4, x9
	mov	v0.16b, v1.16b
	mov	v3.16b, v1.16b
	mov	v2.16b, v1.16b
	.p2align 5,,15
.L9:
	ldp	q6, q16, [x4, 16]
	ldp	q5, q4, [x5, 16]
	ldr	q7, [x4, 48]
	fmla	v3.2d, v6.2d, v5.2d
	ldr	q6, [x5, 48]
	ldr	q5, [x4], 64
	fmla	v0.2d, v16.2d, v4.2d
	ldr	q4, [x5], 64
	fmla	v1.2d, v7.2d, v6.2d
	fmla	v2.2d, v5.2d, v4.2d
	cmp	x6, x4
	bne	.L9
	fadd	v0.2d, v0.2d, v1.2d
	fadd	v2.2d, v2.2d, v3.2d
	fadd	v0.2d, v0.2d, v2.2d
	faddp	d1, v0.2d
	cmp	x0, x11
	beq	.L4
	mov	x5, x11
	mov	x4, x11
.L11:
	sub	x7, x0, x5
	sub	x6, x7, #1
	cmp	x6, 1
	bls	.L5
	add	x6, x8, x5
	lsl	x14, x5, 3
	add	x5, x2, x5, lsl 3
	lsl	x13, x6, 3
	lsr	x12, x7, 1
	add	x6, x1, x6, lsl 3
	ldr	q2, [x2, x14]
	ldr	q1, [x1, x13]
	fmla	v0.2d, v2.2d, v1.2d
	cmp	x12, 1
	beq	.L22
	ldr	q2, [x5, 16]
	ldr	q1, [x6, 16]
	fmla	v0.2d, v2.2d, v1.2d
	cmp	x12, 2
	beq	.L7
	ldr	q1, [x5, 32]
	ldr	q2, [x6, 32]
	fmla	v0.2d, v2.2d, v1.2d
.L7:
	faddp	d1, v0.2d
	tbz	x7, 0, .L4
	and	x7, x7, -2
	add	x4, x4, x7
.L5:
	lsl	x5, x4, 3
	add	x6, x8, x4
	add	x4, x4, 1
	ldr	d0, [x2, x5]
	ldr	d2, [x1, x6, lsl 3]
	fmadd	d1, d2, d0, d1
	cmp	x0, x4
	ble	.L4
	add	x4, x8, x4
	add	x5, x2, x5
	ldr	d2, [x1, x4, lsl 3]
	ldr	d0, [x5, 8]
	fmadd	d1, d2, d0, d1
.L4:
	str	d1, [x3, x10, lsl 3]
	add	x10, x10, 1
	add	x9, x9, x16
	add	x8, x8, x0
	cmp	x0, x10
	bne	.L3
.L1:
	ret
	.p2align 2,,3
.L22:
	faddp	d1, v0.2d
	add	x4, x4, 2
	b	.L5
	.p2align 2,,3
.L12:
	movi	v0.2d, 0
	mov	x5, 0
	mov	x4, 0
	fmov	d1, d0
	b	.L11
	.cfi_endproc
.LFE0:
	.size	matvec, .-matvec
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
