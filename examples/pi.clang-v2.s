	.text
	.file	"pi.c"
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0                          // -- Begin function pi
.LCPI0_0:
	.xword	0                               // 0x0
	.xword	1                               // 0x1
	.text
	.globl	pi
	.p2align	4
	.type	pi,@function
pi:                                     // @pi
// %bb.0:
	scvtf	d0, x0
	fmov	d1, #1.00000000
	fdiv	d0, d1, d0
	cmp	x0, #1
	b.lt	.LBB0_3
// %bb.1:
	cmp	x0, #3
	b.hi	.LBB0_4
// %bb.2:
	movi	d1, #0000000000000000
	mov	x8, xzr
	b	.LBB0_7
.LBB0_3:
	movi	d1, #0000000000000000
	fmul	d0, d1, d0
	ret
.LBB0_4:
	adrp	x9, .LCPI0_0
	fmov	v4.2d, #0.50000000
	fmov	v5.2d, #1.00000000
	fmov	v6.2d, #4.00000000
	and	x8, x0, #0x7ffffffffffffffc
	movi	v1.2d, #0000000000000000
	movi	v16.2d, #0000000000000000
	ldr	q2, [x9, :lo12:.LCPI0_0]
	mov	w9, #2                          // =0x2
	dup	v3.2d, x9
	mov	w9, #4                          // =0x4
	dup	v7.2d, x9
	mov	x9, x8
	.p2align	5, , 16
.LBB0_5:                                // =>This Inner Loop Header: Depth=1
	add	v17.2d, v2.2d, v3.2d
	ucvtf	v18.2d, v2.2d
	mov	v19.16b, v5.16b
	add	v2.2d, v2.2d, v7.2d
	subs	x9, x9, #4
	ucvtf	v17.2d, v17.2d
	fadd	v18.2d, v18.2d, v4.2d
	fadd	v17.2d, v17.2d, v4.2d
	fmul	v18.2d, v18.2d, v0.d[0]
	fmul	v17.2d, v17.2d, v0.d[0]
	fmla	v19.2d, v18.2d, v18.2d
	mov	v18.16b, v5.16b
	fmla	v18.2d, v17.2d, v17.2d
	fdiv	v17.2d, v6.2d, v19.2d
	fdiv	v18.2d, v6.2d, v18.2d
	fadd	v1.2d, v17.2d, v1.2d
	fadd	v16.2d, v18.2d, v16.2d
	b.ne	.LBB0_5
// %bb.6:
	fadd	v1.2d, v16.2d, v1.2d
	faddp	d1, v1.2d
	cmp	x8, x0
	b.eq	.LBB0_9
.LBB0_7:
	fmov	d2, #0.50000000
	fmov	d3, #1.00000000
	fmov	d4, #4.00000000
	.p2align	5, , 16
.LBB0_8:                                // =>This Inner Loop Header: Depth=1
	ucvtf	d5, x8
	add	x8, x8, #1
	fadd	d5, d5, d2
	fmul	d5, d5, d0
	fmadd	d5, d5, d5, d3
	fdiv	d5, d4, d5
	fadd	d1, d5, d1
	cmp	x0, x8
	b.ne	.LBB0_8
.LBB0_9:
	fmul	d0, d1, d0
	ret
.Lfunc_end0:
	.size	pi, .Lfunc_end0-pi
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
