	.arch armv8.1-a+crypto+crc
	.file	"fib_array.c"
	.text
	.align	2
	.p2align 4,,15
	.global	fib_array
	.type	fib_array, %function
fib_array:
.LFB0:
	.cfi_startproc
	cmp	x1, 2
	ble	.L1
	cmp	x1, 4
	ble	.L6
	sub	x5, x1, #5
	ldp	x3, x10, [x0]
	add	x4, x0, 16
	and	x2, x5, -2
	mov	x7, 2
	lsr	x6, x2, 1
	add	x5, x2, 4
	add	x8, x6, 1
	ands	x9, x8, 7
	beq	.L4
	cmp	x9, 1
	beq	.L52
	cmp	x9, x7
	beq	.L53
	cmp	x9, 3
	beq	.L54
	cmp	x9, 4
	beq	.L55
	cmp	x9, 5
	beq	.L56
	cmp	x9, 6
	bne	.L81
.L57:
	add	x3, x3, x10
	add	x7, x7, 2
	add	x10, x10, x3
	stp	x3, x10, [x4]
	add	x4, x4, 16
.L56:
	add	x3, x3, x10
	add	x7, x7, 2
	add	x10, x10, x3
	stp	x3, x10, [x4]
	add	x4, x4, 16
.L55:
	add	x3, x3, x10
	add	x7, x7, 2
	add	x10, x10, x3
	stp	x3, x10, [x4]
	add	x4, x4, 16
.L54:
	add	x3, x3, x10
	add	x7, x7, 2
	add	x10, x10, x3
	stp	x3, x10, [x4]
	add	x4, x4, 16
.L53:
	add	x3, x3, x10
	add	x7, x7, 2
	add	x10, x10, x3
	stp	x3, x10, [x4]
	add	x4, x4, 16
.L52:
	add	x3, x3, x10
	add	x7, x7, 2
	add	x10, x10, x3
	stp	x3, x10, [x4]
	add	x4, x4, 16
	cmp	x7, x5
	beq	.L3
.L4:
	add	x11, x3, x10
	add	x7, x7, 16
	add	x12, x10, x11
	add	x13, x11, x12
	stp	x11, x12, [x4]
	add	x14, x12, x13
	add	x15, x13, x14
	stp	x13, x14, [x4, 16]
	add	x16, x14, x15
	add	x17, x15, x16
	stp	x15, x16, [x4, 32]
	add	x18, x16, x17
	add	x6, x17, x18
	stp	x17, x18, [x4, 48]
	add	x2, x18, x6
	add	x8, x6, x2
	stp	x6, x2, [x4, 64]
	add	x9, x2, x8
	add	x3, x8, x9
	stp	x8, x9, [x4, 80]
	add	x10, x9, x3
	stp	x3, x10, [x4, 96]
	add	x3, x3, x10
	add	x10, x10, x3
	stp	x3, x10, [x4, 112]
	add	x4, x4, 128
	cmp	x7, x5
	bne	.L4
	.p2align 4,,15
.L3:
	add	x0, x0, x5, lsl 3
	mvn	x7, x5
	add	x5, x5, 1
	add	x4, x7, x1
	ldp	x12, x13, [x0, -16]
	and	x11, x4, 7
	add	x14, x12, x13
	str	x14, [x0], 8
	cmp	x1, x5
	ble	.L1
	cbz	x11, .L5
	cmp	x11, 1
	beq	.L59
	cmp	x11, 2
	beq	.L60
	cmp	x11, 3
	beq	.L61
	cmp	x11, 4
	beq	.L62
	cmp	x11, 5
	beq	.L63
	cmp	x11, 6
	beq	.L64
	ldp	x15, x16, [x0, -16]
	add	x5, x5, 1
	add	x17, x15, x16
	str	x17, [x0], 8
.L64:
	ldp	x18, x6, [x0, -16]
	add	x5, x5, 1
	add	x2, x18, x6
	str	x2, [x0], 8
.L63:
	ldp	x8, x9, [x0, -16]
	add	x5, x5, 1
	add	x3, x8, x9
	str	x3, [x0], 8
.L62:
	ldp	x10, x7, [x0, -16]
	add	x5, x5, 1
	add	x4, x10, x7
	str	x4, [x0], 8
.L61:
	ldp	x11, x12, [x0, -16]
	add	x5, x5, 1
	add	x13, x11, x12
	str	x13, [x0], 8
.L60:
	ldp	x14, x15, [x0, -16]
	add	x5, x5, 1
	add	x16, x14, x15
	str	x16, [x0], 8
.L59:
	ldp	x17, x18, [x0, -16]
	add	x5, x5, 1
	add	x6, x17, x18
	str	x6, [x0], 8
	cmp	x1, x5
	ble	.L1
	.p2align 4,,15
.L5:
	ldp	x2, x9, [x0, -16]
	mov	x8, x0
	add	x5, x5, 8
	add	x3, x2, x9
	str	x3, [x8], 8
	ldr	x10, [x8, -16]
	add	x7, x10, x3
	str	x7, [x0, 8]
	ldp	x11, x4, [x8, -8]
	add	x12, x11, x4
	str	x12, [x8, 8]
	ldr	x13, [x0, 8]
	add	x14, x13, x12
	add	x15, x12, x14
	add	x16, x14, x15
	stp	x14, x15, [x0, 24]
	add	x17, x15, x16
	add	x18, x16, x17
	stp	x16, x17, [x0, 40]
	add	x0, x0, 64
	str	x18, [x0, -8]
	cmp	x1, x5
	bgt	.L5
.L1:
	ret
	.p2align 3,,7
.L81:
	add	x3, x3, x10
	mov	x7, 4
	add	x10, x10, x3
	stp	x3, x10, [x4]
	add	x4, x4, 16
	b	.L57
.L6:
	mov	x5, 2
	b	.L3
	.cfi_endproc
.LFE0:
	.size	fib_array, .-fib_array
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
