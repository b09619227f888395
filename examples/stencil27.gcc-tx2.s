	.arch armv8.1-a+crypto+crc
	.file	"stencil27.c"
	.text
	.align	2
	.p2align 4,,15
	.global	stencil27
	.type	stencil27, %function
stencil27:
.LFB0:
	.cfi_startproc
	sub	sp, sp, #528
	.cfi_def_cfa_offset 528
	mul	x7, x0, x0
	sub	x4, x0, #1
	mov	x11, x0
	stp	x29, x30, [sp]
	.cfi_offset 29, -528
	.cfi_offset 30, -520
	mov	x29, sp
	stp	x1, x2, [sp, 144]
	ldp	d6, d5, [x3]
	str	x0, [sp, 360]
	ldp	d4, d3, [x3, 16]
	str	x4, [sp, 384]
	cmp	x4, 1
	ble	.L1
	sub	x10, x11, x7
	add	x0, x0, x7
	neg	x6, x7
	stp	x23, x24, [sp, 48]
	.cfi_offset 24, -472
	.cfi_offset 23, -480
	neg	x24, x11, lsl 3
	stp	x25, x26, [sp, 64]
	.cfi_offset 26, -456
	.cfi_offset 25, -464
	neg	x25, x7, lsl 3
	lsl	x12, x0, 3
	lsl	x14, x10, 3
	stp	x21, x22, [sp, 32]
	.cfi_offset 22, -488
	.cfi_offset 21, -496
	mov	x13, x1
	mov	x1, x12
	sub	x8, x6, x11
	sub	x17, x11, #2
	sub	x9, x7, x11
	stp	x27, x28, [sp, 80]
	.cfi_offset 28, -440
	.cfi_offset 27, -448
	neg	x10, x10, lsl 3
	mov	x0, -8
	mov	x6, 8
	stp	x19, x20, [sp, 16]
	.cfi_offset 20, -504
	.cfi_offset 19, -512
	lsl	x15, x8, 3
	sub	x2, x12, x25
	mov	x8, x17
	str	x12, [sp, 200]
	add	x22, x9, 1
	add	x5, x24, x25, lsl 1
	lsr	x9, x17, 1
	stp	x15, x14, [sp, 184]
	lsl	x4, x22, 3
	add	x18, x2, 8
	str	x10, [sp, 272]
	stp	d8, d9, [sp, 96]
	.cfi_offset 73, -424
	.cfi_offset 72, -432
	add	x10, x14, x6
	add	x26, x15, x0
	add	x27, x15, x6
	str	x4, [sp, 216]
	add	x15, x12, x0
	lsl	x9, x9, 4
	sub	x4, x0, x25
	str	x10, [sp, 208]
	sub	x16, x13, x24
	add	x2, x13, x18
	add	x17, x12, x13
	str	x15, [sp, 224]
	add	x12, x12, x6
	add	x18, x5, x0
	add	x28, x14, x0
	str	x9, [sp, 392]
	sub	x15, x6, x24
	sub	x10, x6, x25
	add	x9, x25, x6
	stp	d10, d11, [sp, 112]
	.cfi_offset 75, -408
	.cfi_offset 74, -416
	sub	x20, x25, x14
	add	x23, x24, x6
	sub	x14, x0, x14
	stp	d12, d13, [sp, 128]
	.cfi_offset 77, -392
	.cfi_offset 76, -400
	sub	x22, x0, x24
	sub	x6, x13, x25
	add	x0, x25, x0
	str	x9, [sp, 176]
	orr	x13, x8, 1
	and	x8, x8, 1
	str	x0, [sp, 168]
	dup	v18.2d, v6.d[0]
	str	x12, [sp, 232]
	dup	v17.2d, v5.d[0]
	dup	v16.2d, v4.d[0]
	sub	x21, x24, #8
	str	x15, [sp, 248]
	dup	v7.2d, v3.d[0]
	lsl	x11, x11, 3
	sub	x19, x25, x21
	str	x4, [sp, 256]
	lsl	x4, x7, 3
	add	x5, x25, x16
	sub	x30, x25, x24
	str	x10, [sp, 264]
	mov	x3, x7
	str	x14, [sp, 280]
	str	x13, [sp, 408]
	str	x8, [sp, 400]
	ldr	x12, [sp, 152]
	str	x11, [sp, 160]
	str	x4, [sp, 240]
	mov	x4, 1
	add	x14, x12, 8
	str	x14, [sp, 520]
	.p2align 4,,15
