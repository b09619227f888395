	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"spmv.c"
	.text
	.align	2
	.p2align 5,,15
	.global	spmv
	.type	spmv, %function
spmv:
.LFB0:
	.cfi_startproc
	cmp	w0, 0
	ble	.L1
	cntw	x11
	sxtw	x16, w0
	ptrue	p0.b, all
	sub	w18, w11, #1
	mov	x10, 0
	add	x17, x1, 4
	cntb	x14, all, mul #2
	cntb	x13
	.p2align 5,,15
.L8:
	ldr	w0, [x1, x10, lsl 2]
	ldr	w9, [x17, x10, lsl 2]
	cmp	w0, w9
	bge	.L9
	sub	w6, w9, #1
	sub	w15, w9, w0
	sub	w6, w6, w0
	cmp	w6, w18
	bcc	.L10
	sub	w12, w15, w11
	mov	w8, 0
	mov	z3.d, #0
	add	x7, x3, w0, sxtw 3
	mov	z0.d, z3.d
	add	x6, x2, w0, sxtw 2
	.p2align 5,,15
.L5:
	ld1sw	z2.d, p0/z, [x6]
	add	w8, w8, w11
	ld1d	z2.d, p0/z, [x4, z2.d, lsl 3]
	ld1d	z4.d, p0/z, [x7]
	ld1sw	z1.d, p0/z, [x6, #1, mul vl]
	fmla	z0.d, p0/m, z4.d, z2.d
	ld1d	z1.d, p0/z, [x4, z1.d, lsl 3]
	ld1d	z2.d, p0/z, [x7, #1, mul vl]
	add	x6, x6, x13
	add	x7, x7, x14
	fmla	z3.d, p0/m, z2.d, z1.d
	cmp	w12, w8
	bcs	.L5
	fadd	z0.d, z0.d, z3.d
	add	w0, w0, w8
	faddv	d0, p0, z0.d
	cmp	w15, w8
	beq	.L3
.L4:
	sxtw	x0, w0
	.p2align 5,,15
.L7:
	ldrsw	x6, [x2, x0, lsl 2]
	ldr	d2, [x3, x0, lsl 3]
	add	x0, x0, 1
	ldr	d1, [x4, x6, lsl 3]
	fmadd	d0, d2, d1, d0
	cmp	w9, w0
	bgt	.L7
.L3:
	str	d0, [x5, x10, lsl 3]
	add	x10, x10, 1
	cmp	x16, x10
	bne	.L8
.L1:
	ret
	.p2align 2,,3
.L9:
	movi	d0, #0
	str	d0, [x5, x10, lsl 3]
	add	x10, x10, 1
	cmp	x16, x10
	bne	.L8
	b	.L1
.L10:
	movi	d0, #0
	b	.L4
	.cfi_endproc
.LFE0:
	.size	spmv, .-spmv
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
