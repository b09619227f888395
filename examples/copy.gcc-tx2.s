	.arch armv8.1-a+crypto+crc
	.file	"copy.c"
	.text
	.align	2
	.p2align 4,,15
	.global	copy
	.type	copy, %function
copy:
.LFB0:
	.cfi_startproc
	mov	x5, x2
	cmp	x2, 0
	ble	.L1
	cmp	x2, 1
	beq	.L6
	lsr	x4, x2, 1
	mov	x3, 0
	lsl	x12, x4, 4
	sub	x6, x12, #16
	lsr	x7, x6, 4
	add	x8, x7, 1
	ands	x9, x8, 7
	beq	.L4
	cmp	x9, 1
	beq	.L29
	cmp	x9, 2
	beq	.L30
	cmp	x9, 3
	beq	.L31
	cmp	x9, 4
	beq	.L32
	cmp	x9, 5
	beq	.L33
	cmp	x9, 6
	bne	.L45
.L34:
	ldr	q1, [x1, x3]
	str	q1, [x0, x3]
	add	x3, x3, 16
.L33:
	ldr	q2, [x1, x3]
	str	q2, [x0, x3]
	add	x3, x3, 16
.L32:
	ldr	q3, [x1, x3]
	str	q3, [x0, x3]
	add	x3, x3, 16
.L31:
	ldr	q4, [x1, x3]
	str	q4, [x0, x3]
	add	x3, x3, 16
.L30:
	ldr	q5, [x1, x3]
	str	q5, [x0, x3]
	add	x3, x3, 16
.L29:
	ldr	q6, [x1, x3]
	str	q6, [x0, x3]
	add	x3, x3, 16
	cmp	x3, x12
	beq	.L43
.L4:
	ldr	q7, [x1, x3]
	add	x13, x3, 16
	add	x11, x3, 32
	add	x10, x3, 48
	ldr	q16, [x1, x13]
	ldr	q18, [x1, x11]
	add	x14, x3, 64
	add	x15, x3, 80
	ldr	q17, [x1, x10]
	ldr	q19, [x1, x14]
	add	x16, x3, 96
	add	x17, x3, 112
	ldr	q20, [x1, x15]
	ldr	q21, [x1, x16]
	str	q7, [x0, x3]
	ldr	q22, [x1, x17]
	add	x3, x3, 128
	str	q16, [x0, x13]
	str	q18, [x0, x11]
	str	q17, [x0, x10]
	str	q19, [x0, x14]
	str	q20, [x0, x15]
	str	q21, [x0, x16]
	str	q22, [x0, x17]
	cmp	x3, x12
	bne	.L4
.L43:
	and	x2, x5, -2
	tbz	x5, 0, .L1
.L3:
	lsl	x18, x2, 3
	ldr	d23, [x1, x18]
	str	d23, [x0, x18]
.L1:
	ret
	.p2align 3,,7
.L45:
	ldr	q0, [x1]
	mov	x3, 16
	str	q0, [x0]
	b	.L34
.L6:
	mov	x2, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	copy, .-copy
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
