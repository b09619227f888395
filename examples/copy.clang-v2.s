	.text
	.file	"copy.c"
	.globl	copy                            // -- Begin function copy
	.p2align	4
	.type	copy,@function
copy:                                   // @copy
// %bb.0:
	cmp	x2, #1
	b.lt	.LBB0_8
// %bb.1:
	cmp	x2, #3
	b.hi	.LBB0_3
// %bb.2:
	mov	x8, xzr
	b	.LBB0_6
.LBB0_3:
	and	x8, x2, #0x7ffffffffffffffc
	add	x9, x1, #16
	add	x10, x0, #16
	mov	x11, x8
	.p2align	5, , 16
.LBB0_4:                                // =>This Inner Loop Header: Depth=1
	ldp	q0, q1, [x9, #-16]
	add	x9, x9, #32
	subs	x11, x11, #4
	stp	q0, q1, [x10, #-16]
	add	x10, x10, #32
	b.ne	.LBB0_4
// %bb.5:
	cmp	x8, x2
	b.eq	.LBB0_8
.LBB0_6:
	sub	x9, x2, x8
	add	x10, x0, x8, lsl #3
	add	x8, x1, x8, lsl #3
	.p2align	5, , 16
.LBB0_7:                                // =>This Inner Loop Header: Depth=1
	ldr	d0, [x8], #8
	subs	x9, x9, #1
	str	d0, [x10], #8
	b.ne	.LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	copy, .Lfunc_end0-copy
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
