	.text
	.file	"histogram.c"
	.globl	histogram                       // -- Begin function histogram
	.p2align	4
	.type	histogram,@function
histogram:                              // @histogram
// %bb.0:
	cmp	x2, #1
	b.lt	.LBB0_6
// %bb.1:
	mov	x8, xzr
	b.eq	.LBB0_4
// %bb.2:
	and	x9, x2, #0x7ffffffffffffffe
	add	x10, x1, #1
	.p2align	5, , 16
.LBB0_3:                                // =>This Inner Loop Header: Depth=1
	ldurb	w11, [x10, #-1]
	add	x8, x8, #2
	ldr	w12, [x0, x11, lsl #2]
	add	w12, w12, #1
	str	w12, [x0, x11, lsl #2]
	ldrb	w11, [x10], #2
	ldr	w12, [x0, x11, lsl #2]
	add	w12, w12, #1
	str	w12, [x0, x11, lsl #2]
	cmp	x9, x8
	b.ne	.LBB0_3
.LBB0_4:
	tbz	w2, #0, .LBB0_6
// %bb.5:
	ldrb	w8, [x1, x8]
	ldr	w9, [x0, x8, lsl #2]
	add	w9, w9, #1
	str	w9, [x0, x8, lsl #2]
.LBB0_6:
	ret
.Lfunc_end0:
	.size	histogram, .Lfunc_end0-histogram
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
