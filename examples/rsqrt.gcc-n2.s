	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"rsqrt.c"
	.text
	.align	2
	.p2align 5,,15
	.global	rsqrt
	.type	rsqrt, %function
rsqrt:
.LFB0:
	.cfi_startproc
	cmp	x2, 0
	ble	.L1
	mov	x3, 0
	cntd	x4
	whilelo	p0.d, xzr, x2
	ptrue	p1.b, all
	fmov	z1.d, #1.0e+0
	.p2align 5,,15
.L3:
	ld1d	z0.d, p0/z, [x1, x3, lsl 3]
	fsqrt	z0.d, p1/m, z0.d
	fdivr	z0.d, p1/m, z0.d, z1.d
	st1d	z0.d, p0, [x0, x3, lsl 3]
	add	x3, x3, x4
	whilelo	p0.d, x3, x2
	b.any	.L3
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	rsqrt, .-rsqrt
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
