	.text
	.file	"spmv.c"
	.globl	spmv                            // -- Begin function spmv
	.p2align	4
	.type	spmv,@function
spmv:                                   // @spmv
// %bb.0:
	cmp	w0, #1
	b.lt	.LBB0_17
// %bb.1:
	str	x21, [sp, #-32]!                // 8-byte Folded Spill
	ldr	w17, [x1]
	add	x10, x3, #8
	add	x11, x2, #4
	add	x12, x2, #8
	add	x13, x3, #16
	stp	x20, x19, [sp, #16]             // 16-byte Folded Spill
	mov	x9, xzr
	mov	w8, w0
	b	.LBB0_3
	.p2align	5, , 16
.LBB0_2:                                //   in Loop: Header=BB0_3 Depth=1
	str	d0, [x5, x9, lsl #3]
	mov	w17, w15
	mov	x9, x14
	cmp	x14, x8
	b.eq	.LBB0_16
.LBB0_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB0_7 Depth 2
                                        //     Child Loop BB0_11 Depth 2
                                        //     Child Loop BB0_15 Depth 2
	add	x14, x9, #1
	movi	d0, #0000000000000000
	ldr	w15, [x1, x14, lsl #2]
	cmp	w17, w15
	b.ge	.LBB0_2
// %bb.4:                               //   in Loop: Header=BB0_3 Depth=1
	sxtw	x16, w15
	sxtw	x7, w17
	sub	x18, x16, x7
	cmp	x18, #1
	b.hi	.LBB0_6
// %bb.5:                               //   in Loop: Header=BB0_3 Depth=1
	mov	x17, x7
	b	.LBB0_9
	.p2align	5, , 16
.LBB0_6:                                //   in Loop: Header=BB0_3 Depth=1
	and	x0, x18, #0xfffffffffffffffe
	movi	d1, #0000000000000000
	add	x6, x10, x7, lsl #3
	add	x17, x0, x7
	add	x7, x11, x7, lsl #2
	mov	x19, x0
	.p2align	5, , 16
.LBB0_7:                                //   Parent Loop BB0_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldpsw	x20, x21, [x7, #-4]
	subs	x19, x19, #2
	add	x7, x7, #8
	ldp	d2, d3, [x6, #-8]
	add	x6, x6, #16
	ldr	d5, [x4, x21, lsl #3]
	ldr	d4, [x4, x20, lsl #3]
	fmadd	d1, d5, d3, d1
	fmadd	d0, d4, d2, d0
	b.ne	.LBB0_7
// %bb.8:                               //   in Loop: Header=BB0_3 Depth=1
	fadd	d0, d1, d0
	cmp	x18, x0
	b.eq	.LBB0_2
.LBB0_9:                                //   in Loop: Header=BB0_3 Depth=1
	sub	w18, w16, w17
	ands	x0, x18, #0x3
	b.eq	.LBB0_13
// %bb.10:                              //   in Loop: Header=BB0_3 Depth=1
	mov	x18, x17
	.p2align	5, , 16
.LBB0_11:                               //   Parent Loop BB0_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldrsw	x6, [x2, x18, lsl #2]
	ldr	d1, [x3, x18, lsl #3]
	add	x18, x18, #1
	subs	x0, x0, #1
	ldr	d2, [x4, x6, lsl #3]
	fmadd	d0, d2, d1, d0
	b.ne	.LBB0_11
// %bb.12:                              //   in Loop: Header=BB0_3 Depth=1
	sub	x17, x17, x16
	cmn	x17, #4
	b.hi	.LBB0_2
	b	.LBB0_14
.LBB0_13:                               //   in Loop: Header=BB0_3 Depth=1
	mov	x18, x17
	sub	x17, x17, x16
	cmn	x17, #4
	b.hi	.LBB0_2
.LBB0_14:                               //   in Loop: Header=BB0_3 Depth=1
	sub	x16, x16, x18
	add	x17, x12, x18, lsl #2
	add	x18, x13, x18, lsl #3
	.p2align	5, , 16
.LBB0_15:                               //   Parent Loop BB0_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldpsw	x0, x6, [x17, #-8]
	subs	x16, x16, #4
	ldp	d2, d3, [x18, #-16]
	ldr	d1, [x4, x0, lsl #3]
	fmadd	d0, d1, d2, d0
	ldr	d1, [x4, x6, lsl #3]
	fmadd	d0, d1, d3, d0
	ldp	d1, d3, [x18], #32
	ldpsw	x0, x6, [x17], #16
	ldr	d2, [x4, x0, lsl #3]
	fmadd	d0, d2, d1, d0
	ldr	d1, [x4, x6, lsl #3]
	fmadd	d0, d1, d3, d0
	b.ne	.LBB0_15
	b	.LBB0_2
.LBB0_16:
	ldp	x20, x19, [sp, #16]             // 16-byte Folded Reload
	ldr	x21, [sp], #32                  // 8-byte Folded Reload
.LBB0_17:
	ret
.Lfunc_end0:
	.size	spmv, .Lfunc_end0-spmv
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
