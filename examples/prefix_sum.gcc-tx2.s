	.arch armv8.1-a+crypto+crc
	.file	"prefix_sum.c"
	.text
	.align	2
	.p2align 4,,15
	.global	prefix_sum
	.type	prefix_sum, %function
prefix_sum:
.LFB0:
	.cfi_startproc
	cmp	x1, 1
	ble	.L1
	mov	x2, x0
	ldr	d0, [x2], 8
	add	x1, x0, x1, lsl 3
	sub	x0, x1, x2
	sub	x3, x0, #8
	lsr	x4, x3, 3
	add	x5, x4, 1
	ands	x6, x5, 7
	beq	.L3
	cmp	x6, 1
	beq	.L26
	cmp	x6, 2
	beq	.L27
	cmp	x6, 3
	beq	.L28
	cmp	x6, 4
	beq	.L29
	cmp	x6, 5
	beq	.L30
	cmp	x6, 6
	bne	.L41
.L31:
	ldr	d2, [x2]
	fadd	d0, d0, d2
	str	d0, [x2], 8
.L30:
	ldr	d3, [x2]
	fadd	d0, d0, d3
	str	d0, [x2], 8
.L29:
	ldr	d4, [x2]
	fadd	d0, d0, d4
	str	d0, [x2], 8
.L28:
	ldr	d5, [x2]
	fadd	d0, d0, d5
	str	d0, [x2], 8
.L27:
	ldr	d6, [x2]
	fadd	d0, d0, d6
	str	d0, [x2], 8
.L26:
	ldr	d7, [x2]
	fadd	d0, d0, d7
	str	d0, [x2], 8
	cmp	x1, x2
	beq	.L1
.L3:
	ldr	d16, [x2]
	mov	x7, x2
	fadd	d17, d0, d16
	str	d17, [x7], 8
	ldr	d18, [x2, 8]
	fadd	d19, d17, d18
	str	d19, [x2, 8]
	ldr	d20, [x7, 8]
	fadd	d21, d19, d20
	str	d21, [x7, 8]
	ldp	d22, d23, [x2, 24]
	ldp	d24, d25, [x2, 40]
	ldr	d26, [x2, 56]
	fadd	d27, d21, d22
	fadd	d28, d27, d23
	fadd	d29, d28, d24
	stp	d27, d28, [x2, 24]
	fadd	d30, d29, d25
	fadd	d0, d30, d26
	stp	d29, d30, [x2, 40]
	add	x2, x2, 64
	str	d0, [x2, -8]
	cmp	x1, x2
	bne	.L3
.L1:
	ret
	.p2align 3,,7
.L41:
	ldr	d1, [x2]
	fadd	d0, d0, d1
	str	d0, [x2], 8
	b	.L31
	.cfi_endproc
.LFE0:
	.size	prefix_sum, .-prefix_sum
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
