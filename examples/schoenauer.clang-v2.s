	.text
	.file	"schoenauer.c"
	.globl	schoenauer                      // -- Begin function schoenauer
	.p2align	4
	.type	schoenauer,@function
schoenauer:                             // @schoenauer
// %bb.0:
	cmp	x4, #1
	b.lt	.LBB0_8
// %bb.1:
	cmp	x4, #3
	b.hi	.LBB0_3
// %bb.2:
	mov	x8, xzr
	b	.LBB0_6
.LBB0_3:
	and	x8, x4, #0x7ffffffffffffffc
	add	x9, x1, #16
	add	x10, x2, #16
	add	x11, x3, #16
	add	x12, x0, #16
	mov	x13, x8
	.p2align	5, , 16
.LBB0_4:                                // =>This Inner Loop Header: Depth=1
	ldp	q0, q1, [x9, #-16]
	ldp	q2, q3, [x10, #-16]
	add	x9, x9, #32
	add	x10, x10, #32
	subs	x13, x13, #4
	ldp	q4, q5, [x11, #-16]
	add	x11, x11, #32
	fmla	v1.2d, v5.2d, v3.2d
	fmla	v0.2d, v4.2d, v2.2d
	stp	q0, q1, [x12, #-16]
	add	x12, x12, #32
	b.ne	.LBB0_4
// %bb.5:
	cmp	x8, x4
	b.eq	.LBB0_8
.LBB0_6:
	sub	x9, x4, x8
	add	x10, x0, x8, lsl #3
	add	x11, x3, x8, lsl #3
	add	x12, x2, x8, lsl #3
	add	x8, x1, x8, lsl #3
	.p2align	5, , 16
.LBB0_7:                                // =>This Inner Loop Header: Depth=1
	ldr	d0, [x8], #8
	ldr	d1, [x12], #8
	ldr	d2, [x11], #8
	fmadd	d0, d2, d1, d0
	subs	x9, x9, #1
	str	d0, [x10], #8
	b.ne	.LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	schoenauer, .Lfunc_end0-schoenauer
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
