	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"sum.c"
	.text
	.align	2
	.p2align 5,,15
	.global	sum
	.type	sum, %function
sum:
.LFB0:
	.cfi_startproc
	cmp	x1, 0
	ble	.L10
	sub	x2, x1, #1
	movi	v1.2d, 0
	cmp	x2, 6
	bls	.L11
	lsr	x3, x1, 3
	mov	v0.16b, v1.16b
	mov	v3.16b, v1.16b
	mov	v2.16b, v1.16b
	add	x3, x0, x3, lsl 6
	mov	x2, x0
	.p2align 5,,15
.L4:
	ldp	q7, q6, [x2]
	ldp	q5, q4, [x2, 32]
	add	x2, x2, 64
	fadd	v2.2d, v2.2d, v7.2d
	fadd	v3.2d, v3.2d, v6.2d
	fadd	v0.2d, v0.2d, v5.2d
	fadd	v1.2d, v1.2d, v4.2d
	cmp	x3, x2
	bne	.L4
	fadd	v0.2d, v0.2d, v1.2d
	and	x2, x1, -8
	fadd	v2.2d, v2.2d, v3.2d
	mov	x3, x2
	fadd	v1.2d, v0.2d, v2.2d
	faddp	d0, v1.2d
	cmp	x1, x2
	beq	.L1
.L3:
	sub	x4, x1, x3
	sub	x5, x4, #1
	cmp	x5, 2
	bls	.L7
	lsl	x6, x3, 3
	add	x3, x0, x3, lsl 3
	lsr	x5, x4, 1
	ldr	q2, [x0, x6]
	ldr	q0, [x3, 16]
	fadd	v1.2d, v2.2d, v1.2d
	fadd	v0.2d, v0.2d, v1.2d
	cmp	x5, 2
	beq	.L8
	ldr	q1, [x3, 32]
	fadd	v0.2d, v0.2d, v1.2d
.L8:
	faddp	d0, v0.2d
	tbz	x4, 0, .L1
	and	x4, x4, -2
	add	x2, x2, x4
.L7:
	lsl	x4, x2, 3
	add	x3, x2, 1
	ldr	d1, [x0, x4]
	fadd	d0, d0, d1
	cmp	x1, x3
	ble	.L1
	add	x0, x0, x4
	add	x2, x2, 2
	ldr	d1, [x0, 8]
	fadd	d0, d0, d1
	cmp	x1, x2
	ble	.L1
	ldr	d1, [x0, 16]
	fadd	d0, d0, d1
.L1:
	ret
	.p2align 2,,3
.L10:
	movi	d0, #0
	ret
.L11:
	fmov	d0, d1
	mov	x3, 0
	mov	x2, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	sum, .-sum
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
