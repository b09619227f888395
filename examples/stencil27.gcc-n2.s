	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"stencil27.c"
	.text
	.align	2
	.p2align 5,,15
	.global	stencil27
	.type	stencil27, %function
stencil27:
.LFB0:
	.cfi_startproc
	sub	x6, x0, #1
	stp	x29, x30, [sp, -352]!
	.cfi_def_cfa_offset 352
	.cfi_offset 29, -352
	.cfi_offset 30, -344
	mov	x4, x3
	mov	x29, sp
	str	x6, [sp, 232]
	ldr	d7, [x3]
	mov	x3, x1
	mul	x1, x0, x0
	ldp	d6, d5, [x4, 8]
	ldr	d4, [x4, 24]
	cmp	x6, 1
	ble	.L1
	neg	x16, x0, lsl 3
	add	x10, x0, x1
	sub	x13, x0, x1
	add	x14, x3, x0, lsl 3
	lsl	x15, x0, 4
	sub	x0, x0, #2
	whilelo	p2.d, xzr, x0
	lsl	x4, x10, 3
	mov	x5, x2
	stp	x0, x16, [sp, 240]
	add	x0, x3, x1, lsl 3
	sub	x6, x16, #8
	neg	x2, x1, lsl 3
	add	x7, x4, x3
	sub	x6, x4, x6
	add	x11, x4, x1, lsl 3
	add	x8, x6, x3
	add	x9, x5, x4
	sub	x12, x2, #8
	sub	x13, x7, x13, lsl 3
	str	x0, [sp, 136]
	sub	x17, x15, x1, lsl 4
	add	x11, x11, x3
	sub	x12, x7, x12
	add	x0, x3, x1, lsl 4
	sub	x16, x2, x16
	mov	z7.d, d7
	neg	x18, x1, lsl 4
	mov	z6.d, d6
	mov	z5.d, d5
	add	x10, x14, x10, lsl 3
	mov	x14, 1
	mov	z4.d, d4
	ptrue	p1.b, all
	stp	x19, x20, [sp, 16]
	.cfi_offset 20, -328
	.cfi_offset 19, -336
	stp	x21, x22, [sp, 32]
	.cfi_offset 22, -312
	.cfi_offset 21, -320
	stp	x23, x24, [sp, 48]
	.cfi_offset 24, -296
	.cfi_offset 23, -304
	stp	x25, x26, [sp, 64]
	.cfi_offset 26, -280
	.cfi_offset 25, -288
	stp	x27, x28, [sp, 80]
	.cfi_offset 28, -264
	.cfi_offset 27, -272
	str	x0, [sp, 128]
	.p2align 5,,15
.L3:
	ldp	x19, x0, [sp, 128]
	mov	x20, 1
	str	x20, [sp, 104]
	ldr	x1, [sp, 248]
	add	x20, x0, 8
	add	x6, x16, x0
	stp	x16, x14, [sp, 256]
	add	x3, x19, x15
	add	x5, x19, x18
	stp	x15, x9, [sp, 272]
	sub	x4, x0, x1, lsl 1
	sub	x7, x0, x1
	add	x0, x0, 16
	add	x1, x1, x3
	stp	x20, x0, [sp, 160]
	add	x0, x8, 8
	add	x20, x10, 8
	str	x0, [sp, 200]
	add	x0, x12, 8
	str	x4, [sp, 120]
	str	x0, [sp, 192]
	add	x0, x13, 8
	stp	x4, x1, [sp, 144]
	add	x4, x19, x17
	mov	x1, 0
	str	x0, [sp, 184]
	add	x0, x19, 16
	str	x20, [sp, 224]
	add	x20, x11, 8
	str	x0, [sp, 216]
	add	x0, x9, 8
	str	x20, [sp, 208]
	str	x0, [sp, 176]
	stp	x13, x12, [sp, 288]
	stp	x8, x11, [sp, 304]
	stp	x10, x17, [sp, 320]
	stp	x2, x18, [sp, 336]
	.p2align 5,,15
.L6:
	add	x30, x7, 8
	add	x28, x7, 16
	mov	p0.b, p2.b
	add	x25, x6, 8
	add	x19, x6, 16
	ldr	x0, [sp, 160]
	add	x16, x5, 8
	add	x15, x4, 8
	str	x1, [sp, 112]
	add	x13, x3, 8
	add	x12, x5, 16
	add	x11, x4, 16
	add	x8, x3, 16
	add	x27, x0, x1
	ldr	x0, [sp, 224]
	add	x26, x0, x1
	ldr	x0, [sp, 208]
	add	x24, x0, x1
	ldr	x0, [sp, 136]
	add	x23, x1, x0
	ldr	x0, [sp, 168]
	add	x22, x0, x1
	ldr	x0, [sp, 144]
	add	x21, x1, x0
	ldr	x0, [sp, 200]
	add	x20, x0, x1
	ldr	x0, [sp, 152]
	add	x18, x1, x0
	ldr	x0, [sp, 192]
	add	x17, x0, x1
	ldr	x0, [sp, 184]
	add	x14, x0, x1
	ldr	x0, [sp, 128]
	add	x10, x0, x1
	ldr	x0, [sp, 216]
	add	x9, x0, x1
	ldr	x0, [sp, 176]
	add	x2, x0, x1
	ldr	x1, [sp, 240]
	mov	x0, 0
	.p2align 5,,15
