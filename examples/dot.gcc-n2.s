	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"dot.c"
	.text
	.align	2
	.p2align 5,,15
	.global	dot
	.type	dot, %function
dot:
.LFB0:
	.cfi_startproc
	cmp	x2, 0
	ble	.L11
	sub	x3, x2, #1
	movi	v1.2d, 0
	cmp	x3, 6
	bls	.L12
	lsr	x5, x2, 3
	mov	v0.16b, v1.16b
	mov	v3.16b, v1.16b
	mov	v2.16b, v1.16b
	add	x5, x0, x5, lsl 6
	mov	x3, x0
	mov	x4, x1
	.p2align 5,,15
.L4:
	ldp	q6, q16, [x3, 16]
	ldp	q5, q4, [x4, 16]
	ldr	q7, [x3, 48]
	fmla	v3.2d, v6.2d, v5.2d
	ldr	q6, [x4, 48]
	ldr	q5, [x3], 64
	fmla	v0.2d, v16.2d, v4.2d
	ldr	q4, [x4], 64
	fmla	v1.2d, v7.2d, v6.2d
	fmla	v2.2d, v5.2d, v4.2d
	cmp	x3, x5
	bne	.L4
	and	x3, x2, -8
	mov	x4, x3
	fadd	v0.2d, v0.2d, v1.2d
	fadd	v2.2d, v2.2d, v3.2d
	fadd	v1.2d, v0.2d, v2.2d
	faddp	d0, v1.2d
	cmp	x2, x3
	beq	.L1
.L3:
	sub	x5, x2, x4
	sub	x6, x5, #1
	cmp	x6, 1
	bls	.L7
	lsl	x6, x4, 3
	lsr	x7, x5, 1
	add	x8, x0, x4, lsl 3
	add	x4, x1, x4, lsl 3
	ldr	q2, [x0, x6]
	ldr	q0, [x1, x6]
	fmla	v1.2d, v2.2d, v0.2d
	cmp	x7, 1
	beq	.L21
	ldr	q2, [x4, 16]
	ldr	q0, [x8, 16]
	fmla	v1.2d, v2.2d, v0.2d
	cmp	x7, 2
	beq	.L9
	ldr	q0, [x4, 32]
	ldr	q2, [x8, 32]
	fmla	v1.2d, v2.2d, v0.2d
.L9:
	faddp	d0, v1.2d
	tbnz	x5, 0, .L22
.L1:
	ret
	.p2align 2,,3
.L22:
	and	x5, x5, -2
	add	x3, x3, x5
.L7:
	lsl	x4, x3, 3
	add	x3, x3, 1
	ldr	d2, [x0, x4]
	ldr	d1, [x1, x4]
	fmadd	d0, d2, d1, d0
	cmp	x2, x3
	ble	.L1
.L23:
	add	x4, x4, 8
	ldr	d2, [x0, x4]
	ldr	d1, [x1, x4]
	fmadd	d0, d2, d1, d0
	ret
	.p2align 2,,3
.L21:
	add	x3, x3, 2
	faddp	d0, v1.2d
	lsl	x4, x3, 3
	add	x3, x3, 1
	ldr	d2, [x0, x4]
	ldr	d1, [x1, x4]
	fmadd	d0, d2, d1, d0
	cmp	x2, x3
	bgt	.L23
	b	.L1
	.p2align 2,,3
.L11:
	movi	d0, #0
	ret
.L12:
	fmov	d0, d1
	mov	x4, 0
	mov	x3, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	dot, .-dot
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
