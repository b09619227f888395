	.text
	.file	"matvec.c"
	.globl	matvec                          // -- Begin function matvec
	.p2align	4
	.type	matvec,@function
matvec:                                 // @matvec
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB0_10
// %bb.1:
	and	x9, x0, #0x7ffffffffffffffc
	add	x10, x1, #16
	lsl	x11, x0, #3
	add	x12, x2, #16
	mov	x8, xzr
	b	.LBB0_3
	.p2align	5, , 16
.LBB0_2:                                //   in Loop: Header=BB0_3 Depth=1
	str	d0, [x3, x8, lsl #3]
	add	x8, x8, #1
	add	x10, x10, x11
	add	x1, x1, x11
	cmp	x8, x0
	b.eq	.LBB0_10
.LBB0_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB0_6 Depth 2
                                        //     Child Loop BB0_9 Depth 2
	cmp	x0, #4
	b.hs	.LBB0_5
// %bb.4:                               //   in Loop: Header=BB0_3 Depth=1
	mov	x15, xzr
	movi	d0, #0000000000000000
	b	.LBB0_8
	.p2align	5, , 16
.LBB0_5:                                //   in Loop: Header=BB0_3 Depth=1
	movi	v0.2d, #0000000000000000
	mov	x13, x9
	mov	x14, x12
	mov	x15, x10
	movi	v1.2d, #0000000000000000
	.p2align	5, , 16
.LBB0_6:                                //   Parent Loop BB0_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldp	q2, q3, [x15, #-16]
	ldp	q4, q5, [x14, #-16]
	add	x15, x15, #32
	add	x14, x14, #32
	subs	x13, x13, #4
	fmla	v1.2d, v5.2d, v3.2d
	fmla	v0.2d, v4.2d, v2.2d
	b.ne	.LBB0_6
// %bb.7:                               //   in Loop: Header=BB0_3 Depth=1
	fadd	v0.2d, v1.2d, v0.2d
	mov	x15, x9
	faddp	d0, v0.2d
	cmp	x9, x0
	b.eq	.LBB0_2
.LBB0_8:                                //   in Loop: Header=BB0_3 Depth=1
	sub	x13, x0, x15
	add	x14, x2, x15, lsl #3
	add	x15, x1, x15, lsl #3
	.p2align	5, , 16
.LBB0_9:                                //   Parent Loop BB0_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldr	d1, [x15], #8
	ldr	d2, [x14], #8
	subs	x13, x13, #1
	fmadd	d0, d2, d1, d0
	b.ne	.LBB0_9
	b	.LBB0_2
.LBB0_10:
	ret
.Lfunc_end0:
	.size	matvec, .Lfunc_end0-matvec
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
