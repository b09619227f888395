	.text
	.file	"jacobi2d.c"
	.globl	jacobi2d                        // -- Begin function jacobi2d
	.p2align	4
	.type	jacobi2d,@function
jacobi2d:                               // @jacobi2d
// %bb.0:
	cmp	x0, #3
	b.lt	.LBB0_12
// %bb.1:
	cmp	x1, #3
	b.lt	.LBB0_12
// %bb.2:
	stp	x24, x23, [sp, #-48]!           // 16-byte Folded Spill
	sub	x10, x1, #2
	add	x15, x3, x1, lsl #3
	add	x16, x2, x1, lsl #3
	fmov	d0, #0.25000000
	fmov	v1.2d, #0.25000000
	sub	x9, x0, #2
	lsl	x13, x1, #3
	add	x14, x2, x1, lsl #4
	stp	x22, x21, [sp, #16]             // 16-byte Folded Spill
	stp	x20, x19, [sp, #32]             // 16-byte Folded Spill
	mov	x8, xzr
	mov	x5, x2
	mov	x6, x1
	mov	x0, x14
	and	x11, x10, #0xfffffffffffffffc
	add	x15, x15, #24
	add	x16, x16, #16
	sub	x17, x1, #1
	sub	x18, x2, #8
	mov	w4, #1                          // =0x1
	orr	x12, x11, #0x1
	b	.LBB0_4
	.p2align	5, , 16
.LBB0_3:                                //   in Loop: Header=BB0_4 Depth=1
	add	x7, x4, #1
	add	x8, x8, x13
	add	x6, x6, x1
	add	x5, x5, x13
	add	x0, x0, x13
	cmp	x4, x9
	mov	x4, x7
	b.eq	.LBB0_11
.LBB0_4:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB0_7 Depth 2
                                        //     Child Loop BB0_10 Depth 2
	cmp	x10, #4
	b.hs	.LBB0_6
// %bb.5:                               //   in Loop: Header=BB0_4 Depth=1
	mov	w23, #1                         // =0x1
	b	.LBB0_9
	.p2align	5, , 16
.LBB0_6:                                //   in Loop: Header=BB0_4 Depth=1
	mov	x7, x11
	mov	x19, x8
	.p2align	5, , 16
.LBB0_7:                                //   Parent Loop BB0_4 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	add	x20, x2, x19
	subs	x7, x7, #4
	ldur	q2, [x20, #8]
	ldur	q3, [x20, #24]
	add	x20, x14, x19
	ldur	q4, [x20, #8]
	ldur	q5, [x20, #24]
	add	x20, x16, x19
	ldr	q6, [x20, #16]
	fadd	v2.2d, v4.2d, v2.2d
	fadd	v3.2d, v5.2d, v3.2d
	ldp	q4, q5, [x20, #-16]
	add	x20, x15, x19
	add	x19, x19, #32
	fadd	v4.2d, v4.2d, v5.2d
	fadd	v2.2d, v2.2d, v4.2d
	fadd	v4.2d, v5.2d, v6.2d
	fadd	v3.2d, v3.2d, v4.2d
	fmul	v2.2d, v2.2d, v1.2d
	fmul	v3.2d, v3.2d, v1.2d
	stp	q2, q3, [x20, #-16]
	b.ne	.LBB0_7
// %bb.8:                               //   in Loop: Header=BB0_4 Depth=1
	mov	x23, x12
	cmp	x10, x11
	b.eq	.LBB0_3
.LBB0_9:                                //   in Loop: Header=BB0_4 Depth=1
	add	x22, x23, x6
	sub	x19, x17, x23
	add	x21, x5, x23, lsl #3
	add	x23, x0, x23, lsl #3
	mov	x7, xzr
	add	x20, x3, x22, lsl #3
	add	x22, x18, x22, lsl #3
	.p2align	5, , 16
.LBB0_10:                               //   Parent Loop BB0_4 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldr	d2, [x21, x7]
	ldr	d3, [x23, x7]
	add	x24, x22, x7
	subs	x19, x19, #1
	ldr	d4, [x24, #16]
	fadd	d2, d3, d2
	ldr	d3, [x24]
	fadd	d3, d3, d4
	fadd	d2, d2, d3
	fmul	d2, d2, d0
	str	d2, [x20, x7]
	add	x7, x7, #8
	b.ne	.LBB0_10
	b	.LBB0_3
.LBB0_11:
	ldp	x20, x19, [sp, #32]             // 16-byte Folded Reload
	ldp	x22, x21, [sp, #16]             // 16-byte Folded Reload
	ldp	x24, x23, [sp], #48             // 16-byte Folded Reload
.LBB0_12:
	ret
.Lfunc_end0:
	.size	jacobi2d, .Lfunc_end0-jacobi2d
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
