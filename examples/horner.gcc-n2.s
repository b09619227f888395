	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"horner.c"
	.text
	.align	2
	.p2align 5,,15
	.global	horner
	.type	horner, %function
horner:
.LFB0:
	.cfi_startproc
	cmp	x3, 0
	ble	.L1
	mov	x4, 0
	cntd	x5
	ptrue	p0.b, all
	whilelo	p1.d, xzr, x3
	ld1rd	z17.d, p0/z, [x2, 56]
	ld1rd	z16.d, p0/z, [x2, 48]
	ld1rd	z7.d, p0/z, [x2, 40]
	ld1rd	z6.d, p0/z, [x2, 32]
	ld1rd	z5.d, p0/z, [x2, 24]
	ld1rd	z4.d, p0/z, [x2, 16]
	ld1rd	z3.d, p0/z, [x2, 8]
	ld1rd	z2.d, p0/z, [x2]
	.p2align 5,,15
.L3:
	ld1d	z1.d, p1/z, [x1, x4, lsl 3]
	movprfx	z0, z16
	fmla	z0.d, p0/m, z17.d, z1.d
	fmad	z0.d, p0/m, z1.d, z7.d
	fmad	z0.d, p0/m, z1.d, z6.d
	fmad	z0.d, p0/m, z1.d, z5.d
	fmad	z0.d, p0/m, z1.d, z4.d
	fmad	z0.d, p0/m, z1.d, z3.d
	fmad	z0.d, p0/m, z1.d, z2.d
	st1d	z0.d, p1, [x0, x4, lsl 3]
	add	x4, x4, x5
	whilelo	p1.d, x4, x3
	b.any	.L3
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	horner, .-horner
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
