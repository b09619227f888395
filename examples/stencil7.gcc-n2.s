	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"stencil7.c"
	.text
	.align	2
	.p2align 5,,15
	.global	stencil7
	.type	stencil7, %function
stencil7:
.LFB0:
	.cfi_startproc
	stp	x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	mov	x29, sp
	mul	x14, x0, x0
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -32
	.cfi_offset 20, -24
	sub	x19, x0, #1
	cmp	x19, 1
	ble	.L1
	sub	x18, x1, x14, lsl 3
	mov	x16, x1
	add	x12, x1, 8
	sub	x30, x1, x0, lsl 3
	stp	x21, x22, [sp, 32]
	.cfi_offset 22, -8
	.cfi_offset 21, -16
	add	x21, x0, x14
	neg	x15, x0, lsl 3
	lsl	x21, x21, 3
	add	x18, x18, 8
	neg	x14, x14, lsl 3
	add	x30, x30, 8
	mov	x22, 1
	add	x20, x1, 16
	cntd	x11
	mov	z5.d, d0
	add	x17, x2, 8
	mov	z4.d, d1
	sub	x2, x0, #2
	ptrue	p1.b, all
	whilelo	p2.d, xzr, x2
	.p2align 5,,15
.L3:
	mov	x4, x21
	mov	x13, 1
	.p2align 5,,15
.L6:
	mov	x1, x4
	sub	x3, x4, x14
	mov	p0.b, p2.b
	add	x10, x12, x4
	add	x9, x16, x4
	add	x8, x20, x4
	add	x7, x30, x4
	sub	x4, x4, x15
	add	x5, x18, x1
	add	x3, x12, x3
	add	x6, x12, x4
	add	x1, x17, x1
	mov	x0, 0
	.p2align 5,,15
.L4:
	ld1d	z1.d, p0/z, [x9, x0, lsl 3]
	ld1d	z0.d, p0/z, [x7, x0, lsl 3]
	ld1d	z2.d, p0/z, [x8, x0, lsl 3]
	fadd	z2.d, z2.d, z1.d
	ld1d	z3.d, p0/z, [x5, x0, lsl 3]
	ld1d	z1.d, p0/z, [x6, x0, lsl 3]
	fadd	z1.d, z1.d, z0.d
	ld1d	z0.d, p0/z, [x3, x0, lsl 3]
	fadd	z1.d, z1.d, z2.d
	fadd	z0.d, z0.d, z3.d
	ld1d	z2.d, p0/z, [x10, x0, lsl 3]
	fadd	z0.d, z0.d, z1.d
	fmul	z0.d, z0.d, z4.d
	fmla	z0.d, p1/m, z5.d, z2.d
	st1d	z0.d, p0, [x1, x0, lsl 3]
	add	x0, x0, x11
	whilelo	p0.d, x0, x2
	b.any	.L4
	add	x13, x13, 1
	cmp	x13, x19
	bne	.L6
	add	x22, x22, 1
	sub	x21, x21, x14
	cmp	x22, x19
	bne	.L3
	ldp	x21, x22, [sp, 32]
	.cfi_restore 22
	.cfi_restore 21
.L1:
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 48
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE0:
	.size	stencil7, .-stencil7
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
