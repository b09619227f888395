	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"copy.c"
	.text
	.align	2
	.p2align 5,,15
	.global	copy
	.type	copy, %function
copy:
.LFB0:
	.cfi_startproc
	mov	x4, x2
	cmp	x2, 0
	ble	.L1
	sub	x2, x2, #1
	cmp	x2, 2
	bls	.L8
	lsr	x2, x4, 2
	mov	x3, 0
	lsl	x2, x2, 5
	add	x6, x1, 16
	add	x5, x0, 16
	.p2align 5,,15
.L4:
	ldr	q1, [x1, x3]
	ldr	q0, [x6, x3]
	str	q1, [x0, x3]
	str	q0, [x5, x3]
	add	x3, x3, 32
	cmp	x2, x3
	bne	.L4
	and	x2, x4, -4
	mov	x3, x2
	cmp	x4, x2
	beq	.L1
.L3:
	sub	x4, x4, x3
	cmp	x4, 1
	beq	.L6
	lsl	x3, x3, 3
	ldr	q0, [x1, x3]
	str	q0, [x0, x3]
	tbz	x4, 0, .L1
	and	x4, x4, -2
	add	x2, x2, x4
.L6:
	lsl	x2, x2, 3
	ldr	d0, [x1, x2]
	str	d0, [x0, x2]
.L1:
	ret
.L8:
	mov	x3, 0
	mov	x2, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	copy, .-copy
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
