	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"daxpy.c"
	.text
	.align	2
	.p2align 5,,15
	.global	daxpy
	.type	daxpy, %function
daxpy:
.LFB0:
	.cfi_startproc
	fmov	d3, d0
	mov	x5, x2
	cmp	x2, 0
	ble	.L1
	cmp	x2, 1
	beq	.L6
	dup	v0.2d, v0.d[0]
	lsr	x4, x2, 1
	mov	x3, 0
	lsl	x4, x4, 4
	.p2align 5,,15
.L4:
	ldr	q1, [x0, x3]
	ldr	q2, [x1, x3]
	fmla	v1.2d, v2.2d, v0.2d
	str	q1, [x0, x3]
	add	x3, x3, 16
	cmp	x4, x3
	bne	.L4
	and	x2, x5, -2
	tbz	x5, 0, .L1
.L3:
	lsl	x2, x2, 3
	ldr	d0, [x0, x2]
	ldr	d1, [x1, x2]
	fmadd	d0, d3, d1, d0
	str	d0, [x0, x2]
.L1:
	ret
.L6:
	mov	x2, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	daxpy, .-daxpy
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
