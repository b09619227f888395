	.text
	.file	"bytes.c"
	.globl	length                          // -- Begin function length
	.p2align	4
	.type	length,@function
length:                                 // @length
// %bb.0:
	mov	x8, xzr
	.p2align	5, , 16
.LBB0_1:                                // =>This Inner Loop Header: Depth=1
	ldrb	w9, [x0, x8]
	add	x8, x8, #1
	cbnz	w9, .LBB0_1
// %bb.2:
	sub	x0, x8, #1
	ret
.Lfunc_end0:
	.size	length, .Lfunc_end0-length
                                        // -- End function
	.globl	copy_bytes                      // -- Begin function copy_bytes
	.p2align	4
	.type	copy_bytes,@function
copy_bytes:                             // @copy_bytes
// %bb.0:
	cbz	x2, .LBB1_8
// %bb.1:
	and	x8, x2, #0x3
	cmp	x2, #4
	b.hs	.LBB1_3
// %bb.2:
	mov	x10, xzr
	cbnz	x8, .LBB1_6
	b	.LBB1_8
.LBB1_3:
	and	x10, x2, #0xfffffffffffffffc
	add	x11, x0, #1
	add	x12, x1, #1
	mov	x9, xzr
	neg	x10, x10
	.p2align	5, , 16
.LBB1_4:                                // =>This Inner Loop Header: Depth=1
	ldurb	w13, [x12, #-1]
	sub	x9, x9, #4
	sturb	w13, [x11, #-1]
	ldrb	w13, [x12]
	strb	w13, [x11]
	ldrb	w13, [x12, #1]
	strb	w13, [x11, #1]
	ldrb	w13, [x12, #2]
	add	x12, x12, #4
	strb	w13, [x11, #2]
	add	x11, x11, #4
	cmp	x10, x9
	b.ne	.LBB1_4
// %bb.5:
	neg	x10, x9
	cbz	x8, .LBB1_8
.LBB1_6:
	add	x9, x0, x10
	add	x10, x1, x10
	.p2align	5, , 16
.LBB1_7:                                // =>This Inner Loop Header: Depth=1
	ldrb	w11, [x10], #1
	subs	x8, x8, #1
	strb	w11, [x9], #1
	b.ne	.LBB1_7
.LBB1_8:
	ret
.Lfunc_end1:
	.size	copy_bytes, .Lfunc_end1-copy_bytes
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
