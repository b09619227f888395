	.arch armv8.1-a+crypto+crc
	.file	"pi.c"
	.text
	.align	2
	.p2align 4,,15
	.global	pi
	.type	pi, %function
pi:
.LFB0:
	.cfi_startproc
	scvtf	d1, x0
	fmov	d0, 1.0e+0
	fdiv	d21, d0, d1
	cmp	x0, 0
	ble	.L6
	sub	x1, x0, #1
	cmp	x1, 1
	bls	.L7
	tst	x0, 6
	adrp	x3, .LC0
	adrp	x5, .LC1
	dup	v17.2d, v21.d[0]
	movi	v0.2d, 0
	ldr	q27, [x3, #:lo12:.LC0]
	ldr	q19, [x5, #:lo12:.LC1]
	lsr	x4, x0, 1
	fmov	v18.2d, 5.0e-1
	fmov	v16.2d, 1.0e+0
	mov	x8, 0
	ubfx	x6, x0, 1, 2
	fmov	v7.2d, 4.0e+0
	beq	.L4
	cmp	x6, 1
	beq	.L20
	cmp	x6, 2
	beq	.L21
	adrp	x7, .LC2
	mov	v6.16b, v16.16b
	add	v27.2d, v27.2d, v19.2d
	mov	x8, 1
	ldr	q2, [x7, #:lo12:.LC2]
	fadd	v3.2d, v2.2d, v18.2d
	fmul	v4.2d, v3.2d, v17.2d
	fmla	v6.2d, v4.2d, v4.2d
	fdiv	v0.2d, v7.2d, v6.2d
.L21:
	mov	v5.16b, v27.16b
	mov	v24.16b, v16.16b
	add	x8, x8, 1
	add	v27.2d, v27.2d, v19.2d
	scvtf	v20.2d, v5.2d
	fadd	v22.2d, v20.2d, v18.2d
	fmul	v23.2d, v22.2d, v17.2d
	fmla	v24.2d, v23.2d, v23.2d
	fdiv	v25.2d, v7.2d, v24.2d
	fadd	v0.2d, v0.2d, v25.2d
.L20:
	mov	v26.16b, v27.16b
	mov	v31.16b, v16.16b
	add	x8, x8, 1
	add	v27.2d, v27.2d, v19.2d
	scvtf	v28.2d, v26.2d
	fadd	v29.2d, v28.2d, v18.2d
	fmul	v30.2d, v29.2d, v17.2d
	fmla	v31.2d, v30.2d, v30.2d
	fdiv	v1.2d, v7.2d, v31.2d
	fadd	v0.2d, v0.2d, v1.2d
	cmp	x4, x8
	beq	.L27
.L4:
	add	v2.2d, v27.2d, v19.2d
	scvtf	v6.2d, v27.2d
	add	x8, x8, 4
	mov	v26.16b, v16.16b
	mov	v31.16b, v16.16b
	add	v3.2d, v2.2d, v19.2d
	scvtf	v4.2d, v2.2d
	fadd	v5.2d, v6.2d, v18.2d
	add	v20.2d, v3.2d, v19.2d
	scvtf	v22.2d, v3.2d
	fmul	v23.2d, v5.2d, v17.2d
	fadd	v24.2d, v4.2d, v18.2d
	mov	v4.16b, v16.16b
	scvtf	v25.2d, v20.2d
	fmla	v26.2d, v23.2d, v23.2d
	fmul	v28.2d, v24.2d, v17.2d
	fadd	v29.2d, v22.2d, v18.2d
	add	v27.2d, v20.2d, v19.2d
	mov	v20.16b, v16.16b
	fdiv	v30.2d, v7.2d, v26.2d
	fmla	v31.2d, v28.2d, v28.2d
	fmul	v1.2d, v29.2d, v17.2d
	fadd	v2.2d, v25.2d, v18.2d
	fdiv	v6.2d, v7.2d, v31.2d
	fmla	v4.2d, v1.2d, v1.2d
	fmul	v3.2d, v2.2d, v17.2d
	fdiv	v5.2d, v7.2d, v4.2d
	fmla	v20.2d, v3.2d, v3.2d
	fdiv	v22.2d, v7.2d, v20.2d
	fadd	v0.2d, v0.2d, v30.2d
	fadd	v23.2d, v0.2d, v6.2d
	fadd	v24.2d, v23.2d, v5.2d
	fadd	v0.2d, v24.2d, v22.2d
	cmp	x4, x8
	bne	.L4
.L27:
	faddp	d2, v0.2d
	and	x2, x0, -2
	tbz	x0, 0, .L5
.L3:
	scvtf	d17, x2
	fmov	d19, 5.0e-1
	add	x9, x2, 1
	fmov	d18, 1.0e+0
	fmov	d16, 4.0e+0
	fadd	d7, d17, d19
	fmul	d27, d7, d21
	fmadd	d25, d27, d27, d18
	fdiv	d26, d16, d25
	fadd	d2, d2, d26
	cmp	x0, x9
	ble	.L5
	scvtf	d28, x9
	fadd	d29, d28, d19
	fmul	d30, d29, d21
	fmadd	d31, d30, d30, d18
	fdiv	d1, d16, d31
	fadd	d2, d2, d1
.L5:
	fmul	d0, d21, d2
	ret
	.p2align 3,,7
.L6:
	movi	d0, #0
	ret
.L7:
	movi	d2, #0
	mov	x2, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	pi, .-pi
	.section	.rodata.cst16,"aM",@progbits,16
	.align	4
.LC0:
	.xword	0
	.xword	1
	.align	4
.LC1:
	.xword	2
	.xword	2
	.align	4
.LC2:
	.word	0
	.word	0
	.word	0
	.word	1072693248
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
