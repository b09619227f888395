	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"pi.c"
	.text
	.align	2
	.p2align 5,,15
	.global	pi
	.type	pi, %function
pi:
.LFB0:
	.cfi_startproc
	scvtf	d1, x0
	fmov	d0, 1.0e+0
	fdiv	d0, d0, d1
	cmp	x0, 0
	ble	.L4
	mov	x1, 0
	cntd	x2
	mov	z6.d, d0
	whilelo	p1.d, xzr, x0
	index	z3.d, #0, #1
	mov	z2.d, #0
	ptrue	p0.b, all
	fmov	z5.d, #1.0e+0
	fmov	z4.d, #4.0e+0
	.p2align 5,,15
.L3:
	mov	z1.d, z3.d
	add	x1, x1, x2
	scvtf	z1.d, p0/m, z1.d
	incd	z3.d
	fadd	z1.d, p0/m, z1.d, #0.5
	fmul	z1.d, z1.d, z6.d
	fmad	z1.d, p0/m, z1.d, z5.d
	fdivr	z1.d, p0/m, z1.d, z4.d
	fadd	z2.d, p1/m, z2.d, z1.d
	whilelo	p1.d, x1, x0
	b.any	.L3
	faddv	d2, p0, z2.d
	fmul	d0, d0, d2
	ret
	.p2align 2,,3
.L4:
	movi	d0, #0
	ret
	.cfi_endproc
.LFE0:
	.size	pi, .-pi
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