.L3:
	ldr	x0, [sp, 360]
	ldr	x10, [sp, 144]
	add	x14, x30, x2
	stp	x5, x2, [sp, 448]
	add	x13, x19, x2
	add	x11, x20, x2
	add	x12, x2, 8
	mov	x15, x2
	stp	x3, x6, [sp, 464]
	str	x30, [sp, 512]
	add	x30, x5, x1
	stp	x7, x4, [sp, 416]
	add	x8, x0, x3
	lsl	x0, x3, 3
	add	x9, x10, x1
	stp	x17, x1, [sp, 432]
	add	x3, x5, x0
	ldr	x5, [sp, 520]
	add	x10, x10, x0
	stp	x16, x20, [sp, 480]
	add	x7, x0, x6
	add	x16, x1, x16
	add	x20, x18, x2
	stp	x10, x9, [sp, 304]
	add	x2, x17, x1
	stp	x18, x19, [sp, 496]
	add	x19, x1, x6
	mov	x9, x8
	str	x2, [sp, 288]
	str	x30, [sp, 296]
	add	x10, x5, x1
	mov	x1, 1
	str	x16, [sp, 320]
	str	x19, [sp, 328]
	str	x7, [sp, 336]
	str	x20, [sp, 344]
	str	x3, [sp, 352]
	str	x1, [sp, 368]
	.p2align 4,,15
.L9:
	ldr	x17, [sp, 360]
	cmp	x17, 3
	beq	.L11
	ldp	x4, x3, [sp, 288]
	ldr	x16, [sp, 304]
	str	x21, [sp, 376]
	ldr	x1, [sp, 320]
	ldp	x0, x2, [sp, 328]
	ldp	x30, x19, [sp, 344]
	ldr	x17, [sp, 312]
	ldr	x21, [sp, 392]
	ldr	q19, [x4], 16
	ldr	q0, [x3], 16
	mov	x7, x16
	add	x20, x16, 8
	ldr	q11, [x0]
	ldr	q21, [x1]
	ldr	x0, [sp, 288]
	ldr	x16, [sp, 296]
	mov	x6, x19
	mov	x5, x30
	mov	x1, x17
	add	x18, x30, 8
	ldr	q12, [x7], 16
	ldr	q10, [x6], 16
	add	x30, x17, 8
	add	x19, x19, 8
	ldr	q9, [x5], 16
	ldr	q2, [x2], 16
	ldr	q26, [x1], 16
	add	x17, x16, 8
	add	x16, x0, 8
	mov	x0, 0
	fadd	v20.2d, v11.2d, v12.2d
	fadd	v22.2d, v21.2d, v10.2d
	fadd	v1.2d, v19.2d, v9.2d
	fadd	v8.2d, v0.2d, v2.2d
	fadd	v23.2d, v20.2d, v22.2d
	fadd	v13.2d, v1.2d, v8.2d
	.p2align 4,,15
