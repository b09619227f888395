	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"lu.c"
	.text
	.align	2
	.p2align 5,,15
	.global	lu
	.type	lu, %function
lu:
.LFB0:
	.cfi_startproc
	cmp	x0, 0
	ble	.L24
	mov	x2, x0
	cmp	x0, 1
	beq	.L27
	stp	x29, x30, [sp, -80]!
	.cfi_def_cfa_offset 80
	.cfi_offset 29, -80
	.cfi_offset 30, -72
	mov	x15, 8
	mov	x29, sp
	lsl	x17, x0, 3
	mov	x12, 1
	mov	x3, x1
	mov	x16, x1
	mov	x13, 16
	mov	x11, 0
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -64
	.cfi_offset 20, -56
	mov	x20, x1
	mov	x19, 0
	stp	x21, x22, [sp, 32]
	.cfi_offset 21, -48
	.cfi_offset 22, -40
	add	x22, x17, x15
	sub	x21, x0, #1
	sub	x15, x15, x1
	stp	x23, x24, [sp, 48]
	.cfi_offset 23, -32
	.cfi_offset 24, -24
	mov	x24, x12
	sub	x23, x1, #8
	str	x25, [sp, 64]
	.cfi_offset 25, -16
	.p2align 5,,15
.L5:
	cmp	x21, 1
	cset	w14, ne
	mov	x8, x19
	cmp	x2, x12
	csel	x18, x21, x24, gt
	and	x9, x18, -2
	add	x9, x9, x12
	lsr	x7, x18, 1
	cset	w0, gt
	add	x8, x8, x9
	add	x19, x19, x2
	mov	x4, x20
	add	x8, x3, x8, lsl 3
	add	x20, x20, x17
	and	w14, w14, w0
	lsl	x7, x7, 4
	and	x18, x18, 1
	mov	x1, x20
	mov	x5, x19
	lsl	x30, x12, 3
	mov	x6, x12
	add	x10, x23, x13
	.p2align 5,,15
.L11:
	ldr	d1, [x1, x11, lsl 3]
	ldr	d0, [x16]
	fdiv	d1, d1, d0
	str	d1, [x1, x11, lsl 3]
	cbz	w14, .L13
	add	x25, x15, x1
	mov	x0, x12
	cmp	x25, x13
	bne	.L28
	.p2align 5,,15
.L9:
	ldr	d2, [x4, x0, lsl 3]
	ldr	d0, [x1, x0, lsl 3]
	fmsub	d0, d1, d2, d0
	str	d0, [x1, x0, lsl 3]
	add	x0, x0, 1
	cmp	x2, x0
	bgt	.L9
.L10:
	add	x6, x6, 1
	add	x5, x5, x2
	add	x1, x1, x17
	cmp	x2, x6
	bgt	.L11
	.p2align 5,,15
.L29:
	add	x12, x12, 1
	add	x11, x11, 1
	add	x15, x15, 8
	add	x13, x13, x22
	add	x16, x16, x22
	sub	x21, x21, #1
	cmp	x2, x12
	bne	.L5
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x23, x24, [sp, 48]
	ldr	x25, [sp, 64]
	ldp	x29, x30, [sp], 80
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 25
	.cfi_restore 23
	.cfi_restore 24
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
	.p2align 2,,3
.L28:
	.cfi_restore_state
	dup	v3.2d, v1.d[0]
	add	x25, x1, x30
	mov	x0, 0
	.p2align 5,,15
.L7:
	ldr	q2, [x10, x0]
	ldr	q0, [x25, x0]
	fmls	v0.2d, v2.2d, v3.2d
	str	q0, [x25, x0]
	add	x0, x0, 16
	cmp	x7, x0
	bne	.L7
	cbz	x18, .L10
	add	x0, x5, x9
	ldr	d2, [x8]
	add	x6, x6, 1
	lsl	x0, x0, 3
	add	x5, x5, x2
	add	x1, x1, x17
	ldr	d0, [x3, x0]
	fmsub	d0, d1, d2, d0
	str	d0, [x3, x0]
	cmp	x2, x6
	bgt	.L11
	b	.L29
	.p2align 2,,3
.L13:
	mov	x0, x12
	b	.L9
.L24:
	.cfi_def_cfa_offset 0
	.cfi_restore 19
	.cfi_restore 20
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 23
	.cfi_restore 24
	.cfi_restore 25
	.cfi_restore 29
	.cfi_restore 30
	ret
.L27:
	ret
	.cfi_endproc
.LFE0:
	.size	lu, .-lu
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
