	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"schoenauer.c"
	.text
	.align	2
	.p2align 5,,15
	.global	schoenauer
	.type	schoenauer, %function
schoenauer:
.LFB0:
	.cfi_startproc
	mov	x7, x4
	cmp	x4, 0
	ble	.L1
	cmp	x4, 1
	beq	.L6
	lsr	x6, x4, 1
	mov	x5, 0
	lsl	x6, x6, 4
	.p2align 5,,15
.L4:
	ldr	q2, [x2, x5]
	ldr	q1, [x3, x5]
	ldr	q0, [x1, x5]
	fmla	v0.2d, v2.2d, v1.2d
	str	q0, [x0, x5]
	add	x5, x5, 16
	cmp	x6, x5
	bne	.L4
	and	x4, x7, -2
	tbz	x7, 0, .L1
.L3:
	lsl	x4, x4, 3
	ldr	d2, [x3, x4]
	ldr	d1, [x2, x4]
	ldr	d0, [x1, x4]
	fmadd	d0, d2, d1, d0
	str	d0, [x0, x4]
.L1:
	ret
.L6:
	mov	x4, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	schoenauer, .-schoenauer
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