.L5:
	ldr	q24, [x13, x0]
	ldr	q25, [x7, x0]
	mov	v27.16b, v23.16b
	mov	v28.16b, v13.16b
	ldr	q29, [x12, x0]
	ldr	q30, [x6, x0]
	ldr	q31, [x17, x0]
	ldr	q12, [x18, x0]
	ldr	q10, [x16, x0]
	ldr	q0, [x11, x0]
	fadd	v8.2d, v24.2d, v25.2d
	ldr	q19, [x3, x0]
	ldr	q9, [x5, x0]
	fadd	v11.2d, v29.2d, v30.2d
	ldr	q20, [x4, x0]
	ldr	q23, [x2, x0]
	fadd	v1.2d, v31.2d, v12.2d
	ldr	q24, [x1, x0]
	ldr	q13, [x14, x0]
	fadd	v22.2d, v10.2d, v0.2d
	ldr	q25, [x20, x0]
	ldr	q2, [x19, x0]
	fadd	v29.2d, v19.2d, v9.2d
	ldr	q30, [x15, x0]
	ldr	q21, [x30, x0]
	fadd	v31.2d, v20.2d, v23.2d
	fadd	v23.2d, v8.2d, v11.2d
	fadd	v12.2d, v25.2d, v24.2d
	fadd	v0.2d, v2.2d, v13.2d
	fadd	v8.2d, v30.2d, v26.2d
	fadd	v19.2d, v1.2d, v22.2d
	mov	v26.16b, v24.16b
	fadd	v13.2d, v29.2d, v31.2d
	fadd	v27.2d, v23.2d, v27.2d
	fadd	v10.2d, v0.2d, v12.2d
	fadd	v28.2d, v13.2d, v28.2d
	fadd	v9.2d, v19.2d, v27.2d
	fadd	v11.2d, v10.2d, v8.2d
	fmul	v20.2d, v28.2d, v7.2d
	fmul	v1.2d, v9.2d, v16.2d
	fmla	v20.2d, v18.2d, v21.2d
	fmla	v1.2d, v17.2d, v11.2d
	fadd	v24.2d, v20.2d, v1.2d
	str	q24, [x10, x0]
	add	x0, x0, 16
	cmp	x21, x0
	bne	.L5
	ldr	x4, [sp, 400]
	ldr	x21, [sp, 376]
	cbz	x4, .L4
	ldr	x18, [sp, 408]
.L8:
	ldr	x2, [sp, 144]
	add	x3, x18, x8
	ldr	x5, [sp, 248]
	ldr	x20, [sp, 168]
	ldr	x19, [sp, 176]
	add	x7, x9, x18
	ldr	x1, [sp, 160]
	ldr	x30, [sp, 208]
	ldr	x18, [sp, 256]
	ldr	x17, [sp, 264]
	ldr	x16, [sp, 280]
	ldr	x0, [sp, 184]
	add	x6, x2, x3, lsl 3
	ldr	x3, [sp, 216]
	ldr	x4, [sp, 240]
	ldr	d26, [x6, x23]
	ldr	d23, [x6, x21]
	ldr	d25, [x6, x22]
	ldr	d10, [x6, x5]
	ldr	d12, [x6, -8]
	ldr	d8, [x6, 8]
	ldr	d9, [x6, x20]
	ldr	d22, [x6, x27]
	fadd	d29, d26, d23
	ldr	d2, [x6, x26]
	ldr	d13, [x6, x24]
	ldr	d1, [x6, x19]
	ldr	d30, [x6, x28]
	fadd	d27, d8, d12
	ldr	d26, [x6, x18]
	ldr	d31, [x6, x25]
	ldr	d8, [x6, x4]
	fadd	d21, d22, d2
	ldr	d2, [x6, x30]
	fadd	d0, d29, d25
	ldr	d25, [x6, x1]
	fadd	d28, d27, d13
	fadd	d19, d21, d30
	ldr	d30, [x6, x17]
	fadd	d11, d0, d10
	ldr	d0, [x6, x0]
	fadd	d22, d28, d25
	fadd	d13, d19, d2
	fadd	d20, d11, d9
	fadd	d29, d22, d31
	ldr	d31, [x6, x16]
	ldr	d10, [x6, x3]
	ldr	x2, [sp, 192]
	ldr	x5, [sp, 224]
	ldr	x19, [sp, 232]
	ldr	d9, [x6]
	ldr	x20, [sp, 272]
	ldr	x18, [sp, 200]
	fadd	d24, d20, d1
	fadd	d19, d13, d31
	ldr	d20, [x6, x2]
	fadd	d27, d29, d8
	ldr	d29, [x6, x19]
	ldr	d25, [x6, x20]
	fadd	d23, d24, d26
	fadd	d11, d19, d10
	ldr	d26, [x6, x5]
	fmul	d28, d27, d5
	fadd	d21, d23, d30
	fadd	d23, d11, d26
	ldr	d30, [x6, x18]
	ldr	x6, [sp, 152]
	fmadd	d1, d6, d9, d28
	fadd	d12, d21, d0
	fadd	d2, d23, d29
	fadd	d24, d12, d20
	fmadd	d13, d3, d2, d1
	fadd	d22, d24, d25
	fadd	d21, d22, d30
	fmadd	d31, d4, d21, d13
	str	d31, [x6, x7, lsl 3]
