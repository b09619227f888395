	.text
	.file	"stencil7.c"
	.globl	stencil7                        // -- Begin function stencil7
	.p2align	4
	.type	stencil7,@function
stencil7:                               // @stencil7
// %bb.0:
                                        // kill: def $d1 killed $d1 def $q1
                                        // kill: def $d0 killed $d0 def $q0
	cmp	x0, #3
	b.lt	.LBB0_13
// %bb.1:
	sub	sp, sp, #144
	mov	w8, #8                          // =0x8
	stp	x22, x21, [sp, #112]            // 16-byte Folded Spill
	lsl	x16, x0, #3
	sub	x10, x0, #2
	sub	x9, x0, #1
	stp	x29, x30, [sp, #48]             // 16-byte Folded Spill
	orr	x8, x8, x0, lsl #4
	add	x15, x16, #16
	and	x11, x10, #0xfffffffffffffffe
	orr	x12, x10, #0x1
	stp	x28, x27, [sp, #64]             // 16-byte Folded Spill
	stp	x26, x25, [sp, #80]             // 16-byte Folded Spill
	mov	x26, xzr
	madd	x21, x0, x8, x1
	mul	x8, x0, x0
	madd	x18, x0, x15, x1
	add	x15, x1, x0, lsl #3
	stp	x24, x23, [sp, #96]             // 16-byte Folded Spill
	stp	x20, x19, [sp, #128]            // 16-byte Folded Spill
	lsl	x13, x8, #3
	add	x4, x1, x8, lsl #3
	add	x14, x21, #8
	add	x3, x18, #8
	str	x13, [sp]                       // 8-byte Folded Spill
	add	x13, x16, #8
	add	x5, x4, #8
	add	x17, x1, x13
	mul	x13, x0, x13
	add	x2, x2, x13
	add	x7, x1, x13
	mov	w1, #1                          // =0x1
	add	x6, x2, #8
	mov	x19, x7
	b	.LBB0_3
	.p2align	5, , 16
.LBB0_2:                                //   in Loop: Header=BB0_3 Depth=1
	ldp	x21, x26, [sp, #32]             // 16-byte Folded Reload
	ldp	x8, x2, [sp]                    // 16-byte Folded Reload
	ldp	x4, x18, [sp, #16]              // 16-byte Folded Reload
	add	x1, x1, #1
	add	x26, x26, x8
	add	x2, x2, x8
	add	x21, x21, x8
	add	x15, x15, x8
	add	x18, x18, x8
	add	x4, x4, x8
	add	x19, x19, x8
	cmp	x1, x9
	b.eq	.LBB0_12
.LBB0_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB0_5 Depth 2
                                        //       Child Loop BB0_8 Depth 3
                                        //       Child Loop BB0_11 Depth 3
	mov	w27, #1                         // =0x1
	mov	x20, x19
	stp	x4, x18, [sp, #16]              // 16-byte Folded Spill
	mov	x0, x15
	stp	x21, x26, [sp, #32]             // 16-byte Folded Spill
	mov	x13, x21
	str	x2, [sp, #8]                    // 8-byte Folded Spill
	b	.LBB0_5
	.p2align	5, , 16
.LBB0_4:                                //   in Loop: Header=BB0_5 Depth=2
	add	x27, x27, #1
	add	x26, x26, x16
	add	x2, x2, x16
	add	x13, x13, x16
	add	x0, x0, x16
	add	x18, x18, x16
	add	x4, x4, x16
	add	x20, x20, x16
	cmp	x27, x9
	b.eq	.LBB0_2
.LBB0_5:                                //   Parent Loop BB0_3 Depth=1
                                        // =>  This Loop Header: Depth=2
                                        //       Child Loop BB0_8 Depth 3
                                        //       Child Loop BB0_11 Depth 3
	cmp	x10, #2
	b.hs	.LBB0_7
// %bb.6:                               //   in Loop: Header=BB0_5 Depth=2
	mov	w21, #1                         // =0x1
	b	.LBB0_10
	.p2align	5, , 16
.LBB0_7:                                //   in Loop: Header=BB0_5 Depth=2
	mov	x21, x26
	mov	x22, x11
	.p2align	5, , 16
.LBB0_8:                                //   Parent Loop BB0_3 Depth=1
                                        //     Parent Loop BB0_5 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	add	x23, x7, x21
	ldr	q5, [x3, x21]
	subs	x22, x22, #2
	ldp	q3, q4, [x23]
	ldur	q2, [x23, #8]
	fadd	v3.2d, v4.2d, v3.2d
	ldr	q4, [x5, x21]
	fmul	v2.2d, v2.2d, v0.d[0]
	fadd	v4.2d, v4.2d, v5.2d
	ldr	q5, [x17, x21]
	fadd	v4.2d, v4.2d, v5.2d
	ldr	q5, [x14, x21]
	fadd	v3.2d, v3.2d, v5.2d
	fadd	v3.2d, v3.2d, v4.2d
	fmla	v2.2d, v3.2d, v1.d[0]
	str	q2, [x6, x21]
	add	x21, x21, #16
	b.ne	.LBB0_8
// %bb.9:                               //   in Loop: Header=BB0_5 Depth=2
	mov	x21, x12
	cmp	x10, x11
	b.eq	.LBB0_4
.LBB0_10:                               //   in Loop: Header=BB0_5 Depth=2
	sub	x28, x9, x21
	lsl	x29, x21, #3
	mov	x30, x20
	mov	x21, x4
	mov	x22, x18
	mov	x23, x0
	mov	x24, x13
	mov	x25, x2
	.p2align	5, , 16
.LBB0_11:                               //   Parent Loop BB0_3 Depth=1
                                        //     Parent Loop BB0_5 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	add	x8, x30, x29
	ldr	d5, [x22, x29]
	subs	x28, x28, #1
	add	x22, x22, #8
	add	x30, x30, #8
	ldp	d3, d2, [x8, #-8]
	ldr	d4, [x8, #8]
	fmul	d2, d2, d0
	fadd	d3, d4, d3
	ldr	d4, [x21, x29]
	add	x21, x21, #8
	fadd	d4, d4, d5
	ldr	d5, [x23, x29]
	add	x23, x23, #8
	fadd	d4, d4, d5
	ldr	d5, [x24, x29]
	add	x24, x24, #8
	fadd	d3, d3, d5
	fadd	d3, d3, d4
	fmadd	d2, d3, d1, d2
	str	d2, [x25, x29]
	add	x25, x25, #8
	b.ne	.LBB0_11
	b	.LBB0_4
.LBB0_12:
	ldp	x20, x19, [sp, #128]            // 16-byte Folded Reload
	ldp	x22, x21, [sp, #112]            // 16-byte Folded Reload
	ldp	x24, x23, [sp, #96]             // 16-byte Folded Reload
	ldp	x26, x25, [sp, #80]             // 16-byte Folded Reload
	ldp	x28, x27, [sp, #64]             // 16-byte Folded Reload
	ldp	x29, x30, [sp, #48]             // 16-byte Folded Reload
	add	sp, sp, #144
.LBB0_13:
	ret
.Lfunc_end0:
	.size	stencil7, .Lfunc_end0-stencil7
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
