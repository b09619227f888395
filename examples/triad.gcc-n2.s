	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"triad.c"
	.text
	.align	2
	.p2align 5,,15
	.global	triad
	.type	triad, %function
triad:
.LFB0:
	.cfi_startproc
	fmov	d3, d0
	mov	x6, x3
	cmp	x3, 0
	ble	.L1
	cmp	x3, 1
	beq	.L6
	dup	v0.2d, v0.d[0]
	lsr	x5, x3, 1
	mov	x4, 0
	lsl	x5, x5, 4
	.p2align 5,,15
.L4:
	ldr	q2, [x2, x4]
	ldr	q1, [x1, x4]
	fmla	v1.2d, v2.2d, v0.2d
	str	q1, [x0, x4]
	add	x4, x4, 16
	cmp	x5, x4
	bne	.L4
	and	x3, x6, -2
	tbz	x6, 0, .L1
.L3:
	lsl	x3, x3, 3
	ldr	d1, [x2, x3]
	ldr	d0, [x1, x3]
	fmadd	d0, d1, d3, d0
	str	d0, [x0, x3]
.L1:
	ret
.L6:
	mov	x3, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	triad, .-triad
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
