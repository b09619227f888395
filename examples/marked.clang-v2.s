	.text
	.file	"marked.c"
	.globl	marked                          // -- Begin function marked
	.p2align	4
	.type	marked,@function
marked:                                 // @marked
// %bb.0:
	//APP
	// OSACA-BEGIN
	//NO_APP
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
	b	.LBB0_9
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
	//APP
	// OSACA-END
	//NO_APP
	//APP
	// LLVM-MCA-BEGIN sum
	//NO_APP
	cmp	x2, #1
	b.lt	.LBB0_17
// %bb.10:
	cmp	x2, #3
	b.hi	.LBB0_12
// %bb.11:
	mov	x8, xzr
	b	.LBB0_15
.LBB0_12:
	movi	v2.2d, #0000000000000000
	mov	v2.d[0], v0.d[0]
	and	x8, x2, #0x7ffffffffffffffc
	add	x9, x0, #16
	movi	v1.2d, #0000000000000000
	mov	x10, x8
	.p2align	5, , 16
.LBB0_13:                               // =>This Inner Loop Header: Depth=1
	ldp	q0, q3, [x9, #-16]
	add	x9, x9, #32
	subs	x10, x10, #4
	fadd	v1.2d, v3.2d, v1.2d
	fadd	v2.2d, v0.2d, v2.2d
	b.ne	.LBB0_13
// %bb.14:
	fadd	v0.2d, v1.2d, v2.2d
	faddp	d0, v0.2d
	cmp	x8, x2
	b.eq	.LBB0_17
.LBB0_15:
	sub	x9, x2, x8
	add	x8, x0, x8, lsl #3
	.p2align	5, , 16
.LBB0_16:                               // =>This Inner Loop Header: Depth=1
	ldr	d1, [x8], #8
	subs	x9, x9, #1
	fadd	d0, d1, d0
	b.ne	.LBB0_16
.LBB0_17:
	//APP
	// LLVM-MCA-END sum
	//NO_APP
                                        // kill: def $d0 killed $d0 killed $q0
	ret
.Lfunc_end0:
	.size	marked, .Lfunc_end0-marked
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
