	.text
	.file	"stencil27.c"
	.globl	stencil27                       // -- Begin function stencil27
	.p2align	4
	.type	stencil27,@function
stencil27:                              // @stencil27
// %bb.0:
	cmp	x0, #3
	b.lt	.LBB0_13
// %bb.1:
	sub	sp, sp, #304
	sub	x8, x0, #1
	sub	x10, x0, #2
	lsl	x9, x0, #4
	ldp	d0, d1, [x3]
	ldp	d2, d3, [x3, #16]
	lsl	x11, x0, #3
	stp	x22, x21, [sp, #272]            // 16-byte Folded Spill
	add	x7, x1, x0, lsl #4
	mov	x12, xzr
	mov	x17, x1
	and	x13, x10, #0xfffffffffffffffe
	str	x8, [sp, #136]                  // 8-byte Folded Spill
	mul	x8, x0, x0
	add	x9, x9, #16
	stp	x20, x19, [sp, #288]            // 16-byte Folded Spill
	stp	x29, x30, [sp, #208]            // 16-byte Folded Spill
	mov	x22, x7
	add	x15, x1, x8, lsl #4
	stp	x13, x10, [sp, #120]            // 16-byte Folded Spill
	lsl	x13, x8, #3
	orr	x10, x10, #0x1
	str	x10, [sp, #112]                 // 8-byte Folded Spill
	add	x10, x11, #8
	mul	x10, x0, x10
	str	x13, [sp, #8]                   // 8-byte Folded Spill
	madd	x13, x0, x9, x1
	mov	w9, #8                          // =0x8
	stp	x28, x27, [sp, #224]            // 16-byte Folded Spill
	stp	x26, x25, [sp, #240]            // 16-byte Folded Spill
	stp	x24, x23, [sp, #256]            // 16-byte Folded Spill
	mov	x23, x15
	bfi	x9, x0, #4, #60
	add	x16, x2, x10
	add	x14, x1, x10
	add	x2, x13, #8
	mov	w10, #1                         // =0x1
	madd	x18, x0, x9, x1
	add	x9, x1, x8, lsl #3
	add	x8, x11, #16
	add	x3, x16, #8
	add	x4, x14, #16
	madd	x21, x0, x8, x1
	add	x20, x9, #16
	add	x0, x1, x0, lsl #3
	add	x6, x18, #8
	mov	x5, x0
	mov	x19, x21
	b	.LBB0_3
	.p2align	5, , 16
.LBB0_2:                                //   in Loop: Header=BB0_3 Depth=1
	ldp	x10, x9, [sp, #56]              // 16-byte Folded Reload
	ldp	x13, x12, [sp, #96]             // 16-byte Folded Reload
	ldp	x8, x23, [sp, #8]               // 16-byte Folded Reload
	add	x12, x12, x8
	ldp	x14, x16, [sp, #80]             // 16-byte Folded Reload
	ldr	x18, [sp, #72]                  // 8-byte Folded Reload
	ldp	x22, x19, [sp, #24]             // 16-byte Folded Reload
	ldp	x5, x17, [sp, #40]              // 16-byte Folded Reload
	add	x16, x16, x8
	add	x14, x14, x8
	add	x18, x18, x8
	add	x23, x23, x8
	add	x13, x13, x8
	add	x9, x9, x8
	add	x22, x22, x8
	add	x19, x19, x8
	add	x5, x5, x8
	add	x17, x17, x8
	ldr	x8, [sp, #136]                  // 8-byte Folded Reload
	add	x10, x10, #1
	cmp	x10, x8
	b.eq	.LBB0_12
.LBB0_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB0_5 Depth 2
                                        //       Child Loop BB0_8 Depth 3
                                        //       Child Loop BB0_11 Depth 3
	mov	w24, #1                         // =0x1
	stp	x17, x10, [sp, #48]             // 16-byte Folded Spill
	stp	x5, x17, [sp, #192]             // 16-byte Folded Spill
	stp	x19, x5, [sp, #32]              // 16-byte Folded Spill
	stp	x22, x19, [sp, #176]            // 16-byte Folded Spill
	stp	x23, x22, [sp, #16]             // 16-byte Folded Spill
	stp	x9, x18, [sp, #64]              // 16-byte Folded Spill
	stp	x13, x9, [sp, #160]             // 16-byte Folded Spill
	stp	x16, x13, [sp, #88]             // 16-byte Folded Spill
	mov	x13, x16
	str	x23, [sp, #152]                 // 8-byte Folded Spill
	str	x14, [sp, #80]                  // 8-byte Folded Spill
	str	x12, [sp, #104]                 // 8-byte Folded Spill
	b	.LBB0_5
	.p2align	5, , 16
.LBB0_4:                                //   in Loop: Header=BB0_5 Depth=2
	ldp	x12, x8, [sp, #144]             // 16-byte Folded Reload
	add	x24, x24, #1
	add	x13, x13, x11
	add	x14, x14, x11
	add	x18, x18, x11
	add	x8, x8, x11
	add	x12, x12, x11
	str	x8, [sp, #152]                  // 8-byte Folded Spill
	ldr	x8, [sp, #160]                  // 8-byte Folded Reload
	add	x8, x8, x11
	str	x8, [sp, #160]                  // 8-byte Folded Spill
	ldr	x8, [sp, #168]                  // 8-byte Folded Reload
	add	x8, x8, x11
	str	x8, [sp, #168]                  // 8-byte Folded Spill
	ldr	x8, [sp, #176]                  // 8-byte Folded Reload
	add	x8, x8, x11
	str	x8, [sp, #176]                  // 8-byte Folded Spill
	ldr	x8, [sp, #184]                  // 8-byte Folded Reload
	add	x8, x8, x11
	str	x8, [sp, #184]                  // 8-byte Folded Spill
	ldr	x8, [sp, #192]                  // 8-byte Folded Reload
	add	x8, x8, x11
	str	x8, [sp, #192]                  // 8-byte Folded Spill
	ldr	x8, [sp, #200]                  // 8-byte Folded Reload
	add	x8, x8, x11
	str	x8, [sp, #200]                  // 8-byte Folded Spill
	ldr	x8, [sp, #136]                  // 8-byte Folded Reload
	cmp	x24, x8
	b.eq	.LBB0_2
.LBB0_5:                                //   Parent Loop BB0_3 Depth=1
                                        // =>  This Loop Header: Depth=2
                                        //       Child Loop BB0_8 Depth 3
                                        //       Child Loop BB0_11 Depth 3
	ldr	x8, [sp, #128]                  // 8-byte Folded Reload
	str	x12, [sp, #144]                 // 8-byte Folded Spill
	cmp	x8, #2
	b.hs	.LBB0_7
// %bb.6:                               //   in Loop: Header=BB0_5 Depth=2
	mov	w8, #1                          // =0x1
	b	.LBB0_10
	.p2align	5, , 16
.LBB0_7:                                //   in Loop: Header=BB0_5 Depth=2
	ldr	x16, [sp, #120]                 // 8-byte Folded Reload
	mov	x8, x12
	.p2align	5, , 16
.LBB0_8:                                //   Parent Loop BB0_3 Depth=1
                                        //     Parent Loop BB0_5 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	add	x17, x4, x8
	add	x5, x21, x8
	add	x19, x0, x8
	add	x22, x6, x8
	subs	x16, x16, #2
	ldp	q5, q6, [x17, #-16]
	ldur	q4, [x17, #-8]
	add	x17, x20, x8
	ldur	q7, [x5, #8]
	fadd	v5.2d, v6.2d, v5.2d
	ldur	q6, [x17, #-8]
	fmul	v4.2d, v4.2d, v0.d[0]
	fadd	v6.2d, v6.2d, v7.2d
	ldr	q7, [x22]
	fadd	v5.2d, v5.2d, v6.2d
	ldur	q6, [x19, #8]
	fadd	v6.2d, v6.2d, v7.2d
	fadd	v5.2d, v5.2d, v6.2d
	fmla	v4.2d, v5.2d, v1.d[0]
	ldp	q5, q6, [x17, #-16]
	add	x17, x1, x8
	fadd	v5.2d, v6.2d, v5.2d
	ldp	q6, q7, [x5]
	add	x5, x7, x8
	fadd	v6.2d, v6.2d, v7.2d
	fadd	v5.2d, v5.2d, v6.2d
	ldp	q6, q7, [x19]
	add	x19, x15, x8
	fadd	v6.2d, v6.2d, v7.2d
	ldur	q7, [x22, #-8]
	fadd	v6.2d, v6.2d, v7.2d
	ldur	q7, [x17, #8]
	fadd	v5.2d, v5.2d, v6.2d
	ldur	q6, [x22, #8]
	add	x22, x2, x8
	fadd	v6.2d, v6.2d, v7.2d
	ldur	q7, [x5, #8]
	fadd	v6.2d, v6.2d, v7.2d
	ldur	q7, [x19, #8]
	fadd	v6.2d, v6.2d, v7.2d
	fadd	v5.2d, v5.2d, v6.2d
	ldr	q6, [x22]
	fadd	v5.2d, v5.2d, v6.2d
	fmla	v4.2d, v5.2d, v2.d[0]
	ldp	q5, q6, [x17]
	fadd	v5.2d, v6.2d, v5.2d
	ldp	q6, q7, [x5]
	fadd	v6.2d, v6.2d, v7.2d
	fadd	v5.2d, v5.2d, v6.2d
	ldp	q6, q7, [x19]
	fadd	v6.2d, v6.2d, v7.2d
	ldur	q7, [x22, #-8]
	fadd	v6.2d, v6.2d, v7.2d
	fadd	v5.2d, v5.2d, v6.2d
	ldur	q6, [x22, #8]
	fadd	v5.2d, v5.2d, v6.2d
	fmla	v4.2d, v5.2d, v3.d[0]
	str	q4, [x3, x8]
	add	x8, x8, #16
	b.ne	.LBB0_8
// %bb.9:                               //   in Loop: Header=BB0_5 Depth=2
	ldp	x8, x10, [sp, #112]             // 16-byte Folded Reload
	ldr	x9, [sp, #128]                  // 8-byte Folded Reload
	cmp	x9, x10
	b.eq	.LBB0_4
.LBB0_10:                               //   in Loop: Header=BB0_5 Depth=2
	ldr	x9, [sp, #136]                  // 8-byte Folded Reload
	ldp	x29, x28, [sp, #192]            // 16-byte Folded Reload
	ldp	x26, x30, [sp, #176]            // 16-byte Folded Reload
	mov	x5, x18
	mov	x16, x14
	mov	x22, x13
	sub	x25, x9, x8
	ldp	x17, x19, [sp, #160]            // 16-byte Folded Reload
	ldr	x27, [sp, #152]                 // 8-byte Folded Reload
	lsl	x8, x8, #3
	.p2align	5, , 16
.LBB0_11:                               //   Parent Loop BB0_3 Depth=1
                                        //     Parent Loop BB0_5 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	add	x12, x16, x8
	add	x10, x30, x8
	add	x9, x29, x8
	add	x23, x5, x8
	subs	x25, x25, #1
	add	x16, x16, #8
	ldp	d5, d4, [x12, #-8]
	ldr	d6, [x12, #8]
	add	x12, x19, x8
	ldp	d18, d17, [x10, #-8]
	add	x5, x5, #8
	add	x19, x19, #8
	add	x30, x30, #8
	add	x29, x29, #8
	ldp	d16, d7, [x12, #-8]
	fmul	d4, d4, d0
	fadd	d5, d6, d5
	fadd	d6, d7, d17
	ldp	d19, d17, [x23, #-8]
	fadd	d5, d5, d6
	ldp	d7, d6, [x9, #-8]
	fadd	d6, d6, d17
	ldr	d17, [x12, #8]
	add	x12, x27, x8
	add	x27, x27, #8
	fadd	d5, d5, d6
	fmadd	d4, d5, d1, d4
	fadd	d16, d17, d16
	ldr	d17, [x10, #8]
	add	x10, x26, x8
	add	x26, x26, #8
	fadd	d17, d18, d17
	fadd	d16, d16, d17
	ldr	d17, [x9, #8]
	add	x9, x28, x8
	add	x28, x28, #8
	fadd	d6, d7, d17
	ldr	d7, [x23, #8]
	add	x23, x17, x8
	add	x17, x17, #8
	fadd	d6, d6, d19
	fadd	d6, d16, d6
	ldp	d17, d16, [x9, #-8]
	fadd	d7, d7, d16
	ldp	d18, d16, [x10, #-8]
	fadd	d7, d7, d16
	ldp	d19, d16, [x12, #-8]
	fadd	d5, d7, d16
	ldr	d16, [x10, #8]
	fadd	d5, d6, d5
	ldp	d7, d6, [x23, #-8]
	fadd	d5, d5, d6
	ldr	d6, [x9, #8]
	fadd	d16, d18, d16
	fmadd	d4, d5, d2, d4
	ldr	d5, [x23, #8]
	fadd	d6, d6, d17
	fadd	d6, d6, d16
	ldr	d16, [x12, #8]
	fadd	d16, d19, d16
	fadd	d7, d16, d7
	fadd	d6, d6, d7
	fadd	d5, d6, d5
	fmadd	d4, d5, d3, d4
	str	d4, [x22, x8]
	add	x22, x22, #8
	b.ne	.LBB0_11
	b	.LBB0_4
.LBB0_12:
	ldp	x20, x19, [sp, #288]            // 16-byte Folded Reload
	ldp	x22, x21, [sp, #272]            // 16-byte Folded Reload
	ldp	x24, x23, [sp, #256]            // 16-byte Folded Reload
	ldp	x26, x25, [sp, #240]            // 16-byte Folded Reload
	ldp	x28, x27, [sp, #224]            // 16-byte Folded Reload
	ldp	x29, x30, [sp, #208]            // 16-byte Folded Reload
	add	sp, sp, #304
.LBB0_13:
	ret
.Lfunc_end0:
	.size	stencil27, .Lfunc_end0-stencil27
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
