	.text
	.file	"dot.c"
	.globl	dot                             // -- Begin function dot
	.p2align	4
	.type	dot,@function
dot:                                    // @dot
// %bb.0:
	cmp	x2, #1
	b.lt	.LBB0_3
// %bb.1:
	cmp	x2, #3
	b.hi	.LBB0_4
// %bb.2:
	movi	d0, #0000000000000000
	mov	x8, xzr
	b	.LBB0_7
.LBB0_3:
	movi	d0, #0000000000000000
	ret
.LBB0_4:
	and	x8, x2, #0x7ffffffffffffffc
	add	x9, x0, #16
	add	x10, x1, #16
	movi	v0.2d, #0000000000000000
	movi	v1.2d, #0000000000000000
	mov	x11, x8
	.p2align	5, , 16
.LBB0_5:                                // =>This Inner Loop Header: Depth=1
	ldp	q2, q3, [x9, #-16]
	ldp	q4, q5, [x10, #-16]
	add	x9, x9, #32
	add	x10, x10, #32
	subs	x11, x11, #4
	fmla	v1.2d, v5.2d, v3.2d
	fmla	v0.2d, v4.2d, v2.2d
	b.ne	.LBB0_5
// %bb.6:
	fadd	v0.2d, v1.2d, v0.2d
	faddp	d0, v0.2d
	cmp	x8, x2
	b.eq	.LBB0_9
.LBB0_7:
	sub	x9, x2, x8
	add	x10, x1, x8, lsl #3
	add	x8, x0, x8, lsl #3
	.p2align	5, , 16
.LBB0_8:                                // =>This Inner Loop Header: Depth=1
	ldr	d1, [x8], #8
	ldr	d2, [x10], #8
	subs	x9, x9, #1
	fmadd	d0, d2, d1, d0
	b.ne	.LBB0_8
.LBB0_9:
	ret
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
