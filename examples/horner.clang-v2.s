	.text
	.file	"horner.c"
	.globl	horner                          // -- Begin function horner
	.p2align	4
	.type	horner,@function
horner:                                 // @horner
// %bb.0:
	cmp	x3, #1
	b.lt	.LBB0_8
// %bb.1:
	ldp	d1, d0, [x2, #48]
	ldp	d3, d2, [x2, #32]
	ldp	d5, d4, [x2, #16]
	ldp	d7, d6, [x2]
	cmp	x3, #1
	b.ne	.LBB0_3
// %bb.2:
	mov	x8, xzr
	b	.LBB0_6
.LBB0_3:
	dup	v16.2d, v1.d[0]
	dup	v17.2d, v2.d[0]
	dup	v18.2d, v3.d[0]
	dup	v19.2d, v4.d[0]
	and	x8, x3, #0x7ffffffffffffffe
	mov	x10, x0
	mov	x11, x1
	mov	x9, x8
	dup	v20.2d, v5.d[0]
	dup	v21.2d, v6.d[0]
	dup	v22.2d, v7.d[0]
	.p2align	5, , 16
.LBB0_4:                                // =>This Inner Loop Header: Depth=1
	ldr	q23, [x11], #16
	mov	v24.16b, v16.16b
	mov	v25.16b, v17.16b
	subs	x9, x9, #2
	fmla	v24.2d, v23.2d, v0.d[0]
	fmla	v25.2d, v23.2d, v24.2d
	mov	v24.16b, v18.16b
	fmla	v24.2d, v23.2d, v25.2d
	mov	v25.16b, v19.16b
	fmla	v25.2d, v23.2d, v24.2d
	mov	v24.16b, v20.16b
	fmla	v24.2d, v23.2d, v25.2d
	mov	v25.16b, v21.16b
	fmla	v25.2d, v23.2d, v24.2d
	mov	v24.16b, v22.16b
	fmla	v24.2d, v23.2d, v25.2d
	str	q24, [x10], #16
	b.ne	.LBB0_4
// %bb.5:
	cmp	x8, x3
	b.eq	.LBB0_8
.LBB0_6:
	sub	x9, x3, x8
	add	x10, x0, x8, lsl #3
	add	x8, x1, x8, lsl #3
	.p2align	5, , 16
.LBB0_7:                                // =>This Inner Loop Header: Depth=1
	ldr	d16, [x8], #8
	subs	x9, x9, #1
	fmadd	d17, d16, d0, d1
	fmadd	d17, d16, d17, d2
	fmadd	d17, d16, d17, d3
	fmadd	d17, d16, d17, d4
	fmadd	d17, d16, d17, d5
	fmadd	d17, d16, d17, d6
	fmadd	d16, d16, d17, d7
	str	d16, [x10], #8
	b.ne	.LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	horner, .Lfunc_end0-horner
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
