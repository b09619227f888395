	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"marked.c"
	.text
	.align	2
	.p2align 5,,15
	.global	marked
	.type	marked, %function
marked:
.LFB0:
	.cfi_startproc
#APP
// 10 "marked.c" 1
	// OSACA-BEGIN
// 0 "" 2
#NO_APP
	cmp	x2, 0
	ble	.L2
	sub	x7, x2, #1
	cmp	x7, 6
	bls	.L17
	movi	v1.2d, 0
	lsr	x5, x2, 3
	mov	x3, x0
	add	x6, x0, x5, lsl 6
	mov	x4, x1
	mov	v0.16b, v1.16b
	mov	v3.16b, v1.16b
	mov	v2.16b, v1.16b
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
	cmp	x3, x6
	bne	.L4
	and	x3, x2, -8
	mov	x6, x3
	mov	x4, x3
	fadd	v0.2d, v0.2d, v1.2d
	fadd	v2.2d, v2.2d, v3.2d
	fadd	v0.2d, v0.2d, v2.2d
	faddp	d16, v0.2d
	cmp	x2, x3
	beq	.L34
.L3:
	sub	x3, x2, x4
	sub	x5, x3, #1
	cmp	x5, 1
	bls	.L6
	lsl	x5, x4, 3
	lsr	x8, x3, 1
	add	x9, x0, x4, lsl 3
	add	x4, x1, x4, lsl 3
	ldr	q2, [x0, x5]
	ldr	q1, [x1, x5]
	fmla	v0.2d, v2.2d, v1.2d
	cmp	x8, 1
	beq	.L35
	ldr	q2, [x4, 16]
	ldr	q1, [x9, 16]
	fmla	v0.2d, v2.2d, v1.2d
	cmp	x8, 2
	beq	.L8
	ldr	q1, [x4, 32]
	ldr	q2, [x9, 32]
	fmla	v0.2d, v2.2d, v1.2d
.L8:
	faddp	d16, v0.2d
	tbnz	x3, 0, .L36
.L9:
#APP
// 13 "marked.c" 1
	// OSACA-END
// 0 "" 2
// 14 "marked.c" 1
	// LLVM-MCA-BEGIN sum
// 0 "" 2
#NO_APP
	cmp	x7, 6
	bls	.L18
	lsr	x5, x2, 3
	and	x3, x2, -8
.L5:
	movi	v1.2d, 0
	add	x4, x0, x5, lsl 6
	mov	x1, x0
	mov	v0.16b, v1.16b
	mov	v3.16b, v1.16b
	mov	v2.16b, v1.16b
	.p2align 5,,15
.L12:
	ldp	q7, q6, [x1]
	ldp	q5, q4, [x1, 32]
	add	x1, x1, 64
	fadd	v2.2d, v2.2d, v7.2d
	fadd	v3.2d, v3.2d, v6.2d
	fadd	v0.2d, v0.2d, v5.2d
	fadd	v1.2d, v1.2d, v4.2d
	cmp	x1, x4
	bne	.L12
	fadd	v0.2d, v0.2d, v1.2d
	mov	x1, x3
	fadd	v2.2d, v2.2d, v3.2d
	fadd	v1.2d, v0.2d, v2.2d
	faddp	d0, v1.2d
	fadd	d0, d0, d16
	cmp	x3, x2
	beq	.L10
.L11:
	sub	x4, x2, x3
	sub	x5, x4, #1
	cmp	x5, 2
	bls	.L14
	lsl	x6, x3, 3
	add	x3, x0, x3, lsl 3
	lsr	x5, x4, 1
	ldr	q2, [x0, x6]
	ldr	q0, [x3, 16]
	fadd	v1.2d, v2.2d, v1.2d
	fadd	v0.2d, v0.2d, v1.2d
	cmp	x5, 2
	beq	.L15
	ldr	q1, [x3, 32]
	fadd	v0.2d, v0.2d, v1.2d
.L15:
	faddp	d0, v0.2d
	fadd	d0, d0, d16
	tbz	x4, 0, .L10
	and	x4, x4, -2
	add	x1, x1, x4
.L14:
	lsl	x4, x1, 3
	add	x3, x1, 1
	ldr	d1, [x0, x4]
	fadd	d0, d0, d1
	cmp	x3, x2
	bge	.L10
	add	x0, x0, x4
	add	x1, x1, 2
	ldr	d1, [x0, 8]
	fadd	d0, d0, d1
	cmp	x1, x2
	bge	.L10
	ldr	d1, [x0, 16]
	fadd	d0, d0, d1
.L10:
#APP
// 17 "marked.c" 1
	// LLVM-MCA-END sum
// 0 "" 2
#NO_APP
	ret
	.p2align 2,,3
.L36:
	and	x3, x3, -2
	add	x6, x6, x3
.L6:
	lsl	x3, x6, 3
	add	x6, x6, 1
	ldr	d1, [x1, x3]
	ldr	d0, [x0, x3]
	fmadd	d16, d1, d0, d16
	cmp	x2, x6
	ble	.L9
.L37:
	add	x3, x3, 8
	ldr	d1, [x0, x3]
	ldr	d0, [x1, x3]
	fmadd	d16, d1, d0, d16
	b	.L9
	.p2align 2,,3
.L35:
	add	x6, x6, 2
	faddp	d16, v0.2d
	lsl	x3, x6, 3
	add	x6, x6, 1
	ldr	d1, [x1, x3]
	ldr	d0, [x0, x3]
	fmadd	d16, d1, d0, d16
	cmp	x2, x6
	bgt	.L37
	b	.L9
	.p2align 2,,3
.L2:
#APP
// 13 "marked.c" 1
	// OSACA-END
// 0 "" 2
// 14 "marked.c" 1
	// LLVM-MCA-BEGIN sum
// 0 "" 2
#NO_APP
	movi	d0, #0
#APP
// 17 "marked.c" 1
	// LLVM-MCA-END sum
// 0 "" 2
#NO_APP
	ret
	.p2align 2,,3
.L34:
#APP
// 13 "marked.c" 1
	// OSACA-END
// 0 "" 2
// 14 "marked.c" 1
	// LLVM-MCA-BEGIN sum
// 0 "" 2
#NO_APP
	b	.L5
.L18:
	fmov	d0, d16
	movi	v1.2d, 0
	mov	x3, 0
	mov	x1, 0
	b	.L11
.L17:
	movi	v0.2d, 0
	mov	x4, 0
	mov	x6, 0
	fmov	d16, d0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	marked, .-marked
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
