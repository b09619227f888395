	.arch armv8.1-a+crypto+crc
	.file	"cmul.c"
	.text
	.align	2
	.p2align 4,,15
	.global	cmul
	.type	cmul, %function
cmul:
.LFB0:
	.cfi_startproc
	cmp	x3, 0
	ble	.L1
	sub	x4, x3, #1
	cmp	x4, 2
	bls	.L6
	lsr	x10, x3, 2
	mov	x15, x1
	mov	x9, x2
	mov	x8, x0
	lsl	x6, x10, 5
	add	x14, x1, x10, lsl 5
	sub	x7, x6, #32
	lsr	x11, x7, 5
	add	x12, x11, 1
	ands	x13, x12, 3
	beq	.L4
	cmp	x13, 1
	beq	.L19
	cmp	x13, 2
	beq	.L20
	ld2	{v2.4s - v3.4s}, [x15], 32
	ld2	{v4.4s - v5.4s}, [x9], 32
	fmul	v7.4s, v4.4s, v2.4s
	fmul	v6.4s, v4.4s, v3.4s
	fmls	v7.4s, v3.4s, v5.4s
	fmla	v6.4s, v5.4s, v2.4s
	mov	v0.16b, v7.16b
	mov	v1.16b, v6.16b
	st2	{v0.4s - v1.4s}, [x8], 32
.L20:
	ld2	{v2.4s - v3.4s}, [x15], 32
	ld2	{v4.4s - v5.4s}, [x9], 32
	fmul	v16.4s, v4.4s, v2.4s
	fmul	v4.4s, v4.4s, v3.4s
	fmls	v16.4s, v3.4s, v5.4s
	fmla	v4.4s, v5.4s, v2.4s
	mov	v0.16b, v16.16b
	mov	v1.16b, v4.16b
	st2	{v0.4s - v1.4s}, [x8], 32
.L19:
	ld2	{v2.4s - v3.4s}, [x15], 32
	ld2	{v4.4s - v5.4s}, [x9], 32
	fmul	v17.4s, v4.4s, v2.4s
	fmul	v18.4s, v4.4s, v3.4s
	fmls	v17.4s, v3.4s, v5.4s
	fmla	v18.4s, v5.4s, v2.4s
	mov	v0.16b, v17.16b
	mov	v1.16b, v18.16b
	st2	{v0.4s - v1.4s}, [x8], 32
	cmp	x15, x14
	beq	.L26
.L4:
	mov	x16, x15
	mov	x17, x9
	ld2	{v22.4s - v23.4s}, [x16], 32
	ld2	{v24.4s - v25.4s}, [x17], 32
	add	x4, x15, 96
	add	x5, x9, 96
	mov	x18, x8
	add	x10, x8, 96
	ld2	{v2.4s - v3.4s}, [x4]
	ld2	{v4.4s - v5.4s}, [x5]
	add	x15, x15, 128
	add	x9, x9, 128
	add	x8, x8, 128
	ld2	{v18.4s - v19.4s}, [x16], 32
	ld2	{v20.4s - v21.4s}, [x17], 32
	fmul	v26.4s, v24.4s, v22.4s
	fmul	v30.4s, v24.4s, v23.4s
	fmul	v27.4s, v4.4s, v2.4s
	fmul	v24.4s, v4.4s, v3.4s
	ld2	{v6.4s - v7.4s}, [x16]
	ld2	{v16.4s - v17.4s}, [x17]
	fmul	v29.4s, v20.4s, v18.4s
	fmul	v28.4s, v20.4s, v19.4s
	fmls	v26.4s, v23.4s, v25.4s
	fmla	v30.4s, v25.4s, v22.4s
	fmls	v27.4s, v3.4s, v5.4s
	fmla	v24.4s, v5.4s, v2.4s
	fmul	v23.4s, v16.4s, v6.4s
	fmul	v22.4s, v16.4s, v7.4s
	fmls	v29.4s, v19.4s, v21.4s
	fmla	v28.4s, v21.4s, v18.4s
	mov	v0.16b, v26.16b
	mov	v1.16b, v30.16b
	fmls	v23.4s, v7.4s, v17.4s
	fmla	v22.4s, v17.4s, v6.4s
	st2	{v0.4s - v1.4s}, [x18], 32
	mov	v0.16b, v29.16b
	mov	v1.16b, v28.16b
	st2	{v0.4s - v1.4s}, [x18], 32
	mov	v0.16b, v23.16b
	mov	v1.16b, v22.16b
	st2	{v0.4s - v1.4s}, [x18]
	mov	v0.16b, v27.16b
	mov	v1.16b, v24.16b
	st2	{v0.4s - v1.4s}, [x10]
	cmp	x15, x14
	bne	.L4
.L26:
	tst	x3, 3
	and	x5, x3, -4
	beq	.L1
.L3:
	lsl	x14, x5, 3
	add	x11, x5, 1
	add	x7, x14, 4
	ldr	s5, [x2, x14]
	ldr	s3, [x1, x14]
	ldr	s0, [x1, x7]
	ldr	s2, [x2, x7]
	fmul	s1, s0, s2
	fmul	s19, s5, s0
	fnmsub	s20, s3, s5, s1
	fmadd	s21, s3, s2, s19
	str	s20, [x0, x14]
	str	s21, [x0, x7]
	cmp	x3, x11
	ble	.L1
	add	x12, x14, 12
	add	x13, x14, 8
	add	x15, x5, 2
	ldr	s25, [x1, x12]
	ldr	s31, [x2, x12]
	ldr	s7, [x2, x13]
	ldr	s6, [x1, x13]
	fmul	s16, s25, s31
	fmul	s4, s7, s25
	fnmsub	s17, s6, s7, s16
	fmadd	s18, s6, s31, s4
	str	s17, [x0, x13]
	str	s18, [x0, x12]
	cmp	x3, x15
	ble	.L1
	add	x3, x14, 20
	add	x9, x14, 16
	ldr	s26, [x1, x3]
	ldr	s30, [x2, x3]
	ldr	s27, [x2, x9]
	ldr	s24, [x1, x9]
	fmul	s29, s30, s26
	fmul	s28, s26, s27
	fnmsub	s23, s27, s24, s29
	fmadd	s22, s30, s24, s28
	str	s23, [x0, x9]
	str	s22, [x0, x3]
.L1:
	ret
.L6:
	mov	x5, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	cmul, .-cmul
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