.L4:
	ldr	x0, [sp, 304]
	ldr	x17, [sp, 312]
	sub	x14, x14, x24
	ldp	x7, x1, [sp, 360]
	ldr	x3, [sp, 352]
	sub	x15, x15, x24
	ldr	x5, [sp, 320]
	ldr	x19, [sp, 328]
	sub	x13, x13, x24
	ldr	x6, [sp, 344]
	sub	x12, x12, x24
	sub	x11, x11, x24
	sub	x10, x10, x24
	sub	x16, x17, x24
	sub	x4, x0, x24
	add	x30, x1, 1
	ldr	x1, [sp, 296]
	str	x4, [sp, 304]
	ldr	x4, [sp, 336]
	sub	x2, x3, x24
	add	x8, x8, x7
	add	x9, x9, x7
	str	x16, [sp, 312]
	ldr	x16, [sp, 288]
	sub	x20, x5, x24
	sub	x18, x19, x24
	str	x2, [sp, 352]
	ldr	x2, [sp, 384]
	sub	x7, x6, x24
	str	x20, [sp, 320]
	sub	x17, x1, x24
	sub	x3, x4, x24
	str	x18, [sp, 328]
	str	x17, [sp, 296]
	sub	x0, x16, x24
	str	x3, [sp, 336]
	str	x0, [sp, 288]
	str	x7, [sp, 344]
	str	x30, [sp, 368]
	cmp	x30, x2
	bne	.L9
	ldp	x7, x14, [sp, 416]
	ldp	x17, x13, [sp, 432]
	mov	x15, x2
	ldp	x5, x12, [sp, 448]
	ldp	x11, x6, [sp, 464]
	ldp	x16, x20, [sp, 480]
	ldp	x18, x19, [sp, 496]
	ldr	x30, [sp, 512]
	add	x4, x14, 1
	sub	x1, x13, x25
	add	x3, x11, x7
	sub	x2, x12, x25
	cmp	x4, x15
	bne	.L3
	ldp	x19, x20, [sp, 16]
	.cfi_restore 20
	.cfi_restore 19
	ldp	x21, x22, [sp, 32]
	.cfi_restore 22
	.cfi_restore 21
	ldp	d8, d9, [sp, 96]
	.cfi_restore 73
	.cfi_restore 72
	ldp	d10, d11, [sp, 112]
	.cfi_restore 75
	.cfi_restore 74
	ldp	x23, x24, [sp, 48]
	.cfi_restore 24
	.cfi_restore 23
	ldp	x25, x26, [sp, 64]
	.cfi_restore 26
	.cfi_restore 25
	ldp	x27, x28, [sp, 80]
	.cfi_restore 28
	.cfi_restore 27
	ldp	d12, d13, [sp, 128]
	.cfi_restore 77
	.cfi_restore 76
.L1:
	ldp	x29, x30, [sp]
	add	sp, sp, 528
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.p2align 3,,7
.L11:
	.cfi_def_cfa_offset 528
	.cfi_offset 19, -512
	.cfi_offset 20, -504
	.cfi_offset 21, -496
	.cfi_offset 22, -488
	.cfi_offset 23, -480
	.cfi_offset 24, -472
	.cfi_offset 25, -464
	.cfi_offset 26, -456
	.cfi_offset 27, -448
	.cfi_offset 28, -440
	.cfi_offset 29, -528
	.cfi_offset 30, -520
	.cfi_offset 72, -432
	.cfi_offset 73, -424
	.cfi_offset 74, -416
	.cfi_offset 75, -408
	.cfi_offset 76, -400
	.cfi_offset 77, -392
	mov	x18, 1
	b	.L8
	.cfi_endproc
.LFE0:
	.size	stencil27, .-stencil27
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
