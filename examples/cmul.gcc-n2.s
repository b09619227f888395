	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"cmul.c"
	.text
	.align	2
	.p2align 5,,15
	.global	cmul
	.type	cmul, %function
cmul:
.LFB0:
	.cfi_startproc
	cmp	x3, 0
	ble	.L1
	cmp	x3, 1
	beq	.L6
	movi	v3.4s, 0
	lsr	x5, x3, 1
	mov	x4, 0
	lsl	x5, x5, 4
	.p2align 5,,15
.L4:
	ldr	q2, [x2, x4]
	mov	v0.16b, v3.16b
	ldr	q1, [x1, x4]
	fcmla	v0.4s, v1.4s, v2.4s, #0
	fcmla	v0.4s, v1.4s, v2.4s, #90
	str	q0, [x0, x4]
	add	x4, x4, 16
	cmp	x4, x5
	bne	.L4
	and	x4, x3, -2
	tbz	x3, 0, .L1
.L3:
	lsl	x3, x4, 3
	movi	v0.2s, 0
	ldr	d2, [x2, x3]
	ldr	d1, [x1, x3]
	fcmla	v0.2s, v1.2s, v2.2s, #0
	fcmla	v0.2s, v1.2s, v2.2s, #90
	str	d0, [x0, x3]
.L1:
	ret
.L6:
	mov	x4, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	cmul, .-cmul
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
