	.text
	.file	"cmul.c"
	.globl	cmul                            // -- Begin function cmul
	.p2align	4
	.type	cmul,@function
cmul:                                   // @cmul
// %bb.0:
	cmp	x3, #1
	b.lt	.LBB0_8
// %bb.1:
	cmp	x3, #3
	b.hi	.LBB0_3
// %bb.2:
	mov	x8, xzr
	b	.LBB0_6
.LBB0_3:
	and	x8, x3, #0x7ffffffffffffffc
	mov	x10, x1
	mov	x11, x2
	mov	x12, x0
	mov	x9, x8
	.p2align	5, , 16
.LBB0_4:                                // =>This Inner Loop Header: Depth=1
	ldp	q1, q0, [x10], #32
	ldp	q3, q2, [x11], #32
	movi	v4.2d, #0000000000000000
	movi	v5.2d, #0000000000000000
	subs	x9, x9, #4
	fcmla	v5.4s, v0.4s, v2.4s, #0
	fcmla	v4.4s, v1.4s, v3.4s, #0
	fcmla	v5.4s, v0.4s, v2.4s, #90
	fcmla	v4.4s, v1.4s, v3.4s, #90
	stp	q4, q5, [x12], #32
	b.ne	.LBB0_4
// %bb.5:
	cmp	x8, x3
	b.eq	.LBB0_8
.LBB0_6:
	add	x10, x1, x8, lsl #3
	sub	x9, x3, x8
	add	x11, x2, x8, lsl #3
	add	x8, x0, x8, lsl #3
	add	x10, x10, #4
	.p2align	5, , 16
.LBB0_7:                                // =>This Inner Loop Header: Depth=1
	ldr	d2, [x11], #8
	ldp	s0, s1, [x10, #-4]
	subs	x9, x9, #1
	add	x10, x10, #8
	fmul	v1.2s, v2.2s, v1.s[0]
	fmul	v0.2s, v2.2s, v0.s[0]
	rev64	v1.2s, v1.2s
	fsub	v2.2s, v0.2s, v1.2s
	fadd	v0.2s, v0.2s, v1.2s
	mov	v2.s[1], v0.s[1]
	str	d2, [x8], #8
	b.ne	.LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	cmul, .Lfunc_end0-cmul
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
