	.text
	.file	"gauss_seidel.c"
	.globl	gauss_seidel                    // -- Begin function gauss_seidel
	.p2align	4
	.type	gauss_seidel,@function
gauss_seidel:                           // @gauss_seidel
// %bb.0:
	cmp	x0, #3
	b.lt	.LBB0_10
// %bb.1:
	cmp	x1, #3
	b.lt	.LBB0_10
// %bb.2:
	and	x12, x1, #0x7ffffffffffffffe
	add	x13, x2, #16
	fmov	d0, #0.25000000
	sub	x9, x0, #2
	lsl	x10, x1, #3
	add	x11, x2, x1, lsl #3
	mov	w16, #1                         // =0x1
	mov	x8, xzr
	sub	x12, x12, #2
	add	x14, x13, x1, lsl #3
	add	x15, x13, x1, lsl #4
	b	.LBB0_4
	.p2align	5, , 16
.LBB0_3:                                //   in Loop: Header=BB0_4 Depth=1
	add	x8, x8, #1
	add	x14, x14, x10
	add	x15, x15, x10
	add	x13, x13, x10
	cmp	x16, x9
	mov	x16, x17
	b.eq	.LBB0_10
.LBB0_4:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB0_7 Depth 2
	mul	x17, x10, x8
	ldr	d1, [x11, x17]
	cmp	x1, #3
	b.ne	.LBB0_6
// %bb.5:                               //   in Loop: Header=BB0_4 Depth=1
	mov	w18, #1                         // =0x1
	add	x17, x16, #1
	tbz	w1, #0, .LBB0_3
	b	.LBB0_9
	.p2align	5, , 16
.LBB0_6:                                //   in Loop: Header=BB0_4 Depth=1
	mov	x17, #-1                        // =0xffffffffffffffff
	mov	x18, x13
	mov	x0, x15
	mov	x3, x14
	mov	x4, x12
	.p2align	5, , 16
.LBB0_7:                                //   Parent Loop BB0_4 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldur	d2, [x18, #-8]
	ldur	d3, [x0, #-8]
	sub	x17, x17, #2
	subs	x4, x4, #2
	fadd	d2, d3, d2
	ldp	d3, d4, [x3]
	fadd	d1, d1, d3
	fadd	d1, d2, d1
	fmul	d1, d1, d0
	stur	d1, [x3, #-8]
	ldr	d2, [x18], #16
	ldr	d3, [x0], #16
	fadd	d2, d3, d2
	fadd	d2, d2, d4
	fadd	d1, d2, d1
	fmul	d1, d1, d0
	str	d1, [x3], #16
	b.ne	.LBB0_7
// %bb.8:                               //   in Loop: Header=BB0_4 Depth=1
	neg	x18, x17
	add	x17, x16, #1
	tbz	w1, #0, .LBB0_3
.LBB0_9:                                //   in Loop: Header=BB0_4 Depth=1
	sub	x0, x16, #1
	mul	x3, x17, x1
	lsl	x5, x18, #3
	mul	x4, x16, x1
	add	x3, x2, x3, lsl #3
	mul	x0, x0, x1
	add	x4, x2, x4, lsl #3
	add	x0, x2, x0, lsl #3
	ldr	d3, [x3, x5]
	add	x18, x4, x18, lsl #3
	ldr	d2, [x0, x5]
	fadd	d2, d3, d2
	ldr	d3, [x18, #8]
	fadd	d1, d1, d3
	fadd	d1, d2, d1
	fmul	d1, d1, d0
	str	d1, [x18]
	b	.LBB0_3
.LBB0_10:
	ret
.Lfunc_end0:
	.size	gauss_seidel, .Lfunc_end0-gauss_seidel
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
