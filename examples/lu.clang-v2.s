	.text
	.file	"lu.c"
	.globl	lu                              // -- Begin function lu
	.p2align	4
	.type	lu,@function
lu:                                     // @lu
// %bb.0:
	subs	x8, x0, #1
	b.lt	.LBB0_17
// %bb.1:
	sub	sp, sp, #112
	lsl	x9, x0, #3
	mul	x11, x0, x0
	add	x14, x1, x0, lsl #3
	add	x16, x1, #24
	add	x13, x1, #8
	stp	x29, x30, [sp, #16]             // 16-byte Folded Spill
	stp	x28, x27, [sp, #32]             // 16-byte Folded Spill
	mov	x15, xzr
	mov	x2, x1
	add	x10, x9, #8
	add	x17, x16, x0, lsl #3
	add	x18, x14, #16
	stp	x26, x25, [sp, #48]             // 16-byte Folded Spill
	stp	x24, x23, [sp, #64]             // 16-byte Folded Spill
	mov	x3, x14
	add	x11, x1, x11, lsl #3
	add	x12, x1, x10
	stp	x22, x21, [sp, #80]             // 16-byte Folded Spill
	stp	x20, x19, [sp, #96]             // 16-byte Folded Spill
	str	x11, [sp, #8]                   // 8-byte Folded Spill
	b	.LBB0_3
	.p2align	5, , 16
.LBB0_2:                                //   in Loop: Header=BB0_3 Depth=1
	sub	x8, x8, #1
	add	x16, x16, x10
	add	x17, x17, x10
	add	x3, x3, x9
	add	x2, x2, x9
	add	x18, x18, x9
	cmp	x15, x0
	b.eq	.LBB0_16
.LBB0_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB0_6 Depth 2
                                        //       Child Loop BB0_8 Depth 3
                                        //       Child Loop BB0_12 Depth 3
                                        //       Child Loop BB0_15 Depth 3
	mov	x4, x15
	add	x15, x15, #1
	cmp	x15, x0
	b.ge	.LBB0_2
// %bb.4:                               //   in Loop: Header=BB0_3 Depth=1
	mul	x7, x10, x4
	ldr	x11, [sp, #8]                   // 8-byte Folded Reload
	madd	x21, x9, x4, x14
	mvn	x6, x4
	and	x5, x8, #0xfffffffffffffffc
	mov	x22, x18
	mov	x23, x3
	mov	x24, x17
	mov	x25, x15
	add	x6, x6, x0
	add	x19, x12, x7
	add	x20, x13, x7
	mul	x7, x4, x0
	cmp	x19, x21
	ccmp	x20, x11, #2, lo
	and	x20, x6, #0xfffffffffffffffc
	add	x7, x1, x7, lsl #3
	ccmp	x9, #0, #8, hs
	add	x21, x15, x20
	cset	w19, lt
	b	.LBB0_6
	.p2align	5, , 16
.LBB0_5:                                //   in Loop: Header=BB0_6 Depth=2
	add	x25, x25, #1
	add	x24, x24, x9
	add	x23, x23, x9
	add	x22, x22, x9
	cmp	x25, x0
	b.eq	.LBB0_2
.LBB0_6:                                //   Parent Loop BB0_3 Depth=1
                                        // =>  This Loop Header: Depth=2
                                        //       Child Loop BB0_8 Depth 3
                                        //       Child Loop BB0_12 Depth 3
                                        //       Child Loop BB0_15 Depth 3
	mul	x26, x25, x0
	ldr	d0, [x7, x4, lsl #3]
	cmp	x6, #4
	csinc	w27, w19, wzr, hs
	add	x26, x1, x26, lsl #3
	ldr	d1, [x26, x4, lsl #3]
	fdiv	d0, d1, d0
	str	d0, [x26, x4, lsl #3]
	mov	x26, x15
	tbnz	w27, #0, .LBB0_10
// %bb.7:                               //   in Loop: Header=BB0_6 Depth=2
	mov	x26, x24
	mov	x27, x16
	mov	x28, x5
	.p2align	5, , 16
.LBB0_8:                                //   Parent Loop BB0_3 Depth=1
                                        //     Parent Loop BB0_6 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	ldp	q1, q2, [x27, #-16]
	ldp	q3, q4, [x26, #-16]
	subs	x28, x28, #4
	add	x27, x27, #32
	fmls	v4.2d, v2.2d, v0.d[0]
	fmls	v3.2d, v1.2d, v0.d[0]
	stp	q3, q4, [x26, #-16]
	add	x26, x26, #32
	b.ne	.LBB0_8
// %bb.9:                               //   in Loop: Header=BB0_6 Depth=2
	mov	x26, x21
	cmp	x6, x20
	b.eq	.LBB0_5
.LBB0_10:                               //   in Loop: Header=BB0_6 Depth=2
	sub	w27, w0, w26
	ands	x28, x27, #0x3
	mov	x27, x26
	b.eq	.LBB0_13
// %bb.11:                              //   in Loop: Header=BB0_6 Depth=2
	mov	x27, x26
	.p2align	5, , 16
.LBB0_12:                               //   Parent Loop BB0_3 Depth=1
                                        //     Parent Loop BB0_6 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	ldr	d1, [x2, x27, lsl #3]
	ldr	d2, [x23, x27, lsl #3]
	subs	x28, x28, #1
	fmsub	d1, d1, d0, d2
	str	d1, [x23, x27, lsl #3]
	add	x27, x27, #1
	b.ne	.LBB0_12
.LBB0_13:                               //   in Loop: Header=BB0_6 Depth=2
	sub	x26, x26, x0
	cmn	x26, #4
	b.hi	.LBB0_5
// %bb.14:                              //   in Loop: Header=BB0_6 Depth=2
	sub	x26, x0, x27
	lsl	x27, x27, #3
	mov	x28, x22
	mov	x29, x2
	.p2align	5, , 16
.LBB0_15:                               //   Parent Loop BB0_3 Depth=1
                                        //     Parent Loop BB0_6 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	add	x30, x29, x27
	add	x11, x28, x27
	subs	x26, x26, #4
	add	x29, x29, #32
	add	x28, x28, #32
	ldr	d1, [x30]
	ldp	d2, d3, [x11, #-16]
	fmsub	d1, d1, d0, d2
	stur	d1, [x11, #-16]
	ldr	d1, [x30, #8]
	fmsub	d1, d1, d0, d3
	ldp	d2, d3, [x11]
	stur	d1, [x11, #-8]
	ldr	d1, [x30, #16]
	fmsub	d1, d1, d0, d2
	str	d1, [x11]
	ldr	d1, [x30, #24]
	fmsub	d1, d1, d0, d3
	str	d1, [x11, #8]
	b.ne	.LBB0_15
	b	.LBB0_5
.LBB0_16:
	ldp	x20, x19, [sp, #96]             // 16-byte Folded Reload
	ldp	x22, x21, [sp, #80]             // 16-byte Folded Reload
	ldp	x24, x23, [sp, #64]             // 16-byte Folded Reload
	ldp	x26, x25, [sp, #48]             // 16-byte Folded Reload
	ldp	x28, x27, [sp, #32]             // 16-byte Folded Reload
	ldp	x29, x30, [sp, #16]             // 16-byte Folded Reload
	add	sp, sp, #112
.LBB0_17:
	ret
.Lfunc_end0:
	.size	lu, .Lfunc_end0-lu
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
