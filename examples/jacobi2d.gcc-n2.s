	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"jacobi2d.c"
	.text
	.align	2
	.p2align 5,,15
	.global	jacobi2d
	.type	jacobi2d, %function
jacobi2d:
.LFB0:
	.cfi_startproc
	sub	x12, x0, #1
	cmp	x0, 2
	ble	.L1
	cmp	x1, 2
	ble	.L1
	lsl	x9, x1, 3
	lsl	x10, x1, 4
	fmov	z3.d, #2.5e-1
	sub	x13, x9, #8
	mov	x8, 1
	cntd	x7
	add	x11, x9, 8
	add	x4, x2, 8
	add	x2, x3, x11
	sub	x3, x1, #2
	whilelo	p2.d, xzr, x3
	.p2align 5,,15
.L4:
	add	x8, x8, 1
	add	x1, x4, x10
	mov	p0.b, p2.b
	add	x6, x13, x4
	add	x5, x4, x11
	mov	x0, 0
	.p2align 5,,15
.L5:
	ld1d	z0.d, p0/z, [x4, x0, lsl 3]
	ld1d	z1.d, p0/z, [x1, x0, lsl 3]
	ld1d	z2.d, p0/z, [x6, x0, lsl 3]
	fadd	z1.d, z1.d, z0.d
	ld1d	z0.d, p0/z, [x5, x0, lsl 3]
	fadd	z0.d, z0.d, z2.d
	fadd	z0.d, z0.d, z1.d
	fmul	z0.d, z0.d, z3.d
	st1d	z0.d, p0, [x2, x0, lsl 3]
	add	x0, x0, x7
	whilelo	p0.d, x0, x3
	b.any	.L5
	sub	x4, x1, x9
	add	x2, x2, x9
	cmp	x12, x8
	bne	.L4
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	jacobi2d, .-jacobi2d
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
