	.text
	.file	"prefix_sum.c"
	.globl	prefix_sum                      // -- Begin function prefix_sum
	.p2align	4
	.type	prefix_sum,@function
prefix_sum:                             // @prefix_sum
// %bb.0:
	cmp	x1, #2
	b.lt	.LBB0_7
// %bb.1:
	ldr	d0, [x0]
	sub	x8, x1, #1
	cmp	x1, #2
	b.ne	.LBB0_3
// %bb.2:
	mov	w9, #1                          // =0x1
	b	.LBB0_5
.LBB0_3:
	and	x9, x8, #0xfffffffffffffffe
	add	x10, x0, #16
	neg	x11, x9
	mov	w9, #1                          // =0x1
	.p2align	5, , 16
.LBB0_4:                                // =>This Inner Loop Header: Depth=1
	ldp	d1, d2, [x10, #-8]
	add	x9, x9, #2
	add	x12, x11, x9
	fadd	d1, d1, d0
	fadd	d0, d2, d1
	stp	d1, d0, [x10, #-8]
	add	x10, x10, #16
	cmp	x12, #1
	b.ne	.LBB0_4
.LBB0_5:
	tbz	w8, #0, .LBB0_7
// %bb.6:
	ldr	d1, [x0, x9, lsl #3]
	fadd	d0, d1, d0
	str	d0, [x0, x9, lsl #3]
.LBB0_7:
	ret
.Lfunc_end0:
	.size	prefix_sum, .Lfunc_end0-prefix_sum
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