.L4:
	ld1d	z0.d, p0/z, [x23, x0, lsl 3]
	ld1d	z2.d, p0/z, [x21, x0, lsl 3]
	ld1d	z3.d, p0/z, [x6, x0, lsl 3]
	ld1d	z1.d, p0/z, [x22, x0, lsl 3]
	fadd	z1.d, z1.d, z0.d
	ld1d	z0.d, p0/z, [x20, x0, lsl 3]
	fadd	z0.d, z0.d, z2.d
	ld1d	z2.d, p0/z, [x19, x0, lsl 3]
	fadd	z0.d, z0.d, z1.d
	fadd	z2.d, z2.d, z3.d
	ld1d	z1.d, p0/z, [x18, x0, lsl 3]
	ld1d	z3.d, p0/z, [x16, x0, lsl 3]
	fadd	z2.d, z2.d, z0.d
	ld1d	z0.d, p0/z, [x17, x0, lsl 3]
	fadd	z0.d, z0.d, z1.d
	ld1d	z1.d, p0/z, [x15, x0, lsl 3]
	fadd	z0.d, z0.d, z2.d
	fadd	z1.d, z1.d, z3.d
	ld1d	z2.d, p0/z, [x5, x0, lsl 3]
	ld1d	z3.d, p0/z, [x14, x0, lsl 3]
	fadd	z1.d, z1.d, z0.d
	ld1d	z0.d, p0/z, [x13, x0, lsl 3]
	fadd	z0.d, z0.d, z3.d
	ld1d	z3.d, p0/z, [x12, x0, lsl 3]
	fadd	z3.d, z3.d, z2.d
	ld1d	z2.d, p0/z, [x4, x0, lsl 3]
	ld1d	z16.d, p0/z, [x10, x0, lsl 3]
	fadd	z0.d, z0.d, z1.d
	ld1d	z1.d, p0/z, [x11, x0, lsl 3]
	fadd	z1.d, z1.d, z2.d
	ld1d	z2.d, p0/z, [x9, x0, lsl 3]
	fadd	z1.d, z1.d, z3.d
	fadd	z2.d, z2.d, z16.d
	ld1d	z3.d, p0/z, [x3, x0, lsl 3]
	fadd	z2.d, z2.d, z1.d
	ld1d	z16.d, p0/z, [x7, x0, lsl 3]
	ld1d	z1.d, p0/z, [x8, x0, lsl 3]
	fadd	z1.d, z1.d, z3.d
	ld1d	z3.d, p0/z, [x28, x0, lsl 3]
	fadd	z1.d, z1.d, z2.d
	fadd	z2.d, z3.d, z16.d
	fmul	z1.d, z1.d, z4.d
	ld1d	z17.d, p0/z, [x27, x0, lsl 3]
	ld1d	z3.d, p0/z, [x26, x0, lsl 3]
	ld1d	z16.d, p0/z, [x25, x0, lsl 3]
	fmad	z0.d, p1/m, z5.d, z1.d
	fadd	z3.d, z3.d, z17.d
	ld1d	z1.d, p0/z, [x24, x0, lsl 3]
	fadd	z3.d, z3.d, z2.d
	fadd	z1.d, z1.d, z16.d
	ld1d	z2.d, p0/z, [x30, x0, lsl 3]
	fadd	z1.d, z1.d, z3.d
	fmul	z1.d, z1.d, z6.d
	fmla	z1.d, p1/m, z7.d, z2.d
	fadd	z0.d, z1.d, z0.d
	st1d	z0.d, p0, [x2, x0, lsl 3]
	incd	x0
	whilelo	p0.d, x0, x1
	b.any	.L4
	ldp	x0, x1, [sp, 104]
	ldr	x8, [sp, 120]
	add	x2, x0, 1
	ldr	x9, [sp, 232]
	str	x2, [sp, 104]
	ldr	x0, [sp, 248]
	mov	x7, x8
	sub	x6, x6, x0
	sub	x5, x5, x0
	sub	x4, x4, x0
	sub	x3, x3, x0
	sub	x1, x1, x0
	cmp	x2, x9
	beq	.L5
	sub	x0, x8, x0
	str	x0, [sp, 120]
	b	.L6
.L5:
	ldr	x0, [sp, 136]
	ldp	x2, x18, [sp, 336]
	ldp	x16, x14, [sp, 256]
	sub	x0, x0, x2
	ldp	x15, x9, [sp, 272]
	add	x14, x14, 1
	str	x0, [sp, 136]
	ldr	x0, [sp, 128]
	ldp	x13, x12, [sp, 288]
	sub	x9, x9, x2
	ldp	x8, x11, [sp, 304]
	sub	x0, x0, x2
	sub	x12, x12, x2
	sub	x13, x13, x2
	ldp	x10, x17, [sp, 320]
	sub	x11, x11, x2
	sub	x8, x8, x2
	str	x0, [sp, 128]
	ldr	x0, [sp, 232]
	sub	x10, x10, x2
	cmp	x14, x0
	bne	.L3
	ldp	x19, x20, [sp, 16]
	.cfi_restore 20
	.cfi_restore 19
	ldp	x21, x22, [sp, 32]
	.cfi_restore 22
	.cfi_restore 21
	ldp	x23, x24, [sp, 48]
	.cfi_restore 24
	.cfi_restore 23
	ldp	x25, x26, [sp, 64]
	.cfi_restore 26
	.cfi_restore 25
	ldp	x27, x28, [sp, 80]
	.cfi_restore 28
	.cfi_restore 27
.L1:
	ldp	x29, x30, [sp], 352
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE0:
	.size	stencil27, .-stencil27
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
