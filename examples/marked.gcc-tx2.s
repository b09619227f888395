	.arch armv8.1-a+crypto+crc
	.file	"marked.c"
	.text
	.align	2
	.p2align 4,,15
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
	sub	x6, x2, #1
	cmp	x6, 1
	bls	.L10
	lsr	x5, x2, 1
	movi	v0.2d, 0
	mov	x3, 0
	lsl	x11, x5, 4
	sub	x7, x11, #16
	lsr	x8, x7, 4
	add	x9, x8, 1
	ands	x10, x9, 7
	beq	.L4
	cmp	x10, 1
	beq	.L58
	cmp	x10, 2
	beq	.L59
	cmp	x10, 3
	beq	.L60
	cmp	x10, 4
	beq	.L61
	cmp	x10, 5
	beq	.L62
	cmp	x10, 6
	bne	.L90
.L63:
	ldr	q3, [x0, x3]
	ldr	q4, [x1, x3]
	add	x3, x3, 16
	fmla	v0.2d, v3.2d, v4.2d
.L62:
	ldr	q5, [x0, x3]
	ldr	q6, [x1, x3]
	add	x3, x3, 16
	fmla	v0.2d, v5.2d, v6.2d
.L61:
	ldr	q7, [x0, x3]
	ldr	q16, [x1, x3]
	add	x3, x3, 16
	fmla	v0.2d, v7.2d, v16.2d
.L60:
	ldr	q17, [x0, x3]
	ldr	q18, [x1, x3]
	add	x3, x3, 16
	fmla	v0.2d, v17.2d, v18.2d
.L59:
	ldr	q19, [x0, x3]
	ldr	q20, [x1, x3]
	add	x3, x3, 16
	fmla	v0.2d, v19.2d, v20.2d
.L58:
	ldr	q21, [x0, x3]
	ldr	q22, [x1, x3]
	add	x3, x3, 16
	fmla	v0.2d, v21.2d, v22.2d
	cmp	x3, x11
	beq	.L88
.L4:
	ldr	q23, [x0, x3]
	ldr	q24, [x1, x3]
	add	x12, x3, 16
	add	x14, x3, 32
	ldr	q25, [x0, x12]
	ldr	q26, [x1, x12]
	add	x13, x3, 48
	add	x15, x3, 64
	ldr	q27, [x0, x14]
	ldr	q28, [x1, x14]
	add	x16, x3, 80
	add	x17, x3, 96
	ldr	q29, [x0, x13]
	ldr	q30, [x1, x13]
	add	x18, x3, 112
	add	x3, x3, 128
	fmla	v0.2d, v23.2d, v24.2d
	ldr	q31, [x0, x15]
	ldr	q7, [x1, x15]
	ldr	q6, [x0, x16]
	ldr	q5, [x1, x16]
	ldr	q4, [x0, x17]
	ldr	q3, [x1, x17]
	ldr	q2, [x0, x18]
	ldr	q1, [x1, x18]
	fmla	v0.2d, v25.2d, v26.2d
	fmla	v0.2d, v27.2d, v28.2d
	fmla	v0.2d, v29.2d, v30.2d
	fmla	v0.2d, v31.2d, v7.2d
	fmla	v0.2d, v6.2d, v5.2d
	fmla	v0.2d, v4.2d, v3.2d
	fmla	v0.2d, v2.2d, v1.2d
	cmp	x3, x11
	bne	.L4
.L88:
	faddp	d0, v0.2d
	and	x4, x2, -2
	tbz	x2, 0, .L5
.L3:
	lsl	x5, x4, 3
	add	x4, x4, 1
	ldr	d16, [x1, x5]
	ldr	d17, [x0, x5]
	fmadd	d0, d16, d17, d0
	cmp	x2, x4
	ble	.L5
	add	x11, x5, 8
	ldr	d18, [x0, x11]
	ldr	d19, [x1, x11]
	fmadd	d0, d18, d19, d0
.L5:
#APP
// 13 "marked.c" 1
	// OSACA-END
// 0 "" 2
// 14 "marked.c" 1
	// LLVM-MCA-BEGIN sum
// 0 "" 2
#NO_APP
	cmp	x6, 2
	bls	.L11
	lsr	x6, x2, 1
	movi	v26.2d, 0
	mov	x13, x0
	lsl	x7, x6, 4
	add	x8, x0, x6, lsl 4
	sub	x9, x7, #16
	lsr	x10, x9, 4
	add	x3, x10, 1
	ands	x12, x3, 7
	beq	.L8
	cmp	x12, 1
	beq	.L64
	cmp	x12, 2
	beq	.L65
	cmp	x12, 3
	beq	.L66
	cmp	x12, 4
	beq	.L67
	cmp	x12, 5
	beq	.L68
	cmp	x12, 6
	bne	.L91
.L69:
	ldr	q20, [x13], 16
	fadd	v26.2d, v26.2d, v20.2d
.L68:
	ldr	q21, [x13], 16
	fadd	v26.2d, v26.2d, v21.2d
.L67:
	ldr	q22, [x13], 16
	fadd	v26.2d, v26.2d, v22.2d
.L66:
	ldr	q23, [x13], 16
	fadd	v26.2d, v26.2d, v23.2d
.L65:
	ldr	q24, [x13], 16
	fadd	v26.2d, v26.2d, v24.2d
.L64:
	ldr	q25, [x13], 16
	fadd	v26.2d, v26.2d, v25.2d
	cmp	x8, x13
	beq	.L87
.L8:
	mov	x14, x13
	ldr	q27, [x14], 16
	ldr	q29, [x13, 16]
	ldp	q30, q31, [x13, 48]
	ldp	q6, q5, [x13, 80]
	ldr	q4, [x13, 112]
	add	x13, x13, 128
	fadd	v28.2d, v26.2d, v27.2d
	ldr	q7, [x14, 16]
	fadd	v3.2d, v28.2d, v29.2d
	fadd	v2.2d, v3.2d, v7.2d
	fadd	v1.2d, v2.2d, v30.2d
	fadd	v16.2d, v1.2d, v31.2d
	fadd	v17.2d, v16.2d, v6.2d
	fadd	v18.2d, v17.2d, v5.2d
	fadd	v26.2d, v18.2d, v4.2d
	cmp	x8, x13
	bne	.L8
.L87:
	faddp	d19, v26.2d
	and	x1, x2, -2
	fadd	d0, d0, d19
	tbz	x2, 0, .L6
.L7:
	lsl	x15, x1, 3
	add	x16, x1, 1
	ldr	d20, [x0, x15]
	fadd	d0, d0, d20
	cmp	x16, x2
	bge	.L6
	add	x0, x0, x15
	add	x17, x1, 2
	ldr	d21, [x0, 8]
	fadd	d0, d0, d21
	cmp	x17, x2
	bge	.L6
	ldr	d22, [x0, 16]
	fadd	d0, d0, d22
.L6:
#APP
// 17 "marked.c" 1
	// LLVM-MCA-END sum
// 0 "" 2
#NO_APP
	ret
	.p2align 3,,7
.L90:
	ldr	q2, [x0]
	ldr	q1, [x1]
	mov	x3, 16
	fmla	v0.2d, v2.2d, v1.2d
	b	.L63
	.p2align 3,,7
.L91:
	ldr	q26, [x13], 16
	b	.L69
	.p2align 3,,7
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
.L10:
	movi	d0, #0
	mov	x4, 0
	b	.L3
.L11:
	mov	x1, 0
	b	.L7
	.cfi_endproc
.LFE0:
	.size	marked, .-marked
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
